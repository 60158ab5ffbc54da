/// The engine's audio side: events in, frames out. A frame is a function of its number and the events before it. The
/// state is copied into checkpoints, so that rendering can begin again at an earlier frame.
#include <string.h>

#include "engine.h"

static int64_t floor_multiple(int64_t frame, int64_t of) DRONE_REALTIME {
    int64_t remainder = frame % of;
    return frame - (remainder < 0 ? remainder + of : remainder);
}

/// An event of the log.
static drone_prepared_event *logged(drone_engine *e, uint64_t position) DRONE_REALTIME {
    return &e->log[position % DRONE_LOG_EVENTS];
}

/// The earliest frame that a seek can still reach.
static int64_t oldest_frame(const drone_engine *e) DRONE_REALTIME {
    return e->checkpoint_begin == e->checkpoint_end
        ? e->state.frame
        : e->checkpoints[e->checkpoint_begin % e->checkpoint_capacity].frame;
}

void drone_publish(drone_engine *e) DRONE_REALTIME {
    atomic_store_explicit(&e->published_oldest, oldest_frame(e), memory_order_release);
    uint32_t room = DRONE_LOG_EVENTS - (uint32_t)(e->log_end - e->log_begin);
    atomic_store_explicit(&e->queue_limit, drone_ring_head(&e->queue) + room, memory_order_release);
    drone_counters counters = e->state.counters;
    counters.frame = e->next;
    drone_shared_write(&e->published_counters, &counters, sizeof counters);
}

int64_t drone_horizon(const drone_engine *e) DRONE_REALTIME { return e->horizon; }

int64_t drone_end(const drone_engine *e) DRONE_REALTIME { return e->end; }

const drone_config *drone_engine_config(const drone_engine *e) DRONE_REALTIME { return &e->config; }

int64_t drone_next_frame(const drone_engine *e) DRONE_REALTIME { return e->next; }

// ---------------------------------------------------------------------------------------------------
// Checkpoints

static double *checkpoint_window(drone_engine *e, uint64_t checkpoint) DRONE_REALTIME {
    return e->checkpoint_windows + checkpoint % e->checkpoint_capacity * e->lookahead * e->lane_count;
}

/// Copies the part of a state that is in use, mostly a few hundred bytes.
static void copy_state(drone_mix_state *to, const drone_mix_state *from) DRONE_REALTIME {
    memcpy(to, from, offsetof(drone_mix_state, tones) + from->tone_count * sizeof(drone_tone));
    memcpy(to->clicks, from->clicks, from->click_count * sizeof(drone_click));
}

static void save_checkpoint(drone_engine *e) DRONE_REALTIME {
    if (e->checkpoint_end > e->checkpoint_begin) {
        const drone_mix_state *newest = &e->checkpoints[(e->checkpoint_end - 1) % e->checkpoint_capacity];
        if (newest->frame == e->state.frame) return;
    }
    if (e->checkpoint_end - e->checkpoint_begin == e->checkpoint_capacity) e->checkpoint_begin++;
    copy_state(&e->checkpoints[e->checkpoint_end % e->checkpoint_capacity], &e->state);
    if (e->state.silent_frames < e->lookahead) {
        double *kept = checkpoint_window(e, e->checkpoint_end);
        for (uint32_t lane = 0; lane < e->lane_count; lane++)
            memcpy(kept + lane * e->lookahead, e->window + lane * e->window_frames, e->lookahead * sizeof *kept);
    }
    e->checkpoint_end++;
}

