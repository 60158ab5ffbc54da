/// Positions at other times: which frame is heard when, extrapolated from one observation.
#include "output.h"

/// The frames `x`, clamped to a range that sums of two of them do not leave.
static int64_t clamped(double x) {
    const double most = 4e18;
    return (int64_t)(x > most ? most : x < -most ? -most : x);
}

int64_t drone_frame_at(drone_place place, double rate, int64_t time_ns) {
    if (!place.passes) return place.frame;
    return place.frame + clamped((double)(time_ns - place.time_ns) * 1e-9 * rate);
}

int64_t drone_output_frame_now(const drone_output *o) {
    return drone_frame_at(o->seen.heard, atomic_load_explicit(&o->rate, memory_order_relaxed), drone_now_ns());
}
