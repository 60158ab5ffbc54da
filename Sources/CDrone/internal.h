/// The inside of CDrone: the pieces that make samples, and the state that a frame has.
#pragma once

#include <stdatomic.h>

#include "drone.h"

enum {
    /// Clicks and samples that can sound at once.
    DRONE_CLICKS = 128,
    /// Tones that can sound at once: the notes, and what fades out behind them.
    DRONE_TONES = 4 * DRONE_NOTES,
    /// A note, and what beats with it.
    DRONE_COPIES = 3,
    /// Frames that are mixed at once.
    DRONE_MIX_FRAMES = 512,
    /// Checkpoints stand at most this many frames apart; a render is split there.
    DRONE_CHECKPOINT_FRAMES = 512,
    /// Entries that can wait to be decided about, and events that are kept in the log.
    DRONE_QUEUE_ENTRIES = 1024,
    DRONE_LOG_EVENTS = 4096,
    /// Different signals that channels can have: with clicks or without; of the drone nothing, all, left or right.
    DRONE_LANES = 8,
    /// Frames of silence before and behind a sample, for interpolation.
    DRONE_SAMPLE_MARGIN = 4,
};

// Some loops are compiled twice, on x86-64 for processors with wide vectors too; the samples are the same.
#if defined(__x86_64__) && defined(__clang__)
#define DRONE_WIDE __attribute__((target("avx2")))
static inline bool drone_is_wide(void) DRONE_REALTIME { return __builtin_cpu_supports("avx2"); }
#else
#define DRONE_WIDE
static inline bool drone_is_wide(void) DRONE_REALTIME { return false; }
#endif

/// A wave's value, and its slope per part of a cycle.
typedef struct drone_point {
    float value, slope;
} drone_point;

/// A cycle in 2^bits parts, each a cubic with the values and the slopes of the wave at its ends (Hermite). The cubics are
/// made as they are played: the processor's cache is cold when the card wants its next frames, and half the size is half
/// the wait.
typedef struct drone_wavetable {
    struct drone_wavetable *next;
    drone_waveform waveform;
    uint32_t harmonics;
    double brightness;
    uint32_t bits;
    /// 2^bits + 1: the last is the first again.
    drone_point *points;
} drone_wavetable;

/// A sound that can begin between two frames: its samples at `phases` times the rate, those of each phase in a row.
typedef struct drone_sample {
    struct drone_sample *next;
    /// Clicks only.
    drone_sound sound;
    double pitch, length;
    /// Its number where it was added, else 0; and whether it has been released.
    uint32_t number;
    bool released;
    /// No frame from here on sounds of it.
    int64_t end_frame;
    uint32_t phases;
    /// Frames from one phase's row to the next.
    uint32_t stride;
    double length_frames;
    /// `phases` rows; the sample at the onset is `DRONE_SAMPLE_MARGIN` into the first. Silence around the sound.
    float points[];
} drone_sample;

/// What a tone event asks for, as the audio thread needs it.
typedef struct drone_prepared_tone {
    /// Cycles per frame in 2^-64; 0 for no copy.
    uint64_t steps[DRONE_COPIES];
    /// Null for a sine.
    const drone_wavetable *table;
    double pan;
    drone_tone_shape shape;
    uint32_t ramp_frames;
    uint8_t note;
    bool crossfade;
} drone_prepared_tone;

/// An event as the audio thread sees it.
typedef struct drone_prepared_event {
    int64_t frame;
    /// 0 for a tone.
    double fraction;
    double level;
    drone_event_kind kind;
    union {
        drone_prepared_tone tone;
        /// Of a click too.
        const drone_sample *sample;
    };
} drone_prepared_event;

/// A transaction in the queue, before its events.
typedef struct drone_transaction {
    /// The first frame that is replaced; INT64_MAX for none.
    int64_t frame;
    int64_t horizon, end;
    uint32_t number;
    /// How many events follow.
    uint32_t count;
} drone_transaction;

/// One entry of the queue: a transaction, or one of its events.
typedef union drone_queue_entry {
    drone_transaction transaction;
    drone_prepared_event event;
} drone_queue_entry;

/// What a lane hears of the drone.
typedef enum drone_side { DRONE_NONE, DRONE_ALL, DRONE_LEFT, DRONE_RIGHT, DRONE_SIDES } drone_side;

/// One signal for one or more channels.
typedef struct drone_lane {
    bool clicks;
    drone_side side;
} drone_lane;

/// One oscillator with its copies. A phase is a function of the frame: step × (frame - anchor) + phase, modulo 2^64; so
/// are the levels: from one to the other over a raised cosine.
typedef struct drone_tone {
    double from[DRONE_SIDES], to[DRONE_SIDES];
    int64_t start;
    int64_t anchor;
    uint64_t phases[DRONE_COPIES], steps[DRONE_COPIES];
    const drone_wavetable *table;
    drone_tone_shape shape;
    uint32_t frames;
    uint8_t note;
    bool sounding;
} drone_tone;

