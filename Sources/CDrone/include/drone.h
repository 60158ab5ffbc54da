/// CDrone: a drone and clicks, from events to samples to an ALSA device.
///
/// Two handles. A `drone_engine` turns events into samples and knows neither clock nor device. A
/// `drone_output` is an ALSA device with a thread of its own that renders an engine into it.
///
/// Threads: "control" is the one thread at a time that queues events and reads snapshots; "audio" is the
/// one thread at a time that renders (the output's thread, or the caller of `drone_render` when no output
/// runs). "any" may be both at once.
///
/// Events reach the engine in transactions. A transaction replaces everything from one frame on, or it changes nothing:
/// the control thread stages its events and commits them; the audio thread decides, and refuses what begins before a
/// frame that cannot be taken back any more. Nothing else ever takes an event back.
///
/// Units: frames are absolute and may be negative; levels are linear peaks, 1 is full scale.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__) && __clang_major__ >= 20
#define DRONE_REALTIME __attribute__((nonblocking))
#else
#define DRONE_REALTIME
#endif

/// What a function returns: 0 or one of the errors it lists.
enum {
    DRONE_OK = 0,
    /// No memory.
    DRONE_ERR_MEMORY = -1,
    /// An argument outside its stated range.
    DRONE_ERR_ARGUMENT = -2,
    /// There is no room; nothing was queued.
    DRONE_ERR_FULL = -3,
    /// An event before one that was queued earlier in its transaction, or before the transaction's frame; nothing was
    /// queued.
    DRONE_ERR_ORDER = -4,
    /// A frame that lies deeper than the engine remembers; nothing was changed.
    DRONE_ERR_DEPTH = -5,
    /// A thread could not be started.
    DRONE_ERR_THREAD = -6,
};

/// How a sample is stored, little-endian. 16 bit is dithered, the others are rounded to nearest.
typedef enum drone_format {
    DRONE_S16 = 0,
    /// 24 bits in 3 bytes.
    DRONE_S24_3 = 1,
    /// 24 bits in the low 3 of 4 bytes, sign-extended.
    DRONE_S24 = 2,
    DRONE_S32 = 3,
    DRONE_F32 = 4,
} drone_format;

/// The sounds of clicks, by what they mark.
typedef enum drone_sound {
    DRONE_SOUND_BAR = 0,
    DRONE_SOUND_LINE = 1,
    DRONE_SOUND_COUNT_IN = 2,
    DRONE_SOUND_SECTION = 3,
    DRONE_SOUND_BEAT = 4,
    DRONE_SOUND_ACCENT = 5,
    DRONE_SOUND_SUBDIVISION = 6,
    /// What comes before something: the last bar of a line, a countdown.
    DRONE_SOUND_WARNING = 7,
    DRONE_SOUND_RUN = 8,
    DRONE_SOUND_WALK = 9,
    DRONE_SOUND_END = 10,
    DRONE_SOUND_COUNT = 11,
} drone_sound;

/// The voices of the drone. All but the sine are sums of harmonics below half the rate and 24 kHz.
typedef enum drone_waveform {
    DRONE_SINE = 0,
    /// Odd harmonics, falling with the square of their number.
    DRONE_TRIANGLE = 1,
    /// All harmonics, falling with their number.
    DRONE_SAWTOOTH = 2,
    /// Odd harmonics, falling with their number.
    DRONE_SQUARE = 3,
    DRONE_REED_ORGAN = 4,
    DRONE_OBOE = 5,
    DRONE_STRINGS = 6,
    DRONE_SHRUTI = 7,
    DRONE_WAVEFORM_COUNT = 8,
} drone_waveform;

enum {
    /// Notes that the drone can have at once.
    DRONE_NOTES = 8,
};

typedef enum drone_event_kind {
    DRONE_EVENT_CLICK = 0,
    DRONE_EVENT_TONE = 1,
    DRONE_EVENT_SAMPLE = 2,
} drone_event_kind;

/// A click begins at frame + fraction: between two frames if need be.
typedef struct drone_click_event {
    /// How far behind the event's frame, in frames, 0 ..< 1.
    double fraction;
    drone_sound sound;
    /// Factor of the pitch, 0.25 ... 4, and of the length, 0.1 ... 4; 0 counts as 1.
    double pitch, length;
} drone_click_event;

/// What a note's level does by itself while it sounds. With another shape it is another sound.
typedef struct drone_tone_shape {
    /// How far the level wanders down from the event's, slowly, 0 ... 1 of it. The same for the same seed and frame.
    double variation;
    uint32_t seed;
} drone_tone_shape;

