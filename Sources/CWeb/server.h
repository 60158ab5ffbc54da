// A server and its connections. Thread: the server's.
#pragma once

#include "cweb.h"
#include "library.h"

#include <stdatomic.h>

/// The longest header that the owner is asked about; a longer one is refused.
enum { HEADER = 256 };

/// A connection that has not become a WebSocket yet.
typedef struct cweb_newcomer {
    const struct lws *wsi;
    /// Its IPv4 address in network byte order.
    uint32_t address;
} cweb_newcomer;

/// A connection whose request has not begun, or not far enough to tell what it asks for.
typedef struct cweb_knock {
    int socket;
    /// Its IPv4 address in network byte order.
    uint32_t address;
    /// When it came, in s of CLOCK_MONOTONIC.
    int64_t since;
} cweb_knock;

struct cweb {
    cweb_owner owner;
    cweb_settings settings;
    struct lws_context *context;
    /// When a connection is asked for a sign of life; the library does not copy it.
    lws_retry_bo_t idle;
    int port;
    struct lws_vhost *host;
    /// The socket that listens, and the epoll instance of it and of the `knock_count` connections at the door; -1 for none.
    int listener, door;
    /// The door as the library has it.
    struct lws *at_door;
    cweb_knock *knocks;
    uint32_t knock_count;
    /// The connections that have not become WebSockets, `newcomer_count` of at most `settings.connections`.
    cweb_newcomer *newcomers;
    uint32_t newcomer_count;
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
    /// The bytes that had come over the socket before the first frame, and how many frames with masks have taken since, at
    /// least; and the length of the frame that is being received.
    uint64_t before, taken;
    size_t frame;
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

// Where connections come in: `door.c`.

/// Begins to listen; false if that is not possible.
bool cweb_open_door(cweb *web);

/// Lets new connections in, and looks at what those at the door have sent.
void cweb_answer_door(cweb *web);

/// Closes connections that have said nothing for too long, and takes new ones again if none could be taken.
void cweb_tidy_door(cweb *web);

/// Closes everything at the door. The library must have closed its part.
void cweb_close_door(cweb *web);

// How many connections one address may hold open without being a page: `newcomers.c`.

/// Whether another connection on this socket is let in.
bool cweb_lets_in(const cweb *web, int socket);

/// The IPv4 address at the other end of a socket, in network byte order; 0 for this machine, whose proxies speak for many.
uint32_t cweb_address_of(int socket);

/// Counts a connection until it is a page, or gone.
void cweb_count_in(cweb *web, const struct lws *wsi, int socket);
void cweb_count_out(cweb *web, const struct lws *wsi);

// Answers over plain HTTP: the files of the page, bodies that pages send, and files that they fetch. A function that returns
// an int returns what the library's callback does: 0, or -1 to close the connection.

/// Sent with every answer, also with those that the library gives by itself. A page of this origin may load what this origin
/// has, and nothing else may show it in a frame.
enum { HEADERS = 7 };
extern const struct lws_protocol_vhost_options cweb_headers[HEADERS];

/// Copies a header; false if it is too long, or there are several of the name.
bool cweb_copy_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER]);

/// Asks the owner about the headers of a request; returns the status of the answer.
int cweb_admit(cweb *web, struct lws *wsi, bool is_upgrade);

/// Begins to answer a request.
int cweb_answer(cweb *web, struct lws *wsi, cweb_peer *peer, const char *path);

/// Answers with a status on a socket that the library does not know, and closes it.
void cweb_turn_away(int socket, int status);

/// Sends the next piece of a file.
int cweb_send_piece(cweb *web, struct lws *wsi, cweb_peer *peer);

/// Takes a piece of a body.
int cweb_take_piece(cweb_peer *peer, const uint8_t *bytes, size_t length);

/// Answers a body that has come.
int cweb_end_body(cweb *web, struct lws *wsi, cweb_peer *peer);

/// Frees what a request has kept, and tells the owner of a body or a file that it is over.
void cweb_forget(cweb *web, cweb_peer *peer);
