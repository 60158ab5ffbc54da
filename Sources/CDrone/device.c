/// Opening ALSA devices: what to ask for, what else will do, and which there are.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/// alsa-lib prints to stderr by itself; a terminal program cannot have that.
static void quiet(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static snd_pcm_format_t alsa_format(drone_format format) {
    switch (format) {
    case DRONE_S16: return SND_PCM_FORMAT_S16_LE;
    case DRONE_S24_3: return SND_PCM_FORMAT_S24_3LE;
    case DRONE_S24: return SND_PCM_FORMAT_S24_LE;
    case DRONE_S32: return SND_PCM_FORMAT_S32_LE;
    case DRONE_F32: return SND_PCM_FORMAT_FLOAT_LE;
    }
    return SND_PCM_FORMAT_UNKNOWN;
}

/// The wanted format, or the same bits in other clothes, or (if any will do) the best there is.
static int choose_format(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, drone_output_request *r) {
    drone_format candidates[] = {r->format, DRONE_S32, DRONE_S24, DRONE_S24_3, DRONE_S16, DRONE_F32};
    size_t count = r->any_format ? sizeof candidates / sizeof *candidates : 1;
    for (size_t i = 0; i < count; i++) {
        if (snd_pcm_hw_params_set_format(pcm, hw, alsa_format(candidates[i])) == 0) {
            r->format = candidates[i];
            return 0;
        }
    }
    return -EINVAL;
}

static int choose_channels(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, drone_output_request *r) {
    if (!r->any_channels) return snd_pcm_hw_params_set_channels(pcm, hw, r->channels);
    unsigned channels = r->channels;
    int error = snd_pcm_hw_params_set_channels_near(pcm, hw, &channels);
    if (error == 0 && channels > 32) error = -EINVAL;
    r->channels = channels;
    return error;
}

static int choose_rate(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, drone_output_request *r) {
    unsigned rate = r->rate;
    int error = snd_pcm_hw_params_set_rate_near(pcm, hw, &rate, NULL);
    if (error == 0 && rate != r->rate && !r->any_rate) error = -EINVAL;
    if (error == 0 && (rate < 8000 || rate > 384000)) error = -EINVAL;
    r->rate = rate;
    return error;
}

static bool is_plugin_of(snd_pcm_t *pcm, const char *server) {
    snd_pcm_info_t *info;
    snd_pcm_info_alloca(&info);
    return snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG && snd_pcm_info(pcm, info) == 0 &&
        strstr(snd_pcm_info_get_name(info), server);
}

/// Hardware, and PipeWire's plugin, take back what they have not played; PulseAudio's says so and does not.
static drone_policy choose_policy(snd_pcm_t *pcm, drone_policy wanted) {
    if (wanted != DRONE_POLICY_AUTO) return wanted;
    if (snd_pcm_type(pcm) == SND_PCM_TYPE_HW) return DRONE_POLICY_REWIND;
    return is_plugin_of(pcm, "PipeWire") ? DRONE_POLICY_REWIND : DRONE_POLICY_SMALL;
}

static int set_hardware(snd_pcm_t *pcm, drone_output_request *r) {
    snd_pcm_hw_params_t *hw;
    snd_pcm_hw_params_alloca(&hw);
    int error = snd_pcm_hw_params_any(pcm, hw);
    if (error < 0) return error;
    if ((error = snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0) return error;
    if ((error = choose_format(pcm, hw, r)) < 0) return error;
    if ((error = choose_channels(pcm, hw, r)) < 0) return error;
    if ((error = choose_rate(pcm, hw, r)) < 0) return error;
    r->policy = choose_policy(pcm, r->policy);
    bool is_pulse = is_plugin_of(pcm, "PulseAudio");
    r->estimates = is_pulse || is_plugin_of(pcm, "PipeWire");
    bool rewinds = r->policy == DRONE_POLICY_REWIND;
    // 24 ms, filled by several periods at once: waking up is what takes the processor. PulseAudio asks for every period.
    snd_pcm_uframes_t small = is_pulse ? r->rate / 100 : r->rate * 3 / 500, smalls = is_pulse ? 2 : 4;
    snd_pcm_uframes_t period = r->period_frames ? r->period_frames : rewinds ? 1024 : small;
    snd_pcm_uframes_t buffer = r->buffer_frames ? r->buffer_frames : rewinds ? r->rate * 11 / 10 : smalls * period;
    if ((error = snd_pcm_hw_params_set_period_size_near(pcm, hw, &period, NULL)) < 0) return error;
    if ((error = snd_pcm_hw_params_set_buffer_size_near(pcm, hw, &buffer)) < 0) return error;
    if ((error = snd_pcm_hw_params(pcm, hw)) < 0) return error;
    if (buffer > 1u << 24 || period == 0 || buffer < period) return -EINVAL;
    r->period_frames = (uint32_t)period;
    r->buffer_frames = (uint32_t)buffer;
    return 0;
}

/// Whole periods, of the buffer a half; three quarters where the thread is woken in time whatever else runs.
static uint32_t gulp(const drone_output_request *r, bool is_realtime) {
    uint32_t most = is_realtime ? r->buffer_frames / 4 * 3 : r->buffer_frames / 2;
    return most < r->period_frames ? r->period_frames : most / r->period_frames * r->period_frames;
}

static int set_software(snd_pcm_t *pcm, const drone_output_request *r) {
    snd_pcm_sw_params_t *sw;
    snd_pcm_sw_params_alloca(&sw);
    int error = snd_pcm_sw_params_current(pcm, sw);
    if (error < 0) return error;
    snd_pcm_uframes_t boundary;
    snd_pcm_sw_params_get_boundary(sw, &boundary);
    // Started by hand, once the buffer is filled.
    snd_pcm_sw_params_set_start_threshold(pcm, sw, boundary);
    // Who fills far ahead by a timer wants to be called for faults only.
    bool rewinds = r->policy == DRONE_POLICY_REWIND;
    snd_pcm_sw_params_set_avail_min(pcm, sw, rewinds ? r->buffer_frames : r->gulp_frames);
    snd_pcm_sw_params_set_tstamp_mode(pcm, sw, SND_PCM_TSTAMP_ENABLE);
    snd_pcm_sw_params_set_tstamp_type(pcm, sw, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    return snd_pcm_sw_params(pcm, sw);
}

int drone_device_set_gulp(snd_pcm_t *pcm, drone_output_request *request, bool is_realtime) {
    request->gulp_frames = gulp(request, is_realtime);
    return set_software(pcm, request);
}

int drone_device_open(snd_pcm_t **pcm, const char *name, drone_output_request *request, bool is_realtime) {
    snd_lib_error_set_handler(quiet);
    int error = snd_pcm_open(pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error < 0) {
        *pcm = NULL;
        return error;
    }
    drone_output_request got = *request;
    if ((error = set_hardware(*pcm, &got)) < 0 || (error = drone_device_set_gulp(*pcm, &got, is_realtime)) < 0) {
        snd_pcm_close(*pcm);
        *pcm = NULL;
        return error;
    }
    *request = got;
    return 0;
}

int drone_visit_devices(drone_device_visitor visit, void *context) {
    snd_lib_error_set_handler(quiet);
    void **hints;
    int error = snd_device_name_hint(-1, "pcm", &hints);
    if (error < 0) return error;
    int count = 0;
    for (void **hint = hints; *hint; hint++) {
        char *name = snd_device_name_get_hint(*hint, "NAME");
        char *description = snd_device_name_get_hint(*hint, "DESC");
        char *direction = snd_device_name_get_hint(*hint, "IOID");
        snd_pcm_t *pcm;
        // No direction means both.
        bool plays = name && (!direction || strcmp(direction, "Output") == 0);
        if (plays && snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) == 0) {
            snd_pcm_close(pcm);
            visit(name, description ? description : "", context);
            count++;
        }
        free(name);
        free(description);
        free(direction);
    }
    snd_device_name_free_hint(hints);
    return count;
}
