/// A WebSocket connection to the server of another machine, on Debian's libwebsockets as the server itself.
///
/// Threads: everything happens on the thread that calls cweb_visit_run.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A connection; valid during calls to its `cweb_visitor`.
typedef struct cweb_visit cweb_visit;

/// What a connection asks its owner. Every function gets `context`, and returns false to end the connection.
typedef struct cweb_visitor {
    void *context;
    /// The connection is open, or `tick_ms` have passed since the last call.
    bool (*due)(void *context, cweb_visit *visit);
    /// A whole text message.
    bool (*received)(void *context, cweb_visit *visit, const char *text, size_t length);
} cweb_visitor;

/// How a connection is opened.
typedef struct cweb_visit_settings {
    /// The host's name or IPv4 address.
    const char *host;
    /// The TCP port.
    int port;
    /// Between calls of `due`, in ms.
    int tick_ms;
    /// The longest message that is taken, in bytes.
    size_t longest;
    /// The time for connecting, in s.
    int patience_seconds;
} cweb_visit_settings;

/// Why a connection has ended.
typedef enum cweb_visit_end {
    /// The owner ended it.
    CWEB_VISIT_LEFT,
    /// The library is not installed.
    CWEB_VISIT_NO_LIBRARY,
    /// There is no memory.
    CWEB_VISIT_NO_MEMORY,
    /// Nobody took the connection.
    CWEB_VISIT_NOBODY,
    /// Somebody took it, but did not answer as a server of Barline does: it may be full, or not serve under this address.
    CWEB_VISIT_UNANSWERED,
    /// It was open, and was closed or lost.
    CWEB_VISIT_CLOSED,
    /// It was open, and the server closed it because of what was said (1008 of RFC 6455).
    CWEB_VISIT_REFUSED,
} cweb_visit_end;

/// Connects, and serves the connection until it ends. The owner is copied.
cweb_visit_end cweb_visit_run(const cweb_visit_settings *settings, const cweb_visitor *visitor);

/// Sends a text message of at most 255 bytes, as soon as there is room; false if too many wait.
bool cweb_visit_say(cweb_visit *visit, const char *text, size_t length);
