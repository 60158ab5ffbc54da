/// The drone's voices: their harmonics, and the tables that are made of them.
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "internal.h"

/// A resonance: partials near `hertz` are stronger.
typedef struct formant {
    double hertz, width, gain;
} formant;

/// An instrument: harmonics that fall with their number, resonances above a floor, and a roof above which all harmonics
/// fall steeply.
typedef struct instrument {
    /// Harmonic h has the amplitude h^-fall before the resonances.
    double fall;
    /// The factor of even harmonics.
    double even;
    double floor, roof_hertz;
    formant formants[4];
} instrument;

/// Simple models, made by ear, of the instruments that players tune to. None is a measurement.
static const instrument instruments[DRONE_WAVEFORM_COUNT] = {
    [DRONE_REED_ORGAN] = {0.9, 0.8, 0.35, 7000, {{500, 300, 1}, {1500, 500, 0.5}}},
    [DRONE_OBOE] = {0.5, 1, 0.12, 6500, {{1050, 300, 1}, {2900, 500, 0.45}}},
    [DRONE_STRINGS] = {1, 1, 0.4, 9000, {{290, 80, 0.8}, {500, 150, 0.8}, {1000, 400, 0.5}, {2700, 700, 0.5}}},
    [DRONE_SHRUTI] = {0.7, 1, 0.3, 8000, {{450, 200, 1}, {1250, 350, 0.8}, {2500, 600, 0.5}}},
};

/// The amplitude of harmonic `h`, signed, before the wave is scaled to a peak of 1.
static double harmonic(drone_waveform waveform, uint32_t h, double hertz) {
    double odd = h % 2;
    switch (waveform) {
    case DRONE_TRIANGLE: return (h / 2 % 2 == 0 ? odd : -odd) / ((double)h * h);
    case DRONE_SAWTOOTH: return 1.0 / h;
    case DRONE_SQUARE: return odd / h;
    default: break;
    }
    const instrument *v = &instruments[waveform];
    double f = h * hertz, resonance = v->floor;
    for (int i = 0; i < 4 && v->formants[i].gain > 0; i++) {
        double away = (f - v->formants[i].hertz) / v->formants[i].width;
        resonance += v->formants[i].gain / (1 + away * away);
    }
    double roof = f / v->roof_hertz;
    return pow(h, -v->fall) * (odd == 1 ? 1 : v->even) * resonance / (1 + roof * roof * roof * roof);
}

/// No harmonic is above this, in Hz.
static double highest_hertz(uint32_t rate) { return rate / 2.0 < 24000 ? rate / 2.0 : 24000; }

uint32_t drone_harmonics(double hertz, uint32_t rate) {
    uint32_t count = (uint32_t)(highest_hertz(rate) / hertz);
    // Only eight different numbers in an octave, so that a glide needs few tables.
    uint32_t step = 1;
    while (count / step >= 16) step *= 2;
    count -= count % step;
    return count > 0 ? count : 1;
}

/// The inverse Fourier transform in place, 2^bits points: x[n] = sum of X[k] e^(2 pi i k n / N). Cooley and Tukey.
static void transform(double complex *x, uint32_t bits) {
    uint32_t n = 1u << bits;
    for (uint32_t i = 1, j = 0; i < n; i++) {
        uint32_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex swapped = x[i];
            x[i] = x[j];
            x[j] = swapped;
        }
    }
    for (uint32_t size = 2; size <= n; size *= 2) {
        for (uint32_t k = 0; k < size / 2; k++) {
            double angle = 2 * M_PI * k / size;
            double complex turn = cos(angle) + sin(angle) * I;
            for (uint32_t i = k; i < n; i += size) {
                double complex odd = x[i + size / 2] * turn;
                x[i + size / 2] = x[i] - odd;
                x[i] += odd;
            }
        }
    }
}

drone_wavetable *drone_wavetable_create(drone_waveform waveform, uint32_t harmonics, double brightness, uint32_t rate) {
    // The error of the cubics is at least 144 dB below the fundamental. Instruments need fewer parts, because their
    // highest harmonics are weak.
    bool is_instrument = instruments[waveform].roof_hertz > 0;
    uint32_t bits = is_instrument ? 8 : 11, parts = is_instrument ? 14 : 20;
    while ((1u << bits) < parts * harmonics) bits++;
    uint32_t n = 1u << bits;
    drone_wavetable *table = drone_memory_create(sizeof *table + (n + 1) * sizeof *table->points);
    double complex *x = calloc(n, sizeof *x);
    if (!table || !x) {
        drone_memory_free(table);
        free(x);
        return NULL;
    }
    *table = (drone_wavetable){.waveform = waveform, .harmonics = harmonics, .brightness = brightness, .bits = bits};
    // One transform makes both: the values as its real part, their slopes per part as its imaginary part.
    double fundamental = highest_hertz(rate) / harmonics;
    for (uint32_t h = 1; h <= harmonics; h++) {
        double a = harmonic(waveform, h, fundamental) * pow(h, brightness);
        double slope = a * 2 * M_PI * h / n;
        x[h] = (slope - a) / 2 * I;
        x[n - h] = (slope + a) / 2 * I;
    }
    transform(x, bits);
    double peak = 0;
    for (uint32_t i = 0; i < n; i++)
        if (fabs(creal(x[i])) > peak) peak = fabs(creal(x[i]));
    for (uint32_t i = 0; i <= n; i++)
        table->points[i] = (drone_point){.value = (float)(creal(x[i % n]) / peak), .slope = (float)(cimag(x[i % n]) / peak)};
    free(x);
    return table;
}
