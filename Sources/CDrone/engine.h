/// What an engine holds, and which thread may touch it.
///
/// engine.c is the control thread's side, render.c the audio thread's; engine.c calls render.c for what is published, render.c
/// never calls engine.c. What makes sound (tone.c, notes.c, wavetable.c, click.c, limiter.c, quantize.c) knows no engine.
#pragma once

#include "internal.h"
#include "ring.h"
#include "shared.h"

struct drone_engine {
    drone_config config;
    /// Transactions on their way, of `drone_queue_entry`: each, and its events.
    drone_ring queue;
    drone_lane lanes[DRONE_LANES];
    uint32_t lane_count;
    uint8_t lane_of_channel[32];
    /// Frames by which the mix is ahead of what has been rendered: the limiter's look-ahead.
    uint32_t lookahead;
    double ceiling, release;

    // Control thread.
    /// The open transaction, in the queue; null while none is open. Whether it replaces what is there.
    drone_transaction *open;
    bool replaces;
    uint32_t committed;
    int64_t last_pushed_frame;
    double last_pushed_fraction;
    drone_wavetable *wavetables;
    drone_sample *samples;
    uint32_t samples_added;

    // Audio thread.
    drone_mix_state state;
    /// The next frame to be rendered, `lookahead` before the next to be mixed; less after a seek, until it is mixed again.
    int64_t next;
    /// Per lane: `lookahead` frames that have been mixed and not been rendered, and room for those to be mixed now.
    double *window;
    uint32_t window_frames;
    /// Events in the order of their frames, remembered as deep as a seek can go. The indices only grow.
    drone_prepared_event log[DRONE_LOG_EVENTS];
    uint64_t log_begin, log_next, log_end;
    /// States, and beside each the `lookahead` frames of every lane.
    drone_mix_state *checkpoints;
    double *checkpoint_windows;
    uint64_t checkpoint_capacity, checkpoint_begin, checkpoint_end;
    int64_t horizon, end;

    // Written by the audio thread, read by others.
    /// The newest verdict: its number above, and in the lowest bit whether it was taken.
    _Atomic uint64_t verdict;
    /// Up to this position of the queue the log has room for all entries.
    _Atomic uint32_t queue_limit;
    /// No sample that ends before this frame is heard any more.
    _Atomic int64_t published_oldest;
    drone_shared published_counters;
};

/// Tells the other threads how far things are. Audio thread.
void drone_publish(drone_engine *engine) DRONE_REALTIME;
