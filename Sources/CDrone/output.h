/// Internals of the ALSA output.
///
/// Calls go one way: each file calls only files that are listed after it, and the engine through drone.h and the end of
/// internal.h. The audio thread's files are those from round.c to place.c.
///
///     output.c      the control thread: opening, starting, what has been learnt, the end
///     thread.c      the audio thread's sleep between rounds; rounds without a thread
///     round.c       one round: everything below in its order, and the published snapshot
///     recovery.c    faults: the stages of a device, and gaps
///     write.c       transactions and samples
///     pointer.c     which frame is heard when
///     fill_level.c  how full a device with the policy SMALL is kept
///     opener.c      the opener, a thread of ordinary priority: opens, enlarges and closes devices
///     device.c      ALSA's calls for that
///     place.c       positions at other times
///     clock.c       the time
#pragma once

#include <alsa/asoundlib.h>
#include <pthread.h>

#include "drone_output.h"
#include "internal.h"
#include "opener.h"
#include "ring.h"
#include "shared.h"

enum {
    DRONE_OBSERVATIONS = 1024,
    DRONE_GAPS = 1024,
    /// The largest piece that is rendered and written at once.
    DRONE_PIECE_FRAMES = 4096,
    /// Observations from which the pointer's step is derived.
    DRONE_STEPS = 32,
    /// Late wake-ups that are remembered.
    DRONE_LATE_WAKES = 8,
};

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
    /// When the pointer was last seen to move, or the device was started.
    int64_t moved_ns;
    /// How many observations in a row were further from the learnt clock than its tolerance; negative if they were
    /// behind.
    int32_t surprises;
    /// Until when the device is looked at again soon, because of them.
    int64_t doubt_until_ns;
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

/// Where an output stands with its device. Only the audio thread changes it: at the beginning in round.c, at the start
/// of the device in write.c, and else in recovery.c.
///
///             ┌─────────────── underrun, suspend: prepared again ───────────────┐
///             ▼                                                                 │
///     ──► FILLING ──────────── enough is written: started (write.c) ───────► PLAYING
///          ▲    │                                                               │
///   opened │    └────────────────────┬── any other fault ───────────────────────┤
///          │                         ▼                                          │ dry, and its buffer is too small
///       OPENING ◄──── in time ───── AWAY                                        │
///        ▲  └───────── failed ───────▲                                          │
///        └──────────────────────────────────────────────────────────────────────┘
///
///     From every stage: OVER, once the end has been heard, or has passed in silence.
typedef enum drone_stage_kind {
    /// Nothing has been done yet.
    DRONE_STAGE_IDLE,
    /// The device is open, and is given its first frames, or the first ones after a fault.
    DRONE_STAGE_FILLING,
    /// It has been started.
    DRONE_STAGE_PLAYING,
    /// It is closed, and not to be had at present.
    DRONE_STAGE_AWAY,
    /// The opener has it.
    DRONE_STAGE_OPENING,
    /// The audio thread has nothing more to do.
    DRONE_STAGE_OVER,
} drone_stage_kind;

typedef struct drone_stage {
    drone_stage_kind kind;
    union {
        /// FILLING and PLAYING.
        struct {
            /// When the stream was prepared.
            int64_t prepared_ns;
            /// Since when the device has taken no frames although it had room; 0 if it takes them.
            int64_t refused_since_ns;
            /// The device is left alone before this; 0 for no limit.
            int64_t rest_until_ns;
            /// Whether it has woken the thread although it had no room.
            bool called_early;
        } open;
        struct {
            /// When to ask the opener for it.
            int64_t retry_ns;
        } away;
        struct {
            /// Whether it only gets a larger buffer, and so is not away.
            bool enlarges;
        } opening;
    };
} drone_stage;

struct drone_output {
    drone_output_grant granted;
    drone_traits traits;
    uint32_t bytes_per_frame;
    drone_engine *engine;

    // Control thread writes, audio thread reads.
    _Atomic bool quit, hurried, given_realtime;
    _Atomic double rate;
    drone_shared learnt;
    int wake_fd;
    pthread_t thread;
    bool has_thread;

    // Audio thread writes, control thread reads.
    /// When the present round began; 0 between two rounds.
    _Atomic int64_t round_since_ns;
    /// The first frame that the device has not been given.
    _Atomic int64_t written;
    /// Whether the thread has ended, or the control thread has given up waiting for it: the second to say so frees the
    /// output.
    _Atomic bool is_left;

