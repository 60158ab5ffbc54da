#ifndef CSCORES_H
#define CSCORES_H

#include <stddef.h>

// The scores that are part of the program, in order of their names. They are constant and never freed.
// Thread-safe: yes.

/// The number of scores.
int cscores_count(void);

/// The name of score `index`, UTF-8 with a final zero; NULL outside 0 ..< cscores_count().
const char *cscores_name(int index);

/// The YAML text of score `index`, without a final zero; `*length` becomes its length in bytes.
/// NULL and a length of 0 outside 0 ..< cscores_count().
const unsigned char *cscores_bytes(int index, ptrdiff_t *length);

#endif
