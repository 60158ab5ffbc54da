/// The curve of every fade of the drone. It is compiled into the loops that use it: a call for each frame would take four times
/// as long.
#pragma once

#include "internal.h"

/// sin(2 pi x) for |x| <= 1/4 by the best odd polynomial of degree 11: error below 1.4e-11.
static inline double drone_sin_quarter(double x) DRONE_REALTIME {
#pragma STDC FP_CONTRACT OFF
    double s = x * x;
    double p = -14.33702420878745;
    p = p * s + 41.99998976860555;
    p = p * s - 76.7036678254278;
    p = p * s + 81.60520943105332;
    p = p * s - 41.34170192977267;
    p = p * s + 6.2831853064875025;
    return x * p;
}

/// How far a fade has come at `frame`, 0 ... 1. It begins at `start` and takes `frames` frames.
static inline double drone_ramp_at(int64_t start, uint32_t frames, int64_t frame) DRONE_REALTIME {
#pragma STDC FP_CONTRACT OFF
    if (frame >= start + (int64_t)frames) return 1;
    if (frame <= start) return 0;
    // A raised cosine: (1 - cos(pi x)) / 2 = sin^2(pi x / 2).
    double s = drone_sin_quarter((double)(frame - start) / (double)frames * 0.25);
    return s * s;
}
