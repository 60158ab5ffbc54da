#define _GNU_SOURCE
#include "server.h"

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

/// Takes a piece of a message.
static int receive(cweb *web, struct lws *wsi, cweb_peer *peer, const char *bytes, size_t length) {
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
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return cweb_lets_in(web, (int)(intptr_t)in) ? 0 : -1;
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
        if (peer) cweb_forget(peer);
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
    web->newcomers = calloc((size_t)settings->connections, sizeof *web->newcomers);
    if (!web->newcomers) {
        free(web);
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
        .port = settings->port,
        .iface = settings->address,
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .user = web,
        .server_string = "barline",
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME |
            LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .max_http_header_data = 2048,
        .max_http_header_pool = 64,
        .timeout_secs = (unsigned)settings->hello_seconds,
        .keepalive_timeout = settings->hello_seconds,
        // One descriptor listens, and two wake the thread.
        .fd_limit_per_thread = (unsigned)settings->connections + 3,
        .retry_and_idle_policy = &web->idle,
    };
    web->context = cweb_lws.lws_create_context(&info);
    struct lws_vhost *host = web->context ? cweb_lws.lws_get_vhost_by_name(web->context, "default") : NULL;
    web->port = host ? cweb_lws.lws_get_vhost_listen_port(host) : 0;
    *failure = web->port > 0 ? CWEB_NONE : CWEB_NO_PORT;
    if (web->port > 0) return web;
    if (web->context) cweb_lws.lws_context_destroy(web->context);
    free(web->newcomers);
    free(web);
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
    cweb_lws.lws_context_destroy(web->context);
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
