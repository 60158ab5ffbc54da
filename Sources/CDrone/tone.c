#include <math.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

/// sin(2 pi x) for |x| <= 1/4 by its Taylor series to x^15: error below 6.1e-12.
static inline double sin_quarter(double x) DRONE_REALTIME {
    double a = x * 6.283185307179586;
    double s = a * a;
    double p = -7.647163731819816e-13;
    p = p * s + 1.605904383682161e-10;
    p = p * s - 2.505210838544172e-08;
    p = p * s + 2.755731922398589e-06;
    p = p * s - 1.984126984126984e-04;
    p = p * s + 8.333333333333333e-03;
    p = p * s - 1.666666666666667e-01;
    p = p * s + 1.0;
    return a * p;
}

/// sin(2 pi x) for |x| <= 1/2: folded onto a quarter turn.
static inline double sin_half(double x) DRONE_REALTIME {
    double folded = (x < 0 ? -0.5 : 0.5) - x;
    return sin_quarter((x < -0.25 || x > 0.25) ? folded : x);
}

double drone_sin_turns(double turns) DRONE_REALTIME {
    double whole = (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    return sin_half(turns - whole);
}

double drone_ramp_at(const drone_ramp *ramp, int64_t frame) DRONE_REALTIME {
    if (frame >= ramp->start + (int64_t)ramp->frames) return ramp->to;
    if (frame <= ramp->start) return ramp->from;
    double x = (double)(frame - ramp->start) / (double)ramp->frames;
    // A raised cosine: (1 - cos(pi x)) / 2 = sin^2(pi x / 2).
    double s = sin_quarter(x * 0.25);
    return ramp->from + (ramp->to - ramp->from) * (s * s);
}

/// Turns in -1/2 ..< 1/2 of a phase in 2^-64. Its upper 32 bits do: -183 dB.
static inline double turns(uint64_t phase) DRONE_REALTIME {
    return (double)(int32_t)(uint32_t)(phase >> 32) * 0x1p-32;
}

/// Four-point Lagrange interpolation.
static inline double look_up(const double *points, uint64_t phase) DRONE_REALTIME {
    uint32_t i = (uint32_t)(phase >> (64 - DRONE_TABLE_BITS));
    double t = (double)(uint32_t)((phase << DRONE_TABLE_BITS) >> 32) * 0x1p-32;
    const double *p = points + i;
    double a = p[1] - p[0], b = p[2] - p[1], c = p[3] - p[2];
    double second = b - a, third = (c - b) - second;
    return p[1] + t * (b + (t - 1) * 0.5 * (second + (t + 1) * (1.0 / 3.0) * third));
}

static inline double wave(const drone_table *table, uint64_t phase) DRONE_REALTIME {
    return table ? look_up(table->points, phase) : sin_half(turns(phase));
}

void drone_tone_add(drone_tone *tone, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME {
    const drone_ramp *level = &tone->level;
    uint64_t step = tone->step;
    uint64_t phase = tone->phase + step * (uint64_t)(frame - tone->anchor);
    int64_t ramp_end = level->start + (int64_t)level->frames;
    uint32_t i = 0;
    for (; i < frames && frame + i < ramp_end; i++)
        mix[i] += drone_ramp_at(level, frame + i) * wave(tone->table, phase + step * i);
    double steady = level->to;
    if (steady == 0) {
        if (i < frames) tone->sounding = false;
        return;
    }
    if (tone->table) {
        for (; i < frames; i++) mix[i] += steady * look_up(tone->table->points, phase + step * i);
    } else {
        for (; i < frames; i++) mix[i] += steady * sin_half(turns(phase + step * i));
    }
}

void drone_table_fill(drone_table *table, drone_waveform waveform, uint32_t harmonics) {
    table->waveform = waveform;
    table->harmonics = harmonics;
    double *cycle = table->points + 1;
    for (uint32_t i = 0; i < DRONE_TABLE_POINTS; i++) {
        double sum = 0;
        // Triangle: 8/pi^2 (sin x - sin 3x / 9 + sin 5x / 25 - ...), smallest terms first.
        for (uint32_t h = harmonics | 1; h >= 1 && h <= harmonics + 1; h -= 2) {
            if (h > harmonics) continue;
            // h × i modulo the cycle keeps the argument small and exact.
            double x = 2 * M_PI * (double)((uint64_t)h * i % DRONE_TABLE_POINTS) / DRONE_TABLE_POINTS;
            double sign = (h / 2) % 2 == 0 ? 1 : -1;
            sum += sign * sin(x) / ((double)h * h);
        }
        cycle[i] = sum * 8 / (M_PI * M_PI);
    }
    table->points[0] = cycle[DRONE_TABLE_POINTS - 1];
    cycle[DRONE_TABLE_POINTS] = cycle[0];
    cycle[DRONE_TABLE_POINTS + 1] = cycle[1];
}
