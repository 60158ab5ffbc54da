/// CDrone: a drone and clicks, from events to samples to an ALSA device.
///
/// A `drone_engine` turns events into samples and knows neither clock nor device. A `drone_output`, in drone_output.h,
/// is an ALSA device with its own thread, which renders an engine into the device. A `drone_capture`, in drone_capture.h,
/// records from an ALSA device.
///
/// Threads: "control" is the thread that queues events and reads snapshots; there is one at a time. "audio" is the
/// thread that renders; there is one at a time: the output's thread or, if no output runs, the caller of
/// `drone_render`. "any" is any thread, also several at once.
///
/// Events reach the engine in transactions. The control thread stages a transaction's events and commits them; the
/// audio thread accepts or refuses it as a whole. An accepted transaction either replaces all events from its first
/// frame on (`drone_begin`), or continues: it adds its events and removes none, not even on its first frame. A
/// transaction that begins before the first frame that can still be changed is refused, and changes nothing. There is
/// no other way to withdraw an event.
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

#include "drone_shape.h"

/// Status codes. A function returns 0 or one of the errors that it lists.
enum {
    DRONE_OK = 0,
    /// Out of memory.
    DRONE_ERR_MEMORY = -1,
    /// An argument is outside its stated range.
    DRONE_ERR_ARGUMENT = -2,
    /// There is no room; nothing was queued.
    DRONE_ERR_FULL = -3,
    /// The event precedes the last one queued in its transaction, or the transaction's first frame; nothing was queued.
    DRONE_ERR_ORDER = -4,
    /// The frame lies further back than the engine remembers; nothing was changed.
    DRONE_ERR_DEPTH = -5,
    /// A thread could not be started.
    DRONE_ERR_THREAD = -6,
};

/// How samples are stored, little-endian. 16-bit samples are dithered, the others are rounded to nearest.
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
    /// A warning that something is about to come: the last bar of a line, a countdown.
    DRONE_SOUND_WARNING = 7,
    DRONE_SOUND_RUN = 8,
    DRONE_SOUND_WALK = 9,
    DRONE_SOUND_END = 10,
    DRONE_SOUND_WARM_UP = 11,
    DRONE_SOUND_COOL_DOWN = 12,
    DRONE_SOUND_COUNT = 13,
} drone_sound;

/// The voices of the drone. Each voice but the sine is a sum of harmonics, all below both half the rate and 24 kHz.
typedef enum drone_waveform {
    DRONE_SINE = 0,
    /// Odd harmonics; the amplitude falls with the square of the harmonic's number.
    DRONE_TRIANGLE = 1,
    /// All harmonics; the amplitude falls with the harmonic's number.
    DRONE_SAWTOOTH = 2,
    /// Odd harmonics; the amplitude falls with the harmonic's number.
    DRONE_SQUARE = 3,
    DRONE_REED_ORGAN = 4,
    DRONE_OBOE = 5,
    DRONE_STRINGS = 6,
    DRONE_SHRUTI = 7,
    DRONE_WAVEFORM_COUNT = 8,
} drone_waveform;

enum {
    /// How many notes the drone can have at once.
    DRONE_NOTES = 8,
    /// How many voices can have channels of their own, and voice 0, which is everybody's.
    DRONE_VOICES = 16,
};

typedef enum drone_event_kind {
    DRONE_EVENT_CLICK = 0,
    DRONE_EVENT_TONE = 1,
    DRONE_EVENT_SAMPLE = 2,
    DRONE_EVENT_TIMECODE = 3,
} drone_event_kind;

/// A click that begins at frame + fraction, possibly between two frames.
typedef struct drone_click_event {
    /// Offset after the event's frame, in frames, 0 ..< 1.
    double fraction;
    drone_sound sound;
    /// Factors of the pitch, 0.25 ... 4, and of the length, 0.1 ... 4; 0 means 1.
    double pitch, length;
    /// The voice, 0 ..< DRONE_VOICES, whose channels it is heard on.
    uint32_t voice;
} drone_click_event;

