/// The ALSA output as the control thread sees it, and what the audio thread tells it.
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int64_t drone_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

drone_output *drone_output_open(const char *device, drone_output_request *request, int *error) {
    drone_output *o = calloc(1, sizeof *o);
    *error = -ENOMEM;
    if (!o) return NULL;
    o->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->device = strdup(device);
    bool ready = o->device && o->wake_fd >= 0 && o->event_fd >= 0 && snd_pcm_status_malloc(&o->status) == 0;
    if (ready) *error = drone_device_open(&o->pcm, device, request, false);
    if (!ready || *error < 0) {
        drone_output_destroy(o);
        return NULL;
    }
    o->granted = *request;
    atomic_store(&o->end_frame, INT64_MAX);
    atomic_store(&o->rate, request->rate);
    return o;
}

int drone_output_start(drone_output *o, drone_engine *engine) {
    const drone_config *c = drone_engine_config(engine);
    const drone_output_request *g = &o->granted;
    if (o->engine || c->rate != g->rate || c->channels != g->channels || c->format != g->format)
        return DRONE_ERR_ARGUMENT;
    o->engine = engine;
    o->first_frame = o->window_frame = drone_next_frame(engine);
    o->bytes_per_frame = drone_bytes_per_frame(engine);
    o->staging = malloc((size_t)g->buffer_frames * o->bytes_per_frame);
    if (!o->staging) return DRONE_ERR_MEMORY;
    o->seen.next_frame = o->seen.heard_frame = o->seen.reach_frame = o->first_frame;
    drone_output_publish(o);
    // Signals belong to the control thread.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    o->has_thread = pthread_create(&o->thread, NULL, drone_output_run, o) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return o->has_thread ? DRONE_OK : DRONE_ERR_THREAD;
}

void drone_output_hurry(drone_output *o) {
    uint64_t one = 1;
    // A full counter wakes the thread just as well.
    if (write(o->wake_fd, &one, sizeof one) < 0) return;
}

void drone_output_end_at(drone_output *o, int64_t frame) {
    atomic_store_explicit(&o->end_frame, frame, memory_order_release);
    // What lies further ahead is seen in good time.
    int64_t next = atomic_load_explicit(&o->published.next_frame, memory_order_relaxed);
    if (frame < next + (int64_t)o->granted.buffer_frames) drone_output_hurry(o);
}

void drone_output_set_rate(drone_output *o, double frames_per_second) {
    atomic_store_explicit(&o->rate, frames_per_second, memory_order_relaxed);
}

int drone_output_event_fd(const drone_output *o) { return o->event_fd; }

bool drone_output_next_observation(drone_output *o, drone_observation *observation) {
    drone_observation_ring *ring = &o->observations;
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&ring->tail, memory_order_acquire)) return false;
    *observation = ring->items[head % DRONE_OBSERVATIONS];
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

bool drone_output_next_gap(drone_output *o, drone_gap *gap) {
    drone_gap_ring *ring = &o->gaps;
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&ring->tail, memory_order_acquire)) return false;
    *gap = ring->items[head % DRONE_GAPS];
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

