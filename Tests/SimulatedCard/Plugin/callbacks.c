/// The callbacks of the simulated card for ALSA.
///
/// How alsa-lib 1.2.8 treats an ioplug, according to its source, and what follows from it:
/// - Rewind and forward move `appl_ptr` without telling the plugin. alsa-lib does not limit them to the frames that can
///   be rewound, as the kernel does, and `rewindable` counts from the pointer as of the last query. The next transfer
///   goes to `appl_ptr`; from this place, the card recognizes the rewind. Frames that are rewound but not written again
///   are played as they were.
/// - `snd_pcm_status` asks for the pointer, takes the time stamp, and then asks for the delay. The stamp is therefore the
///   time of the query, and a plugin cannot set it. With `tstamp step`, the delay is extrapolated to the time of the
///   stamp instead, as the USB driver does: the pair of stamp and delay is then as accurate as one taken at a step.
/// - A plugin reports XRUN, SUSPENDED and DISCONNECTED by setting its state. `snd_pcm_delay` and `snd_pcm_avail_delay`
///   fail in all three states. `snd_pcm_avail_update` and `snd_pcm_avail` fail in XRUN only; so do those of a hardware
///   device, except `snd_pcm_avail`, which asks the kernel. `snd_pcm_status` and `snd_pcm_hwsync` never fail; those of a
///   hardware device fail when the device is gone. `snd_pcm_state` returns the state that the last other call found.
/// - `snd_pcm_resume` returns 0 whatever the plugin returns: only the state shows whether it has resumed.
/// - `snd_pcm_reset` sets the pointers to 0 without telling the plugin. This card does not support it.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

enum {
    /// A pointer no older than this belongs to the same query as the delay.
    SAME_QUESTION_NS = 1000000,
};

static card *enter(snd_pcm_ioplug_t *io) {
    card *c = io->private_data;
    pthread_mutex_lock(&c->lock);
    return c;
}

static int leave(card *c, int result) {
    pthread_mutex_unlock(&c->lock);
    return result;
}

static void arm(card *c, int64_t now) { interrupts_arm(&c->interrupts, card_deadline(c, now), now); }

static int64_t advance(card *c) {
    int64_t now = card_now();
    card_advance(c, now);
    return now;
}

// ---------------------------------------------------------------------------------------------------
// Callbacks

static int on_start(snd_pcm_ioplug_t *io) {
    int trouble = card_trouble(io->private_data, SIMULATED_CARD_START);
    if (trouble < 0) return trouble;
    card *c = enter(io);
    int64_t now = advance(c);
    int error = card_error(c);
    if (error == 0 && c->refused_starts < c->settings.refuses_start) {
        c->refused_starts++;
        recording_note(&c->recording, now, "refused start");
        error = -EAGAIN;
    }
    // The kernel does not start a device without frames, unless underruns do not stop it.
    if (error == 0 && card_written(c) <= 0 && c->stop_threshold < c->boundary) error = -EPIPE;
    if (error < 0) return leave(c, error);
    card_begin(c, now);
    c->trigger_ns = now;
    // alsa-lib sets the state to RUNNING after this call; it is set here so that a poll waits for the first period.
    io->state = SND_PCM_STATE_RUNNING;
    arm(c, now);
    return leave(c, interrupts_begin(c));
}

static int on_stop(snd_pcm_ioplug_t *io) {
    // A drain ends here as well. alsa-lib ignores the result.
    if (io->state != SND_PCM_STATE_DRAINING) card_trouble(io->private_data, SIMULATED_CARD_DROP);
    card *c = enter(io);
    int64_t now = advance(c);
    if (c->running) recording_note(&c->recording, now, "stop position=%lld", (long long)c->captured);
    card_finish(c, io->state == SND_PCM_STATE_DRAINING);
    c->trigger_ns = now;
    c->stops++;
    recording_flush(&c->recording);
    leave(c, 0);
    card_tell_stopped();
    return 0;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
    card *c = enter(io);
    c->asked_ns = advance(c);
    c->delay_is_due = true;
    c->pointers++;
    snd_pcm_sframes_t pointer = c->boundary > 0 ? c->reported % c->boundary : 0;
    pthread_mutex_unlock(&c->lock);
    return pointer;
}