/// Changes a note of the drone. Level and `pan` ramp to their new values within `ramp_frames`; the pitch changes to
/// `hertz` at once, with a continuous phase. If the voice changes, or if `crossfade` is set, a new sound fades in while
/// the old one fades out. If level and pan are already on their way to these values, and arrive in that time, their
/// ramps are left as they are.
typedef struct drone_tone_event {
    /// 0 ..< DRONE_NOTES.
    uint32_t note;
    drone_waveform waveform;
    /// 1 ... rate / 2.
    double hertz;
    /// How long the fades of level and pan take, 0 ... 2^31 - 1 frames.
    uint32_t ramp_frames;
    bool crossfade;
    /// -1 left ... 1 right; in the middle every channel has the full level.
    double pan;
    /// -1 ... 1: from 6 dB per octave duller to 6 dB per octave brighter.
    double brightness;
    /// The frequency in Hz, 0 ... 20, at which the note beats against a second, softer copy; strings also have a third.
    /// 0 means no copies.
    double beating;
    drone_tone_shape shape;
} drone_tone_event;

/// A sample that begins at frame + fraction.
typedef struct drone_sample_event {
    /// Offset after the event's frame, in frames, 0 ..< 1.
    double fraction;
    /// The number that `drone_sample_add` returned.
    uint32_t sample;
    /// As in `drone_click_event`.
    uint32_t voice;
} drone_sample_event;

/// Linear timecode (SMPTE ST 12-1) from a moment on: which frame of the film there is, and how fast they follow. It goes on
/// until the next event of this kind.
typedef struct drone_timecode_event {
    /// Offset after the event's frame, in frames, 0 ..< 1.
    double fraction;
    /// The frame of the film at this moment, counted from midnight without gaps; a number outside of the day is taken to
    /// that hour of the day.
    int64_t number;
    /// How much of this frame is over, in units of 2^-64.
    uint64_t phase;
    /// Frames of the film per frame of sound, in units of 2^-64; 0 for silence.
    uint64_t step;
    /// The numbers of a second: 24, 25 or 30.
    uint32_t numbers_per_second;
    /// Whether numbers are dropped; for 30 numbers per second.
    bool drops;
    /// Whether the same number is sent again and again.
    bool holds;
} drone_timecode_event;

