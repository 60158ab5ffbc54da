#define _GNU_SOURCE
#include "cweb.h"
#include "files.h"
#include "library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The socket's send buffer: a peer that does not read costs no more than this in the kernel.
static const int send_buffer = 1 << 16;
/// The longest header that the owner is asked about; a longer one is refused.
enum { HEADER = 256 };
/// The bytes of a file that are written at a time.
enum { PIECE = 16384 };

/// Loaded once, with the first server.
static cweb_library library;
static bool is_loaded;

static void load(void) {
    is_loaded = cweb_load(&library);
    // Its messages would quote what strangers send.
    if (is_loaded) library.lws_set_log_level(0, NULL);
}

struct cweb {
    cweb_owner owner;
    cweb_settings settings;
    struct lws_context *context;
    /// When a connection is asked for a sign of life; the library does not copy it.
    lws_retry_bo_t idle;
    int port;
    _Atomic bool is_over;
};

/// What the library keeps for each connection, zero at first.
struct cweb_peer {
    cweb *web;
    struct lws *wsi;
    bool is_open;
    bool is_trusted;
    /// Whether it is being closed, so that no more is sent or received.
    bool is_closing;
    /// Whether a call of `writable` is awaited.
    bool is_waiting;
    /// The message that is being received; NULL before the first piece.
    char *message;
    size_t length;
    /// The file that is being sent; NULL for none.
    const cweb_file *file;
    size_t sent;
    /// The body that is being received, with the ticket for it; NULL for none.
    uint8_t *body;
    size_t body_length, body_whole;
    char ticket[HEADER];
    /// The file that is fetched; only if `is_fetching`.
    cweb_download download;
    bool is_fetching;
};

/// Sent with every answer. A page of this origin may load what this origin has, and nothing else may show it in a frame.
static const struct { const char *name, *value; } headers[] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"},
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"permissions-policy:", "camera=(), microphone=(), geolocation=()"},
    {"cache-control:", "no-store"},
};

/// Copies a header; false if it is too long, or there are several of the name.
static bool copy_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER]) {
    text[0] = 0;
    if (library.lws_hdr_total_length(wsi, token) == 0) return true;
    char second[2];
    if (library.lws_hdr_copy_fragment(wsi, second, sizeof second, token, 1) != -1) return false;
    return library.lws_hdr_copy(wsi, text, HEADER, token) >= 0;
}

/// Asks the owner about the headers of a request.
static int admit(cweb *web, struct lws *wsi, bool is_upgrade) {
    char host[HEADER], origin[HEADER];
    if (!copy_header(wsi, WSI_TOKEN_HOST, host)) return 400;
    if (!copy_header(wsi, WSI_TOKEN_ORIGIN, origin)) return 400;
    return web->owner.admit(web->owner.context, host, origin, is_upgrade);
}

/// Writes the headers of an answer; what the library's callback returns then: 0, or -1 if that failed. `disposition` is
/// NULL for what a browser shows.
static int write_head(struct lws *wsi, int status, const char *type, size_t length, const char *disposition) {
    unsigned char room[LWS_PRE + 2048], *at = room + LWS_PRE, *end = room + sizeof room;
    if (library.lws_add_http_header_status(wsi, (unsigned)status, &at, end)) return -1;
    for (size_t index = 0; index < sizeof headers / sizeof headers[0]; index++) {
        const char *value = headers[index].value;
        if (library.lws_add_http_header_by_name(
                wsi, (const unsigned char *)headers[index].name, (const unsigned char *)value, (int)strlen(value), &at, end))
            return -1;
    }
    if (library.lws_add_http_header_by_name(
            wsi, (const unsigned char *)"content-type:", (const unsigned char *)type, (int)strlen(type), &at, end))
        return -1;
    if (disposition &&
        library.lws_add_http_header_by_name(
            wsi, (const unsigned char *)"content-disposition:", (const unsigned char *)disposition, (int)strlen(disposition),
            &at, end))
        return -1;
    if (library.lws_add_http_header_content_length(wsi, length, &at, end)) return -1;
    if (library.lws_finalize_http_header(wsi, &at, end)) return -1;
    size_t count = (size_t)(at - (room + LWS_PRE));
    return library.lws_write(wsi, room + LWS_PRE, count, LWS_WRITE_HTTP_HEADERS) < (int)count ? -1 : 0;
}

