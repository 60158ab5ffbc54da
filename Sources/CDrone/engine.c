/// The engine's control side: making and freeing it, tables and samples, and queuing events.
#include <math.h>

#include "engine.h"

enum {
    /// Room that is reserved for transactions that replace events, so that a command never waits for a dense score.
    RESERVE = 256,
};

/// The lane that a channel needs; `order` counts the channels of the drone.
static drone_lane lane_for(const drone_config *config, uint32_t channel, uint32_t *order) {
    uint32_t all = config->channels == 32 ? UINT32_MAX : (1u << config->channels) - 1;
    uint32_t clicks = config->click_channels ? config->click_channels : all;
    uint32_t drone = (config->drone_channels ? config->drone_channels : all) & ~config->timecode_channels;
    if (config->timecode_channels >> channel & 1) return (drone_lane){.voices = DRONE_TIMECODE_LANE};
    bool alone = (drone & (drone - 1)) == 0;
    drone_lane lane = {.side = DRONE_NONE};
    for (uint32_t voice = 0; voice < DRONE_VOICES; voice++) {
        uint32_t own = voice > 0 ? config->voice_channels[voice] : 0;
        lane.voices |= ((own ? own : clicks) >> channel & 1) << voice;
    }
    if (drone >> channel & 1) lane.side = alone ? DRONE_ALL : (*order)++ % 2 == 0 ? DRONE_LEFT : DRONE_RIGHT;
    return lane;
}

/// Finds the lanes that the channels need, and which lane each channel carries.
static void lay_out_lanes(drone_engine *e) {
    drone_lane wanted[32];
    uint32_t order = 0;
    for (uint32_t c = 0; c < e->config.channels; c++) wanted[c] = lane_for(&e->config, c, &order);
    for (uint32_t c = 0; c < e->config.channels; c++) {
        // The channels with the same voices come with the first of them.
        bool is_first = true;
        for (uint32_t before = 0; before < c; before++) is_first &= wanted[before].voices != wanted[c].voices;
        uint32_t begin = e->lane_count;
        for (uint32_t d = c; is_first && d < e->config.channels; d++) {
            if (wanted[d].voices != wanted[c].voices) continue;
            uint32_t found = begin;
            while (found < e->lane_count && e->lanes[found].side != wanted[d].side) found++;
            if (found == e->lane_count) e->lanes[e->lane_count++] = wanted[d];
            e->lane_of_channel[d] = (uint8_t)found;
        }
    }
}

bool drone_is_valid(const drone_config *c) {
    if (c->rate < 8000 || c->rate > 384000 || c->channels < 1 || c->channels > 32) return false;
    if ((int)c->format < DRONE_S16 || c->format > DRONE_F32 || c->rewind_frames > 10 * c->rate) return false;
    uint32_t named = c->click_channels | c->drone_channels | c->timecode_channels;
    for (uint32_t voice = 1; voice < DRONE_VOICES; voice++) named |= c->voice_channels[voice];
    return c->channels == 32 || named >> c->channels == 0;
}

drone_engine *drone_engine_create(const drone_config *config, int *error) {
    *error = DRONE_ERR_ARGUMENT;
    if (!drone_is_valid(config)) return NULL;
    *error = DRONE_ERR_MEMORY;
    drone_engine *e = drone_memory_create(sizeof *e);
    if (!e) return NULL;
    atomic_store(&e->owners, 1);
    e->config = *config;
    lay_out_lanes(e);
    e->lookahead = config->rate / 1000;
    e->ceiling = drone_format_ceiling(config->format);
    e->release = 1 - exp(-1 / (0.080 * config->rate));
    e->window_frames = e->lookahead + DRONE_MIX_FRAMES;
    e->window = drone_memory_create((size_t)e->window_frames * e->lane_count * sizeof *e->window);
    e->checkpoint_capacity = (config->rewind_frames + e->lookahead) / DRONE_CHECKPOINT_FRAMES + 3;
    e->checkpoints = drone_memory_create(e->checkpoint_capacity * sizeof *e->checkpoints);
    e->checkpoint_windows =
        drone_memory_create(e->checkpoint_capacity * e->lookahead * e->lane_count * sizeof *e->checkpoint_windows);
    bool has_queue = drone_ring_create(&e->queue, DRONE_QUEUE_ENTRIES, sizeof(drone_queue_entry));
    if (!has_queue || !e->window || !e->checkpoints || !e->checkpoint_windows) {
        drone_engine_destroy(e);
        return NULL;
    }
    e->state.frame = e->next = config->first_frame;
    e->state.silent_frames = e->lookahead;
    drone_rest_limiters(e);
    e->horizon = INT64_MIN;
    e->end = INT64_MAX;
    atomic_store(&e->queue_limit, DRONE_LOG_EVENTS);
    drone_publish(e);
    *error = DRONE_OK;
    return e;
}

