/// The inside of CDrone: the state that a frame has, and the pieces that make its samples.
#pragma once

#include <stdatomic.h>

#include "drone.h"

enum {
    /// Clicks that can sound at once.
    DRONE_VOICES = 128,
    /// Drone tones that can sound at once: one, and those that fade out.
    DRONE_TONES = 4,
    /// Checkpoints stand at most this many frames apart; a render is split there.
    DRONE_CHECKPOINT_FRAMES = 480,
    DRONE_QUEUE_EVENTS = 1024,
    DRONE_LOG_EVENTS = 4096,
    /// Points of one cycle in a waveform's table, a power of two.
    DRONE_TABLE_BITS = 12,
    DRONE_TABLE_POINTS = 1 << DRONE_TABLE_BITS,
    /// Frames of silence before and behind a sample, for interpolation.
    DRONE_SAMPLE_MARGIN = 4,
};

/// A cycle of a waveform with as many harmonics as a pitch has room for. Owned by the engine until its end,
/// so that an event can point to it for as long as the engine remembers the event.
typedef struct drone_table {
    struct drone_table *next;
    drone_waveform waveform;
    uint32_t harmonics;
    /// One point before the cycle and two after it, for interpolation.
    double points[DRONE_TABLE_POINTS + 3];
} drone_table;

/// A sound that can begin between two frames: its samples at `phases` times the rate, those of each phase in a row.
/// Owned by the engine until its end, as a table is.
typedef struct drone_sample {
    struct drone_sample *next;
    drone_sound sound;
    uint32_t phases;
    /// Frames from one phase's row to the next.
    uint32_t stride;
    double length_frames;
    /// `phases` rows; the sample at the onset is `DRONE_SAMPLE_MARGIN` into the first. Silence around the sound.
    float points[];
} drone_sample;

/// An event as the audio thread sees it.
typedef struct drone_item {
    int64_t frame;
    double fraction;
    double level;
    /// Cycles per frame in 2^-64, tones only.
    uint64_t step;
    /// Null for a sine.
    const drone_table *table;
    /// Clicks only.
    const drone_sample *sample;
    uint32_t ramp_frames;
    uint8_t kind;
    /// A cut: everything at or after `frame` that stands before it in the queue is void.
    bool cut;
} drone_item;

/// Single producer, single consumer. The indices only grow.
typedef struct drone_queue {
    _Atomic uint32_t head;
    _Atomic uint32_t tail;
    drone_item items[DRONE_QUEUE_EVENTS];
} drone_queue;

/// Producer. False when full.
bool drone_queue_push(drone_queue *queue, const drone_item *item);
uint32_t drone_queue_space(const drone_queue *queue);
/// Consumer. Null when empty; the item stays until it is popped.
const drone_item *drone_queue_peek(const drone_queue *queue) DRONE_REALTIME;
void drone_queue_pop(drone_queue *queue) DRONE_REALTIME;

/// A level on its way: a function of the frame alone.
typedef struct drone_ramp {
    double from, to;
    int64_t start;
    uint32_t frames;
} drone_ramp;

double drone_ramp_at(const drone_ramp *ramp, int64_t frame) DRONE_REALTIME;

/// One oscillator. Its phase is a function of the frame: step × (frame - anchor) + phase, modulo 2^64.
typedef struct drone_tone {
    drone_ramp level;
    int64_t anchor;
    uint64_t phase;
    uint64_t step;
    const drone_table *table;
    bool sounding;
} drone_tone;

/// Adds `frames` samples from `frame` on. Frees the tone (sounding = false) when it has faded out.
void drone_tone_add(drone_tone *tone, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME;
/// sin(2 pi turns), |turns| < 2^31; error below 1e-9.
double drone_sin_turns(double turns) DRONE_REALTIME;
/// Fills a table: peak 1, harmonics up to `harmonics`. Control thread.
void drone_table_fill(drone_table *table, drone_waveform waveform, uint32_t harmonics);

typedef struct drone_click {
    const drone_sample *sample;
    int64_t frame;
    double fraction;
    double level;
} drone_click;

/// A click sound at a rate. Null when there is no memory. Control thread.
drone_sample *drone_click_synthesize(drone_sound sound, uint32_t rate);
/// Adds `frames` samples from `frame` on. False when the click is over.
bool drone_click_add(const drone_click *click, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME;

/// Everything that a frame depends on beside the events to come; copied whole into checkpoints.
typedef struct drone_state {
    int64_t frame;
    uint64_t clicks_begun;
    uint64_t dropped;
    uint64_t skipped;
    drone_tone tones[DRONE_TONES];
    uint32_t click_count;
    drone_click clicks[DRONE_VOICES];
} drone_state;

/// Writes mono samples as interleaved frames. `frame` is the absolute frame of the first: the dither's seed.
void drone_quantize(
    const double *mix, void *out, uint32_t frames, uint32_t channels, drone_format format, int64_t frame
) DRONE_REALTIME;
uint32_t drone_format_bytes(drone_format format) DRONE_REALTIME;

// For the output: what the control thread has asked of the audio thread.

/// Takes events from the queue as far as a cut of what has been rendered already. Returns that cut's frame, or
/// INT64_MAX. The cut itself waits for the next render, so that an output may seek back first.
int64_t drone_pending_cut(drone_engine *engine) DRONE_REALTIME;
int64_t drone_horizon(const drone_engine *engine) DRONE_REALTIME;
int64_t drone_next_frame(const drone_engine *engine) DRONE_REALTIME;
const drone_config *drone_engine_config(const drone_engine *engine) DRONE_REALTIME;
