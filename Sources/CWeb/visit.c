#define _GNU_SOURCE
#include "cweb_visit.h"
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The messages that may wait for room, and their longest.
enum { WAITING = 16, SAID = 256 };

struct cweb_visit {
    cweb_visitor visitor;
    cweb_visit_settings settings;
    struct lws *wsi;
    bool is_open;
    bool is_over;
    cweb_visit_end end;
    /// The message that is being received, and its room.
    char *message;
    size_t length, room;
    struct { char text[SAID]; size_t length; } said[WAITING];
    size_t count;
};

/// Ends the wait for the sockets, too: timers and timeouts are handled before it, and without a socket it has no end.
static void be_over(cweb_visit *visit, struct lws *wsi) {
    if (!visit->is_over) cweb_lws.lws_cancel_service(cweb_lws.lws_get_context(wsi));
    visit->is_over = true;
}

static int leave(cweb_visit *visit) {
    visit->end = CWEB_VISIT_LEFT;
    be_over(visit, visit->wsi);
    return -1;
}

/// Calls `due`, and sees to the next call.
static int tick(cweb_visit *visit, struct lws *wsi) {
    if (!visit->visitor.due(visit->visitor.context, visit)) return leave(visit);
    cweb_lws.lws_set_timer_usecs(wsi, (lws_usec_t)visit->settings.tick_ms * 1000);
    return 0;
}

/// Takes a piece of a message.
static int receive(cweb_visit *visit, struct lws *wsi, const char *bytes, size_t length) {
    if (cweb_lws.lws_frame_is_binary(wsi) || length > visit->settings.longest - visit->length) return -1;
    if (visit->length + length > visit->room) {
        size_t room = 2 * (visit->length + length);
        char *message = realloc(visit->message, room);
        if (!message) return -1;
        visit->message = message;
        visit->room = room;
    }
    if (length > 0) memcpy(visit->message + visit->length, bytes, length);
    visit->length += length;
    if (!cweb_lws.lws_is_final_fragment(wsi) || cweb_lws.lws_remaining_packet_payload(wsi)) return 0;
    size_t whole = visit->length;
    visit->length = 0;
    if (whole == 0) return 0;
    return visit->visitor.received(visit->visitor.context, visit, visit->message, whole) ? 0 : leave(visit);
}

/// Sends the message that has waited longest.
static int send_one(cweb_visit *visit, struct lws *wsi) {
    if (visit->count == 0) return 0;
    unsigned char room[LWS_PRE + SAID];
    size_t length = visit->said[0].length;
    memcpy(room + LWS_PRE, visit->said[0].text, length);
    visit->count -= 1;
    memmove(visit->said, visit->said + 1, visit->count * sizeof visit->said[0]);
    if (cweb_lws.lws_write(wsi, room + LWS_PRE, length, LWS_WRITE_TEXT) < (int)length) return -1;
    if (visit->count > 0) cweb_lws.lws_callback_on_writable(wsi);
    return 0;
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)user;
    cweb_visit *visit = cweb_lws.lws_context_user(cweb_lws.lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        visit->end = CWEB_VISIT_UNANSWERED;
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        visit->wsi = wsi;
        visit->is_open = true;
        visit->end = CWEB_VISIT_CLOSED;
        return tick(visit, wsi);
    case LWS_CALLBACK_TIMER:
        return visit->is_open ? tick(visit, wsi) : 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(visit, wsi, in, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_one(visit, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: {
        const unsigned char *code = in;
        if (length >= 2 && (code[0] << 8 | code[1]) == LWS_CLOSE_STATUS_POLICY_VIOLATION) visit->end = CWEB_VISIT_REFUSED;
        return 0;
    }
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_CLOSED:
    // If the server has not answered in time, this is all that is called.
    case LWS_CALLBACK_WSI_DESTROY:
        visit->is_open = false;
        be_over(visit, wsi);
        return 0;
    default:
        return 0;
    }
}

cweb_visit_end cweb_visit_run(const cweb_visit_settings *settings, const cweb_visitor *visitor) {
    if (!cweb_load()) return CWEB_VISIT_NO_LIBRARY;
    cweb_visit *visit = calloc(1, sizeof *visit);
    if (!visit) return CWEB_VISIT_NO_MEMORY;
    visit->visitor = *visitor;
    visit->settings = *settings;
    visit->end = CWEB_VISIT_NOBODY;

    static const struct lws_protocols protocols[] = {
        {.name = "barline", .callback = callback, .rx_buffer_size = 4096},
        {0},
    };
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .user = visit,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .timeout_secs = (unsigned)settings->patience_seconds,
        .fd_limit_per_thread = 4,
    };
    struct lws_context *context = cweb_lws.lws_create_context(&info);
    if (!context) {
        free(visit);
        return CWEB_VISIT_NO_MEMORY;
    }
    char authority[300];
    snprintf(authority, sizeof authority, "%s:%d", settings->host, settings->port);
    struct lws_client_connect_info place = {
        .context = context,
        .address = settings->host,
        .port = settings->port,
        .path = CWEB_LIVE_PATH,
        .host = authority,
        .origin = authority,
        .ietf_version_or_minus_one = -1,
        .local_protocol_name = "barline",
    };
    // If it fails at once, `callback` may or may not have been called.
    if (!cweb_lws.lws_client_connect_via_info(&place)) visit->is_over = true;
    while (!visit->is_over && cweb_lws.lws_service(context, 0) >= 0) {}
    cweb_visit_end end = visit->end;
    visit->is_over = true;
    cweb_lws.lws_context_destroy(context);
    free(visit->message);
    free(visit);
    return end;
}

bool cweb_visit_say(cweb_visit *visit, const char *text, size_t length) {
    if (visit->count == WAITING || length >= SAID) return false;
    memcpy(visit->said[visit->count].text, text, length);
    visit->said[visit->count].length = length;
    visit->count += 1;
    cweb_lws.lws_callback_on_writable(visit->wsi);
    return true;
}
