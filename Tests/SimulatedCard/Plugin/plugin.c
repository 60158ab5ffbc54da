/// Opens the simulated card as an ioplug of ALSA.
// For dladdr.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include "card.h"

int card_constrain(snd_pcm_ioplug_t *io, const card_settings *s) {
    static const unsigned accesses[] = {
        SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_RW_NONINTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    unsigned narrowest = 64, widest = 0;
    for (unsigned i = 0; i < s->format_count; i++) {
        unsigned bytes = (unsigned)snd_pcm_format_physical_width((snd_pcm_format_t)s->formats[i]) / 8;
        if (bytes < narrowest) narrowest = bytes;
        if (bytes > widest) widest = bytes;
    }
    narrowest *= s->channels_min;
    widest *= s->channels_max;
    const struct {
        int what;
        unsigned min, max;
    } bounds[] = {
        {SND_PCM_IOPLUG_HW_CHANNELS, s->channels_min, s->channels_max},
        {SND_PCM_IOPLUG_HW_PERIOD_BYTES, s->period_min * narrowest, s->period_max * widest},
        {SND_PCM_IOPLUG_HW_BUFFER_BYTES, s->buffer_min * narrowest, s->buffer_max * widest},
        {SND_PCM_IOPLUG_HW_PERIODS, s->periods_min, s->periods_max},
    };
    unsigned access_count = sizeof accesses / sizeof *accesses;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, access_count, accesses);
    if (error == 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, s->format_count, s->formats);
    if (error == 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_RATE, s->rate_count, s->rates);
    for (size_t i = 0; error == 0 && i < sizeof bounds / sizeof *bounds; i++)
        error = snd_pcm_ioplug_set_param_minmax(io, bounds[i].what, bounds[i].min, bounds[i].max);
    return error;
}

/// Refuses to open a card that is busy, away or held.
static int admit(card *c, int64_t now) {
    card_memory *memory = c->identity.memory;
    if (!memory->has_opened) {
        memory->has_opened = true;
        memory->first_open_ns = now;
    }
    if (now - memory->first_open_ns < (int64_t)(c->settings.busy_for * 1e6)) {
        recording_note(&c->recording, now, "refused busy");
        return -EBUSY;
    }
    if (!card_catch_up(c, now)) {
        recording_note(&c->recording, now, "refused away");
        return -ENODEV;
    }
    int error = identity_hold(&c->identity);
    if (error < 0) recording_note(&c->recording, now, "refused held");
    return error;
}

/// The memory of the cards is in this library, so it must stay loaded even when alsa-lib empties its cache.
static void stay_loaded(void) {
    static const char here;
    Dl_info info;
    if (dladdr(&here, &info) != 0) dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static int open_card(card *c, snd_pcm_t **pcm, const char *name, snd_config_t *definition, snd_pcm_stream_t stream,
    int mode) {
    int error = settings_read(&c->settings, name, definition);
    if (error == 0) error = recording_open(&c->recording, c->settings.record);
    if (error == 0) error = identity_find(&c->identity, &c->settings);
    if (error == 0) error = card_plan(c);
    if (error == 0 && card_time_is_simulated() && !(mode & SND_PCM_NONBLOCK)) {
        SNDERR("simcard: in simulated time, open with SND_PCM_NONBLOCK: alsa-lib would wait in real time");
        error = -EINVAL;
    }
    if (error == 0) error = card_trouble(c, SIMULATED_CARD_OPEN);
    int64_t now = card_now();
    if (error == 0) error = admit(c, now);
    if (error < 0) return error;
    const card_memory *memory = c->identity.memory;
    c->crystal = crystal_make(&c->settings, memory->first_open_ns);
    if (memory->has_started) crystal_begin(&c->crystal, &c->settings, memory->first_start_ns);
    error = interrupts_open(&c->interrupts, c->settings.interrupts_come_from_outside);
    if (error < 0) return error;
    c->stamps_are_monotonic = c->settings.has_monotonic_stamps;
    c->callbacks = card_callbacks;
    if (!c->settings.can_pause) c->callbacks.pause = NULL;
    c->io = (snd_pcm_ioplug_t){
        .version = SND_PCM_IOPLUG_VERSION,
        .name = c->settings.says ? c->settings.says : "Barline's simulated card",
        .flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | (c->settings.has_monotonic_stamps ? SND_PCM_IOPLUG_FLAG_MONOTONIC : 0),
        .poll_fd = c->interrupts.fd,
        .poll_events = POLLIN,
        .callback = &c->callbacks,
        .private_data = c,
    };
    error = snd_pcm_ioplug_create(&c->io, name, stream, mode);
    if (error < 0) return error;
    // alsa-lib does not tell a plugin that it was opened non-blocking; a drain would wait in real time.
    if (card_time_is_simulated()) c->io.nonblock = 1;
    recording_note(&c->recording, now, "open");
    error = card_constrain(&c->io, &c->settings);
    if (error < 0) {
        // Closing calls `on_close`, which destroys the card.
        snd_pcm_ioplug_delete(&c->io);
        return 1;
    }
    card_enlist(c);
    *pcm = c->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(simcard) {
    (void)root;
    stay_loaded();
    if (stream == SND_PCM_STREAM_CAPTURE) return microphone_open(pcmp, name, conf, mode);
    card *c = calloc(1, sizeof *c);
    if (!c) return -ENOMEM;
    c->interrupts.fd = c->identity.fd = -1;
    c->recording = (recording){.samples_fd = -1, .rows_fd = -1, .events_fd = -1};
    pthread_mutex_init(&c->lock, NULL);
    int error = open_card(c, pcmp, name, conf, stream, mode);
    if (error < 0) card_destroy(c);
    return error > 0 ? -EINVAL : error;
}

SND_PCM_PLUGIN_SYMBOL(simcard)
