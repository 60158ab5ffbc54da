/// The inside of the ALSA output.
///
/// A file calls only those below it, and the engine through drone.h and the end of internal.h:
///
///     output.c      the control thread: opening, starting, the end
///     thread.c      the audio thread: rounds, the sleep between them, what is published
///     write.c       transactions and samples
///     recovery.c    faults
///     pointer.c     what is heard when
///     fill_level.c  how much lies ahead in a device that is filled by small steps
///     device.c      opening and setting up
///     clock.c       the time
#pragma once

#include <alsa/asoundlib.h>
#include <pthread.h>

#include "internal.h"
#include "ring.h"
#include "shared.h"

enum {
    DRONE_OBSERVATIONS = 1024,
    DRONE_GAPS = 64,
    /// The largest piece that is rendered and written at once.
    DRONE_PIECE_FRAMES = 4096,
    /// Looks from which the size of the pointer's steps is read.
    DRONE_STEPS = 32,
    /// Late wake-ups that are remembered.
    DRONE_LATE_WAKES = 8,
};

/// What the device says of itself and of its pointer.
typedef struct drone_traits {
    bool is_hardware, is_plugin, is_batch, is_pulse;
    /// Frames that the device may have fetched ahead of its pointer.
    uint32_t fifo_frames;
} drone_traits;

/// What is seen of the device's pointer.
typedef struct drone_pointer {
    /// When the status was asked for, and the next frame to be rendered by then.
    int64_t asked_ns, asked_frame;
    /// Whether the status of this round is fresh enough to be read.
    bool has_answer;
    /// How much more often a step had to be waited for long than not; how often in vain, in a row; how often it was looked at.
    uint32_t long_waits, missed_steps, looks;
    /// Nothing has been seen since the last fault.
    bool is_new;
    /// How far the pointer strayed from a steady pace from one look to the next, of the newest ones, in frames.
    int64_t steps[DRONE_STEPS];
    uint32_t step_count;
    /// Looks that are still to be taken in quick succession, for the pointer has surprised; where it has strayed to since, and
    /// how far it was off at most.
    uint32_t quick_looks;
    int64_t total_stray, largest_stray;
    /// When the last rewind began, until its first piece is written; 0 otherwise.
    int64_t rewind_began_ns;
    /// What has been taken back since the last look.
    int64_t rewound_frames;
} drone_pointer;

/// How much lies ahead in a device that is filled by small steps, and why.
typedef struct drone_fill_level {
    /// Written up to this level, once no more than `low_frames` is left.
    int64_t target_frames, low_frames;
    /// Late wake-ups, newest last: when, and how late.
    int64_t late_at_ns[DRONE_LATE_WAKES], late_ns[DRONE_LATE_WAKES];
    uint32_t late_count;
    /// When the level was changed last, or a late wake-up has kept it.
    int64_t kept_ns;
    /// When the thread is to be woken, as the device is filled; 0 where nobody knows.
    int64_t due_ns;
} drone_fill_level;

struct drone_output {
    char *device;
    drone_output_grant granted;
    drone_traits traits;
    uint32_t bytes_per_frame;
    drone_engine *engine;

    // Control thread writes, audio thread reads.
    _Atomic bool quit, hurried, given_realtime;
    _Atomic double rate;
    int wake_fd;
    pthread_t thread;
    bool has_thread;

    // Audio thread.
    /// Null while the device is away.
    snd_pcm_t *pcm;
    uint8_t *staging;
    snd_pcm_status_t *status;
    drone_pointer pointer;
    drone_fill_level fill_level;
    /// The longest that a rewind took until it was written anew, of late.
    int64_t rewrite_ns;
    int64_t first_frame, started_ns;
    /// When the relation of frames and time was begun to be learnt.
    int64_t acquiring_since_ns;
    /// When the stream was last made ready.
    int64_t prepared_ns;
    /// Whether the stream runs, and since when the device has taken nothing although it had room.
    bool running;
    int64_t refused_since_ns;
    /// What lay ahead in the device at the last look.
    int64_t held_frames;
    /// The start of the stretch over which the device's pace is watched.
    int64_t pace_window_ns, pace_window_frame;
    /// CLOCK_BOOTTIME - CLOCK_MONOTONIC: what the machine has slept.
    int64_t slept_ns;
    /// No round before this.
    int64_t rest_until_ns;
    /// When to try a device that is away, and how long to wait after that.
    int64_t retry_ns, retry_wait_ns;
    /// The last of the random numbers that keep pauses from being alike.
    uint32_t jitter;
    /// The first frame that was not heard, and why, while the device is away.
    int64_t gap_begin;
    int gap_error;
    /// Whether the control thread is to look at what is published.
    bool is_news;
    /// How often a device that is filled far ahead has called for nothing.
    uint32_t idle_calls;
    /// Whether the device has called since the last sleep; whether that led to nothing, for it had no room.
    bool is_called, called_early;
    /// How often the device has played on without frames, since its stream began.
    uint32_t unreported_underruns;
    /// What is published after each round.
    drone_snapshot seen;

