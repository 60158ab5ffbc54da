#define _GNU_SOURCE
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The bytes of a file that are written at a time.
enum { PIECE = 16384 };

const struct lws_protocol_vhost_options cweb_headers[HEADERS] = {
    {.next = &cweb_headers[1], .name = "content-security-policy:",
     .value = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
              "manifest-src 'self'; worker-src 'self'; "
              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"},
    {.next = &cweb_headers[2], .name = "x-content-type-options:", .value = "nosniff"},
    {.next = &cweb_headers[3], .name = "referrer-policy:", .value = "no-referrer"},
    {.next = &cweb_headers[4], .name = "cross-origin-opener-policy:", .value = "same-origin"},
    {.next = &cweb_headers[5], .name = "cross-origin-resource-policy:", .value = "same-origin"},
    {.next = &cweb_headers[6], .name = "permissions-policy:", .value = "camera=(), microphone=(), geolocation=()"},
    {.name = "cache-control:", .value = "no-store"},
};

bool cweb_copy_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER]) {
    text[0] = 0;
    if (cweb_lws.lws_hdr_total_length(wsi, token) == 0) return true;
    char second[2];
    if (cweb_lws.lws_hdr_copy_fragment(wsi, second, sizeof second, token, 1) != -1) return false;
    return cweb_lws.lws_hdr_copy(wsi, text, HEADER, token) >= 0;
}

int cweb_admit(cweb *web, struct lws *wsi, bool is_upgrade) {
    char host[HEADER], origin[HEADER];
    if (!cweb_copy_header(wsi, WSI_TOKEN_HOST, host)) return 400;
    if (!cweb_copy_header(wsi, WSI_TOKEN_ORIGIN, origin)) return 400;
    return web->owner.admit(web->owner.context, host, origin, is_upgrade);
}

/// Appends a header to an answer; 0, or -1 if there is no room.
static int add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end) {
    const unsigned char *bytes = (const unsigned char *)value;
    return cweb_lws.lws_add_http_header_by_name(wsi, (const unsigned char *)name, bytes, (int)strlen(value), at, end) ? -1 : 0;
}

/// Writes the headers of an answer; what the library's callback returns then: 0, or -1 if that failed. `disposition` is
/// NULL for what a browser shows.
static int write_head(struct lws *wsi, int status, const char *type, size_t length, const char *disposition) {
    unsigned char room[LWS_PRE + 2048], *at = room + LWS_PRE, *end = room + sizeof room;
    if (cweb_lws.lws_add_http_header_status(wsi, (unsigned)status, &at, end)) return -1;
    if (add_header(wsi, "content-type:", type, &at, end)) return -1;
    if (disposition && add_header(wsi, "content-disposition:", disposition, &at, end)) return -1;
    if (cweb_lws.lws_add_http_header_content_length(wsi, length, &at, end)) return -1;
    if (cweb_lws.lws_finalize_http_header(wsi, &at, end)) return -1;
    size_t count = (size_t)(at - (room + LWS_PRE));
    return cweb_lws.lws_write(wsi, room + LWS_PRE, count, LWS_WRITE_HTTP_HEADERS) < (int)count ? -1 : 0;
}

/// What an answer with a status says.
static const char *words_of(int status) {
    return status == 403 ? "This address is not served here.\n"
        : status == 404 ? "There is no such page.\n"
        : status == 405 ? "GET is served here, and POST at /upload.\n"
        : status == 202 ? "Taken.\n"
        : status == 401 ? "This needs a ticket, which is valid once.\n"
        : status == 410 ? "This is not awaited any more.\n"
        : status == 503 ? "Others are sending; try again.\n"
        : status == 411 ? "The length must be stated.\n"
        : status == 413 ? "This is too large.\n"
        : status == 415 ? "This kind of content is not taken.\n" : "The request cannot be understood.\n";
}

void cweb_turn_away(int socket, int status) {
    char room[2048];
    const char *words = words_of(status);
    int end = snprintf(room, sizeof room, "HTTP/1.1 %d %s\r\n", status, status == 405 ? "Method Not Allowed" : "Bad Request");
    for (const struct lws_protocol_vhost_options *each = cweb_headers; each; each = each->next)
        end += snprintf(room + end, sizeof room - (size_t)end, "%s %s\r\n", each->name, each->value);
    end += snprintf(
        room + end, sizeof room - (size_t)end,
        "content-type: text/plain; charset=utf-8\r\ncontent-length: %zu\r\nconnection: close\r\n\r\n%s", strlen(words), words);
    // What is not read would make the kernel drop the answer.
    char rest[4096];
    while (recv(socket, rest, sizeof rest, MSG_DONTWAIT) == (ssize_t)sizeof rest) {}
    send(socket, room, (size_t)end, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(socket, SHUT_WR);
    close(socket);
}

/// Answers with a status and its words, and closes the connection.
static int finish(struct lws *wsi, int status) {
    const char *words = words_of(status);
    size_t length = strlen(words);
    unsigned char room[LWS_PRE + 64];
    if (write_head(wsi, status, "text/plain; charset=utf-8", length, NULL)) return -1;
    memcpy(room + LWS_PRE, words, length);
    cweb_lws.lws_write(wsi, room + LWS_PRE, length, LWS_WRITE_HTTP_FINAL);
    return -1;
}

/// The number that a header states, at most INT64_MAX; false if it is missing or not one.
static bool copy_number(struct lws *wsi, enum lws_token_indexes token, uint64_t *number) {
    char text[HEADER];
    if (!cweb_copy_header(wsi, token, text) || !text[0] || strlen(text) > 18) return false;
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
    if (!cweb_copy_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, ticket) || !cweb_copy_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type))
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

