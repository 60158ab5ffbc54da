#include <math.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

/// A click is a struck bar: partials under an attack, an exponential decay and a release to nothing.
typedef struct description {
    double hertz[3];
    double gain[3];
    double attack_s;
    double decay_s;
    double length_s;
} description;

/// Told apart by pitch and colour: the line's is the highest, the count-in's the lowest and hollow.
static const description descriptions[DRONE_SOUND_COUNT] = {
    [DRONE_SOUND_BAR] = {{1500, 2950, 4700}, {1, 0.35, 0.15}, 0.0002, 0.009, 0.060},
    [DRONE_SOUND_LINE] = {{2400, 3620, 6100}, {1, 0.60, 0.20}, 0.0002, 0.016, 0.100},
    [DRONE_SOUND_COUNT_IN] = {{900, 2700, 4500}, {1, 0.25, 0.05}, 0.0002, 0.007, 0.050},
};

static double attack(double t, double attack_s) { return t >= attack_s ? 1 : pow(sin(M_PI * t / (2 * attack_s)), 2); }

void drone_click_shape_init(drone_click_shape *shape, drone_sound sound, uint32_t rate) {
    const description *d = &descriptions[sound];
    double release_s = d->length_s * 0.25;
    *shape = (drone_click_shape){
        .seconds_per_frame = 1.0 / rate,
        .decay = exp(-1 / (rate * d->decay_s)),
        .decay_exponent = 1 / (rate * d->decay_s),
        .attack_s = d->attack_s,
        .attack_turns_per_second = 0.25 / d->attack_s,
        .release_start_s = d->length_s - release_s,
        .release_turns_per_second = 0.25 / release_s,
        .length_s = d->length_s,
    };
    // The peak is found on a grid finer than any rate, so that a level means the same at each.
    double peak = 0;
    for (double t = 0; t < d->length_s; t += 1e-6) {
        double x = 0;
        for (int p = 0; p < 3; p++) x += d->gain[p] * sin(2 * M_PI * d->hertz[p] * t);
        x = fabs(x * exp(-t / d->decay_s) * attack(t, d->attack_s));
        if (x > peak) peak = x;
    }
    for (int p = 0; p < 3; p++) {
        shape->hertz[p] = d->hertz[p];
        shape->gain[p] = d->gain[p] / peak;
    }
}

void drone_click_begin(drone_click *click, const drone_click_shape *shape, const drone_item *item) DRONE_REALTIME {
    // exp(x) for the x below 1/50 that a fraction of a frame makes: its series to x^5 is exact in double.
    double x = item->fraction * shape->decay_exponent;
    double growth = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))));
    *click = (drone_click){
        .frame = item->frame,
        .fraction = item->fraction,
        .level = item->level,
        .decay = growth,
        .sound = item->sound,
    };
}

bool drone_click_add(
    drone_click *click, const drone_click_shape *shape, int64_t frame, double *mix, uint32_t frames
) DRONE_REALTIME {
    double decay = click->decay;
    bool sounding = true;
    for (uint32_t i = 0; i < frames; i++, decay *= shape->decay) {
        // The time since the onset, which lies `fraction` behind its frame.
        double t = ((double)(frame - click->frame + i) - click->fraction) * shape->seconds_per_frame;
        if (t <= 0) continue;
        if (t >= shape->length_s) {
            sounding = false;
            break;
        }
        double envelope = click->level * decay;
        if (t < shape->attack_s) {
            double s = drone_sin_turns(t * shape->attack_turns_per_second);
            envelope *= s * s;
        }
        if (t > shape->release_start_s) {
            double s = drone_sin_turns((t - shape->release_start_s) * shape->release_turns_per_second);
            envelope *= 1 - s * s;
        }
        double sum = 0;
        for (int p = 0; p < 3; p++) sum += shape->gain[p] * drone_sin_turns(shape->hertz[p] * t);
        mix[i] += envelope * sum;
    }
    click->decay = decay;
    return sounding;
}