/// Answers with a status and its words, and closes the connection.
static int finish(struct lws *wsi, int status) {
    const char *words = status == 403 ? "This address is not served here.\n"
        : status == 404 ? "There is no such page.\n"
        : status == 405 ? "Only GET is served.\n"
        : status == 202 ? "Taken.\n"
        : status == 401 ? "This needs a ticket, which is valid once.\n"
        : status == 411 ? "The length must be stated.\n"
        : status == 413 ? "This is too large.\n"
        : status == 415 ? "This kind of content is not taken.\n" : "The request cannot be understood.\n";
    size_t length = strlen(words);
    unsigned char room[LWS_PRE + 64];
    if (write_head(wsi, status, "text/plain; charset=utf-8", length, NULL)) return -1;
    memcpy(room + LWS_PRE, words, length);
    library.lws_write(wsi, room + LWS_PRE, length, LWS_WRITE_HTTP_FINAL);
    return -1;
}

/// The number that a header states, at most INT64_MAX; false if it is missing or not one.
static bool copy_number(struct lws *wsi, enum lws_token_indexes token, uint64_t *number) {
    char text[HEADER];
    if (!copy_header(wsi, token, text) || !text[0] || strlen(text) > 18) return false;
    *number = 0;
    for (const char *digit = text; *digit; digit++) {
        if (*digit < '0' || *digit > '9') return false;
        *number = *number * 10 + (uint64_t)(*digit - '0');
    }
    return true;
}

/// Begins to take a body.
static int take_body(cweb *web, struct lws *wsi, cweb_peer *peer) {
    char ticket[HEADER], type[HEADER];
    uint64_t length;
    const char *scheme = "Bearer ";
    if (!copy_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, ticket) || !copy_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type))
        return finish(wsi, 400);
    if (strncmp(ticket, scheme, strlen(scheme)) != 0) return finish(wsi, 401);
    if (!copy_number(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &length)) return finish(wsi, 411);
    int status = web->owner.upload(web->owner.context, ticket + strlen(scheme), type, length);
    if (status != 200) return finish(wsi, status);
    if (length == 0 || peer->body || !(peer->body = malloc(length))) return finish(wsi, 400);
    peer->body_length = 0;
    peer->body_whole = length;
    strcpy(peer->ticket, ticket + strlen(scheme));
    return 0;
}

/// Takes a piece of a body.
static int take_piece(cweb_peer *peer, const uint8_t *bytes, size_t length) {
    if (!peer || !peer->body || length > peer->body_whole - peer->body_length) return -1;
    memcpy(peer->body + peer->body_length, bytes, length);
    peer->body_length += length;
    return 0;
}

/// Answers a body that has come.
static int end_body(cweb *web, struct lws *wsi, cweb_peer *peer) {
    if (!peer || !peer->body || peer->body_length != peer->body_whole) return -1;
    web->owner.uploaded(web->owner.context, peer->ticket, peer->body, peer->body_length);
    return finish(wsi, 202);
}

/// Frees what a request has kept.
static void forget(cweb_peer *peer) {
    free(peer->body);
    peer->body = NULL;
    if (peer->is_fetching) close(peer->download.descriptor);
    peer->is_fetching = false;
}

/// Begins to send a file that a page fetches.
static int fetch(cweb *web, struct lws *wsi, cweb_peer *peer, const char *ticket) {
    if (peer->is_fetching || !web->owner.download(web->owner.context, ticket, &peer->download)) return finish(wsi, 404);
    peer->is_fetching = true;
    peer->sent = 0;
    if (write_head(wsi, 200, peer->download.type, peer->download.length, peer->download.disposition)) return -1;
    library.lws_callback_on_writable(wsi);
    return 0;
}

