/// Recording: a capture handle that is read without waiting.
// For fallocate.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "drone_capture.h"
#include "drone_output.h"

enum {
    /// The longest that the reading thread may be held up, in ms, and frames that are converted at a time.
    BUFFER_MS = 2000,
    CHUNK_FRAMES = 1024,
    MOST_CHANNELS = 8,
};

struct drone_capture {
    snd_pcm_t *pcm;
    snd_pcm_status_t *status;
    snd_pcm_format_t format;
    uint32_t channels, bytes_per_frame;
    /// Frames read in this run.
    int64_t read;
    uint8_t *raw;
};

static int choose(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, uint32_t rate, drone_capture *c, drone_capture_grant *grant) {
    static const snd_pcm_format_t formats[] = {SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S24_LE,
        SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S16_LE};
    int error = snd_pcm_hw_params_any(pcm, hw);
    if (error < 0) return error;
    if ((error = snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0) return error;
    error = -EINVAL;
    for (size_t i = 0; error < 0 && i < sizeof formats / sizeof *formats; i++) {
        c->format = formats[i];
        error = snd_pcm_hw_params_set_format(pcm, hw, formats[i]);
    }
    if (error < 0) return error;
    unsigned channels = 1, frames = rate;
    if ((error = snd_pcm_hw_params_set_channels_near(pcm, hw, &channels)) < 0) return error;
    if (channels > MOST_CHANNELS) return -EINVAL;
    if ((error = snd_pcm_hw_params_set_rate_near(pcm, hw, &frames, NULL)) < 0) return error;
    if (frames < 8000 || frames > 384000) return -EINVAL;
    unsigned long buffer = (unsigned long)frames * BUFFER_MS / 1000, period = frames / 100;
    snd_pcm_hw_params_set_period_size_near(pcm, hw, &period, NULL);
    if ((error = snd_pcm_hw_params_set_buffer_size_near(pcm, hw, &buffer)) < 0) return error;
    if ((error = snd_pcm_hw_params(pcm, hw)) < 0) return error;
    snd_pcm_hw_params_get_buffer_size(hw, &buffer);
    *grant = (drone_capture_grant){.rate = frames, .channels = channels, .buffer_frames = (uint32_t)buffer};
    c->channels = channels;
    c->bytes_per_frame = channels * (uint32_t)snd_pcm_format_physical_width(c->format) / 8;
    return 0;
}

/// Time stamps of CLOCK_MONOTONIC. A device that has none is asked for the time itself.
static int set_software(snd_pcm_t *pcm) {
    snd_pcm_sw_params_t *sw;
    snd_pcm_sw_params_alloca(&sw);
    int error = snd_pcm_sw_params_current(pcm, sw);
    if (error < 0) return error;
    snd_pcm_sw_params_set_tstamp_mode(pcm, sw, SND_PCM_TSTAMP_ENABLE);
    snd_pcm_sw_params_set_tstamp_type(pcm, sw, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    return snd_pcm_sw_params(pcm, sw);
}

static int open_device(drone_capture *c, const char *device, uint32_t rate, drone_capture_grant *grant) {
    drone_device_quiet();
    int error = snd_pcm_open(&c->pcm, device, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
    if (error < 0) return error;
    snd_pcm_hw_params_t *hw;
    snd_pcm_hw_params_alloca(&hw);
    if ((error = choose(c->pcm, hw, rate, c, grant)) < 0) return drone_device_unfit(error);
    if ((error = set_software(c->pcm)) < 0) return error;
    grant->estimates = drone_device_is_of(c->pcm, "PulseAudio") || drone_device_is_of(c->pcm, "PipeWire");
    c->raw = malloc((size_t)CHUNK_FRAMES * c->bytes_per_frame);
    return c->raw ? 0 : -ENOMEM;
}

drone_capture *drone_capture_open(const char *device, uint32_t rate, drone_capture_grant *grant, int *error) {
    drone_capture *c = calloc(1, sizeof *c);
    *error = c ? snd_pcm_status_malloc(&c->status) : -ENOMEM;
    if (*error == 0) *error = open_device(c, device, rate, grant);
    if (*error == 0) return c;
    drone_capture_close(c);
    return NULL;
}

int drone_capture_start(drone_capture *c) {
    int error = snd_pcm_prepare(c->pcm);
    if (error < 0) return error;
    c->read = 0;
    return snd_pcm_start(c->pcm);
}

bool drone_capture_observe(drone_capture *c, drone_capture_look *look) {
    int64_t asked = drone_now_ns();
    if (snd_pcm_status(c->pcm, c->status) < 0) return false;
    if (snd_pcm_status_get_state(c->status) != SND_PCM_STATE_RUNNING) return false;
    snd_htimestamp_t stamp;
    snd_pcm_status_get_htstamp(c->status, &stamp);
    int64_t time = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    // Some plugins stamp by another clock, or not at all.
    if (time < asked - 1000000000 || time > asked + 1000000000) time = asked;
    int64_t waiting = snd_pcm_status_get_delay(c->status), available = (int64_t)snd_pcm_status_get_avail(c->status);
    if (waiting < available) waiting = available;
    *look = (drone_capture_look){.time_ns = time, .frame = c->read + waiting};
    return true;
}

static float sample_of(const uint8_t *bytes, snd_pcm_format_t format) {
    uint32_t wide = 0;
    float real;
    int16_t narrow;
    switch (format) {
    case SND_PCM_FORMAT_S32_LE: memcpy(&wide, bytes, 4); break;
    case SND_PCM_FORMAT_S24_LE:
    case SND_PCM_FORMAT_S24_3LE:
        wide = (uint32_t)bytes[0] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 24;
        break;
    case SND_PCM_FORMAT_S16_LE: memcpy(&narrow, bytes, 2); return (float)narrow / 32768.0f;
    default: memcpy(&real, bytes, 4); return real;
    }
    return (float)(int32_t)wide / 2147483648.0f;
}

int64_t drone_capture_read(drone_capture *c, float *samples, int64_t room) {
    int64_t done = 0;
    uint32_t width = c->bytes_per_frame / c->channels;
    while (done < room) {
        int64_t wanted = room - done < CHUNK_FRAMES ? room - done : CHUNK_FRAMES;
        snd_pcm_sframes_t count = snd_pcm_readi(c->pcm, c->raw, (snd_pcm_uframes_t)wanted);
        // What has been read before a fault is handed out first.
        if (count < 0 && count != -EAGAIN && done == 0) return count;
        if (count <= 0) break;
        for (int64_t i = 0; i < count * c->channels; i++)
            samples[done * c->channels + i] = sample_of(c->raw + i * width, c->format);
        done += count;
        c->read += count;
    }
    return done;
}

int drone_capture_reserve(int file, int64_t offset, int64_t bytes) {
    int error;
    while ((error = fallocate(file, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes)) != 0 && errno == EINTR) {}
    return error == 0 ? 0 : -errno;
}

void drone_capture_close(drone_capture *c) {
    if (!c) return;
    if (c->pcm) snd_pcm_close(c->pcm);
    if (c->status) snd_pcm_status_free(c->status);
    free(c->raw);
    free(c);
}
