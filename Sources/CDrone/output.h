/// Internals of the ALSA output.
///
/// Each file calls only files that are listed after it, and the engine through drone.h and the end of internal.h:
///
///     output.c      the control thread: opening, starting, the end
///     thread.c      the audio thread: rounds, the sleep between them, publishing
///     write.c       transactions and samples
///     recovery.c    faults
///     pointer.c     which frame is heard when
///     fill_level.c  how full a device with the policy SMALL is kept
///     device.c      opening and setting up
///     clock.c       the time
#pragma once

#include <alsa/asoundlib.h>
#include <pthread.h>

#include "drone_output.h"
#include "internal.h"
#include "ring.h"
#include "shared.h"

enum {
    DRONE_OBSERVATIONS = 1024,
    DRONE_GAPS = 64,
    /// The largest piece that is rendered and written at once.
    DRONE_PIECE_FRAMES = 4096,
    /// Observations from which the pointer's step is derived.
    DRONE_STEPS = 32,
    /// Late wake-ups that are remembered.
    DRONE_LATE_WAKES = 8,
};

/// Properties that the device reports of itself and its pointer.
typedef struct drone_traits {
    bool is_hardware, is_plugin, is_batch, is_pulse;
    /// Frames that the device may have fetched ahead of its pointer.
    uint32_t fifo_frames;
} drone_traits;

/// Observations of the device's pointer.
typedef struct drone_pointer {
    /// When the status was last asked for, and the next frame to be rendered at that time.
    int64_t asked_ns, asked_frame;
    /// Whether the status has been asked for in this round already.
    bool has_answer;
    /// By how much long waits for the pointer's step outnumber short ones; how many waits in a row were in vain; how
    /// many looks a coarse pointer has had.
    uint32_t long_waits, missed_steps, looks;
    /// Whether nothing has been observed since the last fault.
    bool is_new;
    /// The newest deviations of the pointer from a steady pace between two looks, in frames.
    int64_t steps[DRONE_STEPS];
    uint32_t step_count;
    /// After a surprise: how many quick looks are left, the sum of the deviations since then, and the largest of them,
    /// in frames.
    uint32_t quick_looks;
    int64_t total_stray, largest_stray;
    /// When the last rewind began; 0 once the first piece after it is written.
    int64_t rewind_began_ns;
    /// Frames that have been taken back since the last look.
    int64_t rewound_frames;
} drone_pointer;

/// The fill level of a device with the policy SMALL, and what it is derived from.
typedef struct drone_fill_level {
    /// Once no more than `low_frames` are left, the device is filled up to `target_frames`.
    int64_t target_frames, low_frames;
    /// A ring of late wake-ups: when, and how late.
    int64_t late_at_ns[DRONE_LATE_WAKES], late_ns[DRONE_LATE_WAKES];
    uint32_t late_count;
    /// When the level last changed, or a late wake-up last showed that it is still needed.
    int64_t kept_ns;
    /// When the device should wake the thread, judging by its fill level; 0 if unknown.
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
    /// The longest recent time from a rewind until the first piece after it was written.
    int64_t rewrite_ns;
    int64_t first_frame, started_ns;
    /// When learning the relation of frames and time began.
    int64_t acquiring_since_ns;
    /// When the stream was last prepared.
    int64_t prepared_ns;
    /// Whether the stream runs; since when the device has taken no frames although it had room, 0 if it takes them.
    bool running;
    int64_t refused_since_ns;
    /// How many frames the device held at the last look.
    int64_t held_frames;
    /// The start of the window over which the device's pace is measured.
    int64_t pace_window_ns, pace_window_frame;
    /// CLOCK_BOOTTIME - CLOCK_MONOTONIC: how long the machine has been suspended.
    int64_t slept_ns;
    /// No round is due before this; 0 for no limit.
    int64_t rest_until_ns;
    /// When to reopen a device that is away, and how long the pause between two attempts is.
    int64_t retry_ns, retry_wait_ns;
    /// State of the random numbers that make the pauses differ.
    uint32_t jitter;
    /// The first frame of the newest gap, and the fault that caused it.
    int64_t gap_begin;
    int gap_error;
    /// Whether the next published snapshot is news for the control thread.
    bool is_news;
    /// How often a device with the policy REWIND has woken the thread without need.
    uint32_t idle_calls;
    /// Whether the device has woken the thread since the last sleep, and whether it did so although it had no room.
    bool is_called, called_early;
    /// How many underruns the device has not reported since its stream began.
    uint32_t unreported_underruns;
    /// The snapshot, which is published after each round.
    drone_snapshot seen;

    drone_shared published;
    drone_ring observations, gaps;
    int event_fd;
};