/// Goes back to the newest checkpoint at or before `frame`. False if there is none.
static bool restore(drone_engine *e, int64_t frame) DRONE_REALTIME {
    uint64_t found = e->checkpoint_end;
    while (found > e->checkpoint_begin && e->checkpoints[(found - 1) % e->checkpoint_capacity].frame > frame) found--;
    if (found == e->checkpoint_begin) return false;
    copy_state(&e->state, &e->checkpoints[(found - 1) % e->checkpoint_capacity]);
    const double *kept = checkpoint_window(e, found - 1);
    for (uint32_t lane = 0; lane < e->lane_count; lane++) {
        double *window = e->window + lane * e->window_frames;
        if (e->state.silent_frames < e->lookahead)
            memcpy(window, kept + lane * e->lookahead, e->lookahead * sizeof *kept);
        else
            memset(window, 0, e->lookahead * sizeof *kept);
    }
    e->checkpoint_end = found;
    while (e->log_next > e->log_begin && logged(e, e->log_next - 1)->frame >= e->state.frame)
        e->log_next--;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The mix

/// A place for a new click. If there is none, the oldest click ends: it has rung longest and is missed least.
static drone_click *free_click(drone_engine *e) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    if (s->click_count < DRONE_CLICKS) return &s->clicks[s->click_count++];
    if (s->frame - s->clicks[0].frame < e->config.rate / 1000) s->counters.dropped++;
    memmove(s->clicks, s->clicks + 1, (DRONE_CLICKS - 1) * sizeof *s->clicks);
    return &s->clicks[DRONE_CLICKS - 1];
}

/// Applies an event that changes what sounds on; false for a click or a sample, which begins.
static bool apply_change(drone_engine *e, const drone_prepared_event *event) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    switch (event->kind) {
    case DRONE_EVENT_TONE: drone_note_begin(s, event->level, &event->tone, e->config.rate); return true;
    case DRONE_EVENT_TIMECODE:
        drone_timecode_begin(&s->timecode, event->frame, event->level, &event->timecode);
        return true;
    case DRONE_EVENT_CLICK:
    case DRONE_EVENT_SAMPLE: return false;
    }
    return false;
}

static void apply_events(drone_engine *e) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    for (; e->log_next < e->log_end; e->log_next++) {
        const drone_prepared_event *prepared = logged(e, e->log_next);
        if (prepared->frame > s->frame) return;
        if (!apply_change(e, prepared)) {
            *free_click(e) = (drone_click){
                .sample = prepared->sample, .frame = prepared->frame, .fraction = prepared->fraction, .level = prepared->level,
                .voice = prepared->voice};
            s->counters.clicks++;
        }
    }
}

/// Adds all tones and clicks that sound to the lanes, and the timecode.
static void mix_sounds(drone_engine *e, double *const *mix, uint32_t frames) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->tone_count; i++) {
        drone_tone *t = &s->tones[i];
        drone_tone_add(t, s->frame, e->config.rate, e->lanes, e->lane_count, mix, frames);
        if (!t->sounding) continue;
        if (kept != i) s->tones[kept] = *t;
        kept++;
    }
    s->tone_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < s->click_count; i++) {
        bool goes_on = false;
        for (uint32_t lane = 0; lane < e->lane_count; lane++)
            if (e->lanes[lane].voices >> s->clicks[i].voice & 1)
                goes_on = drone_click_add(&s->clicks[i], s->frame, mix[lane], frames);
        if (!goes_on) continue;
        if (kept != i) s->clicks[kept] = s->clicks[i];
        kept++;
    }
    s->click_count = kept;
    for (uint32_t lane = 0; lane < e->lane_count; lane++)
        if (e->lanes[lane].voices == DRONE_TIMECODE_LANE)
            drone_timecode_add(&s->timecode, s->frame, e->config.rate, mix[lane], frames);
}

void drone_rest_limiters(drone_engine *e) DRONE_REALTIME {
    for (uint32_t lane = 0; lane < e->lane_count; lane++)
        e->state.limiters[lane] = (drone_limiter){.gain = 1, .target = 1};
}

/// Limits the lanes. Those that carry the clicks of the same voices get the same gain, so that a stereo image stays
/// where it is; the others are on their own, so that no player's clicks move the drone of another player.
static void limit_lanes(drone_engine *e, double *const *mix, uint32_t frames) DRONE_REALTIME {
    for (uint32_t begin = 0, end; begin < e->lane_count; begin = end) {
        for (end = begin + 1; end < e->lane_count && e->lanes[end].voices == e->lanes[begin].voices;) end++;
        drone_limit(
            &e->state.limiters[begin], mix + begin, end - begin, e->lookahead, frames, e->ceiling, e->release);
    }
}