static int on_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    card *c = io->private_data;
    pthread_mutex_lock(&c->lock);
    bool is_same = c->delay_is_due && card_now() - c->asked_ns < SAME_QUESTION_NS;
    pthread_mutex_unlock(&c->lock);
    // alsa-lib's lock is held, and it is recursive; this calls `on_pointer`.
    if (!is_same) snd_pcm_hwsync(io->pcm);
    enter(io);
    c->delay_is_due = false;
    int64_t behind = card_written(c) - c->reported + c->settings.latency_frames;
    if (c->settings.stamp_is_of_step) behind -= card_since_step(c, c->asked_ns);
    *delay = behind;
    return leave(c, card_error(c));
}

/// Copies frames into the ring at a place, wrapping around as often as needed.
static void take(card *c, const snd_pcm_channel_area_t *areas, int64_t offset, int64_t count, int64_t place) {
    snd_pcm_channel_area_t ring[64];
    for (uint32_t i = 0; i < c->channels; i++) {
        ring[i] = (snd_pcm_channel_area_t){
            .addr = c->ring,
            .first = i * c->bytes_per_sample * 8,
            .step = c->bytes_per_frame * 8,
        };
    }
    while (count > 0) {
        int64_t slot = (place % c->ring_frames + c->ring_frames) % c->ring_frames;
        int64_t part = count < c->ring_frames - slot ? count : c->ring_frames - slot;
        snd_pcm_areas_copy(ring, (snd_pcm_uframes_t)slot, areas, (snd_pcm_uframes_t)offset, c->channels,
            (snd_pcm_uframes_t)part, c->io.format);
        offset += part;
        place += part;
        count -= part;
    }
}

/// A card that cannot be rewound appends, whatever the application's pointer is. PulseAudio's plugin does the same.
static void append(card *c, const snd_pcm_channel_area_t *areas, int64_t offset, int64_t count, int64_t now) {
    int64_t room = c->ring_frames - (c->appended - c->captured);
    if (count > room) recording_note(&c->recording, now, "overflow frames=%lld", (long long)(count - room));
    if (count > room) count = room;
    take(c, areas, offset, count, c->appended);
    c->appended += count;
}

/// Whether it refuses the current write; called once for each write before any frame is taken.
static bool refuses_write(card *c) {
    if (c->refusing > 0) return true;
    if (c->io.state != SND_PCM_STATE_PREPARED || c->refused_writes >= c->settings.again_before_start) return false;
    c->refused_writes++;
    return true;
}

static snd_pcm_sframes_t on_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
    snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    int trouble = card_trouble(io->private_data, SIMULATED_CARD_WRITE);
    if (trouble < 0) return trouble;
    card *c = enter(io);
    int64_t now = advance(c);
    int error = card_error(c);
    if (error < 0) return leave(c, error);
    if (refuses_write(c)) {
        c->refusals++;
        return leave(c, -EAGAIN);
    }
    c->transfers++;
    int64_t place = card_application(c);
    if (place != c->written_to) {
        recording_note(&c->recording, now, "%s frames=%lld position=%lld",
            place < c->written_to ? "rewind" : "forward", (long long)llabs(place - c->written_to),
            (long long)c->captured);
    }
    if (c->settings.rewindable)
        take(c, areas, (int64_t)offset, (int64_t)size, place);
    else
        append(c, areas, (int64_t)offset, (int64_t)size, now);
    c->written_to = place + (int64_t)size;
    // alsa-lib moves the pointer after this call.
    snd_pcm_uframes_t before = io->appl_ptr;
    io->appl_ptr = (before + size) % (snd_pcm_uframes_t)c->boundary;
    // A timer that fires too early is armed again when it does, or before the next poll, so that filling the buffer
    // piece by piece does not set the timer for each piece.
    if (c->interrupts.armed_ns <= now || card_deadline(c, now) < c->interrupts.armed_ns) arm(c, now);
    io->appl_ptr = before;
    pthread_mutex_unlock(&c->lock);
    return (snd_pcm_sframes_t)size;
}

static int on_hw_free(snd_pcm_ioplug_t *io) {
    card *c = enter(io);
    card_finish(c, false);
    recording_flush(&c->recording);
    free(c->ring);
    c->ring = NULL;
    return leave(c, 0);
}

