/// The engine: events in, frames out. What a frame sounds like is a function of its number and the events
/// before it; state is copied into checkpoints, so that it can begin again at an earlier frame.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
    MIX_FRAMES = 256,
    /// Room in the queue that is kept for cuts: a user's command is never refused for a dense score.
    CUT_RESERVE = 16,
};

struct drone_engine {
    drone_config config;
    drone_queue queue;

    // Control thread.
    int64_t last_pushed_frame;
    double last_pushed_fraction;
    drone_table *tables;
    drone_sample *samples;

    // Audio thread.
    drone_state state;
    /// Events in the order of their frames, remembered as deep as a seek can go. The indices only grow.
    drone_item log[DRONE_LOG_EVENTS];
    uint64_t log_begin, log_next, log_end;
    drone_state *checkpoints;
    uint64_t checkpoint_capacity, checkpoint_begin, checkpoint_end;
    uint64_t late;
    int64_t late_frame;
    double mix[MIX_FRAMES];

    // Both.
    _Atomic int64_t horizon;
    _Atomic int64_t published_frame, published_late_frame;
    _Atomic uint64_t published_clicks, published_late, published_dropped, published_skipped;
};

static int64_t floor_multiple(int64_t frame, int64_t of) DRONE_REALTIME {
    int64_t remainder = frame % of;
    return frame - (remainder < 0 ? remainder + of : remainder);
}

static void publish(drone_engine *e) DRONE_REALTIME {
    atomic_store_explicit(&e->published_clicks, e->state.clicks_begun, memory_order_relaxed);
    atomic_store_explicit(&e->published_late_frame, e->late_frame, memory_order_relaxed);
    atomic_store_explicit(&e->published_late, e->late, memory_order_relaxed);
    atomic_store_explicit(&e->published_dropped, e->state.dropped, memory_order_relaxed);
    atomic_store_explicit(&e->published_skipped, e->state.skipped, memory_order_relaxed);
    atomic_store_explicit(&e->published_frame, e->state.frame, memory_order_release);
}

drone_engine *drone_engine_create(const drone_config *config, int *error) {
    *error = DRONE_ERR_ARGUMENT;
    if (config->rate < 8000 || config->rate > 384000 || config->channels < 1 || config->channels > 32) return NULL;
    if ((int)config->format < DRONE_S16 || config->format > DRONE_F32) return NULL;
    if (config->rewind_frames > 10 * config->rate) return NULL;
    *error = DRONE_ERR_MEMORY;
    drone_engine *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->checkpoint_capacity = config->rewind_frames / DRONE_CHECKPOINT_FRAMES + 2;
    e->checkpoints = calloc(e->checkpoint_capacity, sizeof *e->checkpoints);
    if (!e->checkpoints) {
        free(e);
        return NULL;
    }
    e->config = *config;
    e->last_pushed_frame = INT64_MIN;
    e->state.frame = config->first_frame;
    atomic_store(&e->horizon, INT64_MIN);
    publish(e);
    *error = DRONE_OK;
    return e;
}

void drone_engine_destroy(drone_engine *e) {
    if (!e) return;
    for (drone_table *t = e->tables; t;) {
        drone_table *next = t->next;
        free(t);
        t = next;
    }
    for (drone_sample *s = e->samples; s;) {
        drone_sample *next = s->next;
        free(s);
        s = next;
    }
    free(e->checkpoints);
    free(e);
}

// ---------------------------------------------------------------------------------------------------
// Control thread

static const drone_table *table_for(drone_engine *e, drone_waveform waveform, double hertz) {
    uint32_t harmonics = (uint32_t)(e->config.rate / 2 / hertz);
    // Points enough for 16 a cycle of the highest harmonic; below, the interpolation would be heard.
    if (harmonics > DRONE_TABLE_POINTS / 16) harmonics = DRONE_TABLE_POINTS / 16;
    if (harmonics < 1) harmonics = 1;
    for (drone_table *t = e->tables; t; t = t->next)
        if (t->waveform == waveform && t->harmonics == harmonics) return t;
    drone_table *t = malloc(sizeof *t);
    if (!t) return NULL;
    drone_table_fill(t, waveform, harmonics);
    t->next = e->tables;
    e->tables = t;
    return t;
}

static const drone_sample *sample_for(drone_engine *e, drone_sound sound) {
    for (drone_sample *s = e->samples; s; s = s->next)
        if (s->sound == sound) return s;
    drone_sample *s = drone_click_synthesize(sound, e->config.rate);
    if (!s) return NULL;
    s->next = e->samples;
    e->samples = s;
    return s;
}

