/// The card's clock: its crystal is off by a constant, and wanders by a sine about it.
#include <math.h>

#include "card.h"

crystal crystal_make(const card_settings *settings, int64_t epoch_ns) {
    return (crystal){
        .epoch_ns = epoch_ns,
        .pace = 1 + settings->skew_ppm * 1e-6,
        .amplitude = settings->wander_ppm * 1e-6,
        .angular = 2 * M_PI / settings->wander_period_s,
        .phase = settings->wander_phase_deg * M_PI / 180,
    };
}

// The pace at t is pace + amplitude * sin(angular * t + phase); this is its integral.
double crystal_at(const crystal *c, double seconds) {
    if (c->amplitude == 0) return c->pace * seconds;
    double wander = c->amplitude / c->angular * (cos(c->phase) - cos(c->angular * seconds + c->phase));
    return c->pace * seconds + wander;
}

double crystal_when(const crystal *c, double card_seconds) {
    double seconds = card_seconds / c->pace;
    if (c->amplitude == 0) return seconds;
    // Each turn takes off five digits or more, for the wander is slight.
    for (int i = 0; i < 4; i++) {
        double slope = c->pace + c->amplitude * sin(c->angular * seconds + c->phase);
        seconds -= (crystal_at(c, seconds) - card_seconds) / slope;
    }
    return seconds;
}
