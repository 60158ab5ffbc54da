/// Clicks: each is synthesized once per rate, oversampled several times, and can begin anywhere between two frames.
#include <math.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

enum { PARTIALS = 4 };

/// A click imitates something that is struck: partials with an attack, an exponential decay and a release to silence.
/// Its pitch may glide: the partials begin at `bend` times their frequencies, which they approach with the time
/// constant `bend_s`.
typedef struct description {
    double hertz[PARTIALS];
    double gain[PARTIALS];
    double attack_s;
    double decay_s;
    double length_s;
    double bend, bend_s;
} description;

/// The sounds differ in pitch, color, length and glide; docs/sound.md says by how much.
static const description descriptions[DRONE_SOUND_COUNT] = {
    // A wood block.
    [DRONE_SOUND_BAR] = {{1500, 2950, 4700}, {1, 0.35, 0.15}, 0.0002, 0.009, 0.060, 1, 1},
    // A small bell, higher than bar and count-in.
    [DRONE_SOUND_LINE] = {{2400, 3620, 6100}, {1, 0.60, 0.20}, 0.0002, 0.016, 0.100, 1, 1},
    // Hollow, and lower than bar and line.
    [DRONE_SOUND_COUNT_IN] = {{900, 2700, 4500}, {1, 0.25, 0.05}, 0.0002, 0.007, 0.050, 1, 1},
    // A larger bell, which rings.
    [DRONE_SOUND_SECTION] = {{1245, 1976, 3136, 5270}, {1, 0.8, 0.6, 0.3}, 0.0002, 0.045, 0.250, 1, 1},
    // A block of softer wood.
    [DRONE_SOUND_BEAT] = {{1120, 2050}, {1, 0.2}, 0.0003, 0.006, 0.040, 1, 1},
    // A block of harder wood.
    [DRONE_SOUND_ACCENT] = {{1890, 3990, 5730}, {1, 0.7, 0.4}, 0.0002, 0.008, 0.055, 1, 1},
    // Two sticks.
    [DRONE_SOUND_SUBDIVISION] = {{3500, 5300}, {1, 0.6}, 0.0002, 0.0025, 0.018, 1, 1},
    // A drop of water: the pitch jumps up.
    [DRONE_SOUND_WARNING] = {{2050, 4100}, {1, 0.15}, 0.0005, 0.020, 0.090, 0.30, 0.020},
    // A whistle that rises, with all its harmonics.
    [DRONE_SOUND_RUN] = {{1760, 3520, 5280, 7040}, {1, 0.5, 0.3, 0.2}, 0.001, 0.150, 0.220, 0.5, 0.080},
    // A whistle that falls, hollow and low.
    [DRONE_SOUND_WALK] = {{587, 1761, 2935}, {1, 0.4, 0.2}, 0.001, 0.150, 0.280, 2.5, 0.060},
    // A hum that rises slowly from a low note.
    [DRONE_SOUND_WARM_UP] = {{440, 880}, {1, 0.6}, 0.004, 0.250, 0.360, 0.5, 0.200},
    // A whistle that falls from a high note, clear and long.
    [DRONE_SOUND_COOL_DOWN] = {{2349, 4698}, {1, 0.3}, 0.004, 0.250, 0.440, 2, 0.120},
    // A major chord that rings out.
    [DRONE_SOUND_END] = {{784, 988, 1175, 1568}, {1, 0.9, 0.8, 0.6}, 0.001, 0.160, 0.600, 1, 1},
};

/// A description with its pitch and length multiplied by factors.
static description changed(description d, double pitch, double length) {
    for (int p = 0; p < PARTIALS; p++) d.hertz[p] *= pitch;
    d.decay_s *= length;
    d.length_s *= length;
    d.bend_s *= length;
    return d;
}

static double click(const description *d, double t, double highest) {
    double turns = d->bend == 1 ? t : t + (d->bend - 1) * d->bend_s * (1 - exp(-t / d->bend_s));
    double faster = d->bend > 1 ? d->bend : 1;
    double sum = 0;
    // Partials that reach half the rate are left out: they would alias.
    for (int p = 0; p < PARTIALS; p++)
        if (d->gain[p] != 0 && d->hertz[p] * faster < highest) sum += d->gain[p] * drone_sin_turns(d->hertz[p] * turns);
    double release_s = d->length_s * 0.25;
    double envelope = exp(-t / d->decay_s);
    if (t < d->attack_s) envelope *= pow(sin(M_PI_2 * t / d->attack_s), 2);
    if (t > d->length_s - release_s) envelope *= pow(sin(M_PI_2 * (d->length_s - t) / release_s), 2);
    return sum * envelope;
}

