/// The times of faults, and the faults that came while the card was not open.
#include "card.h"

#include <errno.h>
#include <math.h>

static int64_t in_ns(double ms) {
    return (int64_t)llround(ms * 1e6);
}

static void plan(card *c, event_kind kind, double at_ms, int64_t value) {
    unsigned place = c->event_count++;
    int64_t at_ns = in_ns(at_ms);
    for (; place > 0 && c->events[place - 1].at_ns > at_ns; place--) c->events[place] = c->events[place - 1];
    c->events[place] = (event){.at_ns = at_ns, .kind = kind, .value = value};
}

int card_plan(card *c) {
    const card_settings *s = &c->settings;
    unsigned needed = s->xrun_at.count + s->suspend_at.count + s->disconnect_at.count + 2 * s->stall_at.count
        + 2 * s->jump_at.count + 2 * s->again_at.count;
    if (needed > MAX_EVENTS) return -E2BIG;
    for (unsigned i = 0; i < s->xrun_at.count; i++) plan(c, EVENT_XRUN, s->xrun_at.values[i], 0);
    for (unsigned i = 0; i < s->suspend_at.count; i++)
        plan(c, EVENT_SUSPEND, s->suspend_at.values[i], in_ns(number_at(&s->resume_after, i, 0)));
    for (unsigned i = 0; i < s->disconnect_at.count; i++) {
        double ms = number_at(&s->return_after, i, -1);
        plan(c, EVENT_DISCONNECT, s->disconnect_at.values[i], ms < 0 ? NEVER : in_ns(ms));
    }
    for (unsigned i = 0; i < s->stall_at.count; i++) {
        double at = s->stall_at.values[i], ms = number_at(&s->stall_for, i, 100);
        plan(c, EVENT_STALL, at, 0);
        plan(c, EVENT_GO_ON, at + ms, 0);
    }
    for (unsigned i = 0; i < s->jump_at.count; i++) {
        double at = s->jump_at.values[i];
        int64_t frames = (int64_t)number_at(&s->jump_frames, i, 0);
        plan(c, EVENT_JUMP, at, frames);
        if (s->jump_is_glitch) plan(c, EVENT_LAND, at + number_at(&s->jump_for, i, 20), -frames);
    }
    for (unsigned i = 0; i < s->again_at.count; i++) {
        double at = s->again_at.values[i];
        plan(c, EVENT_REFUSE, at, 0);
        plan(c, EVENT_ACCEPT, at + number_at(&s->again_for, i, 100), 0);
    }
    return 0;
}

void card_take_state(card *c, const event *e) {
    switch (e->kind) {
    case EVENT_STALL:
    case EVENT_GO_ON:
        if (c->settings.stall_jumps)
            c->frozen = e->kind == EVENT_STALL;
        else
            c->held = e->kind == EVENT_STALL;
        break;
    case EVENT_JUMP:
        if (c->settings.jump_is_glitch) c->glitch += e->value;
        break;
    case EVENT_LAND: c->glitch += e->value; break;
    case EVENT_REFUSE: c->refusing++; break;
    case EVENT_ACCEPT: c->refusing--; break;
    case EVENT_XRUN:
    case EVENT_SUSPEND:
    case EVENT_DISCONNECT: break;
    }
}

bool card_catch_up(card *c, int64_t now) {
    bool is_here = true;
    if (!c->identity.memory->has_started) return is_here;
    int64_t start = c->identity.memory->first_start_ns;
    while (c->next_event < c->event_count && start + c->events[c->next_event].at_ns <= now) {
        const event *e = &c->events[c->next_event++];
        card_take_state(c, e);
        if (e->kind == EVENT_DISCONNECT && (e->value == NEVER || start + e->at_ns + e->value > now)) is_here = false;
    }
    return is_here;
}
