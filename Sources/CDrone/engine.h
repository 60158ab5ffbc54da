/// The contents of an engine, and which thread may touch them.
///
/// engine.c is the control thread's side, render.c the audio thread's. engine.c calls render.c to publish; render.c
/// never calls engine.c. The files that make sound (tone.c, fade.h, notes.c, wavetable.c, click.c, limiter.c,
/// quantize.c) and memory.c know no engine.
#pragma once

#include "internal.h"
#include "ring.h"
#include "shared.h"

struct drone_engine {
    drone_config config;
    /// Its owner, and the output that renders it: the last one frees it.
    _Atomic uint32_t owners;
    /// Undecided transactions, each a head followed by its events; the items are `drone_queue_entry`.
    drone_ring queue;
    /// Lanes that carry the clicks of the same voices are next to each other.
    drone_lane lanes[DRONE_LANES];
    uint32_t lane_count;
    uint8_t lane_of_channel[32];
    /// How many frames the mix is ahead of the rendered frames: the limiter's look-ahead.
    uint32_t lookahead;
    double ceiling, release;

    // Control thread.
    /// The head of the open transaction, in the queue; null if none is open.
    drone_transaction *open;
    uint32_t committed;
    int64_t last_pushed_frame;
    double last_pushed_fraction;
    drone_wavetable *wavetables;
    drone_sample *samples;
    uint32_t samples_added;
    /// Whether new tables and samples are locked.
    bool locks_memory;

    // Audio thread.
    drone_mix_state state;
    /// The next frame to be rendered. It is `lookahead` frames before the next frame to be mixed; after a seek it is
    /// closer, until the frames in between are mixed again.
    int64_t next;
    /// Per lane: `lookahead` frames that have been mixed but not rendered, and room for those that are mixed next.
    double *window;
    uint32_t window_frames;
    /// Events in the order of their frames, kept as far back as a seek can go. The indices only grow.
    drone_prepared_event log[DRONE_LOG_EVENTS];
    uint64_t log_begin, log_next, log_end;
    /// States, and for each of them the `lookahead` frames of every lane.
    drone_mix_state *checkpoints;
    double *checkpoint_windows;
    uint64_t checkpoint_capacity, checkpoint_begin, checkpoint_end;
    int64_t horizon, end;

    // Written by the audio thread, read by others.
    /// The newest verdict: the transaction's number in the upper bits; the lowest bit is set if it was taken.
    _Atomic uint64_t verdict;
    /// The log has room for all entries of the queue up to this position.
    _Atomic uint32_t queue_limit;
    /// No sample that ends before this frame is heard any more.
    _Atomic int64_t published_oldest;
    drone_shared published_counters;
};

/// Puts the limiters at rest. Audio thread, or before there is one.
void drone_rest_limiters(drone_engine *engine) DRONE_REALTIME;
/// Publishes the engine's progress to the other threads. Audio thread.
void drone_publish(drone_engine *engine) DRONE_REALTIME;
