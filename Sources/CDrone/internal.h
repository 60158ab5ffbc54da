/// Internals of CDrone: the parts that make samples, and the state that a frame depends on.
#pragma once

#include <stdatomic.h>

#include "drone.h"

enum {
    /// Clicks and samples that can sound at once.
    DRONE_CLICKS = 128,
    /// Tones that can sound at once: the notes, and older tones that still fade out.
    DRONE_TONES = 4 * DRONE_NOTES,
    /// The oscillators of a note: itself and the copies that beat with it.
    DRONE_COPIES = 3,
    /// Frames that are mixed at a time, at most.
    DRONE_MIX_FRAMES = 512,
    /// Checkpoints are at most this many frames apart; a render is split there.
    DRONE_CHECKPOINT_FRAMES = 512,
    /// Entries of the queue of undecided transactions, and events of the log.
    DRONE_QUEUE_ENTRIES = 1024,
    DRONE_LOG_EVENTS = 4096,
    /// Different signals that channels can carry; see `drone_lane`. There are never more than channels.
    DRONE_LANES = 32,
    /// Frames of silence before and after a sample, for interpolation.
    DRONE_SAMPLE_MARGIN = 4,
};

// On x86-64 some loops are compiled twice, the second time for processors with AVX2; the samples are the same.
#if defined(__x86_64__) && defined(__clang__)
#define DRONE_WIDE __attribute__((target("avx2")))
static inline bool drone_is_wide(void) DRONE_REALTIME { return __builtin_cpu_supports("avx2"); }
#else
#define DRONE_WIDE
static inline bool drone_is_wide(void) DRONE_REALTIME { return false; }
#endif

/// A wave's value, and its slope per part of the table.
typedef struct drone_point {
    float value, slope;
} drone_point;

/// One cycle in 2^bits parts, each a cubic that has the wave's values and slopes at its ends (Hermite). The table
/// stores the values and slopes, not the cubics: the processor's cache is cold when the card wants its next frames, and
/// reading half as much takes half the time.
typedef struct drone_wavetable {
    struct drone_wavetable *next;
    drone_waveform waveform;
    uint32_t harmonics;
    double brightness;
    uint32_t bits;
    /// 2^bits + 1 points; the last repeats the first.
    drone_point points[];
} drone_wavetable;

/// A sound that can begin between two frames: sampled at `phases` times the rate and stored as one row per phase.
typedef struct drone_sample {
    struct drone_sample *next;
    /// For clicks only.
    drone_sound sound;
    double pitch, length;
    /// Its number if `drone_sample_add` has added it, else 0; and whether it has been released.
    uint32_t number;
    bool released;
    /// From this frame on, no event queued so far plays it.
    int64_t end_frame;
    uint32_t phases;
    /// Points from one phase's row to the next.
    uint32_t stride;
    double length_frames;
    /// `phases` rows, with silence around the sound; the onset is point `DRONE_SAMPLE_MARGIN` of the first row.
    float points[];
} drone_sample;

/// A tone event in the form that the audio thread needs.
typedef struct drone_prepared_tone {
    /// Cycles per frame, in units of 2^-64; 0 means no such copy.
    uint64_t steps[DRONE_COPIES];
    /// Null for a sine.
    const drone_wavetable *table;
    double pan;
    drone_tone_shape shape;
    uint32_t ramp_frames;
    uint8_t note;
    bool crossfade;
} drone_prepared_tone;

/// The timecode that runs, from the moment of its event.
typedef struct drone_prepared_timecode {
    /// Where in the film it begins to sound, in frames of the film of 2^64 each: with a whole word.
    __int128 begin;
    int64_t frame;
    double level;
    drone_timecode_event code;
} drone_prepared_timecode;

/// An event in the form that the audio thread needs.
typedef struct drone_prepared_event {
    int64_t frame;
    /// 0 for a tone.
    double fraction;
    double level;
    drone_event_kind kind;
    /// 0 for a tone.
    uint32_t voice;
    union {
        drone_prepared_tone tone;
        /// For a click, too.
        const drone_sample *sample;
        drone_timecode_event timecode;
    };
} drone_prepared_event;

/// The effect of a transaction on the events that are already known.
typedef enum drone_change {
    /// Drops those at or after its first frame.
    DRONE_REPLACES,
    /// Keeps all of them.
    DRONE_CONTINUES,
} drone_change;

/// The head of a transaction in the queue; its events follow it.
typedef struct drone_transaction {
    drone_change change;
    /// The first frame that may change: of a transaction that continues, its first event's, or INT64_MAX if it has
    /// none.
    int64_t frame;
    int64_t horizon, end;
    uint32_t number;
    /// How many events follow.
    uint32_t count;
} drone_transaction;

/// One entry of the queue: the head of a transaction, or one of its events.
typedef union drone_queue_entry {
    drone_transaction transaction;
    drone_prepared_event event;
} drone_queue_entry;

/// Which part of the drone a lane carries.
typedef enum drone_side { DRONE_NONE, DRONE_ALL, DRONE_LEFT, DRONE_RIGHT, DRONE_SIDES } drone_side;

enum {
    /// The bit in the voices of a lane that carries timecode.
    DRONE_TIMECODE_LANE = 1 << DRONE_VOICES,
};

/// One signal for one or more channels.
typedef struct drone_lane {
    /// The voices whose clicks it carries: bit n is voice n. `DRONE_TIMECODE_LANE` stands for timecode, alone.
    uint32_t voices;
    drone_side side;
} drone_lane;

/// One oscillator with its copies. Its phases and levels are functions of the frame. A phase is step × (frame - anchor)
/// + phase, modulo 2^64. The levels go from `from` to `to` in a fade that begins at `start` and takes `frames`
/// frames.
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