double drone_sound_seconds(drone_sound sound) {
    return (int)sound >= 0 && sound < DRONE_SOUND_COUNT ? descriptions[sound].length_s : 0;
}

drone_sample *drone_sample_create(uint32_t frames, uint32_t phases) {
    uint32_t stride = frames + 2 * DRONE_SAMPLE_MARGIN;
    drone_sample *sample = drone_memory_create(sizeof *sample + (size_t)stride * phases * sizeof *sample->points);
    if (!sample) return NULL;
    sample->phases = phases;
    sample->stride = stride;
    sample->length_frames = frames;
    sample->end_frame = INT64_MIN;
    return sample;
}

float *drone_sample_point(drone_sample *s, uint64_t n) {
    return &s->points[n % s->phases * s->stride + DRONE_SAMPLE_MARGIN + n / s->phases];
}

drone_sample *drone_click_synthesize(drone_sound sound, double pitch, double length, uint32_t rate) {
    const description d = changed(descriptions[sound], pitch, length);
    // At 352.8 kHz and above, the error of six-point interpolation is below -150 dB.
    uint32_t phases = 1;
    while (phases * rate < 352800) phases *= 2;
    uint32_t frames = (uint32_t)ceil(d.length_s * rate) + 1;
    drone_sample *sample = drone_sample_create(frames, phases);
    if (!sample) return NULL;
    sample->sound = sound;
    sample->pitch = pitch;
    sample->length = length;
    sample->length_frames = d.length_s * rate;
    // The loudest point is known only when all have been computed.
    double *points = drone_memory_create((size_t)frames * phases * sizeof *points);
    if (!points) {
        drone_memory_free(sample);
        return NULL;
    }
    double peak = 0;
    uint32_t count = 0;
    for (; count < frames * phases; count++) {
        double t = (double)count / ((double)rate * phases);
        if (t >= d.length_s) break;
        points[count] = click(&d, t, rate * 0.5);
        if (fabs(points[count]) > peak) peak = fabs(points[count]);
    }
    for (uint32_t i = 0; i < count && peak > 0; i++) *drone_sample_point(sample, i) = (float)(points[i] / peak);
    drone_memory_free(points);
    return sample;
}

bool drone_click_add(const drone_click *click, int64_t frame, double *mix, uint32_t frames) DRONE_REALTIME {
    const drone_sample *s = click->sample;
    // Frame n after the click's frame plays the sound at n - fraction; before the onset there is silence.
    int64_t n = frame - click->frame;
    double left = s->length_frames + click->fraction - (double)n;
    uint32_t end = left < frames ? (uint32_t)ceil(left) : frames;
    uint32_t i = n == 0 && click->fraction > 0 ? 1 : 0;
    if (i >= end) return left > frames;

    // Six-point Lagrange interpolation between the points of the oversampled sound; every frame has the same weights.
    double offset = -click->fraction * s->phases;
    int32_t whole = (int32_t)offset - (offset < (double)(int32_t)offset ? 1 : 0);
    double x = offset - whole;
    double a = x + 2, b = x + 1, c = x, d = x - 1, e = x - 2, f = x - 3;
    const double weights[6] = {
        click->level * (b * c * d * e * f) / -120, click->level * (a * c * d * e * f) / 24,
        click->level * (a * b * d * e * f) / -12,  click->level * (a * b * c * e * f) / 12,
        click->level * (a * b * c * d * f) / -24,  click->level * (a * b * c * d * e) / 120,
    };
    const float *rows[6];
    for (int k = 0; k < 6; k++) {
        int32_t point = whole - 2 + k + DRONE_SAMPLE_MARGIN * (int32_t)s->phases;
        int32_t phases = (int32_t)s->phases;
        rows[k] = s->points + (size_t)(point % phases) * s->stride + point / phases + n;
    }
    const float *restrict p = rows[0], *restrict q = rows[1], *restrict r = rows[2];
    const float *restrict u = rows[3], *restrict v = rows[4], *restrict w = rows[5];
    for (; i < end; i++) {
        double outer = weights[0] * (double)p[i] + weights[5] * (double)w[i];
        double middle = weights[1] * (double)q[i] + weights[4] * (double)v[i];
        double inner = weights[2] * (double)r[i] + weights[3] * (double)u[i];
        mix[i] += (outer + middle) + inner;
    }
    return left > frames;
}
