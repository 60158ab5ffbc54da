/// The position of the simulated card, and the pointer as the application sees it.
#include <math.h>

#include "card.h"

// ---------------------------------------------------------------------------------------------------
// Positions

bool card_is_moving(const card *c) {
    return c->running && !c->paused && !c->held;
}

double card_position(const card *c, int64_t ns) {
    if (!card_is_moving(c)) return c->position;
    return c->position + (crystal_at(&c->crystal, crystal_seconds(&c->crystal, ns)) - c->anchor) * c->rate;
}

double card_when_reached(const card *c, double position) {
    return crystal_when(&c->crystal, c->anchor + (position - c->position) / c->rate);
}

static int64_t whole(double position) { return position > 0 ? (int64_t)position : 0; }

int64_t card_fetched(const card *c, double position) {
    int64_t burst = c->settings.prefetch_frames;
    if (burst == 0) return whole(position);
    return position < 0 ? 0 : ((int64_t)floor(position) / burst + 1) * burst;
}

int64_t card_application(const card *c) {
    // When rewound to before the start, it wraps around.
    int64_t pointer = (int64_t)c->io.appl_ptr;
    return c->boundary > 0 && pointer > c->boundary / 2 ? pointer - c->boundary : pointer;
}

int64_t card_written(const card *c) {
    return c->settings.rewindable ? card_application(c) : c->appended;
}

// ---------------------------------------------------------------------------------------------------
// Steps: their ends, and when they are seen

/// SplitMix64: the same number for the same step, whenever it is computed.
static double chance(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/// A random number for a step, 0 to 1; `what` selects one of several independent numbers.
static double chance_of_step(const card *c, int64_t step, uint64_t what) {
    uint64_t key = (c->settings.seed + what) * 0x2545f4914f6cdd1du;
    return chance(key ^ (uint64_t)c->run << 48 ^ (uint64_t)step);
}

/// Half of the difference between the largest and the smallest step. The average step is the smallest plus this.
static int64_t half_spread(const card *c) { return c->step_spread / 2; }

/// The position of the pointer after `step` steps. Each end is at most half the spread after a multiple of the average
/// step, so a step cannot be predicted from those before it.
static int64_t step_place(const card *c, int64_t step) {
    int64_t half = half_spread(c), place = step * (c->step_frames + half);
    if (half == 0 || step <= 0) return place;
    return place + (int64_t)(chance_of_step(c, step, 1) * (double)(half + 1));
}

/// The last step that ends at or before the position.
static int64_t last_step(const card *c, int64_t position) {
    int64_t step = position / (c->step_frames + half_spread(c));
    return step_place(c, step) > position ? step - 1 : step;
}

/// The first step that ends at or after the position.
static int64_t first_step(const card *c, int64_t position) {
    int64_t step = position > 0 ? last_step(c, position) : 0;
    return step_place(c, step) < position ? step + 1 : step;
}

int64_t card_step_before(const card *c, int64_t position) { return step_place(c, last_step(c, position)); }

/// When the step is seen, in seconds after the epoch: when it is made, plus its jitter.
static double step_seen(const card *c, int64_t step) {
    double made = card_when_reached(c, (double)step_place(c, step));
    return made + chance_of_step(c, step, 0) * c->settings.jitter_us * 1e-6;
}

/// The maximum number of steps that may be made before one is seen.
static int64_t steps_in_jitter(const card *c) {
    return (int64_t)(c->settings.jitter_us * 1e-6 * c->rate / (double)c->step_frames) + 2;
}

/// The end of the latest step that has been seen by now.
static int64_t stepped(const card *c, int64_t ns) {
    int64_t last = last_step(c, whole(card_position(c, ns)));
    // While a card stands still, all steps so far count as seen.
    if (c->settings.jitter_us == 0 || !card_is_moving(c)) return step_place(c, last);
    double now = crystal_seconds(&c->crystal, ns);
    for (int64_t step = last, i = steps_in_jitter(c); step > 0 && i > 0; step--, i--) {
        if (step_seen(c, step) <= now) return step_place(c, step);
    }
    int64_t surely = last - steps_in_jitter(c);
    return surely > 0 ? step_place(c, surely) : 0;
}

void card_look(card *c, int64_t ns) {
    int64_t written = card_written(c);
    if (c->running && !c->frozen) {
        int64_t step = stepped(c, ns);
        int64_t pointer = card_fetched(c, card_position(c, ns) < 0 ? -1 : (double)step);
        // A drain ends with the last frame, wherever the steps end.
        if (c->io.state == SND_PCM_STATE_DRAINING && pointer > written) pointer = written;
        if (pointer > c->shown) {
            c->shown = pointer;
            c->on_step = step;
        }
    }
    int64_t pointer = c->shown + c->glitch;
    // No driver can report more queued frames than the buffer holds.
    int64_t least = card_application(c) - c->buffer;
    if (pointer < least) pointer = least;
    int64_t before = c->reported;
    c->reported = pointer > 0 ? pointer : 0;
    bool has_room = c->reported + c->buffer - card_application(c) >= c->avail_min;
    if (c->settings.calls_again && c->reported != before && has_room) c->is_unread = true;
}

int64_t card_since_step(const card *c, int64_t now) {
    if (!card_is_moving(c) || c->frozen) return 0;
    double frames = (crystal_seconds(&c->crystal, now) - card_when_reached(c, (double)c->on_step)) * c->rate;
    return frames > 0 ? (int64_t)frames : 0;
}

int64_t card_seen_at(const card *c, int64_t position) {
    int64_t burst = c->settings.prefetch_frames;
    if (burst > 0) position = position <= burst ? 0 : (position - 1) / burst * burst;
    int64_t first = first_step(c, position);
    double seen = first > 0 ? step_seen(c, first) : card_when_reached(c, 0);
    if (c->settings.jitter_us > 0 && first > 0) {
        // A later step may be seen sooner.
        for (int64_t i = 1; i < steps_in_jitter(c); i++) {
            double other = step_seen(c, first + i);
            if (other < seen) seen = other;
        }
    }
    return c->crystal.epoch_ns + (int64_t)ceil(seen * 1e9) + 1;
}

int64_t card_period_end(const card *c, int64_t period) { return card_seen_at(c, period * c->period); }
