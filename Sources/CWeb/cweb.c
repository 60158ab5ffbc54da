#define _GNU_SOURCE
#include "server.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/// The socket's send buffer: a peer that does not read costs no more than this in the kernel.
static const int send_buffer = 1 << 16;

/// Refuses a message, with the status code of RFC 6455, and closes the connection: a peer that does not close it in turn
/// is cut off after a second.
static int refuse_message(struct lws *wsi, cweb_peer *peer, enum lws_close_status status) {
    peer->is_closing = true;
    cweb_lws.lws_close_reason(wsi, status, NULL, 0);
    cweb_lws.lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, 1);
    return -1;
}

/// How many bytes have come over a socket so far; 0 if the kernel does not tell.
static uint64_t arrived(struct lws *wsi) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(cweb_lws.lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
    return length >= offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received ? info.tcpi_bytes_received : 0;
}

/// Whether a piece of a frame can be of one with a mask. RFC 6455 wants every frame of a page to have one, and the library
/// takes others, too, and does not tell: but without the four bytes of a mask, less has come than frames with masks take.
static bool is_masked(struct lws *wsi, cweb_peer *peer, size_t length) {
    peer->frame += length;
    peer->taken += length;
    if (cweb_lws.lws_remaining_packet_payload(wsi)) return true;
    peer->taken += peer->frame < 126 ? 6 : 8;
    peer->frame = 0;
    uint64_t now = peer->before ? arrived(wsi) : 0;
    return now == 0 || now - peer->before >= peer->taken;
}

