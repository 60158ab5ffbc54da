/// What the simulated card leaves behind: the layout of `RECORD.times`, which stands beside the samples in `RECORD`.
#pragma once

#include <stdint.h>

/// One row: a run of frames that were heard at an even pace. Little-endian, 64 bytes, rows in the order of hearing.
/// Frame `first_frame + i` reached the converter at `time_ns + time_fraction + i * 1e9 / rate` ns on CLOCK_MONOTONIC.
typedef struct simulated_card_row {
    /// Counted from the beginning of the recording, over every start and every opening.
    int64_t first_frame;
    /// Where the first frame's samples stand in `RECORD`.
    int64_t byte_offset;
    /// The first frame's place in the card's own count, which begins with each prepare.
    int64_t position;
    int64_t time_ns;
    /// Nanoseconds, 0 to 1.
    double time_fraction;
    /// Frames per second of CLOCK_MONOTONIC: the mean over the row, whose length is a tenth of a second at most.
    double rate;
    uint32_t count;
    /// Which start of the card, from 1, counted within the opening.
    uint32_t run;
    uint16_t channels;
    uint16_t bytes_per_sample;
    /// `snd_pcm_format_t`.
    uint32_t format;
} simulated_card_row;

_Static_assert(sizeof(simulated_card_row) == 64, "rows are read by other languages");
