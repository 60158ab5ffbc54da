/// The crystal of the card: its rate error is a constant plus a sine.
#include <math.h>

#include "card.h"

/// The wander is small, so each correction gains five digits or more. After one as small as this, the rest is
/// negligible.
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

// The rate at t is pace + amplitude * sin(angular * t + phase); this is its integral.
double crystal_at(const crystal *c, double seconds) {
    if (c->amplitude == 0) return c->pace * seconds;
    return c->pace * seconds + c->start - c->amplitude / c->angular * cos(c->angular * seconds + c->phase);
}

double crystal_when(const crystal *c, double card_seconds) {
    double seconds = card_seconds / c->pace;
    if (c->amplitude == 0) return seconds;
    for (int i = 0; i < 4; i++) {
        double slope = c->pace + c->amplitude * sin(c->angular * seconds + c->phase);
        double correction = (crystal_at(c, seconds) - card_seconds) / slope;
        seconds -= correction;
        if (fabs(correction) < last_correction_s) break;
    }
    return seconds;
}