/// Takes a piece of a message.
static int receive(cweb *web, struct lws *wsi, cweb_peer *peer, const char *bytes, size_t length) {
    if (!is_masked(wsi, peer, length)) return refuse_message(wsi, peer, LWS_CLOSE_STATUS_PROTOCOL_ERR);
    if (cweb_lws.lws_frame_is_binary(wsi)) return refuse_message(wsi, peer, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (length > web->settings.message - peer->length)
        return refuse_message(wsi, peer, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    if (!peer->message && !(peer->message = malloc(web->settings.message + 1))) return -1;
    if (length > 0) memcpy(peer->message + peer->length, bytes, length);
    peer->length += length;
    if (!cweb_lws.lws_is_final_fragment(wsi) || cweb_lws.lws_remaining_packet_payload(wsi)) return 0;
    size_t whole = peer->length;
    peer->length = 0;
    bool goes_on = web->owner.received(web->owner.context, peer, peer->message, whole);
    return goes_on ? 0 : refuse_message(wsi, peer, LWS_CLOSE_STATUS_POLICY_VIOLATION);
}

static int handle(cweb *web, struct lws *wsi, enum lws_callback_reasons reason, cweb_peer *peer, void *in, size_t length) {
    const cweb_owner *owner = &web->owner;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        cweb_answer_door(web);
        return 0;
    case LWS_CALLBACK_TIMER:
        if (wsi != web->at_door) return 0;
        cweb_tidy_door(web);
        cweb_lws.lws_set_timer_usecs(wsi, LWS_USEC_PER_SEC);
        return 0;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        cweb_count_in(web, wsi, (int)cweb_lws.lws_get_socket_fd(wsi));
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        cweb_count_out(web, wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        return cweb_answer(web, wsi, peer, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return cweb_send_piece(web, wsi, peer);
    case LWS_CALLBACK_HTTP_BODY:
        return cweb_take_piece(peer, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return cweb_end_body(web, wsi, peer);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (peer) cweb_forget(web, peer);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        // HTTP/2 is one of the upgrades that the library offers.
        return strcmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_RAW_ADOPT:
        // The library would take whatever follows a CONNECT.
        return -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: {
        char path[HEADER], version[HEADER];
        if (!cweb_copy_header(wsi, WSI_TOKEN_VERSION, version) || strcmp(version, "13") != 0) return -1;
        if (!cweb_copy_header(wsi, WSI_TOKEN_GET_URI, path) || strcmp(path, CWEB_LIVE_PATH) != 0) return -1;
        // A page sends frames once it has the answer, which goes out after this.
        if (peer) peer->before = arrived(wsi);
        return cweb_admit(web, wsi, true) == 200 ? 0 : -1;
    }
    case LWS_CALLBACK_ESTABLISHED:
        peer->web = web;
        peer->wsi = wsi;
        peer->is_open = true;
        cweb_count_out(web, wsi);
        setsockopt(cweb_lws.lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
        cweb_lws.lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, web->settings.hello_seconds);
        owner->opened(owner->context, peer);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return peer->is_closing ? -1 : receive(web, wsi, peer, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        peer->is_waiting = false;
        if (peer->is_closing) return 0;
        if (peer->is_trusted) cweb_lws.lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
        return owner->writable(owner->context, peer) ? 0 : -1;
    case LWS_CALLBACK_CLOSED:
        if (peer && peer->is_open) {
            owner->closed(owner->context, peer);
            peer->is_open = false;
            free(peer->message);
            peer->message = NULL;
        }
        return 0;
    default:
        return 0;
    }
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    cweb *web = cweb_lws.lws_context_user(cweb_lws.lws_get_context(wsi));
    if (reason != LWS_CALLBACK_EVENT_WAIT_CANCELLED) return handle(web, wsi, reason, user, in, length);
    web->owner.woken(web->owner.context);
    return 0;
}

cweb *cweb_open(const cweb_settings *settings, const cweb_owner *owner, cweb_failure *failure) {
    *failure = CWEB_NO_LIBRARY;
    if (!cweb_load()) return NULL;
    *failure = CWEB_NO_MEMORY;
    cweb *web = calloc(1, sizeof *web);
    if (!web) return NULL;
    web->owner = *owner;
    web->settings = *settings;
    web->listener = web->door = -1;
    web->newcomers = calloc((size_t)settings->connections, sizeof *web->newcomers);
    web->knocks = calloc((size_t)settings->connections, sizeof *web->knocks);
    if (!web->newcomers || !web->knocks) {
        cweb_close(web);
        return NULL;
    }
    // The library does not copy them.
    static const struct lws_protocols protocols[] = {
        {.name = "barline", .callback = callback, .per_session_data_size = sizeof(struct cweb_peer), .rx_buffer_size = 1024},
        {0},
    };
    web->idle.secs_since_valid_ping = (uint16_t)(settings->reading_seconds / 2);
    web->idle.secs_since_valid_hangup = (uint16_t)settings->reading_seconds;

    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .user = web,
        .headers = cweb_headers,
        .server_string = "barline",
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .max_http_header_data = 2048,
        .max_http_header_pool = 64,
        .timeout_secs = (unsigned)settings->hello_seconds,
        .keepalive_timeout = settings->hello_seconds,
        // One descriptor is the door, and two wake the thread.
        .fd_limit_per_thread = (unsigned)settings->connections + 3,
        .retry_and_idle_policy = &web->idle,
    };
    web->context = cweb_lws.lws_create_context(&info);
    web->host = web->context ? cweb_lws.lws_get_vhost_by_name(web->context, "default") : NULL;
    *failure = CWEB_NO_PORT;
    if (web->host && cweb_open_door(web)) {
        *failure = CWEB_NONE;
        return web;
    }
    cweb_close(web);
    return NULL;
}

int cweb_port(const cweb *web) { return web->port; }

void cweb_run(cweb *web) {
    while (!atomic_load(&web->is_over) && cweb_lws.lws_service(web->context, 0) >= 0) {}
}

void cweb_wake(cweb *web) { cweb_lws.lws_cancel_service(web->context); }

void cweb_stop(cweb *web) {
    atomic_store(&web->is_over, true);
    cweb_wake(web);
}

void cweb_close(cweb *web) {
    if (web->context) cweb_lws.lws_context_destroy(web->context);
    cweb_close_door(web);
    free(web->knocks);
    free(web->newcomers);
    free(web);
}

void cweb_want(cweb_peer *peer) {
    if (peer->is_closing) return;
    if (!peer->is_waiting && peer->is_trusted)
        cweb_lws.lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_REASON_BASE, peer->web->settings.reading_seconds);
    peer->is_waiting = true;
    cweb_lws.lws_callback_on_writable(peer->wsi);
}

void cweb_trust(cweb_peer *peer) {
    peer->is_trusted = true;
    cweb_lws.lws_set_timeout(peer->wsi, NO_PENDING_TIMEOUT, 0);
}

bool cweb_send(cweb_peer *peer, const char *text, size_t length) {
    unsigned char *room = malloc(LWS_PRE + length);
    if (!room) return false;
    memcpy(room + LWS_PRE, text, length);
    int count = cweb_lws.lws_write(peer->wsi, room + LWS_PRE, length, LWS_WRITE_TEXT);
    free(room);
    return count >= (int)length;
}