int drone_push(drone_engine *e, const drone_event *event) {
    drone_item item = {
        .frame = event->frame,
        .level = event->level,
        .kind = (uint8_t)event->kind,
    };
    if (!(event->level >= 0 && event->level <= 1)) return DRONE_ERR_ARGUMENT;
    if (event->kind == DRONE_EVENT_CLICK) {
        if ((unsigned)event->sound >= DRONE_SOUND_COUNT) return DRONE_ERR_ARGUMENT;
        if (!(event->fraction >= 0 && event->fraction < 1)) return DRONE_ERR_ARGUMENT;
        item.fraction = event->fraction;
        item.sample = sample_for(e, event->sound);
        if (!item.sample) return DRONE_ERR_MEMORY;
    } else if (event->kind == DRONE_EVENT_TONE) {
        double hertz = event->hertz;
        if (!(hertz >= 1 && hertz <= e->config.rate / 2.0)) return DRONE_ERR_ARGUMENT;
        if ((unsigned)event->waveform >= DRONE_WAVEFORM_COUNT || event->ramp_frames > INT32_MAX)
            return DRONE_ERR_ARGUMENT;
        item.step = (uint64_t)(hertz / e->config.rate * 0x1p64);
        item.ramp_frames = event->ramp_frames;
        if (event->waveform != DRONE_SINE) {
            item.table = table_for(e, event->waveform, hertz);
            if (!item.table) return DRONE_ERR_MEMORY;
        }
    } else {
        return DRONE_ERR_ARGUMENT;
    }
    if (item.frame < e->last_pushed_frame ||
        (item.frame == e->last_pushed_frame && item.fraction < e->last_pushed_fraction))
        return DRONE_ERR_ORDER;
    if (drone_queue_space(&e->queue) <= CUT_RESERVE || !drone_queue_push(&e->queue, &item)) return DRONE_ERR_FULL;
    e->last_pushed_frame = item.frame;
    e->last_pushed_fraction = item.fraction;
    return DRONE_OK;
}

int drone_cut(drone_engine *e, int64_t frame) {
    drone_item item = {.frame = frame, .cut = true};
    if (drone_queue_space(&e->queue) == 0) return DRONE_ERR_FULL;
    // First: who sees the cut sees the horizon, too.
    if (drone_horizon(e) > frame) drone_set_horizon(e, frame);
    drone_queue_push(&e->queue, &item);
    e->last_pushed_frame = INT64_MIN;
    return DRONE_OK;
}

void drone_set_horizon(drone_engine *e, int64_t frame) {
    atomic_store_explicit(&e->horizon, frame, memory_order_release);
}

uint32_t drone_space(const drone_engine *e) {
    uint32_t space = drone_queue_space(&e->queue);
    return space > CUT_RESERVE ? space - CUT_RESERVE : 0;
}

drone_counters drone_read_counters(const drone_engine *e) {
    return (drone_counters){
        .frame = atomic_load_explicit(&e->published_frame, memory_order_acquire),
        .clicks = atomic_load_explicit(&e->published_clicks, memory_order_relaxed),
        .late = atomic_load_explicit(&e->published_late, memory_order_relaxed),
        .late_frame = atomic_load_explicit(&e->published_late_frame, memory_order_relaxed),
        .dropped = atomic_load_explicit(&e->published_dropped, memory_order_relaxed),
        .skipped = atomic_load_explicit(&e->published_skipped, memory_order_relaxed),
    };
}

uint32_t drone_bytes_per_frame(const drone_engine *e) {
    return e->config.channels * drone_format_bytes(e->config.format);
}

int64_t drone_horizon(const drone_engine *e) DRONE_REALTIME {
    return atomic_load_explicit(&e->horizon, memory_order_acquire);
}

const drone_config *drone_engine_config(const drone_engine *e) DRONE_REALTIME { return &e->config; }

int64_t drone_next_frame(const drone_engine *e) DRONE_REALTIME { return e->state.frame; }

// ---------------------------------------------------------------------------------------------------
// Audio thread: the log

/// Forgets events that no checkpoint needs any more.
static void retire(drone_engine *e) DRONE_REALTIME {
    int64_t oldest = e->checkpoint_begin == e->checkpoint_end
        ? e->state.frame
        : e->checkpoints[e->checkpoint_begin % e->checkpoint_capacity].frame;
    while (e->log_begin < e->log_next && e->log[e->log_begin % DRONE_LOG_EVENTS].frame < oldest) e->log_begin++;
}

/// Takes back what has not taken effect yet, from `frame` on.
static void apply_cut(drone_engine *e, int64_t frame) DRONE_REALTIME {
    while (e->log_end > e->log_next && e->log[(e->log_end - 1) % DRONE_LOG_EVENTS].frame >= frame) e->log_end--;
}

