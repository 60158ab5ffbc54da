// The files that the server has: these and no others.
#pragma once

#include <stddef.h>

typedef struct cweb_file {
    /// The path in a request.
    const char *path;
    /// The media type.
    const char *type;
    const unsigned char *bytes;
    size_t length;
} cweb_file;

/// The file with exactly this path; NULL if there is none.
const cweb_file *cweb_file_at(const char *path);