/// Whether a tone can have such a shape. Any thread.
bool drone_tone_shape_is_valid(const drone_tone_shape *shape);
bool drone_tone_shape_equals(const drone_tone_shape *one, const drone_tone_shape *other) DRONE_REALTIME;
/// How far a ramp has come, 0 ... 1. `start` is its first frame, of `frames`.
double drone_ramp_at(int64_t start, uint32_t frames, int64_t frame) DRONE_REALTIME;
/// Adds `frames` (at most DRONE_MIX_FRAMES) samples from `frame` on to each lane. Ends the tone (sounding = false) when
/// it has faded out.
void drone_tone_add(
    drone_tone *tone, int64_t frame, const drone_lane *lanes, uint32_t lane_count, double *const *mix, uint32_t frames
) DRONE_REALTIME;
/// sin(2 pi turns), |turns| < 2^31; error below 1e-11.
double drone_sin_turns(double turns) DRONE_REALTIME;
/// A 64-bit hash with good avalanche (SplitMix64).
uint64_t drone_hash(uint64_t x) DRONE_REALTIME;

/// How many harmonics a pitch has room for at a rate. Control thread.
uint32_t drone_harmonics(double hertz, uint32_t rate);
/// A table: peak 1, harmonics up to `harmonics`. Null when there is no memory. Control thread.
drone_wavetable *drone_wavetable_create(drone_waveform waveform, uint32_t harmonics, double brightness, uint32_t rate);
void drone_wavetable_free(drone_wavetable *table);

/// A click or a sample that sounds.
typedef struct drone_click {
    const drone_sample *sample;
    int64_t frame;
    double fraction;
    double level;
} drone_click;

/// Silence for so many frames at so many phases. Null when there is no memory. Control thread.
drone_sample *drone_sample_create(uint32_t frames, uint32_t phases);
/// The place of point n in the order of time. Control thread.
float *drone_sample_point(drone_sample *sample, uint64_t n);
/// A click sound at a rate. Null when there is no memory. Control thread.
drone_sample *drone_click_synthesize(drone_sound sound, double pitch, double length, uint32_t rate);
/// Adds `frames` samples from `frame` on. False when the click is over.
bool drone_click_add(const drone_click *click, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME;

/// A gain on its way down to a peak ahead, or on its way up behind it; at rest it is 1 and changes nothing.
typedef struct drone_limiter {
    double gain, target, slope;
    uint32_t hold;
} drone_limiter;

/// Limits `frames` frames of each lane in place, `lookahead` frames after these have become known.
void drone_limit(
    drone_limiter *limiter, double *const *mix, uint32_t lane_count, uint32_t lookahead, uint32_t frames,
    double ceiling, double release
) DRONE_REALTIME;

/// Everything that a frame depends on beside the events to come; copied as far as it is used into checkpoints.
typedef struct drone_mix_state {
    /// The next frame to be mixed.
    int64_t frame;
    /// All but their frame, which is set where they are published.
    drone_counters counters;
    /// Frames since anything sounded.
    uint64_t silent_frames;
    drone_limiter limiter;
    uint32_t tone_count;
    uint32_t click_count;
    drone_tone tones[DRONE_TONES];
    drone_click clicks[DRONE_CLICKS];
} drone_mix_state;

/// Has a note sound at `level`, change or go, from the state's frame on: nothing steps.
void drone_note_begin(drone_mix_state *state, double level, const drone_prepared_tone *wanted, uint32_t rate) DRONE_REALTIME;

/// Writes lanes as interleaved frames, at most DRONE_MIX_FRAMES. `frame` is the absolute frame of the first: the dither's seed.
void drone_quantize(
    const double *const *lanes, const uint8_t *lane_of_channel, void *out, uint32_t frames, uint32_t channels,
    drone_format format, int64_t frame
) DRONE_REALTIME;
uint32_t drone_format_bytes(drone_format format) DRONE_REALTIME;
/// The highest sample that a format can hold, with room for its dither.
double drone_format_ceiling(drone_format format);

// For the output.

int64_t drone_next_frame(const drone_engine *engine) DRONE_REALTIME;
const drone_config *drone_engine_config(const drone_engine *engine) DRONE_REALTIME;
/// Keeps the engine's memory where the audio thread finds it: no page of it is fetched anew while it renders. Where the
/// system allows no locking, each page is touched at least. Control thread, before the audio thread starts.
void drone_engine_lock_memory(drone_engine *engine);
/// Locks, or at least touches, a stretch of memory. Control thread.
void drone_lock_memory(void *memory, size_t bytes);