static inline bool drone_output_rewinds(const drone_output *o) { return o->granted.policy == DRONE_POLICY_REWIND; }

/// A request for the configuration that a device has granted before.
static inline drone_output_request drone_output_request_again(const drone_output_grant *g) {
    return (drone_output_request){.policy = g->policy, .rate = g->rate, .channels = g->channels, .format = g->format};
}

static inline int64_t drone_ms_in_ns(int64_t ms) { return ms * 1000000; }

/// Frames in `ms` milliseconds at the nominal rate.
static inline int64_t drone_output_frames_in_ms(const drone_output *o, int64_t ms) { return ms * o->granted.rate / 1000; }

/// Frames that pass in `ns` at the rate that has been learnt.
static inline int64_t drone_output_frames_in(const drone_output *o, int64_t ns) {
    return (int64_t)((double)ns * 1e-9 * atomic_load_explicit(&o->rate, memory_order_relaxed));
}

// thread.c: rounds

/// The audio thread: renders the engine into the device until told to quit. `context` is the output.
void *drone_output_run(void *context);
/// Publishes `seen`. Audio thread, or before it starts.
void drone_output_publish(drone_output *o);

// write.c: transactions and samples

/// Decides about every transaction that waits. If one begins in frames that have been written but not played, takes
/// these back, if the device can do that. Returns 0 or a negative errno.
int drone_output_decide(drone_output *o);
/// Renders and writes as many frames as may be written now, and starts the device once it is filled. Returns 0 or a
/// negative errno.
int drone_output_fill(drone_output *o);

// recovery.c: faults

/// Recovers from an underrun that the device has not reported, and in which it has played `frames` frames of silence.
/// Writes silence in place of the missed frames, so that all later frames are on time. Returns 0 or a negative errno.
int drone_output_recover_unreported(drone_output *o, int64_t frames);
/// Recovers from an error of any call: afterwards the device is prepared again, or away.
void drone_output_recover(drone_output *o, int error);
/// Tries to reopen a device that is away, if it is time for that.
void drone_output_retry(drone_output *o);
/// Counts a suspend if the machine has been suspended since the last call.
void drone_output_watch_sleep(drone_output *o);

// pointer.c: observing the device

/// Asks the device for its status. Returns 0 or a negative errno.
int drone_pointer_ask(drone_output *o);
/// Records which frame was at the converter, and when.
void drone_pointer_observe(drone_output *o);
/// Forgets what was observed before a fault.
void drone_pointer_reset(drone_output *o);
/// The headroom in frames: frames that must not be taken back because the device may be about to play them.
int64_t drone_pointer_headroom(const drone_output *o);
/// Whether the card's clock is still being learnt: then the device is filled less far ahead and looked at more often.
bool drone_pointer_is_acquiring(const drone_output *o, int64_t now_ns);

// fill_level.c: how full a device with the policy SMALL is kept

/// Starts anew, for a device that has just been opened or prepared.
void drone_fill_level_begin(drone_output *o);
/// Records how late the thread has come, judging by the frames still held; raises or lowers the level. Returns 0 or a
/// negative errno.
int drone_fill_level_watch(drone_output *o, int64_t held_frames);
/// Records that the device ran dry. Returns whether its buffer is too small for the delays of this machine.
bool drone_fill_level_ran_dry(drone_output *o);

// device.c: opening and setting up

/// Opens and sets up a device by `request`. Returns 0 or a negative errno. Not real-time safe.
int drone_device_open(
    snd_pcm_t **pcm, const char *name, const drone_output_request *request, drone_output_grant *grant,
    drone_traits *traits);

/// Sets the device up anew with a buffer of about `frames` frames or more, if it can. Returns 0 or a negative errno;
/// after an error the device cannot be used any more. Not real-time safe.
int drone_device_enlarge(snd_pcm_t *pcm, drone_output_grant *grant, drone_traits *traits, int64_t frames);

/// Makes the device wake the thread when no more than `low_frames` are left. Returns 0 or a negative errno.
int drone_device_set_low(snd_pcm_t *pcm, const drone_output_grant *grant, int64_t low_frames);