    // Audio thread.
    drone_opener *opener;
    drone_stage stage;
    /// Not null exactly while FILLING and PLAYING, and perhaps when OVER.
    snd_pcm_t *pcm;
    uint8_t *staging;
    snd_pcm_status_t *status;
    drone_pointer pointer;
    drone_fill_level fill_level;
    /// The longest recent time from a rewind until the first piece after it was written.
    int64_t rewrite_ns;
    /// The first frame, at the time when it was to be written: by this, frames pass if the clock paces the output.
    drone_place start;
    /// The most frames that the device is given ahead, so that the engine can go back by them.
    int64_t deepest_frames;
    /// When learning the relation of frames and time began.
    int64_t acquiring_since_ns;
    /// How many frames the device held at the last look, and when that was.
    int64_t held_frames, held_ns;
    /// The start of the window over which the device's pace is measured.
    int64_t pace_window_ns, pace_window_frame;
    /// CLOCK_BOOTTIME - CLOCK_MONOTONIC: how long the machine has been suspended.
    int64_t slept_ns;
    /// How many faults there have been since the device was last seen to move.
    uint32_t futile_faults;
    /// The last pause before an attempt to open the device again; 0 once it has played since.
    int64_t retry_wait_ns;
    /// State of the random numbers that make the pauses differ.
    uint32_t jitter;
    /// The first frame of the newest gap, and the fault that caused it.
    int64_t gap_begin;
    int gap_error;
    /// The frame that the engine skipped to after the last fault: it cannot go back beyond it.
    int64_t resumed_frame;
    /// Whether the next published snapshot is news for the control thread.
    bool is_news;
    /// How often a device with the policy REWIND has woken the thread without need.
    uint32_t idle_calls;
    /// Whether the device has woken the thread since the last sleep.
    bool is_called;
    /// How many underruns the device has not reported since its stream began.
    uint32_t unreported_underruns;
    /// The snapshot, which is published after each round.
    drone_snapshot seen;

    drone_shared published;
    drone_ring observations, gaps;
    int event_fd;
};

static inline bool drone_output_rewinds(const drone_output *o) { return o->granted.policy == DRONE_POLICY_REWIND; }

static inline int64_t drone_ms_in_ns(int64_t ms) { return ms * 1000000; }

/// Frames in `ms` milliseconds at the nominal rate.
static inline int64_t drone_output_frames_in_ms(const drone_output *o, int64_t ms) { return ms * o->granted.rate / 1000; }

/// Frames that pass in `ns` at the rate that has been learnt.
static inline int64_t drone_output_frames_in(const drone_output *o, int64_t ns) {
    return (int64_t)((double)ns * 1e-9 * atomic_load_explicit(&o->rate, memory_order_relaxed));
}

/// Whether the device is open and can be given frames.
static inline bool drone_output_is_open(const drone_output *o) {
    return o->stage.kind == DRONE_STAGE_FILLING || o->stage.kind == DRONE_STAGE_PLAYING;
}

static inline bool drone_output_is_playing(const drone_output *o) { return o->stage.kind == DRONE_STAGE_PLAYING; }

// thread.c: the audio thread

/// The audio thread: renders the engine into the device until told to quit. `output` is what it works on.
void drone_output_run(drone_output *output);

// round.c: one round

/// Sets the state that the first round begins with.
void drone_output_begin(drone_output *o);
/// Does a round. `called` says whether the device has woken the thread for it.
void drone_output_do_round(drone_output *o, bool called);
/// Publishes `seen`. Audio thread, or before it starts.
void drone_output_publish(drone_output *o);

// recovery.c: faults

/// Recovers from an error of any call: afterwards the device is prepared again, or away, or with the opener.
void drone_output_recover(drone_output *o, int error);
/// Asks the opener for a device that is away, if it is time for that, and takes what the opener has opened.
void drone_output_reopen(drone_output *o);
/// Recovers from an underrun that the device has not reported, and in which it has played `frames` frames of silence.
/// Writes silence in place of the missed frames, so that all later frames are on time. Returns 0 or a negative errno.
int drone_output_recover_unreported(drone_output *o, int64_t frames);
/// Counts a suspend if the machine has been suspended since the last call.
void drone_output_watch_sleep(drone_output *o);
/// Ends the output's work once the end has been heard, or has passed while the device was away.
void drone_output_check_end(drone_output *o);

// write.c: transactions and samples

/// Decides about every transaction that waits. If one begins in frames that have been written but not played, takes
/// these back, if the device can do that. Returns 0 or a negative errno.
int drone_output_decide(drone_output *o);
/// Renders and writes as many frames as may be written now, and starts the device once it is filled. Returns 0 or a
/// negative errno. If `missed` is 0, it receives how many frames of silence the device has played without reporting an
/// underrun; then nothing is written.
int drone_output_fill(drone_output *o, int64_t *missed);

// pointer.c: observing the device

/// Asks the device for its status. Returns 0 or a negative errno.
int drone_pointer_ask(drone_output *o);
/// Records which frame was at the converter, and when. Returns 0 or a negative errno: -EIO if the device has stopped
/// without a word.
int drone_pointer_observe(drone_output *o);
/// Forgets what was observed before a fault.
void drone_pointer_reset(drone_output *o);
/// The headroom in frames: frames that must not be taken back because the device may be about to play them.
int64_t drone_pointer_headroom(const drone_output *o);
/// Whether the card's clock is still being learnt: then the device is filled less far ahead and looked at more often.
bool drone_pointer_is_acquiring(const drone_output *o, int64_t now_ns);
/// Whether it is being learnt, or may have turned: then the device is looked at more often.
bool drone_pointer_is_doubtful(const drone_output *o, int64_t now_ns);

// fill_level.c: how full a device with the policy SMALL is kept

/// Starts anew, for a device that has just been opened or prepared.
void drone_fill_level_begin(drone_output *o);
/// Records how late the thread has come, judging by the frames still held; raises or lowers the level. Returns 0 or a
/// negative errno.
int drone_fill_level_watch(drone_output *o, int64_t held_frames);
/// Records that the device ran dry. Returns whether its buffer is too small for the delays of this machine.
bool drone_fill_level_ran_dry(drone_output *o);

// place.c: positions at other times

/// The frame at the converter now, by what was observed last, or what runs on since a fault.
int64_t drone_output_frame_now(const drone_output *o);
