/// The inside of the ALSA output.
#pragma once

#include <alsa/asoundlib.h>
#include <pthread.h>

#include "internal.h"

enum { DRONE_OBSERVATIONS = 1024 };

/// A `drone_snapshot` that another thread may read while it is written: a sequence lock, odd while it is.
typedef struct drone_published {
    _Atomic uint32_t sequence;
    _Atomic int state, error;
    _Atomic uint32_t epoch;
    _Atomic int64_t time_ns, heard_frame, next_frame, delay_frames, reach_frame, gulp_frame, gulp_frames;
    _Atomic uint64_t xruns, losses, suspends, wakes;
    _Atomic bool paced, realtime;
} drone_published;

/// Audio thread to control thread; a full ring drops the newest.
typedef struct drone_observation_ring {
    _Atomic uint32_t head, tail;
    drone_observation items[DRONE_OBSERVATIONS];
} drone_observation_ring;

enum { DRONE_GAPS = 64 };

/// Audio thread to control thread; a full ring drops the newest.
typedef struct drone_gap_ring {
    _Atomic uint32_t head, tail;
    drone_gap items[DRONE_GAPS];
} drone_gap_ring;

struct drone_output {
    char *device;
    drone_output_request granted;
    uint32_t bytes_per_frame;
    drone_engine *engine;

    // Control thread writes, audio thread reads.
    _Atomic bool quit;
    _Atomic int64_t end_frame;
    _Atomic double rate;
    int wake_fd;
    pthread_t thread;
    bool has_thread;

    // Audio thread.
    /// Null while the device is away.
    snd_pcm_t *pcm;
    uint8_t *staging;
    snd_pcm_status_t *status;
    /// When `status` was asked for, and the next frame to be rendered by then; whether it was in this round, before writing.
    int64_t asked_ns, asked_frame;
    bool has_answer;
    int64_t first_frame, started_ns;
    /// When the stream was last (re)started, and whether it runs.
    int64_t acquired_ns;
    bool running;
    /// The start of the stretch over which the device's pace is watched.
    int64_t window_ns, window_frame;
    /// CLOCK_BOOTTIME - CLOCK_MONOTONIC: what the machine has slept.
    int64_t slept_ns;
    /// When to try a device that is away, and how long to wait after that.
    int64_t retry_ns, retry_wait_ns;
    uint32_t dither;
    /// The longest that the pointer's step was waited for; how often in vain, in a row; how often it was looked at.
    int64_t step_wait_ns;
    uint32_t missed_steps, looks;
    /// The first frame that was not heard, while the device is away.
    int64_t silent_from;
    /// Whether the control thread is to look at what is published.
    bool is_news;
    /// How often a device that is filled far ahead has called for nothing.
    uint32_t idle_calls;
    drone_snapshot seen;

    drone_published published;
    drone_observation_ring observations;
    drone_gap_ring gaps;
    int event_fd;
};

// device.c

/// Opens and sets up a device by `request`, and writes back what it got. Returns 0 or a negative errno.
/// Not real-time safe.
int drone_device_open(snd_pcm_t **pcm, const char *name, drone_output_request *request, bool is_realtime);

/// Sets how much room wakes who writes, by whether that thread has real-time priority. Returns 0 or a negative errno.
/// Not real-time safe.
int drone_device_set_gulp(snd_pcm_t *pcm, drone_output_request *request, bool is_realtime);

// audio.c

/// The audio thread: renders the engine into the device until told to end. `context` is the output.
void *drone_output_run(void *context);
/// Makes `seen` public. Audio thread, or before it starts.
void drone_output_publish(drone_output *output);
/// Frames that pass in `ns` by the clock that has been learnt.
int64_t drone_output_frames_in(const drone_output *output, int64_t ns);

// recovery.c

/// Deals with an error that any call has given. False when the thread should begin its round anew.
bool drone_output_recover(drone_output *output, int error);
/// Tries to open a device that is away, when it is time.
void drone_output_retry(drone_output *output);
/// Notices that the machine has slept.
void drone_output_watch_sleep(drone_output *output);