/// Adds `frames` (at most DRONE_MIX_FRAMES) samples from `frame` on to each lane. Ends the tone (sounding = false) when
/// it has faded out.
void drone_tone_add(
    drone_tone *tone, int64_t frame, uint32_t rate, const drone_lane *lanes, uint32_t lane_count, double *const *mix,
    uint32_t frames
) DRONE_REALTIME;
/// sin(2 pi turns), |turns| < 2^31; error below 1.4e-11.
double drone_sin_turns(double turns) DRONE_REALTIME;

/// How many harmonics a table for a pitch has at a rate. Control thread.
uint32_t drone_harmonics(double hertz, uint32_t rate);
/// Makes a table with a peak of 1 and the harmonics up to `harmonics`. Null if there is no memory. Control thread.
/// Free it with `drone_memory_free`.
drone_wavetable *drone_wavetable_create(drone_waveform waveform, uint32_t harmonics, double brightness, uint32_t rate);

/// A click or a sample that is sounding.
typedef struct drone_click {
    const drone_sample *sample;
    int64_t frame;
    double fraction;
    double level;
    uint32_t voice;
} drone_click;

/// Makes a silent sample of `frames` frames and `phases` phases. Null if there is no memory. Free it with
/// `drone_memory_free`. Control thread.
drone_sample *drone_sample_create(uint32_t frames, uint32_t phases);
/// The place of point `n`, counted in time order. Control thread.
float *drone_sample_point(drone_sample *sample, uint64_t n);
/// Synthesizes a click for a rate. Null if there is no memory. Control thread.
drone_sample *drone_click_synthesize(drone_sound sound, double pitch, double length, uint32_t rate);
/// Adds `frames` samples from `frame` on. False when the click is over.
bool drone_click_add(const drone_click *click, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME;

/// Makes the word of a frame of the film, its first bit first.
void drone_timecode_word(const drone_timecode_event *code, int64_t number, uint8_t word[10]) DRONE_REALTIME;
/// Makes timecode go on from `frame` as an event says.
void drone_timecode_begin(
    drone_prepared_timecode *timecode, int64_t frame, double level, const drone_timecode_event *code
) DRONE_REALTIME;
/// Adds `frames` samples of timecode from `frame` on.
void drone_timecode_add(
    const drone_prepared_timecode *timecode, int64_t frame, uint32_t rate, double *mix, uint32_t frames
) DRONE_REALTIME;

/// A gain that falls towards a coming peak and rises again after it. At rest it is 1 and changes nothing.
typedef struct drone_limiter {
    double gain, target, slope;
    uint32_t hold;
} drone_limiter;

/// Limits the first `frames` frames of each lane in place, all by the same gain. `lookahead` more frames must follow
/// them in each lane.
void drone_limit(
    drone_limiter *limiter, double *const *mix, uint32_t lane_count, uint32_t lookahead, uint32_t frames,
    double ceiling, double release
) DRONE_REALTIME;

/// Everything that a frame depends on besides the events to come. Checkpoints copy the part that is in use.
typedef struct drone_mix_state {
    /// The next frame to be mixed.
    int64_t frame;
    /// All counters but `frame`, which is set when they are published.
    drone_counters counters;
    /// Frames since anything sounded.
    uint64_t silent_frames;
    /// Lanes that carry the clicks of the same voices share the limiter of the first of them.
    drone_limiter limiters[DRONE_LANES];
    drone_prepared_timecode timecode;
    uint32_t tone_count;
    uint32_t click_count;
    drone_tone tones[DRONE_TONES];
    drone_click clicks[DRONE_CLICKS];
} drone_mix_state;

/// Makes a note sound at `level`, change, or fade out (level 0) from the state's frame on, without a step in the
/// signal.
void drone_note_begin(drone_mix_state *state, double level, const drone_prepared_tone *wanted, uint32_t rate) DRONE_REALTIME;

/// Writes at most DRONE_MIX_FRAMES frames of the lanes, interleaved. `frame` is the absolute number of the first frame;
/// it seeds the dither.
void drone_quantize(
    const double *const *lanes, const uint8_t *lane_of_channel, void *out, uint32_t frames, uint32_t channels,
    drone_format format, int64_t frame
) DRONE_REALTIME;
uint32_t drone_format_bytes(drone_format format) DRONE_REALTIME;
/// Whether an engine can have a configuration.
bool drone_is_valid(const drone_config *config);
/// The highest sample that a format can hold with its dither added.
double drone_format_ceiling(drone_format format);

// For the output.

/// Makes the caller one more owner of an engine: `drone_engine_destroy` frees it when the last owner calls it. Any
/// thread.
drone_engine *drone_engine_keep(drone_engine *engine);
int64_t drone_next_frame(const drone_engine *engine) DRONE_REALTIME;
const drone_config *drone_engine_config(const drone_engine *engine) DRONE_REALTIME;
/// Locks the engine's memory, so that rendering causes no page faults: its tables and samples, too, also those that are
/// made later. If the system does not allow locking, touches every page instead. Control thread, before the audio
/// thread starts.
void drone_engine_lock_memory(drone_engine *engine);
/// Makes `bytes` bytes of zeros, on pages of their own, which can be locked. Null if there is no memory. Control
/// thread.
void *drone_memory_create(size_t bytes);
/// Gives back the pages of the program's code, nearly half of which only its start needed. What is called again is mapped again,
/// from the system's cache. Code that was written to, as by a debugger's breakpoints, comes back as it is in its file. Control
/// thread, before the audio thread begins.
void drone_memory_forget_code(void);
/// Locks, or at least touches, memory that `drone_memory_create` has made. Control thread.
void drone_memory_lock(void *memory);
/// Unlocks and frees it; null is allowed. Control thread.
void drone_memory_free(void *memory);