    drone_shared published;
    drone_ring observations, gaps;
    int event_fd;
};

static inline bool drone_output_rewinds(const drone_output *o) { return o->granted.policy == DRONE_POLICY_REWIND; }

/// A request for what a device has given before.
static inline drone_output_request drone_output_request_again(const drone_output_grant *g) {
    return (drone_output_request){.policy = g->policy, .rate = g->rate, .channels = g->channels, .format = g->format};
}

static inline int64_t drone_ms_in_ns(int64_t ms) { return ms * 1000000; }

/// Frames in so many ms, nominally.
static inline int64_t drone_output_frames_in_ms(const drone_output *o, int64_t ms) { return ms * o->granted.rate / 1000; }

/// Frames that pass in `ns` by the clock that has been learnt.
static inline int64_t drone_output_frames_in(const drone_output *o, int64_t ns) {
    return (int64_t)((double)ns * 1e-9 * atomic_load_explicit(&o->rate, memory_order_relaxed));
}

// thread.c: rounds

/// The audio thread: renders the engine into the device until told to end. `context` is the output.
void *drone_output_run(void *context);
/// Makes `seen` public. Audio thread, or before it starts.
void drone_output_publish(drone_output *o);

// write.c: transactions and samples

/// Decides about every transaction that waits; takes back what the device has not played, where it can.
/// Returns 0 or a negative errno.
int drone_output_decide(drone_output *o);
/// Writes what fits, and starts the device once it is filled. Returns 0 or a negative errno.
int drone_output_fill(drone_output *o);

// recovery.c: faults

/// Deals with an underrun that the device has not reported: it has played `frames` frames of silence. Writes silence in their
/// place, so that all later frames are on time. Returns 0 or a negative errno.
int drone_output_recover_unreported(drone_output *o, int64_t frames);
/// Deals with an error that any call has given: the device is ready anew, or away.
void drone_output_recover(drone_output *o, int error);
/// Tries to open a device that is away, when it is time.
void drone_output_retry(drone_output *o);
/// Notices that the machine has slept.
void drone_output_watch_sleep(drone_output *o);

// pointer.c: looking

/// Asks the device for its status. Returns 0 or a negative errno.
int drone_pointer_ask(drone_output *o);
/// Notes when which frame was at the converter.
void drone_pointer_observe(drone_output *o);
/// Forgets what was seen before a fault.
void drone_pointer_reset(drone_output *o);
/// What is not to be taken back, for the device may be about to play it, in frames.
int64_t drone_pointer_headroom(const drone_output *o);
/// Whether the card's clock is still being learnt: little ahead, many looks.
bool drone_pointer_is_acquiring(const drone_output *o, int64_t now_ns);

// fill_level.c: how much lies ahead in a device that is filled by small steps

/// Begins anew, for a device that has just been opened.
void drone_fill_level_begin(drone_output *o);
/// Notes when the thread has come, and what it found; raises or lowers the level. Returns 0 or a negative errno.
int drone_fill_level_watch(drone_output *o, int64_t held_frames);
/// Notes that the device ran dry. Whether its buffer is too small for what the machine does.
bool drone_fill_level_ran_dry(drone_output *o);

// device.c: opening and setting up

/// Opens and sets up a device by `request`. Returns 0 or a negative errno. Not real-time safe.
int drone_device_open(
    snd_pcm_t **pcm, const char *name, const drone_output_request *request, drone_output_grant *grant,
    drone_traits *traits);

/// Sets the device up anew with room for so many frames, if it can. Returns 0 or a negative errno, with which the device is
/// of no use any more. Not real-time safe.
int drone_device_enlarge(snd_pcm_t *pcm, drone_output_grant *grant, drone_traits *traits, int64_t frames);

/// Has the device wake who writes when no more than `low_frames` is left. Returns 0 or a negative errno.
int drone_device_set_low(snd_pcm_t *pcm, const drone_output_grant *grant, int64_t low_frames);