static bool fits(const card_settings *s, const snd_pcm_ioplug_t *io) {
    snd_pcm_uframes_t periods = io->buffer_size / io->period_size;
    return io->period_size >= s->period_min && io->period_size <= s->period_max && io->buffer_size >= s->buffer_min
        && io->buffer_size <= s->buffer_max && periods >= s->periods_min && periods <= s->periods_max;
}

static int on_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    (void)params;
    int trouble = card_trouble(io->private_data, SIMULATED_CARD_SET_UP);
    if (trouble < 0) return trouble;
    card *c = enter(io);
    card_advance(c, card_now());
    int error = card_error(c);
    if (error < 0) return leave(c, error);
    // alsa-lib checks the bounds in bytes; in frames, they can be checked only now.
    if (!fits(&c->settings, io)) return leave(c, -EINVAL);
    c->rate = io->rate;
    c->channels = io->channels;
    c->bytes_per_sample = (uint32_t)snd_pcm_format_physical_width(io->format) / 8;
    c->bytes_per_frame = c->channels * c->bytes_per_sample;
    c->period = (int64_t)io->period_size;
    c->buffer = (int64_t)io->buffer_size;
    c->step_frames = c->settings.is_batch ? c->period : c->settings.step_frames;
    c->step_spread = c->settings.is_batch ? 0 : c->settings.step_spread;
    c->ring_frames = c->settings.rewindable ? c->buffer : 4 * c->buffer;
    free(c->ring);
    c->ring = calloc((size_t)c->ring_frames, c->bytes_per_frame);
    // The staging area must have room for the frames between two rows and for a burst.
    size_t ahead = (size_t)(c->settings.prefetch_frames + card_row_frames(c)) + 4096;
    if (!c->ring || recording_set_up(&c->recording, c->bytes_per_frame, ahead) < 0) return leave(c, -ENOMEM);
    recording_note(&c->recording, card_now(), "set-up format=%s channels=%u rate=%u period=%lld buffer=%lld",
        snd_pcm_format_name(io->format), c->channels, c->rate, (long long)c->period, (long long)c->buffer);
    return leave(c, 0);
}

static int on_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    snd_pcm_uframes_t avail_min, stop, boundary, silence_size;
    if (snd_pcm_sw_params_get_avail_min(params, &avail_min) < 0) return -EINVAL;
    if (snd_pcm_sw_params_get_stop_threshold(params, &stop) < 0) return -EINVAL;
    if (snd_pcm_sw_params_get_boundary(params, &boundary) < 0) return -EINVAL;
    if (snd_pcm_sw_params_get_silence_size(params, &silence_size) < 0) return -EINVAL;
    snd_pcm_tstamp_type_t stamps;
    if (snd_pcm_sw_params_get_tstamp_type(params, &stamps) < 0) return -EINVAL;
    card *c = enter(io);
    c->stamps_are_monotonic = stamps != SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY;
    c->boundary = (int64_t)boundary;
    c->avail_min = avail_min > boundary ? (int64_t)boundary : (int64_t)avail_min;
    if (c->settings.calls_early_frames > 0) {
        c->avail_min -= c->settings.calls_early_frames;
        if (c->avail_min < 1) c->avail_min = 1;
    }
    c->stop_threshold = stop > boundary ? (int64_t)boundary : (int64_t)stop;
    c->silences_played = silence_size >= boundary;
    int64_t now = advance(c);
    arm(c, now);
    return leave(c, card_error(c) == -ENODEV ? -ENODEV : 0);
}

/// A machine that sleeps runs no program: calls for the card wait until it wakes, as in the kernel.
static void wait_until_awake(card *c) {
    pthread_mutex_lock(&c->lock);
    int64_t until = c->asleep_until_ns;
    pthread_mutex_unlock(&c->lock);
    if (until > card_now()) card_sleep_until(until);
}

