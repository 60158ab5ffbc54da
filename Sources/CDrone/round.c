/// One round of the audio thread: faults, transactions, samples, observations, and the published snapshot.
#include <unistd.h>

#include "output.h"

_Static_assert(sizeof(drone_snapshot) <= 8 * DRONE_SHARED_WORDS, "a snapshot is shared as a whole");

/// What the control thread needs to know of the stage.
static drone_output_state state_of(const drone_stage *stage) {
    switch (stage->kind) {
    case DRONE_STAGE_IDLE: return DRONE_OUTPUT_IDLE;
    case DRONE_STAGE_FILLING:
    case DRONE_STAGE_PLAYING: return DRONE_OUTPUT_RUNNING;
    case DRONE_STAGE_AWAY: return DRONE_OUTPUT_AWAY;
    case DRONE_STAGE_OPENING: return stage->opening.enlarges ? DRONE_OUTPUT_RUNNING : DRONE_OUTPUT_AWAY;
    case DRONE_STAGE_OVER: return DRONE_OUTPUT_ENDED;
    }
    return DRONE_OUTPUT_IDLE;
}

void drone_output_publish(drone_output *o) {
    // The last published snapshot, for its state and epoch, before it is overwritten.
    drone_snapshot last;
    drone_shared_read(&o->published, &last, sizeof last);
    o->seen.state = state_of(&o->stage);
    bool is_news = o->is_news || last.state != o->seen.state || last.epoch != o->seen.epoch;
    o->is_news = false;
    o->seen.rewinds = drone_output_rewinds(o);
    o->seen.away = o->stage.kind == DRONE_STAGE_OVER ? o->seen.silent : o->seen.state == DRONE_OUTPUT_AWAY;
    drone_shared_write(&o->published, &o->seen, sizeof o->seen);
    uint64_t one = 1;
    if (is_news && write(o->event_fd, &one, sizeof one) < 0) return;
}

void drone_output_begin(drone_output *o) {
    int64_t now = drone_now_ns();
    o->stage = (drone_stage){.kind = DRONE_STAGE_FILLING, .open.prepared_ns = now};
    o->start = (drone_place){.time_ns = now, .frame = drone_next_frame(o->engine), .passes = true};
    o->seen.heard.time_ns = o->pace_window_ns = o->acquiring_since_ns = now;
    drone_pointer_reset(o);
    drone_fill_level_begin(o);
}

/// Writes what may be written now, unless the device is to be left alone.
static int fill(drone_output *o) {
    if (o->stage.open.rest_until_ns > drone_now_ns()) return 0;
    o->stage.open.rest_until_ns = 0;
    int64_t missed = 0;
    int error = drone_output_fill(o, &missed);
    if (error < 0 || missed == 0) return error;
    error = drone_output_recover_unreported(o, missed);
    return error < 0 ? error : drone_output_fill(o, &missed);
}

void drone_output_do_round(drone_output *o, bool called) {
    atomic_store_explicit(&o->round_since_ns, drone_now_ns(), memory_order_relaxed);
    bool was_hurried = atomic_exchange_explicit(&o->hurried, false, memory_order_acq_rel);
    if (atomic_exchange_explicit(&o->given_realtime, false, memory_order_relaxed)) {
        o->seen.realtime = true;
        drone_fill_level_begin(o);
    }
    o->is_called = called;
    o->seen.wakes++;
    drone_output_watch_sleep(o);
    drone_output_reopen(o);
    int error = drone_output_decide(o);
    if (error == 0 && drone_output_is_open(o)) error = fill(o);
    if (error == 0 && drone_output_is_playing(o)) error = drone_pointer_observe(o);
    if (error < 0) drone_output_recover(o, error);
    drone_output_check_end(o);
    o->is_called = false;
    if (was_hurried) o->is_news = true;
    drone_output_publish(o);
    atomic_store_explicit(&o->round_since_ns, 0, memory_order_relaxed);
}