/// Sends the next piece of a file that a page fetches, and closes the connection after the last one.
static int send_fetched(cweb *web, struct lws *wsi, cweb_peer *peer) {
    unsigned char room[LWS_PRE + PIECE];
    size_t left = peer->download.length - peer->sent, wanted = left < PIECE ? left : PIECE;
    ssize_t count = pread(peer->download.descriptor, room + LWS_PRE, wanted, (off_t)peer->sent);
    if (count < 0 || (size_t)count != wanted) return -1;
    // A browser that does not read is not waited for.
    library.lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, web->settings.reading_seconds);
    enum lws_write_protocol kind = wanted == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    if (library.lws_write(wsi, room + LWS_PRE, wanted, kind) < (int)wanted) return -1;
    peer->sent += wanted;
    if (wanted == left) return -1;
    library.lws_callback_on_writable(wsi);
    return 0;
}

/// Begins to answer a request for a file.
static int answer(cweb *web, struct lws *wsi, cweb_peer *peer, const char *path) {
    if (!peer) return -1;
    int status = admit(web, wsi, false);
    if (status != 200) return finish(wsi, status);
    if (library.lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 && strcmp(path, "/upload") == 0) {
        return take_body(web, wsi, peer);
    }
    if (library.lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) return finish(wsi, 405);
    const char *folder = "/download/";
    if (strncmp(path, folder, strlen(folder)) == 0) return fetch(web, wsi, peer, path + strlen(folder));
    const cweb_file *file = cweb_file_at(path);
    if (!file) return finish(wsi, 404);
    peer->file = file;
    peer->sent = 0;
    if (write_head(wsi, 200, file->type, file->length, NULL)) return -1;
    library.lws_callback_on_writable(wsi);
    return 0;
}

/// Sends the next piece of a file.
static int send_piece(cweb *web, struct lws *wsi, cweb_peer *peer) {
    if (peer && peer->is_fetching) return send_fetched(web, wsi, peer);
    if (!peer || !peer->file) return 0;
    const cweb_file *file = peer->file;
    unsigned char room[LWS_PRE + PIECE];
    size_t left = file->length - peer->sent, count = left < PIECE ? left : PIECE;
    memcpy(room + LWS_PRE, file->bytes + peer->sent, count);
    enum lws_write_protocol kind = count == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    if (library.lws_write(wsi, room + LWS_PRE, count, kind) < (int)count) return -1;
    peer->sent += count;
    if (count < left) {
        library.lws_callback_on_writable(wsi);
        return 0;
    }
    peer->file = NULL;
    return library.lws_http_transaction_completed(wsi) ? -1 : 0;
}

/// Refuses a message, with the status code of RFC 6455, and closes the connection: a peer that does not close it in turn
/// is cut off after a second.
static int refuse_message(struct lws *wsi, cweb_peer *peer, enum lws_close_status status) {
    peer->is_closing = true;
    library.lws_close_reason(wsi, status, NULL, 0);
    library.lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, 1);
    return -1;
}