/// Mixes the next frames, at most to `limit`, the next event or the next checkpoint. Afterwards as many finished
/// frames, `lookahead` before the mixed ones, are at the beginning of each lane. Returns their number; `silent` tells
/// whether all of them are silence.
static uint32_t mix_some(drone_engine *e, int64_t limit, bool *silent) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    int64_t checkpoint = floor_multiple(s->frame, DRONE_CHECKPOINT_FRAMES);
    if (checkpoint == s->frame || e->checkpoint_begin == e->checkpoint_end) save_checkpoint(e);
    apply_events(e);

    int64_t end = checkpoint + DRONE_CHECKPOINT_FRAMES;
    if (end > limit) end = limit;
    if (e->log_next < e->log_end) {
        int64_t next = logged(e, e->log_next)->frame;
        if (end > next) end = next;
    }
    uint32_t frames = (uint32_t)(end - s->frame);
    bool sounds = s->tone_count > 0 || s->click_count > 0 || s->timecode.code.step > 0;
    *silent = !sounds && s->silent_frames >= e->lookahead;
    if (!*silent) {
        double *new[DRONE_LANES], *all[DRONE_LANES];
        for (uint32_t lane = 0; lane < e->lane_count; lane++) {
            all[lane] = e->window + lane * e->window_frames;
            new[lane] = all[lane] + e->lookahead;
            memset(new[lane], 0, frames * sizeof(double));
        }
        // After a silence the limiter starts at rest.
        if (sounds && s->silent_frames >= e->lookahead) drone_rest_limiters(e);
        if (sounds) mix_sounds(e, new, frames);
        limit_lanes(e, all, frames);
    }
    s->silent_frames = sounds ? 0 : s->silent_frames + frames;
    s->frame = end;
    return frames;
}

/// Drops `frames` finished frames from the lanes, which makes room for the next ones after the look-ahead.
static void move_on(drone_engine *e, uint32_t frames) DRONE_REALTIME {
    for (uint32_t lane = 0; lane < e->lane_count; lane++) {
        double *window = e->window + lane * e->window_frames;
        memmove(window, window + frames, e->lookahead * sizeof *window);
    }
}

/// Mixes up to `frame` and discards the finished frames.
static void mix_to(drone_engine *e, int64_t frame) DRONE_REALTIME {
    while (e->state.frame < frame) {
        bool silent;
        uint32_t frames = mix_some(e, frame, &silent);
        if (!silent) move_on(e, frames);
    }
}

// ---------------------------------------------------------------------------------------------------
// The log of events

/// Forgets events that no checkpoint needs any more.
static void retire(drone_engine *e) DRONE_REALTIME {
    int64_t oldest = oldest_frame(e);
    while (e->log_begin < e->log_next && logged(e, e->log_begin)->frame < oldest) e->log_begin++;
}

/// Makes the mix go on from `frame`: frames from there on that are already mixed are mixed again, because their events
/// change. False if `frame` is no longer remembered.
static bool rewind_mix(drone_engine *e, int64_t frame) DRONE_REALTIME {
    if (frame >= e->state.frame) return true;
    if (!restore(e, frame)) return false;
    mix_to(e, frame);
    return true;
}

bool drone_next_transaction(drone_engine *e, int64_t *frame) DRONE_REALTIME {
    const drone_queue_entry *entry = drone_ring_peek(&e->queue, 0);
    if (!entry) return false;
    *frame = entry->transaction.frame;
    return true;
}

static bool is_after(const drone_prepared_event *a, const drone_prepared_event *b) DRONE_REALTIME {
    return a->frame != b->frame ? a->frame > b->frame : a->fraction > b->fraction;
}

/// Drops the events that the transaction replaces, and merges its own, which follow it in the queue, into the log.
static void take(drone_engine *e, const drone_transaction *transaction) DRONE_REALTIME {
    if (transaction->change == DRONE_REPLACES)
        while (e->log_end > e->log_next && logged(e, e->log_end - 1)->frame >= transaction->frame) e->log_end--;
    // From the last event to the first, so that each is moved once. Usually all new events come last, and none is
    // moved.
    uint64_t known = e->log_end;
    e->log_end += transaction->count;
    for (uint32_t left = transaction->count; left > 0;) {
        const drone_queue_entry *entry = drone_ring_peek(&e->queue, left);
        while (known > e->log_next && is_after(logged(e, known - 1), &entry->event)) {
            known--;
            *logged(e, known + left) = *logged(e, known);
        }
        left--;
        *logged(e, known + left) = entry->event;
    }
    e->horizon = transaction->horizon;
    e->end = transaction->end;
}

