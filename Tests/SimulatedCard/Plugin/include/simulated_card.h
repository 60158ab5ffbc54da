/// The simulated card as tests see it: its clock, what its wrappers ask it, and the layout of what it leaves behind.
///
/// ALSA loads the card by its path. Reach these functions by `dlopen` and `dlsym` of the same path, never by linking it:
/// a second copy would know none of the cards that are open.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct _snd_pcm;

// ---------------------------------------------------------------------------------------------------
// Simulated time

/// A clock in place of CLOCK_MONOTONIC. Both functions get `context`. The thread that set the clock calls them from within
/// alsa-lib's functions, so they must call neither ALSA nor the functions below.
typedef struct simulated_card_clock {
    void *context;
    /// The time in nanoseconds, from 0 on and never less than before.
    int64_t (*now_ns)(void *context);
    /// Lets time pass until that moment, which may be gone already.
    void (*sleep_until)(void *context, int64_t ns);
} simulated_card_clock;

/// Gives the calling thread, and no other, a clock for its simulated cards; the struct is copied. NULL: CLOCK_MONOTONIC
/// again. Use a card only on threads with the clock that it was opened with. With a simulated clock it arms no timer, so
/// polling its descriptor would never end: ask for the deadline, advance the clock to it, set `revents` to POLLIN and call
/// `snd_pcm_poll_descriptors_revents`. Any thread; never fails.
void simulated_card_set_clock(const simulated_card_clock *clock);

/// The moment at which a poll of the card's open handle would return, in nanoseconds of its clock. At or before now: at
/// once. INT64_MAX: never, or no handle is open. `snd_pcm_poll_descriptors` brings it up to date, as it does a real timer.
/// Any thread; takes a lock.
int64_t simulated_card_deadline(const char *id);

// ---------------------------------------------------------------------------------------------------
// What the wrappers of alsa-lib's functions ask: Wrappers/wrappers.c

/// What a card answers where alsa-lib never asks a plugin.
typedef struct simulated_card_answers {
    /// The most frames that one rewind takes back.
    int64_t rewinds;
    bool has_monotonic_stamps, is_batch, poses_as_hardware, drains_never;
    /// Whether the calling thread has a simulated clock. Only then are there stamps: of now, and of the last start or
    /// stop, in nanoseconds of that clock, or later by `simulated_card_realtime_ns` if the handle's stamps are those of
    /// CLOCK_REALTIME.
    bool is_simulated;
    int64_t stamp_ns, trigger_ns;
} simulated_card_answers;

/// How far CLOCK_REALTIME is ahead of a simulated clock: fifty years.
static const int64_t simulated_card_realtime_ns = 1577836800000000000;

/// False if the handle is not a simulated card's. Any thread; takes a lock.
bool simulated_card_answers_of(const struct _snd_pcm *pcm, simulated_card_answers *answers);

/// `snd_pcm_wait` in simulated time: advances the clock to the card's deadline, or to the end of the timeout.
/// -EDEADLK if neither would ever come.
int simulated_card_wait(struct _snd_pcm *pcm, int timeout_ms);

/// `snd_pcm_drain` of a card that never drains, blocking or not: waits until another thread drops or closes the handle,
/// which may be gone by then, and gives -EIO. In simulated time it advances the clock by an hour and gives 0.
int simulated_card_drain(const struct _snd_pcm *pcm);

// ---------------------------------------------------------------------------------------------------
// `RECORD.times`, which stands beside the samples in `RECORD`

/// One row: a run of frames that were heard at an even pace. Little-endian, 64 bytes, rows in the order of hearing.
/// Frame `first_frame + i` reached the converter at `time_ns + time_fraction + i * 1e9 / rate` ns of the card's clock.
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
    /// Frames per second of the card's clock: the mean over the row, whose length is a tenth of a second at most.
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
