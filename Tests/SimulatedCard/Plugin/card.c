/// The movement of the simulated card: its pointer, its faults, and when frames are heard.
#include "card.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_FRAMES = 1024,
    /// The time after which a poll that returned slightly too early returns again.
    AGAIN_NS = 20000,
};

int64_t card_row_frames(const card *c) { return c->rate / 10; }

// ---------------------------------------------------------------------------------------------------
// Hearing

/// When the frame reaches the converter, in seconds after the epoch.
static double when_heard(const card *c, double position) {
    return card_when_reached(c, position + (double)(c->settings.latency_frames + c->settings.hidden_latency_frames));
}

static int64_t whole(double position) { return position > 0 ? (int64_t)position : 0; }

/// The frames of a row have one rate: how many of `count` frames are heard before the rate next changes, at least one.
static int64_t until_bend(const card *c, int64_t count, double from, double to) {
    double bend = crystal_next_bend(&c->crystal, from);
    if (bend >= to) return count;
    int64_t before = (int64_t)((double)count * (bend - from) / (to - from));
    return before < 1 ? 1 : before;
}

static void settle_row(card *c, int64_t count, double from, double to) {
    double ns = from * 1e9, full = floor(ns);
    simulated_card_row row = {
        .position = c->rowed,
        .time_ns = c->crystal.epoch_ns + (int64_t)full,
        .time_fraction = ns - full,
        .rate = (double)count / (to - from),
        .count = (uint32_t)count,
        .run = c->run,
        .channels = (uint16_t)c->channels,
        .bytes_per_sample = (uint16_t)c->bytes_per_sample,
        .format = (uint32_t)c->io.format,
    };
    recording_settle(&c->recording, row);
    c->rowed += count;
}

static void settle(card *c, int64_t count) {
    while (count > 0) {
        double from = when_heard(c, (double)c->rowed), to = when_heard(c, (double)(c->rowed + count));
        int64_t part = until_bend(c, count, from, to);
        if (part < count) to = when_heard(c, (double)(c->rowed + part));
        settle_row(c, part, from, to);
        count -= part;
    }
}

static void hear(card *c, int64_t upto) {
    if (upto > c->captured) upto = c->captured;
    if (upto > c->heard) c->heard = upto;
    while (c->heard - c->rowed >= card_row_frames(c)) settle(c, card_row_frames(c));
}

/// Takes frames out of the ring. From here on, their contents are final.
static void capture(card *c, int64_t upto, double position) {
    // Frames that are not recorded cost the player no processor time.
    if (c->captured < upto && !recording_is_kept(&c->recording)) c->captured = upto;
    while (c->captured < upto) {
        int64_t slot = c->captured % c->ring_frames;
        int64_t count = upto - c->captured;
        if (count > CHUNK_FRAMES) count = CHUNK_FRAMES;
        if (count > c->ring_frames - slot) count = c->ring_frames - slot;
        size_t bytes = (size_t)count * c->bytes_per_frame;
        uint8_t *from = c->ring + (size_t)slot * c->bytes_per_frame;
        uint8_t *to = recording_stage(&c->recording, bytes);
        if (to) memcpy(to, from, bytes);
        // Silence is zeros in every format of the card.
        if (!c->settings.starved_is_stale || c->silences_played) memset(from, 0, bytes);
        c->captured += count;
        hear(c, whole(position));
    }
    hear(c, whole(position));
}

/// Settles the times of the frames so far, before the rate or the position changes.
static void close_row(card *c) {
    settle(c, c->heard - c->rowed);
}

static void go_to(card *c, double position, int64_t ns) {
    close_row(c);
    c->position = position;
    c->anchor = crystal_at(&c->crystal, crystal_seconds(&c->crystal, ns));
}

// ---------------------------------------------------------------------------------------------------
// Starting and stopping