void drone_output_publish(drone_output *o) {
    drone_published *p = &o->published;
    const drone_snapshot *s = &o->seen;
    bool isNews = (int)s->state != atomic_load_explicit(&p->state, memory_order_relaxed) ||
        s->epoch != atomic_load_explicit(&p->epoch, memory_order_relaxed) || o->is_news;
    o->is_news = false;
    uint32_t sequence = atomic_load_explicit(&p->sequence, memory_order_relaxed);
    atomic_store_explicit(&p->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&p->state, (int)s->state, memory_order_relaxed);
    atomic_store_explicit(&p->error, s->error, memory_order_relaxed);
    atomic_store_explicit(&p->epoch, s->epoch, memory_order_relaxed);
    atomic_store_explicit(&p->time_ns, s->time_ns, memory_order_relaxed);
    atomic_store_explicit(&p->heard_frame, s->heard_frame, memory_order_relaxed);
    atomic_store_explicit(&p->next_frame, s->next_frame, memory_order_relaxed);
    atomic_store_explicit(&p->delay_frames, s->delay_frames, memory_order_relaxed);
    atomic_store_explicit(&p->reach_frame, s->reach_frame, memory_order_relaxed);
    atomic_store_explicit(&p->gulp_frame, s->gulp_frame, memory_order_relaxed);
    atomic_store_explicit(&p->gulp_frames, s->gulp_frames, memory_order_relaxed);
    atomic_store_explicit(&p->xruns, s->xruns, memory_order_relaxed);
    atomic_store_explicit(&p->losses, s->losses, memory_order_relaxed);
    atomic_store_explicit(&p->suspends, s->suspends, memory_order_relaxed);
    atomic_store_explicit(&p->wakes, s->wakes, memory_order_relaxed);
    atomic_store_explicit(&p->paced, s->paced, memory_order_relaxed);
    atomic_store_explicit(&p->realtime, s->realtime, memory_order_relaxed);
    atomic_store_explicit(&p->sequence, sequence + 2, memory_order_release);
    uint64_t one = 1;
    if (isNews && write(o->event_fd, &one, sizeof one) < 0) return;
}

drone_snapshot drone_output_snapshot(const drone_output *o) {
    const drone_published *p = &o->published;
    for (;;) {
        uint32_t before = atomic_load_explicit(&p->sequence, memory_order_acquire);
        drone_snapshot s = {
            .state = (drone_output_state)atomic_load_explicit(&p->state, memory_order_relaxed),
            .error = atomic_load_explicit(&p->error, memory_order_relaxed),
            .epoch = atomic_load_explicit(&p->epoch, memory_order_relaxed),
            .time_ns = atomic_load_explicit(&p->time_ns, memory_order_relaxed),
            .heard_frame = atomic_load_explicit(&p->heard_frame, memory_order_relaxed),
            .next_frame = atomic_load_explicit(&p->next_frame, memory_order_relaxed),
            .delay_frames = atomic_load_explicit(&p->delay_frames, memory_order_relaxed),
            .reach_frame = atomic_load_explicit(&p->reach_frame, memory_order_relaxed),
            .gulp_frame = atomic_load_explicit(&p->gulp_frame, memory_order_relaxed),
            .gulp_frames = atomic_load_explicit(&p->gulp_frames, memory_order_relaxed),
            .xruns = atomic_load_explicit(&p->xruns, memory_order_relaxed),
            .losses = atomic_load_explicit(&p->losses, memory_order_relaxed),
            .suspends = atomic_load_explicit(&p->suspends, memory_order_relaxed),
            .wakes = atomic_load_explicit(&p->wakes, memory_order_relaxed),
            .paced = atomic_load_explicit(&p->paced, memory_order_relaxed),
            .realtime = atomic_load_explicit(&p->realtime, memory_order_relaxed),
        };
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && before == atomic_load_explicit(&p->sequence, memory_order_relaxed)) return s;
    }
}

void drone_output_destroy(drone_output *o) {
    if (!o) return;
    if (o->has_thread) {
        atomic_store_explicit(&o->quit, true, memory_order_release);
        drone_output_hurry(o);
        pthread_join(o->thread, NULL);
    }
    if (o->pcm) {
        // At the end nothing may be thrown away: the `file` plugin still holds what it has not written.
        if (o->seen.state == DRONE_OUTPUT_ENDED) snd_pcm_drain(o->pcm);
        snd_pcm_drop(o->pcm);
        snd_pcm_close(o->pcm);
    }
    if (o->status) snd_pcm_status_free(o->status);
    if (o->wake_fd >= 0) close(o->wake_fd);
    if (o->event_fd >= 0) close(o->event_fd);
    free(o->device);
    free(o->staging);
    free(o);
}