/// Moves events from the queue to the log. `all` says whether a cut of what has been rendered is taken too; its frame
/// is returned where it is not, else INT64_MAX.
static int64_t accept(drone_engine *e, bool all) DRONE_REALTIME {
    const drone_item *item;
    while ((item = drone_queue_peek(&e->queue))) {
        if (item->cut) {
            if (item->frame < e->state.frame && !all) return item->frame;
            apply_cut(e, item->frame);
            drone_queue_pop(&e->queue);
            continue;
        }
        if (e->log_end - e->log_begin == DRONE_LOG_EVENTS) retire(e);
        if (e->log_end - e->log_begin == DRONE_LOG_EVENTS) return INT64_MAX;
        bool late = item->frame < e->state.frame;
        if (late && item->kind == DRONE_EVENT_CLICK) {
            // A wrong click is worse than no click.
            e->late++;
            e->late_frame = item->frame;
        } else {
            drone_item *slot = &e->log[e->log_end % DRONE_LOG_EVENTS];
            *slot = *item;
            if (late) slot->frame = e->state.frame;
            e->log_end++;
        }
        drone_queue_pop(&e->queue);
    }
    return INT64_MAX;
}

int64_t drone_pending_cut(drone_engine *e) DRONE_REALTIME { return accept(e, false); }

// ---------------------------------------------------------------------------------------------------
// Audio thread: the state

static void save_checkpoint(drone_engine *e) DRONE_REALTIME {
    if (e->checkpoint_end > e->checkpoint_begin) {
        const drone_state *newest = &e->checkpoints[(e->checkpoint_end - 1) % e->checkpoint_capacity];
        if (newest->frame == e->state.frame) return;
    }
    if (e->checkpoint_end - e->checkpoint_begin == e->checkpoint_capacity) e->checkpoint_begin++;
    drone_state *slot = &e->checkpoints[e->checkpoint_end % e->checkpoint_capacity];
    // Only the clicks that sound: most checkpoints are a few hundred bytes.
    size_t used = offsetof(drone_state, clicks) + e->state.click_count * sizeof(drone_click);
    memcpy(slot, &e->state, used);
    e->checkpoint_end++;
}

/// The tone that goes on under a new level or pitch, or a free one, or the one that has faded furthest.
static drone_tone *tone_for(drone_engine *e, const drone_item *item) DRONE_REALTIME {
    drone_tone *tones = e->state.tones;
    for (int i = 0; i < DRONE_TONES; i++)
        if (tones[i].sounding && tones[i].table == item->table && tones[i].level.to > 0) return &tones[i];
    for (int i = 0; i < DRONE_TONES; i++)
        if (tones[i].sounding && tones[i].table == item->table) return &tones[i];
    drone_tone *quietest = &tones[0];
    for (int i = 0; i < DRONE_TONES; i++) {
        if (!tones[i].sounding) return &tones[i];
        if (drone_ramp_at(&tones[i].level, e->state.frame) < drone_ramp_at(&quietest->level, e->state.frame))
            quietest = &tones[i];
    }
    quietest->sounding = false;
    return quietest;
}

static void begin_tone(drone_engine *e, const drone_item *item) DRONE_REALTIME {
    int64_t frame = item->frame;
    drone_tone *chosen = tone_for(e, item);
    uint64_t phase = 0;
    double level = 0;
    // The new tone takes the phase of what sounds, so that a crossfade does not cancel.
    for (int i = 0; i < DRONE_TONES; i++) {
        drone_tone *t = &e->state.tones[i];
        if (!t->sounding) continue;
        uint64_t phase_now = t->phase + t->step * (uint64_t)(frame - t->anchor);
        if (t == chosen || (!chosen->sounding && t->level.to > 0)) phase = phase_now;
        if (t == chosen) {
            level = drone_ramp_at(&t->level, frame);
        } else if (t->level.to > 0) {
            t->level = (drone_ramp){drone_ramp_at(&t->level, frame), 0, frame, item->ramp_frames};
        }
    }
    if (item->level == 0 && !chosen->sounding) return;
    *chosen = (drone_tone){
        .level = {level, item->level, frame, item->ramp_frames},
        .anchor = frame,
        .phase = phase,
        .step = item->step,
        .table = item->table,
        .sounding = true,
    };
}

