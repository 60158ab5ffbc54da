/// CTag: writes title, composer and chapters into FLAC, Ogg, Opus and MP3 files, with TagLib.
///
/// Texts are UTF-8 and are read only during the call. Thread: any, one file at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The types of files that are supported.
typedef enum ctag_type { CTAG_FLAC = 0, CTAG_VORBIS = 1, CTAG_OPUS = 2, CTAG_MP3 = 3 } ctag_type;

/// A chapter: its start and its end, in milliseconds from the start of the sound.
typedef struct ctag_chapter {
    uint32_t start_ms, end_ms;
    const char *name;
} ctag_chapter;

/// Writes tags into a file that is closed. Empty texts are left out. Chapters become CHAPTERxxx comments, or ID3v2 CHAP
/// frames with a table of contents. Such a table holds 255 chapters; further ones are left out.
/// Returns false if the file cannot be read or written as a file of its type.
bool ctag_write(
    const char *path, ctag_type type, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count);

#ifdef __cplusplus
}
#endif
