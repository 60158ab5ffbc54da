#ifndef CLANGUAGES_H
#define CLANGUAGES_H

#include <stddef.h>

// The translations that are part of the program, as PO files. They are constant and never freed. Thread-safe: yes.

/// The PO file of the language with this code, such as "de", without a final zero; `*length` becomes its length in bytes.
/// NULL and a length of 0 for a language without one.
const unsigned char *clanguages_catalog(const char *code, ptrdiff_t *length);

#endif