drone_engine *drone_engine_keep(drone_engine *e) {
    atomic_fetch_add(&e->owners, 1);
    return e;
}

void drone_engine_destroy(drone_engine *e) {
    if (!e || atomic_fetch_sub(&e->owners, 1) > 1) return;
    for (drone_wavetable *t = e->wavetables; t;) {
        drone_wavetable *next = t->next;
        drone_memory_free(t);
        t = next;
    }
    for (drone_sample *s = e->samples; s;) {
        drone_sample *next = s->next;
        drone_memory_free(s);
        s = next;
    }
    drone_ring_free(&e->queue);
    drone_memory_free(e->window);
    drone_memory_free(e->checkpoints);
    drone_memory_free(e->checkpoint_windows);
    drone_memory_free(e);
}

void drone_engine_lock_memory(drone_engine *e) {
    drone_memory_lock(e);
    drone_memory_lock(e->queue.items);
    drone_memory_lock(e->window);
    drone_memory_lock(e->checkpoints);
    drone_memory_lock(e->checkpoint_windows);
    for (drone_wavetable *t = e->wavetables; t; t = t->next) drone_memory_lock(t);
    for (drone_sample *s = e->samples; s; s = s->next) drone_memory_lock(s);
    e->locks_memory = true;
}

// ---------------------------------------------------------------------------------------------------
// Tables and samples

static const drone_wavetable *wavetable_for(drone_engine *e, const drone_tone_event *tone, double highest) {
    uint32_t harmonics = drone_harmonics(highest, e->config.rate);
    for (drone_wavetable *t = e->wavetables; t; t = t->next)
        if (t->waveform == tone->waveform && t->harmonics == harmonics && t->brightness == tone->brightness) return t;
    drone_wavetable *t = drone_wavetable_create(tone->waveform, harmonics, tone->brightness, e->config.rate);
    if (!t) return NULL;
    if (e->locks_memory) drone_memory_lock(t);
    t->next = e->wavetables;
    e->wavetables = t;
    return t;
}

static drone_sample *keep_sample(drone_engine *e, drone_sample *s) {
    if (e->locks_memory) drone_memory_lock(s);
    s->next = e->samples;
    e->samples = s;
    return s;
}

static drone_sample *click_for(drone_engine *e, drone_sound sound, double pitch, double length) {
    for (drone_sample *s = e->samples; s; s = s->next)
        if (s->number == 0 && s->sound == sound && s->pitch == pitch && s->length == length) return s;
    drone_sample *s = drone_click_synthesize(sound, pitch, length, e->config.rate);
    return s ? keep_sample(e, s) : NULL;
}

uint32_t drone_sample_add(drone_engine *e, const float *points, uint32_t frames, uint32_t phases) {
    if (frames < 1 || frames > 60 * e->config.rate || phases < 1 || phases > 64) return 0;
    drone_sample *s = drone_sample_create(frames, phases);
    if (!s) return 0;
    for (uint64_t i = 0; i < (uint64_t)frames * phases; i++) *drone_sample_point(s, i) = points[i];
    s->number = ++e->samples_added;
    return keep_sample(e, s)->number;
}

/// Frees samples that have been released and cannot be heard any more. An undecided event may still name such a sample,
/// but its transaction begins too early: it is refused without a look at its events.
static void sweep_samples(drone_engine *e) {
    int64_t oldest = atomic_load_explicit(&e->published_oldest, memory_order_acquire);
    for (drone_sample **at = &e->samples; *at;) {
        drone_sample *s = *at;
        if (s->released && s->end_frame < oldest) {
            *at = s->next;
            drone_memory_free(s);
        } else {
            at = &s->next;
        }
    }
}