/// A note of the drone goes to the event's level and `pan` within `ramp_frames`, and to `hertz` at once, its phase
/// continuous; with another voice, or where `crossfade` says so, as a new sound that comes while the old one goes. If level
/// and pan are already on their way to these values, and arrive in that time, their ramps are left as they are.
typedef struct drone_tone_event {
    /// 0 ..< DRONE_NOTES.
    uint32_t note;
    drone_waveform waveform;
    /// 1 ... rate / 2.
    double hertz;
    /// How long level and pan take, 0 ... 2^31 frames, as a raised cosine.
    uint32_t ramp_frames;
    bool crossfade;
    /// -1 left ... 1 right; in the middle every channel has the full level.
    double pan;
    /// -1 ... 1: 6 dB an octave duller ... brighter.
    double brightness;
    /// Beats in Hz against a second, softer copy (and with strings a third), 0 ... 20; 0 for none.
    double beating;
    drone_tone_shape shape;
} drone_tone_event;

/// A sample begins at frame + fraction.
typedef struct drone_sample_event {
    /// How far behind the event's frame, in frames, 0 ..< 1.
    double fraction;
    /// The number that `drone_sample_add` gave.
    uint32_t sample;
} drone_sample_event;

/// Something that is to be heard. Made by one of the three functions below, which match the kind and its values.
typedef struct drone_event {
    /// The frame at or after which it takes effect.
    int64_t frame;
    /// Linear peak, 0 ... 1; for a sample the factor of its points.
    double level;
    drone_event_kind kind;
    union {
        drone_click_event click;
        drone_tone_event tone;
        drone_sample_event sample;
    };
} drone_event;

static inline drone_event drone_event_click(int64_t frame, double level, drone_click_event click) {
    return (drone_event){.frame = frame, .level = level, .kind = DRONE_EVENT_CLICK, .click = click};
}

static inline drone_event drone_event_tone(int64_t frame, double level, drone_tone_event tone) {
    return (drone_event){.frame = frame, .level = level, .kind = DRONE_EVENT_TONE, .tone = tone};
}

static inline drone_event drone_event_sample(int64_t frame, double level, drone_sample_event sample) {
    return (drone_event){.frame = frame, .level = level, .kind = DRONE_EVENT_SAMPLE, .sample = sample};
}

typedef struct drone_config {
    /// Frames per second, 8000 ... 384000.
    uint32_t rate;
    /// 1 ... 32.
    uint32_t channels;
    drone_format format;
    /// The first frame that is rendered.
    int64_t first_frame;
    /// How far `drone_rewind` can go back, in frames, 0 ... 10 * rate.
    uint32_t rewind_frames;
    /// The channels that carry clicks and samples, and those that carry the drone: bit n is channel n; 0 is all. Of the
    /// drone's channels every first is left and every second right; a single one has both.
    uint32_t click_channels, drone_channels;
} drone_config;

typedef struct drone_engine drone_engine;

/// What an engine has done. Counts begin at 0 with the engine.
typedef struct drone_counters {
    /// The next frame to be rendered.
    int64_t frame;
    /// Clicks begun.
    uint64_t clicks;
    /// Clicks left out, or cut off within their first millisecond, because too many sounded at once.
    uint64_t dropped;
    /// Clicks that lay in what `drone_skip` left out.
    uint64_t skipped;
} drone_counters;

/// Makes an engine. `error` (not null) receives DRONE_OK, DRONE_ERR_ARGUMENT or DRONE_ERR_MEMORY.
/// Returns null on an error. Free it by `drone_engine_destroy`, after any output that renders it.
/// Thread: control. Real-time safe: no.
drone_engine *drone_engine_create(const drone_config *config, int *error);

/// Frees an engine; null is allowed. Thread: control. Real-time safe: no.
void drone_engine_destroy(drone_engine *engine);

/// Opens a transaction that replaces every event at or after `frame`. One that is open already is abandoned.
/// Errors: DRONE_ERR_FULL.
/// Thread: control (the single producer). Real-time safe: yes.
int drone_begin(drone_engine *engine, int64_t frame);

/// Adds one event to the open transaction; its events ascend by frame and fraction. Where none is open, opens one that
/// begins with this event: it follows what has been committed before.
/// Errors: DRONE_ERR_FULL, DRONE_ERR_ORDER, DRONE_ERR_ARGUMENT, DRONE_ERR_MEMORY (a table for a
/// waveform or a click).
/// Thread: control (the single producer). Real-time safe: no.
int drone_push(drone_engine *engine, const drone_event *event);

