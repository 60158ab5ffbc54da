/// The output of CDrone: an ALSA device with a thread of its own, which renders an engine into it. Threads and units
/// are those of drone.h.
///
/// Which calls may block: `drone_output_open` and `drone_visit_devices`, for as long as ALSA takes to open a device;
/// `drone_output_destroy`, for at most three seconds. No other call blocks: a device that hangs holds up only the
/// threads of the output, of which the audio thread uses an open device, and the opener reopens and closes it.
#pragma once

#include "drone.h"

typedef struct drone_output drone_output;

/// How the device's buffer is used.
typedef enum drone_policy {
    /// Chooses for the device: REWIND for hardware and PipeWire if they can take back frames that have not been played,
    /// SMALL for every other device.
    DRONE_POLICY_AUTO = 0,
    /// Fills the buffer a second ahead, in few, long steps; a command takes back frames that have not been played.
    DRONE_POLICY_REWIND = 1,
    /// Holds some 24 ms in short periods, more if the machine stalls; never takes frames back (PulseAudio, dmix,
    /// unknown devices).
    DRONE_POLICY_SMALL = 2,
} drone_policy;

/// The configuration to request of a device.
typedef struct drone_output_request {
    drone_policy policy;
    /// Frames per second, and whether another rate will do.
    uint32_t rate;
    bool any_rate;
    uint32_t channels;
    bool any_channels;
    drone_format format;
    bool any_format;
} drone_output_request;

/// The configuration that a device granted.
typedef struct drone_output_grant {
    /// REWIND or SMALL.
    drone_policy policy;
    uint32_t rate, channels;
    drone_format format;
    /// Frames of a period and of the whole buffer, which holds at least two periods.
    uint32_t period_frames, buffer_frames;
    /// Whether the pointer that the device reports is a sound server's estimate, which wanders.
    bool estimates;
} drone_output_grant;

typedef enum drone_output_state {
    DRONE_OUTPUT_IDLE = 0,
    DRONE_OUTPUT_RUNNING = 1,
    /// The end frame has been played.
    DRONE_OUTPUT_ENDED = 2,
    /// The device is away (it failed or was unplugged) and is reopened when it is back; `error` is its newest error.
    DRONE_OUTPUT_AWAY = 3,
} drone_output_state;

/// Which frame is at the converter at which time: the relation from which every position at another time follows; see
/// `drone_frame_at`.
typedef struct drone_place {
    /// CLOCK_MONOTONIC in ns at which `frame` reached the converter; of a device that has not moved yet, when that
    /// became known.
    int64_t time_ns;
    int64_t frame;
    /// Whether frames pass: since the device was first seen to move, or has failed. Then they pass by the clock,
    /// whatever happens to the device.
    bool passes;
} drone_place;

/// The state of an output at one moment. Frames are the engine's.
typedef struct drone_snapshot {
    /// The newest observation of the device, or what stands for it.
    drone_place heard;
    /// The next frame to be written to the device.
    int64_t next_frame;
    /// The first frame that a transaction can still change on this device, as of `heard.time_ns`. With REWIND it
    /// advances with time.
    int64_t changeable_frame;
    /// SMALL only: the next refill happens when frame `refill_frame` is heard, and writes `refill_frames` frames.
    int64_t refill_frame, refill_frames;
    /// By how many frames the newest transaction that replaced events began after the first frame that could be changed
    /// then; negative if it began too early.
    int64_t slack_frames;
    /// How often the device ran dry, how often it went away, and how often the machine was suspended.
    uint64_t xruns, losses, suspends;
    /// How often the thread has woken up.
    uint64_t wakes;
    /// The longest recent delay of the thread's wake-ups, in ns.
    int64_t late_ns;
    /// The thread's id (gettid); 0 before it runs.
    int64_t thread_id;
    drone_output_state state;
    /// The negative errno of the last fault; 0 before the first.
    int32_t error;
    /// Grows whenever frames and time get a new relation: after an underrun, a suspend, a reopening, or a rewind that
    /// the device did not carry out.
    uint32_t epoch;
    /// Whether frames that the device has not played can be taken back.
    bool rewinds;
    /// Whether the thread has real-time priority.
    bool realtime;
    /// Whether the device takes frames faster than time passes (`null`, `file`), so that the clock paces the output.
    bool paced_by_clock;
    /// Whether the device is away. Unlike `state`, this also tells it after the end frame has passed in silence.
    bool away;
    /// Whether the device has been away, and has not been seen to move since; also after the end.
    bool silent;
} drone_snapshot;