static int on_prepare(snd_pcm_ioplug_t *io) {
    wait_until_awake(io->private_data);
    int trouble = card_trouble(io->private_data, SIMULATED_CARD_PREPARE);
    if (trouble < 0) return trouble;
    card *c = enter(io);
    card_finish(c, false);
    int64_t now = card_now();
    c->position = 0;
    c->captured = c->heard = c->rowed = 0;
    c->shown = c->reported = c->on_step = 0;
    c->appended = c->written_to = 0;
    c->refused_starts = c->refused_writes = 0;
    card_advance(c, now);
    if (io->state == SND_PCM_STATE_DISCONNECTED) return leave(c, -ENODEV);
    if (!c->settings.starved_is_stale) memset(c->ring, 0, (size_t)c->ring_frames * c->bytes_per_frame);
    io->state = SND_PCM_STATE_PREPARED;
    recording_note(&c->recording, now, "prepare");
    recording_flush(&c->recording);
    arm(c, now);
    return leave(c, 0);
}

static int on_pause(snd_pcm_ioplug_t *io, int enable) {
    card *c = enter(io);
    int64_t now = advance(c);
    int error = card_error(c);
    if (error < 0) return leave(c, error);
    card_rest(c, now, enable != 0);
    recording_note(&c->recording, now, "%s position=%lld", enable ? "pause" : "unpause", (long long)c->captured);
    io->state = enable ? SND_PCM_STATE_PAUSED : SND_PCM_STATE_RUNNING;
    arm(c, now);
    return leave(c, 0);
}

static int on_resume(snd_pcm_ioplug_t *io) {
    wait_until_awake(io->private_data);
    card *c = enter(io);
    if (!c->settings.can_resume || io->state != SND_PCM_STATE_SUSPENDED) return leave(c, -ENOSYS);
    int64_t now = advance(c);
    io->state = c->slept_as;
    if (c->running) card_rest(c, now, io->state == SND_PCM_STATE_PAUSED);
    recording_note(&c->recording, now, "resume position=%lld", (long long)c->captured);
    arm(c, now);
    return leave(c, 0);
}

static int on_poll_descriptors(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned space) {
    if (space == 0 || !fds) return 0;
    card *c = enter(io);
    arm(c, advance(c));
    *fds = (struct pollfd){.fd = c->interrupts.fd, .events = POLLIN};
    return leave(c, 1);
}

static int on_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *events) {
    *events = 0;
    if (count != 1) return -EINVAL;
    if (fds->revents == 0) return 0;
    card *c = enter(io);
    int64_t now = advance(c);
    c->wakes++;
    bool was_unread = c->is_unread;
    c->is_unread = false;
    bool is_due = card_deadline(c, now) <= now;
    interrupts_answer(&c->interrupts, is_due, now);
    c->is_unread = was_unread && is_due;
    if (!is_due) {
        c->spurious++;
    } else {
        switch (io->state) {
        case SND_PCM_STATE_DISCONNECTED: *events = POLLERR | POLLNVAL; break;
        case SND_PCM_STATE_RUNNING:
        case SND_PCM_STATE_PREPARED:
        case SND_PCM_STATE_PAUSED:
        case SND_PCM_STATE_DRAINING: *events = POLLOUT; break;
        default: *events = POLLOUT | POLLERR; break;
        }
    }
    arm(c, now);
    return leave(c, 0);
}

void card_destroy(card *c) {
    recording_close(&c->recording);
    identity_release(&c->identity);
    interrupts_close(&c->interrupts);
    free(c->ring);
    settings_free(&c->settings);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static int on_close(snd_pcm_ioplug_t *io) {
    card *c = io->private_data;
    card_trouble(c, SIMULATED_CARD_CLOSE);
    card_delist(c);
    int64_t now = card_now();
    card_finish(c, false);
    recording_note(&c->recording, now, "close wakes=%llu spurious=%llu transfers=%llu refusals=%llu pointers=%llu",
        (unsigned long long)c->wakes, (unsigned long long)c->spurious, (unsigned long long)c->transfers,
        (unsigned long long)c->refusals, (unsigned long long)c->pointers);
    card_destroy(c);
    return 0;
}

const snd_pcm_ioplug_callback_t card_callbacks = {
    .start = on_start,
    .stop = on_stop,
    .pointer = on_pointer,
    .transfer = on_transfer,
    .close = on_close,
    .hw_params = on_hw_params,
    .hw_free = on_hw_free,
    .sw_params = on_sw_params,
    .prepare = on_prepare,
    .pause = on_pause,
    .resume = on_resume,
    .poll_descriptors = on_poll_descriptors,
    .poll_revents = on_poll_revents,
    .delay = on_delay,
};
