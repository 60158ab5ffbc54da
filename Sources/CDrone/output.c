/// The ALSA output as the control thread sees it.
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    /// How long to wait for a device to close, in seconds.
    CLOSE_S = 3,
};

drone_output *drone_output_open(
    const char *device, const drone_output_request *request, drone_output_grant *grant, int *error) {
    drone_output *o = calloc(1, sizeof *o);
    *error = -ENOMEM;
    if (!o) return NULL;
    o->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->device = strdup(device);
    bool ready = o->device && o->wake_fd >= 0 && o->event_fd >= 0 && snd_pcm_status_malloc(&o->status) == 0 &&
        drone_ring_create(&o->observations, DRONE_OBSERVATIONS, sizeof(drone_observation)) &&
        drone_ring_create(&o->gaps, DRONE_GAPS, sizeof(drone_gap));
    if (ready) *error = drone_device_open(&o->pcm, device, request, &o->granted, &o->traits);
    if (!ready || *error < 0) {
        drone_output_destroy(o);
        return NULL;
    }
    *grant = o->granted;
    atomic_store(&o->rate, o->granted.rate);
    return o;
}

int drone_output_attach(drone_output *o, drone_engine *engine) {
    const drone_config *c = drone_engine_config(engine);
    const drone_output_grant *g = &o->granted;
    if (o->engine || c->rate != g->rate || c->channels != g->channels || c->format != g->format)
        return DRONE_ERR_ARGUMENT;
    o->bytes_per_frame = drone_bytes_per_frame(engine);
    o->staging = malloc((size_t)DRONE_PIECE_FRAMES * o->bytes_per_frame);
    if (!o->staging) return DRONE_ERR_MEMORY;
    o->engine = engine;
    o->first_frame = o->pace_window_frame = drone_next_frame(engine);
    o->seen.next_frame = o->seen.heard_frame = o->seen.changeable_frame = o->first_frame;
    drone_output_publish(o);
    return DRONE_OK;
}

int drone_output_start(drone_output *o, drone_engine *engine) {
    int status = drone_output_attach(o, engine);
    if (status != DRONE_OK) return status;
    drone_engine_lock_memory(engine);
    drone_lock_memory(o, sizeof *o);
    drone_lock_memory(o->staging, (size_t)DRONE_PIECE_FRAMES * o->bytes_per_frame);
    // Signals belong to the control thread.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    o->has_thread = pthread_create(&o->thread, NULL, drone_output_run, o) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return o->has_thread ? DRONE_OK : DRONE_ERR_THREAD;
}

static void wake(drone_output *o) {
    uint64_t one = 1;
    // A full counter wakes the thread just as well.
    if (write(o->wake_fd, &one, sizeof one) < 0) return;
}

void drone_output_hurry(drone_output *o) {
    atomic_store_explicit(&o->hurried, true, memory_order_release);
    wake(o);
}

void drone_output_set_realtime(drone_output *o) {
    atomic_store_explicit(&o->given_realtime, true, memory_order_relaxed);
}

void drone_output_set_rate(drone_output *o, double frames_per_second) {
    atomic_store_explicit(&o->rate, frames_per_second, memory_order_relaxed);
}

int drone_output_event_fd(const drone_output *o) { return o->event_fd; }

bool drone_output_next_observation(drone_output *o, drone_observation *observation) {
    return drone_ring_pop(&o->observations, observation);
}

bool drone_output_next_gap(drone_output *o, drone_gap *gap) { return drone_ring_pop(&o->gaps, gap); }

drone_snapshot drone_output_snapshot(const drone_output *o) {
    drone_snapshot snapshot;
    drone_shared_read(&o->published, &snapshot, sizeof snapshot);
    return snapshot;
}

// ---------------------------------------------------------------------------------------------------
// The end

/// A handle that is being closed.
typedef struct closing {
    snd_pcm_t *pcm;
    bool plays_out;
} closing;

static void close_device(closing c) {
    if (c.plays_out) snd_pcm_drain(c.pcm);
    snd_pcm_drop(c.pcm);
    snd_pcm_close(c.pcm);
}

static void *run_closing(void *context) {
    closing c = *(closing *)context;
    free(context);
    close_device(c);
    return NULL;
}

/// Closes a device, but waits no longer than a few seconds, in case a sound server hangs.
static void close_in_time(closing c) {
    closing *copy = malloc(sizeof *copy);
    pthread_t thread;
    if (copy) *copy = c;
    if (!copy || pthread_create(&thread, NULL, run_closing, copy) != 0) {
        free(copy);
        c.plays_out = false;
        close_device(c);
        return;
    }
    // Polled: a timed join waits until a time of day, which shifts when the clock is set.
    for (int ms = 0; pthread_tryjoin_np(thread, NULL) != 0; ms++) {
        if (ms == CLOSE_S * 1000) {
            pthread_detach(thread);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void drone_output_destroy(drone_output *o) {
    if (!o) return;
    if (o->has_thread) {
        atomic_store_explicit(&o->quit, true, memory_order_release);
        wake(o);
        pthread_join(o->thread, NULL);
    }
    if (o->pcm) {
        // A card has played everything by now. A device that writes a file may still hold frames that it has not
        // written.
        bool is_file = o->seen.paced_by_clock || snd_pcm_type(o->pcm) == SND_PCM_TYPE_FILE;
        closing c = {.pcm = o->pcm, .plays_out = is_file && o->seen.state == DRONE_OUTPUT_ENDED};
        if (o->has_thread)
            close_in_time(c);
        else
            close_device(c);
    }
    if (o->status) snd_pcm_status_free(o->status);
    if (o->wake_fd >= 0) close(o->wake_fd);
    if (o->event_fd >= 0) close(o->event_fd);
    drone_ring_free(&o->observations);
    drone_ring_free(&o->gaps);
    free(o->device);
    free(o->staging);
    free(o);
}