/// The frame at the converter at a time, if frames pass at `rate` frames per second: the only place where a position is
/// extrapolated. Thread: any. Real-time safe: yes.
int64_t drone_frame_at(drone_place place, double rate, int64_t time_ns);

/// Opens an ALSA playback device by name. If the device goes away, the output reopens it when it is back. `grant` (not
/// null) receives the configuration that the device granted. Returns null on an error; `error` (not null) receives 0 or
/// the negative errno that ALSA gave: -ENOENT no such device, -EBUSY in use, -EINVAL its name or ALSA's
/// configuration cannot be read; or -ENOTSUP: no configuration of the device fits the request. alsa-lib's own messages are kept off stderr.
/// Thread: control. Real-time safe: no.
drone_output *drone_output_open(
    const char *device, const drone_output_request *request, drone_output_grant *grant, int *error);

/// Starts the thread that renders `engine` into the device. The engine must outlive the output. After a fault, the
/// output goes back in the engine by what the device has not played: make it with `rewind_frames` of at least the
/// granted buffer.
/// Errors: DRONE_ERR_THREAD, DRONE_ERR_MEMORY, DRONE_ERR_ARGUMENT (the engine's rate, channels or format differs from
/// the device's, or the output was started before).
/// Thread: control. Real-time safe: no.
int drone_output_start(drone_output *output, drone_engine *engine);

/// Reports that another program has given the thread real-time priority. Thread: control. Real-time safe: yes.
void drone_output_set_realtime(drone_output *output);

/// Makes a thread an ordinary one again. An unprivileged thread may do so, too, although RealtimeKit has set
/// SCHED_RESET_ON_FORK, which only a privileged one can clear: the flag stays. `thread` is its id (gettid).
/// Returns whether the system has accepted it.
/// Thread: any, also in a signal handler. Real-time safe: yes.
bool drone_give_back_realtime(int64_t thread);

/// Prepares the process so that RealtimeKit may give real-time priority to one of its threads, given by its id
/// (gettid). From then on the kernel ends the process if a thread with real-time priority runs for 200 ms without a
/// rest (RLIMIT_RTTIME); the prepared threads give their priority back after 100 ms. Returns false if the system
/// refuses, or if 16 threads are prepared already.
/// Thread: any. Real-time safe: no.
bool drone_prepare_realtime(int64_t thread);

/// Forgets a thread that `drone_prepare_realtime` has prepared, when it has ended or was given no priority. The limit
/// stays. Thread: any. Real-time safe: no.
void drone_forget_realtime(int64_t thread);

/// One observation of the device: which frame was at the converter, and when.
typedef struct drone_observation {
    /// CLOCK_MONOTONIC, ns.
    int64_t time_ns;
    int64_t frame;
    /// The pointer's step in frames if its steps are too far apart to be waited for; 0 otherwise.
    int64_t blur_frames;
    /// The epoch in which the observation was made; see `drone_snapshot`.
    uint32_t epoch;
} drone_observation;

/// Takes the next observation, oldest first; false if there is none. Observations that nobody takes for some seconds
/// are lost.
/// Thread: control (the single consumer). Real-time safe: yes.
bool drone_output_next_observation(drone_output *output, drone_observation *observation);

/// Frames that nobody heard: the device failed at `begin` and went on at `end`, which may be the same frame. A gap is
/// reported when it begins, with INT64_MAX as its end, and again when the device goes on.
typedef struct drone_gap {
    int64_t begin;
    int64_t end;
    /// The negative errno of the fault: -EPIPE for an underrun, -ESTRPIPE for a suspend; any other means that the
    /// device went away.
    int32_t error;
} drone_gap;

/// Takes the next gap, oldest first; false if there is none. A gap is queued before any snapshot shows what follows it.
/// Thread: control (the single consumer). Real-time safe: yes.
bool drone_output_next_gap(drone_output *output, drone_gap *gap);

/// A card's clock as learnt so far.
typedef struct drone_learnt {
    /// Frame `frame` + `fraction` is at the converter at `time_ns`, in ns of CLOCK_MONOTONIC.
    int64_t time_ns, frame;
    double fraction;
    /// Frames per second of CLOCK_MONOTONIC.
    double rate;
    /// How far a single observation may be from this, in frames; 0 if nothing is known but the rate.
    double tolerance_frames;
} drone_learnt;