/// Something to be heard. Make it with one of the functions below, which keep `kind` and the values consistent.
typedef struct drone_event {
    /// The frame at or after which it takes effect.
    int64_t frame;
    /// Linear peak, 0 ... 1; for a sample, the factor by which its points are multiplied.
    double level;
    drone_event_kind kind;
    union {
        drone_click_event click;
        drone_tone_event tone;
        drone_sample_event sample;
        drone_timecode_event timecode;
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

static inline drone_event drone_event_timecode(int64_t frame, double level, drone_timecode_event timecode) {
    return (drone_event){.frame = frame, .level = level, .kind = DRONE_EVENT_TIMECODE, .timecode = timecode};
}

typedef struct drone_config {
    /// Frames per second, 8000 ... 384000.
    uint32_t rate;
    /// 1 ... 32.
    uint32_t channels;
    drone_format format;
    /// The first frame that is rendered.
    int64_t first_frame;
    /// How far `drone_seek` can go back, in frames, 0 ... 10 * rate.
    uint32_t rewind_frames;
    /// The channels that carry clicks and samples, and those that carry the drone: bit n is channel n, from 0; 0 means
    /// all channels. The drone's channels alternate between left and right, beginning with left; a single channel
    /// carries both.
    uint32_t click_channels, drone_channels;
    /// The channels that carry the clicks and samples of each voice, as above. 0 means those of `click_channels`, and
    /// so does voice 0.
    uint32_t voice_channels[DRONE_VOICES];
    /// The channels that carry timecode, and nothing else; 0 means none.
    uint32_t timecode_channels;
} drone_config;

typedef struct drone_engine drone_engine;

/// The counters of an engine. All counts are 0 when the engine is created.
typedef struct drone_counters {
    /// The next frame to be rendered.
    int64_t frame;
    /// Clicks begun.
    uint64_t clicks;
    /// Clicks left out, or cut off within their first millisecond, because too many sounded at once.
    uint64_t dropped;
    /// Clicks that `drone_skip` has left out.
    uint64_t skipped;
} drone_counters;

/// Creates an engine. `error` (not null) receives DRONE_OK, DRONE_ERR_ARGUMENT or DRONE_ERR_MEMORY.
/// Returns null on an error. Free the engine with `drone_engine_destroy`, after any output that renders it.
/// Thread: control. Real-time safe: no.
drone_engine *drone_engine_create(const drone_config *config, int *error);

/// Frees an engine; null is allowed. An output that still renders it, because a call of its device does not return,
/// keeps it until then. Thread: control. Real-time safe: no.
void drone_engine_destroy(drone_engine *engine);

/// Opens a transaction that replaces every event at or after `frame`. A transaction that is already open is abandoned.
/// Errors: DRONE_ERR_FULL.
/// Thread: control (the single producer). Real-time safe: yes.
int drone_begin(drone_engine *engine, int64_t frame);

/// Adds one event to the open transaction, whose events must ascend by frame and fraction. If no transaction is open,
/// opens one that continues: it begins at this event's frame, and its events join those that have been committed
/// before, wherever these are. Events at the same frame and fraction take effect in the order in which they were
/// committed, so a list of events sounds the same however it is split into such transactions.
/// Errors: DRONE_ERR_FULL, DRONE_ERR_ORDER, DRONE_ERR_ARGUMENT, DRONE_ERR_MEMORY (for the table of a waveform or a
/// click).
/// Thread: control (the single producer). Real-time safe: no.
int drone_push(drone_engine *engine, const drone_event *event);

/// Hands the open transaction to the audio thread as a whole; if none is open, an empty one. `horizon` promises that
/// every event before that frame has been committed; an output renders no further beyond it than it must. An output
/// ends by itself once frame `end` has been played; INT64_MAX means no end.
/// Returns the transaction's number: 1 for the engine's first, then one more each time; 0 is left out when the number
/// wraps.
/// Errors: 0, and nothing is handed over, if there is no room even for an empty transaction.
/// Thread: control (the single producer). Real-time safe: yes.
uint32_t drone_commit(drone_engine *engine, int64_t horizon, int64_t end);

/// The audio thread's decision about a transaction.
typedef struct drone_verdict {
    /// The newest transaction that has been decided; 0 before the first.
    uint32_t number;
    /// Whether it took effect. If not, nothing has changed: it began before the first frame that could still be
    /// changed.
    bool taken;
} drone_verdict;

/// The verdict on the newest transaction that has been decided. Thread: any. Real-time safe: yes.
drone_verdict drone_read_verdict(const drone_engine *engine);

/// How many more events fit into the open transaction or, if none is open, into the next one that continues what has
/// been committed. Some room is reserved for transactions that replace events, so that a user's command never waits for
/// a dense score.
/// Thread: control. Real-time safe: yes.
uint32_t drone_space(const drone_engine *engine);

/// Stores a copy of a sound for events to play: `frames` × `phases` points in time order, at `phases` times the
/// engine's rate, so that the sound can begin between two frames. `frames` 1 ... 60 * rate, `phases` 1 ... 64.
/// Returns its number, above 0; 0 if there is no memory or an argument is outside its range.
/// Thread: control. Real-time safe: no.
uint32_t drone_sample_add(drone_engine *engine, const float *points, uint32_t frames, uint32_t phases);

/// Promises that no more events will be queued with a sample. This or a later call frees its memory once no frame that
/// can still be rendered contains its sound. Thread: control. Real-time safe: no.
void drone_sample_release(drone_engine *engine, uint32_t sample);

/// How many samples are stored, including synthesized clicks. Thread: control. Real-time safe: no.
uint32_t drone_sample_count(const drone_engine *engine);

/// The counters as of the last render. Thread: any. Real-time safe: yes.
drone_counters drone_read_counters(const drone_engine *engine);

/// Bytes of one frame: channels × bytes of a sample. Thread: any. Real-time safe: yes.
uint32_t drone_bytes_per_frame(const drone_engine *engine);

/// Gets the frame at which the oldest undecided transaction begins; false if there is none. A transaction that was
/// opened without `drone_begin` begins at its first event, or at INT64_MAX if it has none.
/// Thread: audio. Real-time safe: yes.
bool drone_next_transaction(drone_engine *engine, int64_t *frame) DRONE_REALTIME;

/// Decides about the oldest undecided transaction. It takes effect if it begins at or after the next frame to be
/// rendered; otherwise nothing changes. Returns whether it took effect; false if there is none.
/// Thread: audio. Real-time safe: yes.
bool drone_decide(drone_engine *engine) DRONE_REALTIME;

/// The horizon of the newest transaction that took effect; INT64_MIN before the first.
/// Thread: audio. Real-time safe: yes.
int64_t drone_horizon(const drone_engine *engine) DRONE_REALTIME;

/// The end frame that the newest transaction that took effect has set; INT64_MAX means no end.
/// Thread: audio. Real-time safe: yes.
int64_t drone_end(const drone_engine *engine) DRONE_REALTIME;

/// Renders the next `frames` frames, interleaved, into `out`; the samples do not depend on the sizes of the calls. Does
/// not decide about transactions. A limiter with 1 ms of look-ahead keeps the mix below full scale; a mix that stays
/// below is not changed. Channels that carry the clicks of the same voices get the same gain; others do not depend on
/// each other. The limiter adds no latency: frames are mixed 1 ms early, and mixed again if an event arrives in
/// between.
/// Thread: audio. Real-time safe: yes.
void drone_render(drone_engine *engine, void *out, uint32_t frames) DRONE_REALTIME;

/// Moves to `frame`: the next render begins there. After a seek back the samples are the same as before if no event has
/// changed. A seek forward discards the frames in between; their events take effect.
/// Errors: DRONE_ERR_DEPTH.
/// Thread: audio. Real-time safe: yes.
int drone_seek(drone_engine *engine, int64_t frame) DRONE_REALTIME;

/// Leaves out everything before `frame`, in a time that does not grow with the distance: clicks in between are counted
/// as skipped, and the drone fades in over `fade_frames` with the phase that it has at `frame`. If `frame` is not after
/// the next frame to be rendered, nothing is left out, but the drone fades in all the same. No later seek can go back
/// beyond this point.
/// Thread: audio. Real-time safe: yes.
void drone_skip(drone_engine *engine, int64_t frame, uint32_t fade_frames) DRONE_REALTIME;

// ---------------------------------------------------------------------------------------------------
// Mastering: limiter and rounding for samples that were mixed outside of an engine

/// The length of a synthesized click in seconds, at its usual length; 0 for a sound that does not exist.
/// Thread: any. Real-time safe: yes.
double drone_sound_seconds(drone_sound sound);

/// Limits samples, all channels by the same gain, and stores them as an engine does.
typedef struct drone_master drone_master;

/// Makes a master for samples as an engine with this configuration renders them, none of which leaves it above `ceiling`
/// (0 <..1, linear). Null if an argument is out of range or there is no memory.
/// Thread: control. Real-time safe: no.
drone_master *drone_master_create(const drone_config *config, double ceiling);

/// Frees a master; null is allowed. Thread: control. Real-time safe: no.
void drone_master_destroy(drone_master *master);

/// How many frames must be taken before the first one is finished: 1 ms. Thread: control. Real-time safe: yes.
uint32_t drone_master_lookahead(const drone_master *master);

/// Takes `frames` interleaved frames, and writes those that are finished to `out`, which has room for as many. Returns
/// their number. The frame taken nth is the nth that is finished; take the look-ahead of silence to get the last ones.
/// The samples do not depend on how many are taken at a time.
/// Thread: control. Real-time safe: no.
uint32_t drone_master_take(drone_master *master, const float *in, void *out, uint32_t frames);