bool drone_decide(drone_engine *e) DRONE_REALTIME {
    const drone_queue_entry *entry = drone_ring_peek(&e->queue, 0);
    if (!entry) return false;
    drone_transaction transaction = entry->transaction;
    // There is room in the log: all that is in the queue fits (`queue_limit`).
    bool taken = transaction.frame >= e->next && rewind_mix(e, transaction.frame);
    if (taken) take(e, &transaction);
    drone_ring_drop(&e->queue, 1 + transaction.count);
    drone_publish(e);
    atomic_store_explicit(&e->verdict, (uint64_t)transaction.number << 1 | taken, memory_order_release);
    return taken;
}

// ---------------------------------------------------------------------------------------------------
// Rendering

void drone_render(drone_engine *e, void *out, uint32_t frames) DRONE_REALTIME {
    uint8_t *bytes = out;
    uint32_t bytes_per_frame = e->config.channels * drone_format_bytes(e->config.format);
    int64_t end = e->next + frames;
    while (e->next < end) {
        int64_t first = e->state.frame - e->lookahead;
        bool silent;
        uint32_t n = mix_some(e, end + e->lookahead, &silent);
        // After a seek the finished frames begin before the next frame to be rendered.
        uint32_t skipped = first < e->next ? (uint32_t)(e->next - first) : 0;
        if (skipped < n) {
            uint32_t wanted = n - skipped;
            if (silent) {
                memset(bytes, 0, (size_t)wanted * bytes_per_frame);
            } else {
                const double *lanes[DRONE_LANES];
                for (uint32_t lane = 0; lane < e->lane_count; lane++)
                    lanes[lane] = e->window + lane * e->window_frames + skipped;
                drone_quantize(
                    lanes, e->lane_of_channel, bytes, wanted, e->config.channels, e->config.format, e->next);
            }
            bytes += (size_t)wanted * bytes_per_frame;
            e->next += wanted;
        }
        if (!silent) move_on(e, n);
    }
    retire(e);
    drone_publish(e);
}

int drone_seek(drone_engine *e, int64_t frame) DRONE_REALTIME {
    if (frame < e->next && !restore(e, frame)) return DRONE_ERR_DEPTH;
    mix_to(e, frame);
    e->next = frame;
    drone_publish(e);
    return DRONE_OK;
}

/// Leaves out the frames before `frame`, which is after the next frame to be rendered. Changes of the tones in between
/// take effect.
static void leave_out(drone_engine *e, int64_t frame) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    for (; e->log_next < e->log_end; e->log_next++) {
        const drone_prepared_event *prepared = logged(e, e->log_next);
        if (prepared->frame >= frame) break;
        s->frame = prepared->frame > s->frame ? prepared->frame : s->frame;
        if (!apply_change(e, prepared)) s->counters.skipped++;
    }
    s->click_count = 0;
    s->frame = e->next = frame;
    s->silent_frames = e->lookahead;
    drone_rest_limiters(e);
    for (uint32_t lane = 0; lane < e->lane_count; lane++)
        memset(e->window + lane * e->window_frames, 0, e->lookahead * sizeof *e->window);
}

void drone_skip(drone_engine *e, int64_t frame, uint32_t fade_frames) DRONE_REALTIME {
    drone_mix_state *s = &e->state;
    rewind_mix(e, frame > e->next ? frame : e->next);
    if (frame > e->next) leave_out(e, frame);
    for (uint32_t i = 0; i < s->tone_count; i++) {
        drone_tone *t = &s->tones[i];
        for (int side = 0; side < DRONE_SIDES; side++) t->from[side] = 0;
        t->start = s->frame;
        t->frames = fade_frames;
    }
    // The fade is not an event, so the older checkpoints do not know of it: no seek may go back to them.
    e->checkpoint_begin = e->checkpoint_end;
    retire(e);
    drone_publish(e);
}