/// Hands the open transaction, or an empty one, to the audio thread: as a whole. `horizon` says that with it every event
/// before that frame is known: an output renders no further than it must. An output ends by itself once frame `end` has
/// been played; INT64_MAX for no end.
/// Returns its number: 1 for the engine's first, then one more each time (0 is left out where it wraps).
/// Errors: 0, and nothing is handed over, where there is no room for even an empty transaction.
/// Thread: control (the single producer). Real-time safe: yes.
uint32_t drone_commit(drone_engine *engine, int64_t horizon, int64_t end);

/// What became of a transaction.
typedef struct drone_verdict {
    /// The newest that has been decided; 0 before the first.
    uint32_t number;
    /// Whether it took effect. Otherwise nothing has changed: it began before a frame that could still be changed.
    bool taken;
} drone_verdict;

/// The verdict on the newest transaction that has been decided. Thread: any. Real-time safe: yes.
drone_verdict drone_read_verdict(const drone_engine *engine);

/// How many more events the open transaction, or the next one that follows what is there, has room for. A part of the room is
/// kept for transactions that replace: a user's command never waits for a dense score.
/// Thread: control. Real-time safe: yes.
uint32_t drone_space(const drone_engine *engine);

/// Keeps a copy of sound that events can play: `frames` × `phases` points in the order of time, at `phases` times the
/// engine's rate, so that it can begin between two frames. `frames` 1 ... 60 * rate, `phases` 1 ... 64.
/// Returns its number, above 0; 0 where there is no memory or an argument is outside its range.
/// Thread: control. Real-time safe: no.
uint32_t drone_sample_add(drone_engine *engine, const float *points, uint32_t frames, uint32_t phases);

/// Says that no event will be queued with a sample any more. Its memory goes once no frame that can still be rendered
/// sounds of it. Thread: control. Real-time safe: no.
void drone_sample_release(drone_engine *engine, uint32_t sample);

/// How many samples are kept, tables of clicks among them. Thread: control. Real-time safe: no.
uint32_t drone_sample_count(const drone_engine *engine);

/// The counters as of the last render. Thread: any. Real-time safe: yes.
drone_counters drone_read_counters(const drone_engine *engine);

/// Bytes of one frame: channels × bytes of a sample. Thread: any. Real-time safe: yes.
uint32_t drone_bytes_per_frame(const drone_engine *engine);

/// The frame at which the oldest undecided transaction begins; false when there is none. One that follows what is there
/// begins at its first event, one without events at INT64_MAX.
/// Thread: audio. Real-time safe: yes.
bool drone_next_transaction(drone_engine *engine, int64_t *frame) DRONE_REALTIME;

/// Decides about the oldest undecided transaction, which there is: it takes effect if it begins at or after the next frame
/// to be rendered; otherwise nothing changes. Returns whether it took effect.
/// Thread: audio. Real-time safe: yes.
bool drone_decide(drone_engine *engine) DRONE_REALTIME;

/// The horizon of the newest transaction that took effect; INT64_MIN before the first.
/// Thread: audio. Real-time safe: yes.
int64_t drone_horizon(const drone_engine *engine) DRONE_REALTIME;

/// The end that the newest transaction that took effect has set; INT64_MAX for none.
/// Thread: audio. Real-time safe: yes.
int64_t drone_end(const drone_engine *engine) DRONE_REALTIME;

/// Renders the next `frames` frames, interleaved, into `out`; any size gives the same samples. Decides about nothing.
/// The sum of all is kept below full scale by a limiter that looks 1 ms ahead and changes nothing that stays below.
/// It delays nothing: what is to be heard is mixed that much sooner, and again where an event comes in between.
/// Thread: audio. Real-time safe: yes.
void drone_render(drone_engine *engine, void *out, uint32_t frames) DRONE_REALTIME;

/// Goes back to `frame`: the next render begins there, with the same samples if no event has changed.
/// A frame ahead of the next one to be rendered is reached in silence (events on the way take effect).
/// Errors: DRONE_ERR_DEPTH.
/// Thread: audio. Real-time safe: yes.
int drone_seek(drone_engine *engine, int64_t frame) DRONE_REALTIME;

/// Leaves out everything before `frame`, in a time that does not grow with the distance: clicks on the way are
/// counted as skipped, the drone comes up again over `fade_frames` with the phase that it has there. A `frame` that is
/// not ahead leaves nothing out; the drone fades in from the next frame on all the same. No seek goes back beyond it.
/// Thread: audio. Real-time safe: yes.
void drone_skip(drone_engine *engine, int64_t frame, uint32_t fade_frames) DRONE_REALTIME;