/// Takes a piece of a message.
static int receive(cweb *web, struct lws *wsi, cweb_peer *peer, const char *bytes, size_t length) {
    if (library.lws_frame_is_binary(wsi)) return refuse_message(wsi, peer, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (length > web->settings.message - peer->length) {
        return refuse_message(wsi, peer, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    }
    if (!peer->message && !(peer->message = malloc(web->settings.message + 1))) return -1;
    if (length > 0) memcpy(peer->message + peer->length, bytes, length);
    peer->length += length;
    if (!library.lws_is_final_fragment(wsi) || library.lws_remaining_packet_payload(wsi)) return 0;
    size_t whole = peer->length;
    peer->length = 0;
    bool goes_on = web->owner.received(web->owner.context, peer, peer->message, whole);
    return goes_on ? 0 : refuse_message(wsi, peer, LWS_CLOSE_STATUS_POLICY_VIOLATION);
}

static int handle(cweb *web, struct lws *wsi, enum lws_callback_reasons reason, cweb_peer *peer, void *in, size_t length) {
    const cweb_owner *owner = &web->owner;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return answer(web, wsi, peer, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_piece(web, wsi, peer);
    case LWS_CALLBACK_HTTP_BODY:
        return take_piece(peer, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return end_body(web, wsi, peer);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (peer) forget(peer);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        // HTTP/2 is one of the upgrades that the library offers.
        return strcmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_RAW_ADOPT:
        // The library would take whatever follows a CONNECT.
        return -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: {
        char path[HEADER], version[HEADER];
        if (!copy_header(wsi, WSI_TOKEN_VERSION, version) || strcmp(version, "13") != 0) return -1;
        if (!copy_header(wsi, WSI_TOKEN_GET_URI, path) || strcmp(path, "/live") != 0) return -1;
        return admit(web, wsi, true) == 200 ? 0 : -1;
    }
    case LWS_CALLBACK_ESTABLISHED:
        peer->web = web;
        peer->wsi = wsi;
        peer->is_open = true;
        setsockopt(library.lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
        library.lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, web->settings.hello_seconds);
        owner->opened(owner->context, peer);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return peer->is_closing ? -1 : receive(web, wsi, peer, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        peer->is_waiting = false;
        if (peer->is_closing) return 0;
        if (peer->is_trusted) library.lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
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
    cweb *web = library.lws_context_user(library.lws_get_context(wsi));
    if (reason != LWS_CALLBACK_EVENT_WAIT_CANCELLED) return handle(web, wsi, reason, user, in, length);
    web->owner.woken(web->owner.context);
    return 0;
}

cweb *cweb_open(const cweb_settings *settings, const cweb_owner *owner, cweb_failure *failure) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!is_loaded) {
        *failure = CWEB_NO_LIBRARY;
        return NULL;
    }
    cweb *web = calloc(1, sizeof *web);
    if (!web) {
        *failure = CWEB_NO_MEMORY;
        return NULL;
    }
    web->owner = *owner;
    web->settings = *settings;

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
    web->context = library.lws_create_context(&info);
    struct lws_vhost *host = web->context ? library.lws_get_vhost_by_name(web->context, "default") : NULL;
    web->port = host ? library.lws_get_vhost_listen_port(host) : 0;
    if (web->port > 0) {
        *failure = CWEB_NONE;
        return web;
    }
    if (web->context) library.lws_context_destroy(web->context);
    free(web);
    *failure = CWEB_NO_PORT;
    return NULL;
}

int cweb_port(const cweb *web) { return web->port; }

void cweb_run(cweb *web) {
    while (!atomic_load(&web->is_over) && library.lws_service(web->context, 0) >= 0) {}
}

void cweb_wake(cweb *web) { library.lws_cancel_service(web->context); }

void cweb_stop(cweb *web) {
    atomic_store(&web->is_over, true);
    cweb_wake(web);
}

void cweb_close(cweb *web) {
    library.lws_context_destroy(web->context);
    free(web);
}

void cweb_want(cweb_peer *peer) {
    if (peer->is_closing) return;
    if (!peer->is_waiting && peer->is_trusted) {
        library.lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_REASON_BASE, peer->web->settings.reading_seconds);
    }
    peer->is_waiting = true;
    library.lws_callback_on_writable(peer->wsi);
}

void cweb_trust(cweb_peer *peer) {
    peer->is_trusted = true;
    library.lws_set_timeout(peer->wsi, NO_PENDING_TIMEOUT, 0);
}

bool cweb_send(cweb_peer *peer, const char *text, size_t length) {
    unsigned char *room = malloc(LWS_PRE + length);
    if (!room) return false;
    memcpy(room + LWS_PRE, text, length);
    int count = library.lws_write(peer->wsi, room + LWS_PRE, length, LWS_WRITE_TEXT);
    free(room);
    return count >= (int)length;
}
