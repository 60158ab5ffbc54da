/// ALSA devices: opening them and setting them up. Nothing here is real-time safe but `drone_device_set_low`.
#pragma once

#include <alsa/asoundlib.h>

#include "drone_output.h"

/// Properties that the device reports of itself and its pointer.
typedef struct drone_traits {
    bool is_hardware, is_plugin, is_batch, is_pulse;
    /// Frames that the device may have fetched ahead of its pointer.
    uint32_t fifo_frames;
} drone_traits;

/// Keeps alsa-lib from printing.
void drone_device_quiet(void);

/// Whether this device, or the one that it passes its frames to, names `server` in its description.
bool drone_device_is_of(snd_pcm_t *pcm, const char *server);

/// An open device.
typedef struct drone_device {
    /// Null if there is none.
    snd_pcm_t *pcm;
    drone_output_grant grant;
    drone_traits traits;
} drone_device;

/// A request for the configuration that a device has granted before.
static inline drone_output_request drone_device_request_again(const drone_output_grant *g) {
    return (drone_output_request){.policy = g->policy, .rate = g->rate, .channels = g->channels, .format = g->format};
}

/// Opens and sets up a device by `request`. Returns 0 or a negative errno; after an error nothing is open.
int drone_device_open(drone_device *device, const char *name, const drone_output_request *request);

/// Sets the device up anew with a buffer of about `frames` frames or more, if it can. Returns 0 or a negative errno;
/// after an error the device is closed.
int drone_device_enlarge(drone_device *device, int64_t frames);

/// Closes a device. `plays_out`: only after it has played all that it holds.
void drone_device_close(snd_pcm_t *pcm, bool plays_out);

/// The error that tells that no configuration of an open device fits a request, in place of ALSA's -EINVAL, which also
/// means that a device's name or configuration cannot be read; any other error as it is.
int drone_device_unfit(int error);

/// Makes the device wake the thread when no more than `low_frames` are left. Returns 0 or a negative errno.
int drone_device_set_low(snd_pcm_t *pcm, const drone_output_grant *grant, int64_t low_frames);