void card_begin(card *c, int64_t now) {
    int64_t delay_ns = (int64_t)llround(c->settings.start_delay_ms * 1e6);
    c->run++;
    c->paused = false;
    c->running = true;
    card_memory *memory = c->identity.memory;
    if (!memory->has_started) {
        memory->has_started = true;
        memory->first_start_ns = now;
        crystal_begin(&c->crystal, &c->settings, now);
    }
    c->anchor = crystal_at(&c->crystal, crystal_seconds(&c->crystal, now + delay_ns));
    c->position = 0;
    recording_note(&c->recording, now, "start written=%lld", (long long)card_written(c));
}

void card_finish(card *c, bool plays_out) {
    if (!c->running) return;
    interrupts_end(&c->interrupts);
    if (plays_out) hear(c, c->captured);
    close_row(c);
    recording_discard(&c->recording);
    c->position = (double)c->captured;
    c->running = c->paused = false;
}

void card_rest(card *c, int64_t now, bool rests) {
    go_to(c, card_position(c, now), now);
    c->paused = rests;
}

static void hold(card *c, int64_t now, bool holds) {
    go_to(c, card_position(c, now), now);
    c->held = holds;
}

static bool can_run_dry(const card *c) {
    return c->io.state == SND_PCM_STATE_RUNNING && c->stop_threshold < c->boundary && !c->settings.plays_on;
}

/// The position at which an underrun stops the card.
static int64_t dry_at(const card *c) {
    return card_written(c) + c->stop_threshold - c->buffer;
}

static void stop_short(card *c, int64_t ns, snd_pcm_state_t state, const char *why) {
    recording_note(&c->recording, ns, "%s position=%lld written=%lld", why, (long long)c->captured,
        (long long)card_written(c));
    card_finish(c, false);
    snd_pcm_ioplug_set_state(&c->io, state);
}

/// Plays up to a time; there must be no event before it.
static void play(card *c, int64_t ns) {
    if (!c->running) return;
    double position = card_position(c, ns);
    int64_t upto = card_fetched(c, position);
    card_look(c, ns);
    int64_t end = NEVER;
    if (c->io.state == SND_PCM_STATE_DRAINING) end = card_written(c);
    bool is_dry = can_run_dry(c) && c->reported >= dry_at(c);
    if (is_dry) end = dry_at(c);
    capture(c, upto < end ? upto : end, position);
    if (is_dry) stop_short(c, ns, SND_PCM_STATE_XRUN, "xrun");
}

// ---------------------------------------------------------------------------------------------------
// Faults

static void suspend(card *c, int64_t at, int64_t lasts) {
    c->asleep_until_ns = at + lasts;
    snd_pcm_state_t state = c->io.state;
    bool has_sound = state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_DRAINING || state == SND_PCM_STATE_PAUSED;
    // A driver that can resume keeps its position; other drivers start again, and unplayed frames are lost.
    c->slept_as = SND_PCM_STATE_PREPARED;
    if (has_sound && c->settings.can_resume) {
        recording_note(&c->recording, at, "suspend position=%lld", (long long)c->captured);
        c->slept_as = state;
        card_rest(c, at, true);
        snd_pcm_ioplug_set_state(&c->io, SND_PCM_STATE_SUSPENDED);
    } else if (has_sound || state == SND_PCM_STATE_PREPARED) {
        stop_short(c, at, SND_PCM_STATE_SUSPENDED, "suspend");
    }
}

static void jump(card *c, int64_t at, int64_t frames) {
    double to = card_position(c, at) + (double)frames;
    if (to < 0) to = 0;
    go_to(c, to, at);
    recording_discard(&c->recording);
    c->captured = c->heard = c->rowed = whole(to);
    c->shown = card_step_before(c, c->captured);
    c->on_step = c->shown;
}

