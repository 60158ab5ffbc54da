/// ALSA devices: opening them, setting them up and listing them.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "drone_capture.h"

/// Keeps alsa-lib from printing to stderr, where it would spoil a terminal program's screen.
static void quiet(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

void drone_device_quiet(void) { snd_lib_error_set_handler(quiet); }

static const snd_pcm_format_t alsa_formats[] = {
    [DRONE_S16] = SND_PCM_FORMAT_S16_LE, [DRONE_S24_3] = SND_PCM_FORMAT_S24_3LE, [DRONE_S24] = SND_PCM_FORMAT_S24_LE,
    [DRONE_S32] = SND_PCM_FORMAT_S32_LE, [DRONE_F32] = SND_PCM_FORMAT_FLOAT_LE,
};

/// The requested format or, if any will do, the best that the device has.
static int choose_format(
    snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const drone_output_request *r, drone_output_grant *grant) {
    drone_format candidates[] = {r->format, DRONE_S32, DRONE_S24, DRONE_S24_3, DRONE_S16, DRONE_F32};
    size_t count = r->any_format ? sizeof candidates / sizeof *candidates : 1;
    for (size_t i = 0; i < count; i++) {
        grant->format = candidates[i];
        if (snd_pcm_hw_params_set_format(pcm, hw, alsa_formats[grant->format]) == 0) return 0;
    }
    return -EINVAL;
}

static int choose_channels(
    snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const drone_output_request *r, drone_output_grant *grant) {
    unsigned channels = r->channels;
    int error = r->any_channels ? snd_pcm_hw_params_set_channels_near(pcm, hw, &channels)
                                : snd_pcm_hw_params_set_channels(pcm, hw, channels);
    if (error == 0 && channels > 32) error = -EINVAL;
    grant->channels = channels;
    return error;
}

static int choose_rate(
    snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const drone_output_request *r, drone_output_grant *grant) {
    unsigned rate = r->rate;
    int error = snd_pcm_hw_params_set_rate_near(pcm, hw, &rate, NULL);
    if (error == 0 && rate != r->rate && !r->any_rate) error = -EINVAL;
    if (error == 0 && (rate < 8000 || rate > 384000)) error = -EINVAL;
    grant->rate = rate;
    return error;
}

/// Whether this device, or the one that it passes its frames to, names `server` in its description. `snd_pcm_info`
/// would give only the name from the user's configuration.
bool drone_device_is_of(snd_pcm_t *pcm, const char *server) {
    snd_output_t *text;
    if (snd_output_buffer_open(&text) < 0) return false;
    snd_pcm_dump(pcm, text);
    snd_output_putc(text, '\0');
    char *said;
    bool is_of = snd_output_buffer_string(text, &said) > 0 && strstr(said, server);
    snd_output_close(text);
    return is_of;
}

/// Hardware and PipeWire's plugin take back frames that they have not played. PulseAudio's plugin claims to, but does
/// not.
static drone_policy choose_policy(snd_pcm_t *pcm, drone_policy wanted) {
    if (wanted != DRONE_POLICY_AUTO) return wanted;
    if (snd_pcm_type(pcm) == SND_PCM_TYPE_HW) return DRONE_POLICY_REWIND;
    return drone_device_is_of(pcm, "PipeWire") ? DRONE_POLICY_REWIND : DRONE_POLICY_SMALL;
}

static void read_traits(snd_pcm_t *pcm, const snd_pcm_hw_params_t *hw, drone_traits *traits) {
    int fifo = snd_pcm_hw_params_get_fifo_size(hw);
    *traits = (drone_traits){
        .is_hardware = snd_pcm_type(pcm) == SND_PCM_TYPE_HW,
        .is_plugin = snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG,
        .is_batch = snd_pcm_hw_params_is_batch(hw) == 1,
        .is_pulse = drone_device_is_of(pcm, "PulseAudio"),
        .fifo_frames = fifo > 0 ? (uint32_t)fifo : 0,
    };
}

/// Chooses the sizes of the periods and the buffer, and sets the whole configuration. `least_buffer` is in frames; 0
/// means the policy's own size.
static int set_sizes(drone_device *device, snd_pcm_hw_params_t *hw, int64_t least_buffer) {
    snd_pcm_t *pcm = device->pcm;
    drone_output_grant *grant = &device->grant;
    bool rewinds = grant->policy == DRONE_POLICY_REWIND;
    // Before the sizes are set, `hw` describes all that the device can do. A batch device's pointer moves by whole
    // periods, so its periods are short. PipeWire copies a whole period at a time, and nothing can be taken back from
    // what it has copied.
    bool is_batch = snd_pcm_hw_params_is_batch(hw) == 1, is_pulse = drone_device_is_of(pcm, "PulseAudio");
    bool is_pipewire = drone_device_is_of(pcm, "PipeWire"), is_long = rewinds && !is_batch && !is_pipewire;
    snd_pcm_uframes_t period = is_long ? 1024 : rewinds || is_pulse ? grant->rate / 100 : grant->rate * 3 / 500;
    unsigned two = 2;
    snd_pcm_hw_params_set_periods_min(pcm, hw, &two, NULL);
    int error = snd_pcm_hw_params_set_period_size_near(pcm, hw, &period, NULL);
    if (error < 0) return error;
    // With REWIND, a little more than a second. With SMALL, half a second, to leave room for a higher fill level once
    // the machine has shown that it stalls. PulseAudio is different: its delay is its whole buffer, however little is
    // written into it.
    snd_pcm_uframes_t buffer = rewinds ? grant->rate * 11 / 10 : is_pulse ? 2 * period : grant->rate / 2;
    if (buffer < (snd_pcm_uframes_t)least_buffer) buffer = (snd_pcm_uframes_t)least_buffer;
    if (buffer < 2 * period) buffer = 2 * period;
    if ((error = snd_pcm_hw_params_set_buffer_size_near(pcm, hw, &buffer)) < 0) return error;
    if ((error = snd_pcm_hw_params(pcm, hw)) < 0) return error;
    snd_pcm_hw_params_get_period_size(hw, &period, NULL);
    snd_pcm_hw_params_get_buffer_size(hw, &buffer);
    if (buffer > 1u << 24 || period == 0 || buffer < 2 * period) return -EINVAL;
    grant->period_frames = (uint32_t)period;
    grant->buffer_frames = (uint32_t)buffer;
    read_traits(pcm, hw, &device->traits);
    grant->estimates = is_pulse || is_pipewire;
    return 0;
}

static int set_hardware(drone_device *device, const drone_output_request *r, int64_t least_buffer) {
    snd_pcm_t *pcm = device->pcm;
    drone_output_grant *grant = &device->grant;
    snd_pcm_hw_params_t *hw;
    snd_pcm_hw_params_alloca(&hw);
    int error = snd_pcm_hw_params_any(pcm, hw);
    if (error < 0) return error;
    if ((error = snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0) return error;
    if ((error = choose_format(pcm, hw, r, grant)) < 0) return error;
    if ((error = choose_channels(pcm, hw, r, grant)) < 0) return error;
    if ((error = choose_rate(pcm, hw, r, grant)) < 0) return error;
    return set_sizes(device, hw, least_buffer);
}

int drone_device_set_low(snd_pcm_t *pcm, const drone_output_grant *grant, int64_t low_frames) {
    snd_pcm_sw_params_t *sw;
    snd_pcm_sw_params_alloca(&sw);
    int error = snd_pcm_sw_params_current(pcm, sw);
    if (error < 0) return error;
    snd_pcm_uframes_t boundary;
    snd_pcm_sw_params_get_boundary(sw, &boundary);
    // The device does not start by itself: the thread starts it, once the buffer is filled.
    snd_pcm_sw_params_set_start_threshold(pcm, sw, boundary);
    // With REWIND a timer tells when to fill the device; the device wakes the thread for faults only.
    bool rewinds = grant->policy == DRONE_POLICY_REWIND;
    int64_t avail = rewinds ? grant->buffer_frames : grant->buffer_frames - low_frames;
    snd_pcm_sw_params_set_avail_min(pcm, sw, avail > 1 ? (snd_pcm_uframes_t)avail : 1);
    // Some plugins refuse one of these two; the timestamps are checked when they are read.
    snd_pcm_sw_params_set_tstamp_mode(pcm, sw, SND_PCM_TSTAMP_ENABLE);
    snd_pcm_sw_params_set_tstamp_type(pcm, sw, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    return snd_pcm_sw_params(pcm, sw);
}

/// Whether a device really takes back frames that have been written: tried with silence, before it plays.
static bool gives_back(snd_pcm_t *pcm, const drone_output_grant *grant) {
    enum { TRIED = 64 };
    // 32 channels of 4 bytes at most.
    static const uint8_t silence[TRIED * 32 * 4];
    if (grant->period_frames < TRIED || snd_pcm_writei(pcm, silence, TRIED) != TRIED) return true;
    bool gives = snd_pcm_rewind(pcm, TRIED) == TRIED;
    snd_pcm_drop(pcm);
    return gives;
}

void drone_device_close(snd_pcm_t *pcm, bool plays_out) {
    if (plays_out) snd_pcm_drain(pcm);
    snd_pcm_drop(pcm);
    snd_pcm_close(pcm);
}

/// Closes a device that cannot be used, and returns why.
static int give_up(drone_device *device, int error) {
    snd_pcm_close(device->pcm);
    device->pcm = NULL;
    return error;
}

int drone_device_unfit(int error) { return error == -EINVAL ? -ENOTSUP : error; }

int drone_device_open(drone_device *device, const char *name, const drone_output_request *request) {
    *device = (drone_device){0};
    snd_lib_error_set_handler(quiet);
    snd_pcm_t *pcm;
    int error = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error < 0) return error;
    *device = (drone_device){.pcm = pcm, .grant = {.policy = choose_policy(pcm, request->policy)}};
    error = set_hardware(device, request, 0);
    if (error == 0) error = drone_device_set_low(pcm, &device->grant, device->grant.buffer_frames);
    if (error == 0 && device->grant.policy == DRONE_POLICY_REWIND) {
        if (gives_back(pcm, &device->grant)) {
            error = snd_pcm_prepare(pcm);
        } else {
            device->grant.policy = DRONE_POLICY_SMALL;
            snd_pcm_hw_free(pcm);
            error = set_hardware(device, request, 0);
        }
    }
    return error == 0 ? 0 : give_up(device, drone_device_unfit(error));
}

int drone_device_enlarge(drone_device *device, int64_t frames) {
    drone_output_request same = drone_device_request_again(&device->grant);
    int error = snd_pcm_hw_free(device->pcm);
    if (error == 0) error = set_hardware(device, &same, frames);
    // Plugins may refuse a size that they have offered: then the buffer stays as it was.
    if (error == -EINVAL) error = set_hardware(device, &same, device->grant.buffer_frames);
    return error == 0 ? 0 : give_up(device, drone_device_unfit(error));
}

static void visit_devices(snd_pcm_stream_t stream, const char *wanted, drone_device_visitor visit, void *context) {
    snd_lib_error_set_handler(quiet);
    void **hints;
    if (snd_device_name_hint(-1, "pcm", &hints) < 0) return;
    for (void **hint = hints; *hint; hint++) {
        char *name = snd_device_name_get_hint(*hint, "NAME");
        char *description = snd_device_name_get_hint(*hint, "DESC");
        char *direction = snd_device_name_get_hint(*hint, "IOID");
        snd_pcm_t *pcm;
        // No direction means both.
        bool fits = name && (!direction || strcmp(direction, wanted) == 0);
        if (fits && snd_pcm_open(&pcm, name, stream, SND_PCM_NONBLOCK) == 0) {
            snd_pcm_close(pcm);
            visit(name, description ? description : "", context);
        }
        free(name);
        free(description);
        free(direction);
    }
    snd_device_name_free_hint(hints);
}

void drone_visit_devices(drone_device_visitor visit, void *context) {
    visit_devices(SND_PCM_STREAM_PLAYBACK, "Output", visit, context);
}

void drone_visit_capture_devices(drone_device_visitor visit, void *context) {
    visit_devices(SND_PCM_STREAM_CAPTURE, "Input", visit, context);
}
