/// The drone's notes: how an event changes the tones that are sounding.
#include "fade.h"

static bool has_copies(const uint64_t *steps) DRONE_REALTIME { return steps[1] != 0; }

/// Whether a tone can change to the wanted one without becoming a new sound.
static bool continues(const drone_tone *t, const drone_prepared_tone *wanted) DRONE_REALTIME {
    return t->note == wanted->note && t->table == wanted->table && has_copies(t->steps) == has_copies(wanted->steps) &&
        drone_tone_shape_equal(&t->shape, &wanted->shape);
}

/// A free place, or the place of the tone that has faded out furthest.
static drone_tone *free_tone(drone_mix_state *s, int64_t frame) DRONE_REALTIME {
    if (s->tone_count < DRONE_TONES) return &s->tones[s->tone_count++];
    drone_tone *furthest = &s->tones[0];
    double most = -1;
    for (uint32_t i = 0; i < s->tone_count; i++) {
        drone_tone *t = &s->tones[i];
        double faded = t->to[DRONE_ALL] == 0 ? drone_ramp_at(t->start, t->frames, frame) : 0;
        if (faded > most) {
            most = faded;
            furthest = t;
        }
    }
    return furthest;
}

/// Starts a ramp from a tone's present levels to other levels.
static void aim(drone_tone *t, const double *to, int64_t frame, uint32_t frames) DRONE_REALTIME {
    double come = drone_ramp_at(t->start, t->frames, frame);
    for (int side = 0; side < DRONE_SIDES; side++) {
        t->from[side] += (t->to[side] - t->from[side]) * come;
        t->to[side] = to[side];
    }
    t->start = frame;
    t->frames = frames;
}

/// How many frames a tone's ramp still takes.
static int64_t left_of(const drone_tone *t, int64_t frame) DRONE_REALTIME {
    int64_t left = t->start + (int64_t)t->frames - frame;
    return left > 0 ? left : 0;
}

/// Whether a tone has the levels `to`, or reaches them within `frames` frames by its present ramp.
static bool comes_to(const drone_tone *t, const double *to, int64_t frame, uint32_t frames) DRONE_REALTIME {
    for (int side = 0; side < DRONE_SIDES; side++)
        if (t->to[side] != to[side]) return false;
    return left_of(t, frame) <= (int64_t)frames;
}

void drone_note_begin(drone_mix_state *s, double level, const drone_prepared_tone *wanted, uint32_t rate) DRONE_REALTIME {
    const double silence[DRONE_SIDES] = {0};
    int64_t frame = s->frame;
    // Off the middle, the level of the far side falls along a quarter of a cosine.
    double far = drone_sin_turns(0.25 * (1 - (wanted->pan < 0 ? -wanted->pan : wanted->pan)));
    double to[DRONE_SIDES] = {
        [DRONE_ALL] = level,
        [DRONE_LEFT] = wanted->pan > 0 ? level * far : level,
        [DRONE_RIGHT] = wanted->pan < 0 ? level * far : level,
    };
    drone_tone *chosen = NULL;
    const drone_tone *before = NULL;
    for (uint32_t i = 0; i < s->tone_count; i++) {
        drone_tone *t = &s->tones[i];
        if (!t->sounding || t->note != wanted->note) continue;
        bool stays = t->to[DRONE_ALL] > 0;
        if (!wanted->crossfade && continues(t, wanted) && (!chosen || stays)) chosen = t;
        if (!before || stays) before = t;
    }
    // A new sound takes the phase of the note that it replaces, so that a crossfade does not cancel.
    uint64_t phases[DRONE_COPIES];
    for (int c = 0; c < DRONE_COPIES; c++) {
        phases[c] = c == 0 ? 0 : drone_hash(((uint64_t)wanted->shape.seed << 8) + (uint64_t)c);
        const drone_tone *t = chosen ? chosen : before;
        if (t && t->steps[c] != 0) phases[c] = t->phases[c] + t->steps[c] * (uint64_t)(frame - t->anchor);
    }
    // Older tones that are still fading out when a new sound begins fade out faster, so that few tones sound at once,
    // however long the crossfades are.
    uint32_t short_frames = chosen || wanted->ramp_frames < rate / 20 ? wanted->ramp_frames : rate / 20;
    for (uint32_t i = 0; i < s->tone_count; i++) {
        drone_tone *t = &s->tones[i];
        if (t == chosen || !t->sounding || t->note != wanted->note) continue;
        uint32_t frames = t->to[DRONE_ALL] > 0 ? wanted->ramp_frames : short_frames;
        if (!comes_to(t, silence, frame, frames)) aim(t, silence, frame, frames);
    }
    if (!chosen) {
        if (level == 0) return;
        chosen = free_tone(s, frame);
        *chosen = (drone_tone){.table = wanted->table, .shape = wanted->shape, .note = wanted->note};
    }
    // A tone that is already on its way there keeps its ramp: a new tuning does not restart a fade.
    if (!comes_to(chosen, to, frame, wanted->ramp_frames)) aim(chosen, to, frame, wanted->ramp_frames);
    chosen->sounding = true;
    chosen->anchor = frame;
    for (int c = 0; c < DRONE_COPIES; c++) {
        chosen->phases[c] = phases[c];
        chosen->steps[c] = wanted->steps[c];
    }
}