static void apply_events(drone_engine *e) DRONE_REALTIME {
    for (; e->log_next < e->log_end; e->log_next++) {
        const drone_item *item = &e->log[e->log_next % DRONE_LOG_EVENTS];
        if (item->frame > e->state.frame) return;
        if (item->kind == DRONE_EVENT_TONE) {
            begin_tone(e, item);
        } else if (e->state.click_count == DRONE_VOICES) {
            e->state.dropped++;
        } else {
            e->state.clicks[e->state.click_count++] = (drone_click){
                .sample = item->sample, .frame = item->frame, .fraction = item->fraction, .level = item->level};
            e->state.clicks_begun++;
        }
    }
}

/// The samples of the next frames, at most to the next event, checkpoint or MIX_FRAMES. Returns how many.
static uint32_t mix_some(drone_engine *e, uint32_t limit) DRONE_REALTIME {
    drone_state *s = &e->state;
    int64_t checkpoint = floor_multiple(s->frame, DRONE_CHECKPOINT_FRAMES);
    if (checkpoint == s->frame || e->checkpoint_begin == e->checkpoint_end) save_checkpoint(e);
    apply_events(e);

    int64_t end = s->frame + (limit < MIX_FRAMES ? limit : MIX_FRAMES);
    if (end > checkpoint + DRONE_CHECKPOINT_FRAMES) end = checkpoint + DRONE_CHECKPOINT_FRAMES;
    if (e->log_next < e->log_end) {
        int64_t next = e->log[e->log_next % DRONE_LOG_EVENTS].frame;
        if (end > next) end = next;
    }
    uint32_t frames = (uint32_t)(end - s->frame);
    memset(e->mix, 0, frames * sizeof *e->mix);
    for (int i = 0; i < DRONE_TONES; i++)
        if (s->tones[i].sounding) drone_tone_add(&s->tones[i], s->frame, e->mix, frames);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->click_count; i++) {
        if (drone_click_add(&s->clicks[i], s->frame, e->mix, frames)) s->clicks[kept++] = s->clicks[i];
    }
    s->click_count = kept;
    s->frame = end;
    return frames;
}

void drone_render(drone_engine *e, void *out, uint32_t frames) DRONE_REALTIME {
    uint8_t *bytes = out;
    uint32_t bytes_per_frame = e->config.channels * drone_format_bytes(e->config.format);
    accept(e, true);
    while (frames > 0) {
        int64_t first = e->state.frame;
        uint32_t n = mix_some(e, frames);
        drone_quantize(e->mix, bytes, n, e->config.channels, e->config.format, first);
        bytes += (size_t)n * bytes_per_frame;
        frames -= n;
    }
    retire(e);
    publish(e);
}

int drone_seek(drone_engine *e, int64_t frame) DRONE_REALTIME {
    if (frame < e->state.frame) {
        uint64_t found = e->checkpoint_end;
        while (found > e->checkpoint_begin && e->checkpoints[(found - 1) % e->checkpoint_capacity].frame > frame)
            found--;
        if (found == e->checkpoint_begin) return DRONE_ERR_DEPTH;
        const drone_state *saved = &e->checkpoints[(found - 1) % e->checkpoint_capacity];
        memcpy(&e->state, saved, offsetof(drone_state, clicks) + saved->click_count * sizeof(drone_click));
        e->checkpoint_end = found;
        while (e->log_next > e->log_begin && e->log[(e->log_next - 1) % DRONE_LOG_EVENTS].frame >= e->state.frame)
            e->log_next--;
    } else {
        accept(e, true);
    }
    while (e->state.frame < frame) {
        int64_t left = frame - e->state.frame;
        mix_some(e, left < MIX_FRAMES ? (uint32_t)left : MIX_FRAMES);
    }
    publish(e);
    return DRONE_OK;
}

void drone_skip(drone_engine *e, int64_t frame, uint32_t fade_frames) DRONE_REALTIME {
    drone_state *s = &e->state;
    accept(e, true);
    if (frame > s->frame) {
        for (; e->log_next < e->log_end; e->log_next++) {
            const drone_item *item = &e->log[e->log_next % DRONE_LOG_EVENTS];
            if (item->frame >= frame) break;
            s->frame = item->frame > s->frame ? item->frame : s->frame;
            if (item->kind == DRONE_EVENT_TONE)
                begin_tone(e, item);
            else
                s->skipped++;
        }
        s->click_count = 0;
        s->frame = frame;
        // What lies before cannot be played any more: nobody goes back there.
        e->checkpoint_begin = e->checkpoint_end;
    }
    for (int i = 0; i < DRONE_TONES; i++)
        if (s->tones[i].sounding) s->tones[i].level = (drone_ramp){0, s->tones[i].level.to, s->frame, fade_frames};
    retire(e);
    publish(e);
}