int cweb_take_piece(cweb_peer *peer, const uint8_t *bytes, size_t length) {
    if (!peer || !peer->body || length > peer->body_whole - peer->body_length) return -1;
    memcpy(peer->body + peer->body_length, bytes, length);
    peer->body_length += length;
    return 0;
}

int cweb_end_body(cweb *web, struct lws *wsi, cweb_peer *peer) {
    if (!peer || !peer->body || peer->body_length != peer->body_whole) return -1;
    int status = web->owner.uploaded(web->owner.context, peer->ticket, peer->body, peer->body_length);
    free(peer->body);
    peer->body = NULL;
    return finish(wsi, status);
}

void cweb_forget(cweb *web, cweb_peer *peer) {
    if (peer->body) web->owner.uploaded(web->owner.context, peer->ticket, NULL, 0);
    free(peer->body);
    peer->body = NULL;
    if (!peer->is_fetching) return;
    close(peer->download.descriptor);
    peer->is_fetching = false;
    web->owner.downloaded(web->owner.context, peer->download.number, peer->sent == peer->download.length);
}

/// Begins to send a file; `disposition` is NULL for one that a browser shows.
static int begin_file(struct lws *wsi, cweb_peer *peer, const char *type, size_t length, const char *disposition) {
    peer->sent = 0;
    if (write_head(wsi, 200, type, length, disposition)) return -1;
    cweb_lws.lws_callback_on_writable(wsi);
    return 0;
}

static int fetch(cweb *web, struct lws *wsi, cweb_peer *peer, const char *ticket) {
    if (peer->is_fetching || !web->owner.download(web->owner.context, ticket, &peer->download)) return finish(wsi, 404);
    peer->is_fetching = true;
    return begin_file(wsi, peer, peer->download.type, peer->download.length, peer->download.disposition);
}

int cweb_answer(cweb *web, struct lws *wsi, cweb_peer *peer, const char *path) {
    if (!peer) return -1;
    int status = cweb_admit(web, wsi, false);
    if (status != 200) return finish(wsi, status);
    if (cweb_lws.lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 && strcmp(path, "/upload") == 0)
        return take_body(web, wsi, peer);
    if (cweb_lws.lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) return finish(wsi, 405);
    // The library would take a body for the next request.
    if (cweb_lws.lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) return finish(wsi, 400);
    // The library would wait for a body, and close the connection before the file is sent.
    uint64_t length = 0;
    bool states_length = cweb_lws.lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0;
    if (states_length && (!copy_number(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &length) || length > 0)) return finish(wsi, 400);
    const char *folder = "/download/";
    if (strncmp(path, folder, strlen(folder)) == 0) return fetch(web, wsi, peer, path + strlen(folder));
    const cweb_file *file = cweb_file_at(path);
    if (!file) return finish(wsi, 404);
    peer->file = file;
    return begin_file(wsi, peer, file->type, file->length, NULL);
}

int cweb_send_piece(cweb *web, struct lws *wsi, cweb_peer *peer) {
    if (!peer || (!peer->file && !peer->is_fetching)) return 0;
    unsigned char room[LWS_PRE + PIECE];
    size_t left = (peer->is_fetching ? peer->download.length : peer->file->length) - peer->sent;
    size_t count = left < PIECE ? left : PIECE;
    if (peer->is_fetching) {
        if (pread(peer->download.descriptor, room + LWS_PRE, count, (off_t)peer->sent) != (ssize_t)count) return -1;
        // A browser that does not read is not waited for.
        cweb_lws.lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, web->settings.reading_seconds);
    } else {
        memcpy(room + LWS_PRE, peer->file->bytes + peer->sent, count);
    }
    enum lws_write_protocol kind = count == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    if (cweb_lws.lws_write(wsi, room + LWS_PRE, count, kind) < (int)count) return -1;
    peer->sent += count;
    if (count < left) {
        cweb_lws.lws_callback_on_writable(wsi);
        return 0;
    }
    if (peer->is_fetching) return -1;
    peer->file = NULL;
    return cweb_lws.lws_http_transaction_completed(wsi) ? -1 : 0;
}