void drone_sample_release(drone_engine *e, uint32_t sample) {
    for (drone_sample *s = e->samples; s; s = s->next)
        if (s->number == sample && sample != 0) s->released = true;
    sweep_samples(e);
}

uint32_t drone_sample_count(const drone_engine *e) {
    uint32_t count = 0;
    for (const drone_sample *s = e->samples; s; s = s->next) count++;
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Events

static bool within(double x, double low, double high) { return x >= low && x <= high; }
static bool is_fraction(double x) { return x >= 0 && x < 1; }

/// Makes an event play a sample, which is kept until the event has been heard.
static int use_sample(drone_prepared_event *prepared, drone_sample *sample, double fraction) {
    int64_t end = prepared->frame + (int64_t)sample->length_frames + 2;
    if (end > sample->end_frame) sample->end_frame = end;
    prepared->fraction = fraction;
    prepared->sample = sample;
    return DRONE_OK;
}

static int take_click(drone_engine *e, const drone_click_event *click, drone_prepared_event *prepared) {
    double pitch = click->pitch == 0 ? 1 : click->pitch, length = click->length == 0 ? 1 : click->length;
    if (!is_fraction(click->fraction) || (unsigned)click->sound >= DRONE_SOUND_COUNT || !within(pitch, 0.25, 4) ||
        !within(length, 0.1, 4) || click->voice >= DRONE_VOICES)
        return DRONE_ERR_ARGUMENT;
    prepared->voice = click->voice;
    drone_sample *sample = click_for(e, click->sound, pitch, length);
    return sample ? use_sample(prepared, sample, click->fraction) : DRONE_ERR_MEMORY;
}

static int take_sample(drone_engine *e, const drone_sample_event *event, drone_prepared_event *prepared) {
    if (!is_fraction(event->fraction) || event->voice >= DRONE_VOICES) return DRONE_ERR_ARGUMENT;
    prepared->voice = event->voice;
    for (drone_sample *s = e->samples; s; s = s->next)
        if (s->number == event->sample && s->number != 0 && !s->released) return use_sample(prepared, s, event->fraction);
    return DRONE_ERR_ARGUMENT;
}

static int take_tone(drone_engine *e, const drone_tone_event *tone, drone_prepared_tone *prepared) {
    if (!within(tone->hertz, 1, e->config.rate / 2.0) || (unsigned)tone->waveform >= DRONE_WAVEFORM_COUNT ||
        tone->ramp_frames > INT32_MAX || tone->note >= DRONE_NOTES || !within(tone->pan, -1, 1) ||
        !within(tone->brightness, -1, 1) || !within(tone->beating, 0, 20) || !drone_tone_shape_is_valid(&tone->shape))
        return DRONE_ERR_ARGUMENT;
    *prepared = (drone_prepared_tone){
        .pan = tone->pan, .shape = tone->shape, .ramp_frames = tone->ramp_frames, .note = (uint8_t)tone->note,
        .crossfade = tone->crossfade};
    double steps_per_hertz = 0x1p64 / e->config.rate, highest = tone->hertz + tone->beating;
    prepared->steps[0] = (uint64_t)(tone->hertz / e->config.rate * 0x1p64);
    if (tone->beating > 0 && highest < e->config.rate / 2.0) {
        prepared->steps[1] = (uint64_t)(highest * steps_per_hertz);
        // Not a simple fraction of the first copy's beat, so that the pattern of the beats does not repeat.
        double below = tone->hertz - tone->beating * 0.6180339887;
        if (tone->waveform == DRONE_STRINGS && below > 0) prepared->steps[2] = (uint64_t)(below * steps_per_hertz);
    }
    if (tone->waveform == DRONE_SINE) return DRONE_OK;
    prepared->table = wavetable_for(e, tone, highest);
    return prepared->table ? DRONE_OK : DRONE_ERR_MEMORY;
}

static int take_timecode(const drone_timecode_event *timecode, drone_prepared_event *prepared) {
    uint32_t numbers = timecode->numbers_per_second;
    // Faster words would have bits shorter than four frames.
    bool is_slow = (double)timecode->step * 320 <= 0x1p64;
    if (!is_fraction(timecode->fraction) || (numbers != 24 && numbers != 25 && numbers != 30) || !is_slow ||
        (timecode->drops && numbers != 30))
        return DRONE_ERR_ARGUMENT;
    prepared->fraction = timecode->fraction;
    prepared->timecode = *timecode;
    return DRONE_OK;
}

/// Fills in the fields that an event of its kind needs.
static int take_event(drone_engine *e, const drone_event *event, drone_prepared_event *prepared) {
    switch (event->kind) {
    case DRONE_EVENT_CLICK: return take_click(e, &event->click, prepared);
    case DRONE_EVENT_TONE: return take_tone(e, &event->tone, &prepared->tone);
    case DRONE_EVENT_SAMPLE: return take_sample(e, &event->sample, prepared);
    case DRONE_EVENT_TIMECODE: return take_timecode(&event->timecode, prepared);
    }
    return DRONE_ERR_ARGUMENT;
}

/// Opens a transaction; its other fields are filled in when it is committed.
static int open_transaction(drone_engine *e, drone_change change, int64_t frame) {
    drone_queue_entry *entry = drone_ring_stage(&e->queue);
    if (!entry) return DRONE_ERR_FULL;
    e->open = &entry->transaction;
    *e->open = (drone_transaction){.change = change, .frame = frame};
    e->last_pushed_frame = frame;
    e->last_pushed_fraction = 0;
    return DRONE_OK;
}

int drone_begin(drone_engine *e, int64_t frame) {
    drone_ring_unstage(&e->queue);
    e->open = NULL;
    return open_transaction(e, DRONE_REPLACES, frame);
}

int drone_push(drone_engine *e, const drone_event *event) {
    if (!within(event->level, 0, 1)) return DRONE_ERR_ARGUMENT;
    drone_prepared_event prepared = {.frame = event->frame, .level = event->level, .kind = event->kind};
    int status = take_event(e, event, &prepared);
    if (status != DRONE_OK) return status;
    bool is_behind = prepared.frame < e->last_pushed_frame ||
        (prepared.frame == e->last_pushed_frame && prepared.fraction < e->last_pushed_fraction);
    if (e->open && is_behind) return DRONE_ERR_ORDER;
    if (drone_space(e) == 0) return DRONE_ERR_FULL;
    if (!e->open && (status = open_transaction(e, DRONE_CONTINUES, prepared.frame)) != DRONE_OK) return status;
    drone_queue_entry *entry = drone_ring_stage(&e->queue);
    if (!entry) return DRONE_ERR_FULL;
    entry->event = prepared;
    e->open->count++;
    e->last_pushed_frame = prepared.frame;
    e->last_pushed_fraction = prepared.fraction;
    return DRONE_OK;
}

uint32_t drone_commit(drone_engine *e, int64_t horizon, int64_t end) {
    if (!e->open && open_transaction(e, DRONE_CONTINUES, INT64_MAX) != DRONE_OK) return 0;
    if (++e->committed == 0) e->committed = 1;
    e->open->number = e->committed;
    e->open->horizon = horizon;
    e->open->end = end;
    e->open = NULL;
    drone_ring_publish(&e->queue);
    return e->committed;
}

drone_verdict drone_read_verdict(const drone_engine *e) {
    uint64_t verdict = atomic_load_explicit(&e->verdict, memory_order_acquire);
    return (drone_verdict){.number = (uint32_t)(verdict >> 1), .taken = verdict & 1};
}

uint32_t drone_space(const drone_engine *e) {
    // The limit is loaded first: it only grows, so that an older value is on the safe side.
    uint32_t limit = atomic_load_explicit(&e->queue_limit, memory_order_acquire);
    int64_t in_log = (int32_t)(limit - e->queue.staged);
    int64_t in_queue = drone_ring_room(&e->queue);
    int64_t space = in_log < in_queue ? in_log : in_queue;
    if (!e->open) space -= 1;
    if (!e->open || e->open->change == DRONE_CONTINUES) space -= RESERVE;
    return space > 0 ? (uint32_t)space : 0;
}

drone_counters drone_read_counters(const drone_engine *e) {
    drone_counters counters;
    drone_shared_read(&e->published_counters, &counters, sizeof counters);
    return counters;
}

uint32_t drone_bytes_per_frame(const drone_engine *e) {
    return e->config.channels * drone_format_bytes(e->config.format);
}
