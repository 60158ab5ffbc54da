/// How a note's level varies by itself while the note sounds: a part of drone.h, which includes it. All that the engine
/// has to know of a field of the shape is here: its range, what a change of it means, and how it sounds.
#pragma once

/// A note whose shape changes becomes a new sound.
typedef struct drone_tone_shape {
    /// How far the level slowly wanders below the event's level, as a part of it, 0 ... 1. The curve depends only on
    /// `seed` and the time of the frame.
    double variation;
    uint32_t seed;
} drone_tone_shape;

/// Whether all fields are in their ranges. Thread: any. Real-time safe: yes.
static inline bool drone_tone_shape_is_valid(const drone_tone_shape *shape) DRONE_REALTIME {
    return shape->variation >= 0 && shape->variation <= 1;
}

/// Whether two shapes vary alike. Thread: any. Real-time safe: yes.
static inline bool drone_tone_shape_equal(const drone_tone_shape *one, const drone_tone_shape *other) DRONE_REALTIME {
    return one->variation == other->variation && one->seed == other->seed;
}

/// A 64-bit hash with good avalanche (SplitMix64). Thread: any. Real-time safe: yes.
static inline uint64_t drone_hash(uint64_t x) DRONE_REALTIME {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The random value of knot `n`, -1 ..< 1. Thread: any. Real-time safe: yes.
static inline double drone_knot(uint32_t seed, int64_t n) DRONE_REALTIME {
    uint64_t h = drone_hash(drone_hash(seed) ^ (uint64_t)n);
    return (double)(int32_t)(uint32_t)(h >> 32) * 0x1p-31;
}

/// Multiplies `frames` samples from `frame` on by the level, which wanders along a uniform cubic B-spline of random
/// knots, smooth to its second derivative. Thread: any. Real-time safe: yes.
static inline __attribute__((always_inline)) void drone_tone_shape_apply(
    const drone_tone_shape *shape, int64_t frame, uint32_t rate, double *restrict out, uint32_t frames
) DRONE_REALTIME {
#pragma STDC FP_CONTRACT OFF
    if (shape->variation == 0) return;
    // Knots are 0.75 s apart at every rate. Times are counted in quarters of a frame, so that a knot may be in between.
    int64_t length = 3 * (int64_t)rate;
    double part = 1.0 / (double)length;
    for (uint32_t i = 0; i < frames;) {
        int64_t at = 4 * (frame + i);
        int64_t n = at / length - (at % length < 0 ? 1 : 0);
        int64_t into = at - n * length, left = (length - into + 3) / 4;
        uint32_t end = frames - i < left ? frames : i + (uint32_t)left;
        double p = drone_knot(shape->seed, n - 1), q = drone_knot(shape->seed, n);
        double r = drone_knot(shape->seed, n + 1), s = drone_knot(shape->seed, n + 2);
        double half = -0.5 * shape->variation;
        double a = 1 + half + half * (p + 4 * q + r) / 6, b = half * (r - p) / 2;
        double c = half * (p - 2 * q + r) / 2, d = half * (s - 3 * r + 3 * q - p) / 6;
        for (int32_t quarters = (int32_t)into; i < end; i++, quarters += 4) {
            double x = (double)quarters * part;
            out[i] *= ((d * x + c) * x + b) * x + a;
        }
    }
}
