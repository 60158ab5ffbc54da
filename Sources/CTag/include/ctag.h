/// CTag: title, composer and chapters into FLAC, Ogg, Opus and MP3 files, by TagLib.
///
/// Texts are UTF-8, borrowed for the call. Thread: any, one file at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The files that are known.
typedef enum ctag_type { CTAG_FLAC = 0, CTAG_VORBIS = 1, CTAG_OPUS = 2, CTAG_MP3 = 3 } ctag_type;

/// A chapter: milliseconds from the start of the sound to its own and to its end.
typedef struct ctag_chapter {
    uint32_t start_ms, end_ms;
    const char *name;
} ctag_chapter;

/// Writes tags into a file that is closed. Empty texts are left out. Chapters become CHAPTERxxx comments, or ID3v2 CHAP
/// frames with a table of contents; of these a table holds 255, so that further ones are left out.
/// Returns false where the file cannot be read or written as what it should be.
bool ctag_write(
    const char *path, ctag_type type, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count);

#ifdef __cplusplus
}
#endif
