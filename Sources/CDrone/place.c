/// Positions at other times: which frame is heard when, extrapolated from one observation.
#include "output.h"

/// The frames or ns `x`, clamped to a range that sums of two of them do not leave.
static int64_t clamped(double x) {
    const double most = 4e18;
    return (int64_t)(x > most ? most : x < -most ? -most : x);
}

int64_t drone_frame_at(drone_place place, double rate, int64_t time_ns) {
    if (!place.passes) return place.frame;
    return place.frame + clamped((double)(time_ns - place.time_ns) * 1e-9 * rate);
}

int64_t drone_time_of(drone_place place, double rate, int64_t frame) {
    return place.time_ns + clamped((double)(frame - place.frame) / rate * 1e9);
}

int64_t drone_output_frame_now(const drone_output *o) {
    return drone_frame_at(o->seen.heard, atomic_load_explicit(&o->rate, memory_order_relaxed), drone_now_ns());
}

int64_t drone_output_reach(const drone_output *o, int64_t time_ns) {
    drone_snapshot seen = drone_output_snapshot(o);
    int64_t rendered = drone_read_counters(o->engine).frame, next = rendered > seen.next_frame ? rendered : seen.next_frame;
    if (!seen.heard.passes) return next;
    double rate = atomic_load_explicit(&o->rate, memory_order_relaxed);
    int64_t at = drone_frame_at(seen.heard, rate, time_ns), passed = at - seen.heard.frame;
    if (seen.away) return at > next ? at : next;
    if (seen.rewinds) return seen.changeable_frame + passed < next ? seen.changeable_frame + passed : next;
    if (seen.paced_by_clock) return next + passed;
    // With SMALL, frames are written only by refills. Those that will be written until then are out of reach.
    if (next != seen.next_frame || seen.refill_frames <= 0 || at < seen.refill_frame) return next;
    return next + ((at - seen.refill_frame) / seen.refill_frames + 1) * seen.refill_frames;
}
