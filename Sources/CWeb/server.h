// What a server and its connections are.
#pragma once

#include "cweb.h"
#include "files.h"
#include "library.h"

#include <stdatomic.h>

/// The longest header that the owner is asked about; a longer one is refused.
enum { HEADER = 256 };

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
