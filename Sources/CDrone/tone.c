/// The drone's oscillators: a sine by a polynomial, every other voice by cubics between the points of a table.
#include <math.h>

#include "fade.h"

#pragma STDC FP_CONTRACT OFF

double drone_sin_turns(double turns) DRONE_REALTIME {
    double whole = (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    double x = turns - whole;
    double folded = (x < 0 ? -0.5 : 0.5) - x;
    return drone_sin_quarter((x < -0.25 || x > 0.25) ? folded : x);
}

enum {
    /// The loops below work in groups of eight, and may write up to seven places too many.
    ROOM = DRONE_MIX_FRAMES + 7,
};

static inline __attribute__((always_inline)) void sine(
    uint64_t phase, uint64_t step, double gain, double *restrict out, uint32_t frames
) DRONE_REALTIME {
    // Two loops, one of integers and one of doubles: each uses the processor's full vector width.
    int32_t folded[DRONE_MIX_FRAMES];
    for (uint32_t i = 0; i < frames; i++, phase += step) {
        // The upper 32 bits are enough: -183 dB. In integers: sin x = sin(a quarter turn - |x - a quarter turn|).
        uint32_t x = (uint32_t)(phase >> 32) - 0x40000000u;
        uint32_t size = x ^ (uint32_t)((int32_t)x >> 31);
        folded[i] = (int32_t)(0x40000000u - size);
    }
    for (uint32_t i = 0; i < frames; i++) out[i] = gain * drone_sin_quarter((double)folded[i] * 0x1p-32);
}

typedef float quad __attribute__((vector_size(16)));
typedef float octet __attribute__((vector_size(32)));
/// Two neighboring points, as they are stored in the table.
typedef float point_pair __attribute__((vector_size(16), aligned(4)));
/// Eight frames of the wave, anywhere in memory.
typedef double eight_frames __attribute__((vector_size(64), aligned(8)));

#define JOINED(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
// Of each half: the first or the last two of four values of both, alternating; and the first or the last pairs of both.
#define FIRST_VALUES(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define LAST_VALUES(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LAST_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/// Adds the wave to `out` if `adds`, otherwise sets `out` to it.
static inline __attribute__((always_inline)) void table_wave(
    const drone_wavetable *table, uint64_t phase, uint64_t step, double gain, bool adds, double *restrict out,
    uint32_t frames
) DRONE_REALTIME {
    uint32_t shift = 64 - table->bits, bits = table->bits;
    for (uint32_t i = 0; i < frames; i += 8, phase += 8 * step) {
        quad pairs[8];
        octet t;
        for (uint32_t k = 0; k < 8; k++) {
            uint64_t at = phase + k * step;
            pairs[k] = *(const point_pair *)(const void *)&table->points[at >> shift];
            t[k] = (float)(int32_t)((at << bits) >> 40) * 0x1p-24f;
        }
        // The points on both sides of eight frames, transposed: p and r hold the values and slopes of the points before,
        // q and s those of the points after.
        octet w = JOINED(pairs[0], pairs[4]), x = JOINED(pairs[1], pairs[5]);
        octet y = JOINED(pairs[2], pairs[6]), z = JOINED(pairs[3], pairs[7]);
        octet wx = FIRST_VALUES(w, x), yz = FIRST_VALUES(y, z), wx2 = LAST_VALUES(w, x), yz2 = LAST_VALUES(y, z);
        octet p = FIRST_PAIRS(wx, yz), r = LAST_PAIRS(wx, yz), q = FIRST_PAIRS(wx2, yz2), s = LAST_PAIRS(wx2, yz2);
        // p + t r + t² (3 (q - p) - 2 r - s) + t³ (2 (p - q) + r + s), with slopes relative to the chord's.
        octet chord = q - p, begins = r - chord, ends = s - chord;
        octet sum = (((begins + ends) * t - (begins + begins + ends)) * t + r) * t + p;
        eight_frames *place = (eight_frames *)(void *)&out[i], scaled = gain * __builtin_convertvector(sum, eight_frames);
        *place = adds ? *place + scaled : scaled;
    }
}

static inline __attribute__((always_inline)) void add_anywhere(
    drone_tone *tone, int64_t frame, uint32_t rate, const drone_lane *lanes, uint32_t lane_count, double *const *mix,
    uint32_t frames
) DRONE_REALTIME {
    double wave[ROOM], shape[DRONE_MIX_FRAMES];
    uint64_t passed = (uint64_t)(frame - tone->anchor);
    // The copies are softer than the note itself; together they peak at the note's level.
    int copies = 1;
    while (copies < DRONE_COPIES && tone->steps[copies] != 0) copies++;
    double own = 1 / (1 + 0.35 * (copies - 1));
    for (int c = 0; c < copies; c++) {
        uint64_t step = tone->steps[c], phase = tone->phases[c] + step * passed;
        // Two calls with a constant: the loops have no branch.
        if (tone->table && c == 0)
            table_wave(tone->table, phase, step, own, false, wave, frames);
        else if (tone->table)
            table_wave(tone->table, phase, step, 0.35 * own, true, wave, frames);
        else if (c == 0)
            sine(phase, step, own, wave, frames);
        else {
            sine(phase, step, 0.35 * own, shape, frames);
            for (uint32_t i = 0; i < frames; i++) wave[i] += shape[i];
        }
    }
    drone_tone_shape_apply(&tone->shape, frame, rate, wave, frames);

    int64_t left = tone->start + (int64_t)tone->frames - frame;
    uint32_t moving = left <= 0 ? 0 : left < frames ? (uint32_t)left : frames;
    for (uint32_t i = 0; i < moving; i++) shape[i] = drone_ramp_at(tone->start, tone->frames, frame + i);
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        drone_side side = lanes[lane].side;
        if (side == DRONE_NONE) continue;
        double from = tone->from[side], to = tone->to[side], change = to - from;
        double *restrict out = mix[lane];
        for (uint32_t i = 0; i < moving; i++) out[i] += (from + change * shape[i]) * wave[i];
        if (to == 0) continue;
        for (uint32_t i = moving; i < frames; i++) out[i] += to * wave[i];
    }
    if (tone->to[DRONE_ALL] == 0 && moving < frames) tone->sounding = false;
}

DRONE_WIDE static void add_wide(
    drone_tone *tone, int64_t frame, uint32_t rate, const drone_lane *lanes, uint32_t lane_count, double *const *mix,
    uint32_t frames
) DRONE_REALTIME {
    add_anywhere(tone, frame, rate, lanes, lane_count, mix, frames);
}

void drone_tone_add(
    drone_tone *tone, int64_t frame, uint32_t rate, const drone_lane *lanes, uint32_t lane_count, double *const *mix,
    uint32_t frames
) DRONE_REALTIME {
    if (drone_is_wide())
        add_wide(tone, frame, rate, lanes, lane_count, mix, frames);
    else
        add_anywhere(tone, frame, rate, lanes, lane_count, mix, frames);
}