static void happen(card *c, const event *e, int64_t at) {
    switch (e->kind) {
    case EVENT_XRUN:
        if (c->io.state == SND_PCM_STATE_RUNNING) stop_short(c, at, SND_PCM_STATE_XRUN, "xrun");
        return;
    case EVENT_SUSPEND: suspend(c, at, e->value); return;
    case EVENT_DISCONNECT: stop_short(c, at, SND_PCM_STATE_DISCONNECTED, "disconnect"); return;
    case EVENT_STALL:
    case EVENT_GO_ON:
        recording_note(&c->recording, at, "%s position=%lld", e->kind == EVENT_STALL ? "stall" : "go-on",
            (long long)c->captured);
        if (!c->settings.stall_jumps && c->running)
            hold(c, at, e->kind == EVENT_STALL);
        else
            card_take_state(c, e);
        return;
    case EVENT_JUMP:
        recording_note(&c->recording, at, "jump frames=%lld position=%lld", (long long)e->value,
            (long long)c->captured);
        if (c->settings.jump_is_glitch)
            card_take_state(c, e);
        else if (c->running)
            jump(c, at, e->value);
        return;
    case EVENT_LAND:
        recording_note(&c->recording, at, "land");
        card_take_state(c, e);
        return;
    case EVENT_REFUSE:
    case EVENT_ACCEPT:
        recording_note(&c->recording, at, e->kind == EVENT_REFUSE ? "refuse" : "accept");
        card_take_state(c, e);
        return;
    }
}

void card_advance(card *c, int64_t now) {
    int64_t start = c->identity.memory->first_start_ns;
    while (c->identity.memory->has_started && c->io.state != SND_PCM_STATE_DISCONNECTED && c->next_event < c->event_count) {
        const event *e = &c->events[c->next_event];
        int64_t at = start + e->at_ns;
        if (at > now) break;
        c->next_event++;
        play(c, at);
        happen(c, e, at);
    }
    play(c, now);
    card_look(c, now);
    if (!recording_is_due(&c->recording, now)) return;
    close_row(c);
    recording_flush(&c->recording);
}

void card_write_out(card *c) {
    close_row(c);
    recording_flush(&c->recording);
}

int card_error(const card *c) {
    switch (c->io.state) {
    case SND_PCM_STATE_XRUN: return -EPIPE;
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
    default: return 0;
    }
}

// ---------------------------------------------------------------------------------------------------
// Waking

/// When the pointer reaches the end of a period that leaves the application enough room, or the end of a drain, or an
/// underrun.
static int64_t period_deadline(const card *c) {
    if (!card_is_moving(c) || c->frozen) return NEVER;
    int64_t written = card_written(c);
    if (c->io.state == SND_PCM_STATE_DRAINING) return card_seen_at(c, written);
    int64_t deadline = NEVER;
    int64_t room = card_application(c) + c->avail_min - c->buffer - c->glitch;
    int64_t at = room > c->shown + 1 ? room : c->shown + 1;
    // An `avail_min` of more than half the boundary asks not to be woken.
    if (c->avail_min <= c->boundary / 2) deadline = card_seen_at(c, (at + c->period - 1) / c->period * c->period);
    if (can_run_dry(c)) {
        int64_t dry = card_seen_at(c, dry_at(c) - c->glitch);
        if (dry < deadline) deadline = dry;
    }
    return deadline;
}

int64_t card_deadline(card *c, int64_t now) {
    if (c->is_unread) return now;
    snd_pcm_state_t state = c->io.state;
    int64_t avail = c->reported + c->buffer - card_application(c);
    switch (state) {
    case SND_PCM_STATE_RUNNING:
    case SND_PCM_STATE_PREPARED:
    case SND_PCM_STATE_PAUSED:
        if (avail >= c->avail_min) return now;
        break;
    case SND_PCM_STATE_DRAINING:
        if (c->shown >= card_written(c)) return now;
        break;
    default: return now;
    }
    int64_t deadline = period_deadline(c);
    if (c->identity.memory->has_started && c->next_event < c->event_count) {
        int64_t next = c->identity.memory->first_start_ns + c->events[c->next_event].at_ns;
        if (next < deadline) deadline = next;
    }
    return deadline <= now ? now + AGAIN_NS : deadline;
}
