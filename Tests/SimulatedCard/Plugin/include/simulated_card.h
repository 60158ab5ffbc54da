/// The interface of the simulated card for tests: its clock, the queries of the wrappers, and the layout of the
/// recording.
///
/// ALSA loads the plugin by its path. Get these functions with `dlopen` and `dlsym` on the same path. Do not link the
/// plugin: a second copy would not know the open cards.
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
    /// The time in nanoseconds, at least 0 and never decreasing.
    int64_t (*now_ns)(void *context);
    /// Lets time pass until a time, which may be past already.
    void (*sleep_until)(void *context, int64_t ns);
} simulated_card_clock;

/// Sets the clock of the simulated cards of the calling thread only; the struct is copied. NULL sets CLOCK_MONOTONIC
/// again. Use a card only on threads with the clock that it was opened with. With a simulated clock, a card arms no
/// timer, so polling its descriptor would never end. Instead, get the deadline, advance the clock to it, set `revents`
/// to POLLIN and call `snd_pcm_poll_descriptors_revents`. Thread: any. Never fails.
void simulated_card_set_clock(const simulated_card_clock *clock);

/// The time at which a poll of the card's open handle would return, in nanoseconds of its clock. A time at or before
/// now means at once; INT64_MAX means never, or that no handle is open. `snd_pcm_poll_descriptors` updates it, like a
/// real timer. Thread: any. Takes a lock.
int64_t simulated_card_deadline(const char *id);

// ---------------------------------------------------------------------------------------------------
// Trouble

/// The calls of alsa-lib in which a card can fail or hang. alsa-lib does not pass on those that the wrappers report.
typedef enum simulated_card_call {
    SIMULATED_CARD_OPEN,
    SIMULATED_CARD_SET_UP,
    SIMULATED_CARD_PREPARE,
    SIMULATED_CARD_START,
    SIMULATED_CARD_STATUS,
    SIMULATED_CARD_AVAIL,
    SIMULATED_CARD_WRITE,
    SIMULATED_CARD_REWIND,
    SIMULATED_CARD_DRAIN,
    SIMULATED_CARD_DROP,
    SIMULATED_CARD_CLOSE,
    SIMULATED_CARD_CALLS,
} simulated_card_call;

/// Ends all calls that hang on the card with this id, and all that would hang from now on. For cards without a
/// `state_file`. Thread: any. Takes a lock.
void simulated_card_release(const char *id);

/// Hangs or fails in a call on a handle, if the card's settings say so: returns 0 or a negative errno; 0 for other
/// handles. Thread: any. Takes a lock, but does not hang with it.
int simulated_card_trouble(const struct _snd_pcm *pcm, simulated_card_call call);

// ---------------------------------------------------------------------------------------------------
// Queries of the wrappers of alsa-lib's functions (Wrappers/wrappers.c)

/// The answers of a card to calls that alsa-lib does not pass on to plugins.
typedef struct simulated_card_answers {
    /// The most frames that one rewind takes back.
    int64_t rewinds;
    bool has_monotonic_stamps, is_batch, poses_as_hardware, drains_never;
    /// Whether the calling thread has a simulated clock. Only then are the stamps valid: now, and the last start or
    /// stop, in nanoseconds of that clock, plus `simulated_card_realtime_ns` if the handle's stamps are of
    /// CLOCK_REALTIME.
    bool is_simulated;
    int64_t stamp_ns, trigger_ns;
} simulated_card_answers;

/// How far CLOCK_REALTIME is ahead of a simulated clock: fifty years.
static const int64_t simulated_card_realtime_ns = 1577836800000000000;

/// Gets the answers of a card; false if the handle is not a simulated card's. Thread: any. Takes a lock.
bool simulated_card_answers_of(const struct _snd_pcm *pcm, simulated_card_answers *answers);

/// `snd_pcm_wait` in simulated time: advances the clock to the card's deadline or to the end of the timeout. Returns
/// -EDEADLK if there is neither.
int simulated_card_wait(struct _snd_pcm *pcm, int timeout_ms);

/// `snd_pcm_drain` of a card that never drains, blocking or not: waits until another thread drops or closes the handle,
/// and returns -EIO; the handle may be gone by then. In simulated time, it advances the clock by an hour and returns 0.
int simulated_card_drain(const struct _snd_pcm *pcm);

// ---------------------------------------------------------------------------------------------------
// `RECORD.times`, a file beside the samples in `RECORD`

/// A row: a run of frames that were heard at a constant rate. Little-endian, 64 bytes; rows are in the order in which
/// they were heard. Frame `first_frame + i` reached the converter at `time_ns + time_fraction + i * 1e9 / rate` ns of
/// the card's clock.
typedef struct simulated_card_row {
    /// Counted from the start of the recording, across all starts and openings.
    int64_t first_frame;
    /// The offset of the first frame's samples in `RECORD`.
    int64_t byte_offset;
    /// The first frame in the card's count of frames, which restarts with each prepare.
    int64_t position;
    int64_t time_ns;
    /// The fraction of a nanosecond to add to `time_ns`, 0 to 1.
    double time_fraction;
    /// Frames per second of the card's clock, the mean over the row; a row has at most a tenth of a second.
    double rate;
    uint32_t count;
    /// The number of the start of the card, counted from 1 since it was opened.
    uint32_t run;
    uint16_t channels;
    uint16_t bytes_per_sample;
    /// `snd_pcm_format_t`.
    uint32_t format;
} simulated_card_row;

_Static_assert(sizeof(simulated_card_row) == 64, "rows are read by other languages");
