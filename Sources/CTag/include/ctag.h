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

/// What became of the tags.
typedef enum ctag_result {
    /// All of them are in the file.
    CTAG_WRITTEN = 0,
    /// The file cannot be read as a file of its type.
    CTAG_UNREADABLE = 1,
    /// The system refused to read or write a part of it; `errno` says why. The file is damaged.
    CTAG_SYSTEM = 2
} ctag_result;

/// Writes tags into a finished file, which is open for reading and writing and stays open. Empty texts are left out.
/// Chapters become CHAPTERxxx comments, or ID3v2 CHAP frames with a table of contents. Such a table holds 255 chapters;
/// further ones are left out.
ctag_result ctag_write(
    int descriptor, ctag_type type, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count);

#ifdef __cplusplus
}
#endif
