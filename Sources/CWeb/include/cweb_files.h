/// The files of the page, which the program carries. Thread: any.
#pragma once

#include <stddef.h>

/// A file of the page.
typedef struct cweb_file {
    /// The path in a request, and the media type.
    const char *path, *type;
    const unsigned char *bytes;
    size_t length;
} cweb_file;

/// The file that is served at exactly this path; NULL if there is none.
const cweb_file *cweb_file_at(const char *path);