/// Tells the output what has been learnt. It uses the rate to find the frame that is due after a fault. After an
/// observation that is further off than the tolerance, it looks at the device again within 50 ms. Two in a row on the
/// same side are news, and for a second it looks every 50 ms.
/// Thread: control. Real-time safe: yes.
void drone_output_learn(drone_output *output, const drone_learnt *learnt);

/// The first frame that a transaction can change if it is decided at `time_ns`, now or later.
/// Thread: control. Real-time safe: yes.
int64_t drone_output_reach(const drone_output *output, int64_t time_ns);

/// The first frame that the device has not been given, also while a call of it does not return.
/// Thread: any. Real-time safe: yes.
int64_t drone_output_written(const drone_output *output);

/// For how long the audio thread has been inside one round, in ns: longer than some ms only if a call of the device
/// does not return. 0 between two rounds.
/// Thread: any. Real-time safe: yes.
int64_t drone_output_stuck_ns(const drone_output *output);

/// Makes the thread decide about all committed transactions now. The verdict is news; see `drone_output_event_fd`.
/// Thread: control. Real-time safe: yes.
void drone_output_hurry(drone_output *output);

/// An eventfd, owned by the output, that is readable when there is news: a new state or epoch, a pointer that strays, a
/// verdict after `drone_output_hurry`. Read 8 bytes from it.
/// Thread: control. Real-time safe: yes.
int drone_output_event_fd(const drone_output *output);

/// The output's newest snapshot. Thread: any. Real-time safe: yes.
drone_snapshot drone_output_snapshot(const drone_output *output);

/// Stops the thread, closes the device at once and frees the output; null is allowed. Waits for the thread and for the
/// device, but gives up a call of the device that has not returned for three seconds. What such a call still uses is
/// freed when it returns: the thread keeps the engine, too, even if its owner destroys it.
/// Thread: control. Real-time safe: no.
void drone_output_destroy(drone_output *output);

/// Receives one ALSA playback device; `name` and `description` are valid only during the call.
typedef void (*drone_device_visitor)(const char *name, const char *description, void *context);

/// Visits the playback devices that ALSA lists and that can be opened; none if ALSA's configuration cannot be read.
/// Thread: control. Real-time safe: no.
void drone_visit_devices(drone_device_visitor visit, void *context);

// ---------------------------------------------------------------------------------------------------
// The clock, and the audio thread's work in simulated time

/// The time of the calling thread's clock in ns: CLOCK_MONOTONIC, unless `drone_use_clock` has set another.
/// Thread: any. Real-time safe: yes.
int64_t drone_now_ns(void);

/// Whether the kernel's wall clock is kept in step with another clock, as by NTP. Thread: any. Real-time safe: no.
bool drone_clock_is_synchronized(void);

/// A clock that replaces CLOCK_MONOTONIC.
typedef struct drone_clock {
    int64_t (*now_ns)(void *context);
    void *context;
} drone_clock;

/// Sets the calling thread's clock; null restores CLOCK_MONOTONIC. The clock is not copied: it must stay where it is.
/// Thread: any. Real-time safe: yes.
void drone_use_clock(const drone_clock *clock);

/// Like `drone_output_start`, but without a thread: the caller does the thread's rounds, all on one thread and in that
/// thread's clock.
/// Errors: as `drone_output_start`.
/// Thread: control. Real-time safe: no.
int drone_output_attach(drone_output *output, drone_engine *engine);

/// When the next round is due.
typedef struct drone_wait {
    /// At this time at the latest, in ns of the thread's clock.
    int64_t until_ns;
    /// Whether it is also due as soon as the device's descriptors are ready.
    bool listens;
    /// Whether no round is due any more, because the end has been heard.
    bool ended;
} drone_wait;

/// Plans the next round of an output without a thread. Call it once after each round.
/// Thread: audio. Real-time safe: as the thread's own rounds are.
drone_wait drone_output_next_round(drone_output *output);

/// Whether the next round is due at once, because of `drone_output_hurry` since the last round.
/// Thread: any. Real-time safe: yes.
bool drone_output_is_hurried(const drone_output *output);

/// Does one round of an output without a thread. `called` says whether the device's descriptors are ready.
/// Thread: audio. Real-time safe: as the thread's own rounds are.
void drone_output_round(drone_output *output, bool called);
