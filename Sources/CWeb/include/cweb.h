/// A small server of HTTP/1.1 and WebSocket for the files that the program carries, on Debian's libwebsockets.
///
/// The library is loaded when a server is opened, so that a program that does not serve needs neither the library nor the
/// time and memory to load it.
///
/// Threads: a server belongs to the thread that calls cweb_run; that thread makes every call to `cweb_owner`. Only
/// cweb_wake and cweb_stop may be called from any thread, between cweb_open and cweb_close.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cweb_files.h"
#include "cweb_visit.h"

/// A server.
typedef struct cweb cweb;
/// A WebSocket connection; valid from `opened` until `closed` returns.
typedef struct cweb_peer cweb_peer;

/// A file that a page fetches.
typedef struct cweb_download {
    /// Where the bytes are read, from the beginning; the server closes it.
    int descriptor;
    size_t length;
    /// The media type, and the header Content-Disposition; ASCII without control characters.
    char type[64], disposition[512];
    /// By which the owner knows it again.
    uint64_t number;
} cweb_download;

/// What a server asks its owner. Every function gets `context`.
typedef struct cweb_owner {
    void *context;
    /// The status of the answer to a request with these headers, as they were sent, "" if they are missing: 200, or 400
    /// and above to refuse. `is_upgrade` tells a request for a WebSocket.
    int (*admit)(void *context, const char *host, const char *origin, bool is_upgrade);
    /// A WebSocket is open. It is closed after `hello_seconds` unless cweb_trust is called.
    void (*opened)(void *context, cweb_peer *peer);
    /// A whole text message, checked to be UTF-8 and within the limit; false closes the connection.
    bool (*received)(void *context, cweb_peer *peer, const char *text, size_t length);
    /// There is room for one message, which `cweb_send` takes; false closes the connection.
    bool (*writable)(void *context, cweb_peer *peer);
    /// The connection is gone.
    void (*closed)(void *context, cweb_peer *peer);
    /// Whether a page may send a body, asked before any of it is read: the status of the answer, 200 to take it. `ticket`
    /// is the header Authorization after "Bearer ", `type` the media type, "" if they are missing; `length` is what the
    /// page states. POST /upload.
    int (*upload)(void *context, const char *ticket, const char *type, uint64_t length);
    /// The whole body, of the length that was stated: the status of the answer, 202 if it is taken. `bytes` is NULL for a body
    /// that has ended early, which nobody answers.
    int (*uploaded)(void *context, const char *ticket, const uint8_t *bytes, size_t length);
    /// Fills in the file that GET /download/TICKET is answered with; false if the ticket is unknown, used or too old.
    bool (*download)(void *context, const char *ticket, cweb_download *download);
    /// The connection over which a file was fetched is gone; `is_whole` if all of it has been sent.
    void (*downloaded)(void *context, uint64_t number, bool is_whole);
    /// cweb_wake was called.
    void (*woken)(void *context);
} cweb_owner;

/// How a server is opened.
typedef struct cweb_settings {
    /// The IPv4 address to listen on; NULL for all.
    const char *address;
    /// The TCP port; 0 for any that is free.
    int port;
    /// The most connections at a time.
    int connections;
    /// The longest message that is taken, in bytes.
    size_t message;
    /// The time for a request's headers and for a WebSocket's first message, in s.
    int hello_seconds;
    /// A connection that has not taken a message for this time is dropped; one that is silent is asked for a sign of life
    /// after half of it. In s.
    int reading_seconds;
} cweb_settings;

/// Why a server could not be opened.
typedef enum cweb_failure { CWEB_NONE, CWEB_NO_LIBRARY, CWEB_NO_PORT, CWEB_NO_MEMORY } cweb_failure;

/// Opens a server; NULL with the reason in `failure`. The owner is copied.
cweb *cweb_open(const cweb_settings *settings, const cweb_owner *owner, cweb_failure *failure);

/// The TCP port that it listens on.
int cweb_port(const cweb *web);

/// Serves until cweb_stop is called.
void cweb_run(cweb *web);

/// Makes the server's thread call `woken`, soon. Thread: any.
void cweb_wake(cweb *web);

/// Makes cweb_run return. Thread: any.
void cweb_stop(cweb *web);

/// Closes all connections, with calls of `closed`, and frees the server. Thread: any, after cweb_run has returned.
void cweb_close(cweb *web);

/// Asks for a call of `writable`. Thread: the server's.
void cweb_want(cweb_peer *peer);

/// Lifts the time limit on a connection's first message. Thread: the server's.
void cweb_trust(cweb_peer *peer);

/// Sends a text message, once in each call of `writable`; false if the connection is lost. Thread: the server's.
bool cweb_send(cweb_peer *peer, const char *text, size_t length);

/// The name of the Debian package that holds the library. Thread: any.
const char *cweb_package(void);
