/// The inside of the ALSA output.
#pragma once

#include <alsa/asoundlib.h>
#include <pthread.h>

#include "internal.h"

/// A `drone_snapshot` that another thread may read while it is written.
typedef struct drone_published {
    _Atomic uint32_t sequence;
    _Atomic int state;
    _Atomic int error;
    _Atomic int64_t time_ns, heard_frame, next_frame, delay_frames;
    _Atomic uint64_t xruns;
    _Atomic bool paced;
} drone_published;

struct drone_output {
    snd_pcm_t *pcm;
    uint32_t rate, channels, period_frames, buffer_frames, bytes_per_frame;
    drone_format format;
    drone_engine *engine;

    // Control thread writes, audio thread reads.
    _Atomic bool quit;
    _Atomic int64_t end_frame;
    int wake_fd;
    pthread_t thread;
    bool has_thread;

    // Audio thread.
    uint8_t *staging;
    snd_pcm_status_t *status;
    int64_t first_frame, started_ns;
    /// The start of the stretch over which the device's pace is watched.
    int64_t window_ns, window_frame;
    bool running;
    drone_snapshot seen;

    drone_published published;
};
