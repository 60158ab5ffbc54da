// Answers over plain HTTP: the files of the page, bodies that pages send, and files that they fetch. Thread: the server's.
// What returns an int returns what the library's callback does: 0, or -1 to close the connection.
#pragma once

#include "server.h"

/// Copies a header; false if it is too long, or there are several of the name.
bool cweb_copy_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER]);

/// Asks the owner about the headers of a request; returns the status of the answer.
int cweb_admit(cweb *web, struct lws *wsi, bool is_upgrade);

/// Begins to answer a request.
int cweb_answer(cweb *web, struct lws *wsi, cweb_peer *peer, const char *path);

/// Sends the next piece of a file.
int cweb_send_piece(cweb *web, struct lws *wsi, cweb_peer *peer);

/// Takes a piece of a body.
int cweb_take_piece(cweb_peer *peer, const uint8_t *bytes, size_t length);

/// Answers a body that has come.
int cweb_end_body(cweb *web, struct lws *wsi, cweb_peer *peer);

/// Frees what a request has kept.
void cweb_forget(cweb_peer *peer);