// ---------------------------------------------------------------------------------------------------
// The ALSA output

typedef struct drone_output drone_output;

/// How the device's buffer is used.
typedef enum drone_policy {
    /// What the device can do: REWIND for hardware and PipeWire that take back what has not been played, SMALL for all else.
    DRONE_POLICY_AUTO = 0,
    /// A second ahead in few, long steps; a command takes back what has not been played.
    DRONE_POLICY_REWIND = 1,
    /// Some 24 ms in short periods, more where the machine stalls; nothing is ever taken back (PulseAudio, dmix, the unknown).
    DRONE_POLICY_SMALL = 2,
} drone_policy;

/// What to ask of a device.
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

/// What a device gave.
typedef struct drone_output_grant {
    /// REWIND or SMALL.
    drone_policy policy;
    uint32_t rate, channels;
    drone_format format;
    /// Frames of a period and of the whole buffer; at least two periods fit.
    uint32_t period_frames, buffer_frames;
    /// Whether what the device says of its pointer is a sound server's estimate, that wanders.
    bool estimates;
} drone_output_grant;

typedef enum drone_output_state {
    DRONE_OUTPUT_IDLE = 0,
    DRONE_OUTPUT_RUNNING = 1,
    /// The end frame has been played.
    DRONE_OUTPUT_ENDED = 2,
    /// The device is away, and tried again now and then; `error` says what it said last.
    DRONE_OUTPUT_AWAY = 3,
} drone_output_state;

/// What an output is doing, read at one moment. Frames are the engine's.
typedef struct drone_snapshot {
    /// CLOCK_MONOTONIC, in ns, at which `heard_frame` reached the converter; 0 before the first.
    int64_t time_ns;
    int64_t heard_frame;
    /// The next frame to be given to the device.
    int64_t next_frame;
    /// The first frame that a transaction can still change on this device, as of `time_ns`; with REWIND it moves on with time.
    int64_t changeable_frame;
    /// With SMALL: once this frame is heard the thread writes next, and how many frames that is.
    int64_t refill_frame, refill_frames;
    /// The newest transaction that replaced began so many frames behind what could then be changed; less than 0: too early.
    int64_t slack_frames;
    /// How often the device ran dry; how often it went away; how often the machine slept.
    uint64_t xruns, losses, suspends;
    /// How often the thread has woken up.
    uint64_t wakes;
    /// The worst that the thread has been woken late of late, in ns.
    int64_t late_ns;
    /// The thread's id in the system; 0 before it runs.
    int64_t thread_id;
    drone_output_state state;
    /// The negative errno of the last fault, or 0 before any.
    int32_t error;
    /// Grows whenever frames and time have a new relation: after a start, an underrun, a suspend, a reopening.
    uint32_t epoch;
    /// Whether what has been given to the device can be taken back.
    bool rewinds;
    /// Whether the thread has real-time priority.
    bool realtime;
    /// Whether the device takes frames faster than time passes (`null`, `file`): paced by the clock.
    bool paced_by_clock;
    /// Whether the device is away, also once the end has passed in silence.
    bool away;
} drone_snapshot;

/// Opens an ALSA playback device by name. The output keeps it, and opens it again when it went away. `grant` (not null)
/// receives what it got. Returns null on an error; `error` (not null) receives 0 or the negative errno that ALSA gave:
/// -ENOENT no such device, -EBUSY in use, -EINVAL nothing it can do fits the request. alsa-lib's own messages are kept off
/// stderr.
/// Thread: control. Real-time safe: no.
drone_output *drone_output_open(
    const char *device, const drone_output_request *request, drone_output_grant *grant, int *error);

/// Starts the thread that renders `engine` into the device. The engine must outlive the output.
/// Errors: DRONE_ERR_THREAD, DRONE_ERR_MEMORY, DRONE_ERR_ARGUMENT (the engine's rate, channels or format is not the
/// device's, or the output was started before).
/// Thread: control. Real-time safe: no.
int drone_output_start(drone_output *output, drone_engine *engine);

/// Tells that the thread has been given real-time priority by somebody else. Thread: control. Real-time safe: yes.
void drone_output_set_realtime(drone_output *output);

/// Prepares the process for one of its threads, by its id in the system, to be given real-time priority by RealtimeKit: no
/// thread of real-time priority may work for 200 ms without a rest any more (RLIMIT_RTTIME), and this one gives the priority
/// back after 100 ms. False where the system refuses, or for more than 16 threads.
/// Thread: any. Real-time safe: no.
bool drone_prepare_realtime(int64_t thread);

