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

/// Finds the file with exactly this path. Returns NULL if there is no such file.
const cweb_file *cweb_file_at(const char *path);
