/// A look-ahead limiter: the gain falls along a straight line and reaches what a peak needs exactly at the peak.
#include <math.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

/// Whether any sample exceeds the ceiling.
static bool exceeds(const double *x, uint32_t frames, double ceiling) DRONE_REALTIME {
    int over = 0;
    for (uint32_t i = 0; i < frames; i++) over |= (x[i] > ceiling) | (x[i] < -ceiling);
    return over;
}

void drone_limit(
    drone_limiter *l, double *const *mix, uint32_t lane_count, uint32_t lookahead, uint32_t frames, double ceiling,
    double release
) DRONE_REALTIME {
    bool quiet = l->gain == 1;
    for (uint32_t lane = 0; quiet && lane < lane_count; lane++) quiet = !exceeds(mix[lane] + lookahead, frames, ceiling);
    if (quiet) return;
    for (uint32_t i = 0; i < frames; i++) {
        double peak = 0;
        for (uint32_t lane = 0; lane < lane_count; lane++) {
            double x = fabs(mix[lane][i + lookahead]);
            if (x > peak) peak = x;
        }
        if (peak > ceiling) {
            double needed = ceiling / peak;
            if (needed < l->target) l->target = needed;
            // From here the gain falls in equal steps, one per frame until the peak.
            double slope = (l->gain - needed) / lookahead;
            if (slope > l->slope) l->slope = slope;
            l->hold = lookahead + 1;
        }
        if (l->gain > l->target) {
            l->gain -= l->slope;
            if (l->gain <= l->target) {
                l->gain = l->target;
                l->slope = 0;
            }
        } else if (l->hold > 0) {
            l->hold--;
        } else if (l->gain < 1) {
            l->gain += (1 - l->gain) * release;
            l->target = l->gain;
            if (l->gain > 1 - 1e-6) l->gain = l->target = 1;
        }
        for (uint32_t lane = 0; lane < lane_count; lane++) {
            double x = mix[lane][i] * l->gain;
            mix[lane][i] = x > ceiling ? ceiling : (x < -ceiling ? -ceiling : x);
        }
    }
}
