/// The crystal of the card: its rate error is a constant plus a sine, plus the changes that stay for good.
///
/// It runs by CLOCK_MONOTONIC_RAW ("raw"), which nothing adjusts. All times outside of this file are of CLOCK_MONOTONIC
/// ("mono"), which NTP slews. Raw is a closed form of mono, and the card's seconds are a closed form of raw.
#include <math.h>

#include "card.h"

/// Everything that bends the line is small, so each correction gains three digits or more. After one as small as this,
/// the rest is negligible.
static const double last_correction_s = 1e-9;

crystal crystal_make(const card_settings *settings, int64_t epoch_ns) {
    double amplitude = settings->wander_ppm * 1e-6, angular = 2 * M_PI / settings->wander_period_s;
    double phase = settings->wander_phase_deg * M_PI / 180;
    return (crystal){
        .epoch_ns = epoch_ns,
        .pace = 1 + settings->skew_ppm * 1e-6,
        .amplitude = amplitude,
        .angular = angular,
        .phase = phase,
        .start = amplitude / angular * cos(phase),
    };
}

/// How far mono has gained on raw, and how fast it gains, at a time in mono seconds after the epoch.
static double slewed(const crystal *c, double mono, double *speed) {
    double gained = 0;
    *speed = 0;
    for (unsigned i = 0; i < c->slew_count; i++) {
        double from = c->slews[i].from, to = c->slews[i].to, share = c->slews[i].share;
        if (mono <= from) continue;
        gained += share * (fmin(mono, to) - from);
        if (mono < to) *speed += share;
    }
    for (unsigned i = 0; i < c->offset_count; i++) {
        double since = mono - c->offsets[i].from, tau = c->offsets[i].tau;
        if (since <= 0) continue;
        gained += c->offsets[i].seconds * -expm1(-since / tau);
        *speed += c->offsets[i].seconds / tau * exp(-since / tau);
    }
    return gained;
}

void crystal_begin(crystal *c, const card_settings *s, int64_t first_start_ns) {
    double start = crystal_seconds(c, first_start_ns), speed;
    c->slew_count = c->offset_count = c->change_count = 0;
    for (unsigned i = 0; i < s->slew_at.count; i++) {
        double from = start + s->slew_at.values[i] * 1e-3, gain = number_at(&s->slew_ppm, i, 0) * 1e-6;
        double to = from + number_at(&s->slew_for, i, INFINITY) * 1e-3;
        // Mono gains this share of raw, which is a little less of mono itself.
        c->slews[c->slew_count++] = (crystal_slew){.from = from, .to = to, .share = gain / (1 + gain)};
    }
    for (unsigned i = 0; i < s->offset_at.count; i++) {
        c->offsets[c->offset_count++] = (crystal_offset){
            .from = start + s->offset_at.values[i] * 1e-3,
            .seconds = number_at(&s->offset_us, i, 0) * 1e-6,
            .tau = number_at(&s->offset_tau_s, i, 0),
        };
    }
    for (unsigned i = 0; i < s->skew_at.count; i++) {
        double from = start + s->skew_at.values[i] * 1e-3;
        c->changes[c->change_count++] = (crystal_change){
            .from = from,
            .raw_from = from - slewed(c, from, &speed),
            .by = number_at(&s->skew_by_ppm, i, 0) * 1e-6,
        };
    }
}

double crystal_next_bend(const crystal *c, double mono) {
    double next = INFINITY;
    for (unsigned i = 0; i < c->slew_count; i++) {
        if (c->slews[i].from > mono) next = fmin(next, c->slews[i].from);
        if (c->slews[i].to > mono) next = fmin(next, c->slews[i].to);
    }
    for (unsigned i = 0; i < c->offset_count; i++)
        if (c->offsets[i].from > mono) next = fmin(next, c->offsets[i].from);
    for (unsigned i = 0; i < c->change_count; i++)
        if (c->changes[i].from > mono) next = fmin(next, c->changes[i].from);
    return next;
}

/// The card's seconds, and how fast they pass, at a time in raw seconds after the epoch.
static double card_at(const crystal *c, double raw, double *speed) {
    double seconds = c->pace * raw;
    *speed = c->pace;
    if (c->amplitude != 0) {
        // The rate at t is pace + amplitude * sin(angular * t + phase); this is its integral.
        seconds += c->start - c->amplitude / c->angular * cos(c->angular * raw + c->phase);
        *speed += c->amplitude * sin(c->angular * raw + c->phase);
    }
    for (unsigned i = 0; i < c->change_count; i++) {
        if (raw <= c->changes[i].raw_from) continue;
        seconds += c->changes[i].by * (raw - c->changes[i].raw_from);
        *speed += c->changes[i].by;
    }
    return seconds;
}

static double card_at_mono(const crystal *c, double mono, double *speed) {
    double gain, pace;
    double raw = mono - slewed(c, mono, &gain);
    double seconds = card_at(c, raw, &pace);
    *speed = pace * (1 - gain);
    return seconds;
}

double crystal_at(const crystal *c, double mono) {
    double speed;
    return card_at_mono(c, mono, &speed);
}

double crystal_when(const crystal *c, double card_seconds) {
    double mono = card_seconds / c->pace, speed;
    if (c->amplitude == 0 && c->slew_count + c->offset_count + c->change_count == 0) return mono;
    for (int i = 0; i < 12; i++) {
        double correction = (card_at_mono(c, mono, &speed) - card_seconds) / speed;
        mono -= correction;
        if (fabs(correction) < last_correction_s) break;
    }
    return mono;
}