/// Undoes `drone_prepare_realtime`, of a thread that is gone or got no priority. Thread: any. Real-time safe: no.
void drone_forget_realtime(int64_t thread);

/// One look at the device: which frame was at the converter, and when.
typedef struct drone_observation {
    /// CLOCK_MONOTONIC, ns.
    int64_t time_ns;
    int64_t frame;
    /// How long the steps are of a pointer that cannot be read as it steps, in frames; 0 of one that can.
    int64_t blur_frames;
    /// The `epoch` of the snapshot that it belongs to.
    uint32_t epoch;
} drone_observation;

/// The next observation, oldest first; false when there is none. What nobody fetches for some seconds is lost.
/// Thread: control (the single consumer). Real-time safe: yes.
bool drone_output_next_observation(drone_output *output, drone_observation *observation);

/// Frames that nobody heard: the device failed at `begin` and went on with `end`, which may be the same frame. While it is
/// away `end` is INT64_MAX, and the same gap comes again when it is back.
typedef struct drone_gap {
    int64_t begin;
    int64_t end;
    /// The negative errno of the fault: -EPIPE ran dry, -ESTRPIPE slept, all else went away.
    int32_t error;
} drone_gap;

/// The next gap, oldest first; false when there is none. A snapshot that shows what follows a gap is newer than the gap.
/// Thread: control (the single consumer). Real-time safe: yes.
bool drone_output_next_gap(drone_output *output, drone_gap *gap);

/// Tells what has been learnt of the card: its true rate in frames per second by CLOCK_MONOTONIC. After a fault the
/// output finds the right frame by it. Thread: control. Real-time safe: yes.
void drone_output_set_rate(drone_output *output, double frames_per_second);

/// Has the thread decide about what has been committed now; its verdict is news.
/// Thread: control. Real-time safe: yes.
void drone_output_hurry(drone_output *output);

/// A descriptor (an eventfd, the output's own) that is readable when there is news: a new state or epoch, a pointer that
/// strays, a verdict that was hurried. Read 8 bytes from it.
/// Thread: control. Real-time safe: yes.
int drone_output_event_fd(const drone_output *output);

/// What the output is doing. Thread: any. Real-time safe: yes.
drone_snapshot drone_output_snapshot(const drone_output *output);

/// Stops the thread, closes the device at once and frees the output; null is allowed. A device that does not let go of a
/// closing handle within seconds is left to itself.
/// Thread: control. Real-time safe: no.
void drone_output_destroy(drone_output *output);

/// One ALSA playback device by name and description; both borrowed for the call.
typedef void (*drone_device_visitor)(const char *name, const char *description, void *context);

/// Visits the playback devices that ALSA lists and that open; none where ALSA's configuration cannot be read.
/// Thread: control. Real-time safe: no.
void drone_visit_devices(drone_device_visitor visit, void *context);

// ---------------------------------------------------------------------------------------------------
// The clock, and the audio thread's work in simulated time

/// The time of the calling thread's clock: CLOCK_MONOTONIC in ns, unless it has been given another.
/// Thread: any. Real-time safe: yes.
int64_t drone_now_ns(void);

/// A clock in the place of CLOCK_MONOTONIC.
typedef struct drone_clock {
    int64_t (*now_ns)(void *context);
    void *context;
} drone_clock;

/// Gives the calling thread a clock of its own; null gives it back CLOCK_MONOTONIC. The clock must stay where it is.
/// Thread: any. Real-time safe: yes.
void drone_use_clock(const drone_clock *clock);

/// Like `drone_output_start`, but without a thread: the caller does the thread's rounds, on one thread, in its clock's time.
/// Errors: as `drone_output_start`.
/// Thread: control. Real-time safe: no.
int drone_output_attach(drone_output *output, drone_engine *engine);

/// When the thread wants its next round.
typedef struct drone_wait {
    /// At this time of the clock, in ns, at the latest.
    int64_t until_ns;
    /// As soon as the device's descriptors are ready, too.
    bool listens;
    /// Never: the end has been heard.
    bool ended;
} drone_wait;

/// Plans when the next round is due, of an output without a thread: once after each round.
/// Thread: audio. Real-time safe: as the thread's own.
drone_wait drone_output_next_round(drone_output *output);

/// Whether the next round is due at once, for the output has been hurried since the last. Thread: any. Real-time safe: yes.
bool drone_output_is_hurried(const drone_output *output);

/// Does one round of an output without a thread. `called` says that the device's descriptors are ready.
/// Thread: audio. Real-time safe: as the thread's own.
void drone_output_round(drone_output *output, bool called);
