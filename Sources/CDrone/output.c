/// The ALSA output: one thread that renders the engine into the device, and what others may see of it.
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_POLL_FDS = 16,
    /// How far a device that paces itself may run ahead of the clock, beside its buffer.
    LEAD_MS = 500,
    /// The longest the thread sleeps without looking.
    WAKE_MS = 1000,
    PACED_WAKE_MS = 10,
};

int64_t drone_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------
// The snapshot: a sequence lock. Odd while the audio thread writes.

static void publish(drone_output *o) {
    drone_published *p = &o->published;
    uint32_t sequence = atomic_load_explicit(&p->sequence, memory_order_relaxed);
    atomic_store_explicit(&p->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&p->state, (int)o->seen.state, memory_order_relaxed);
    atomic_store_explicit(&p->error, o->seen.error, memory_order_relaxed);
    atomic_store_explicit(&p->time_ns, o->seen.time_ns, memory_order_relaxed);
    atomic_store_explicit(&p->heard_frame, o->seen.heard_frame, memory_order_relaxed);
    atomic_store_explicit(&p->next_frame, o->seen.next_frame, memory_order_relaxed);
    atomic_store_explicit(&p->delay_frames, o->seen.delay_frames, memory_order_relaxed);
    atomic_store_explicit(&p->xruns, o->seen.xruns, memory_order_relaxed);
    atomic_store_explicit(&p->paced, o->seen.paced, memory_order_relaxed);
    atomic_store_explicit(&p->sequence, sequence + 2, memory_order_release);
}

drone_snapshot drone_output_snapshot(const drone_output *o) {
    const drone_published *p = &o->published;
    for (;;) {
        uint32_t before = atomic_load_explicit(&p->sequence, memory_order_acquire);
        drone_snapshot s = {
            .state = (drone_output_state)atomic_load_explicit(&p->state, memory_order_relaxed),
            .error = atomic_load_explicit(&p->error, memory_order_relaxed),
            .time_ns = atomic_load_explicit(&p->time_ns, memory_order_relaxed),
            .heard_frame = atomic_load_explicit(&p->heard_frame, memory_order_relaxed),
            .next_frame = atomic_load_explicit(&p->next_frame, memory_order_relaxed),
            .delay_frames = atomic_load_explicit(&p->delay_frames, memory_order_relaxed),
            .xruns = atomic_load_explicit(&p->xruns, memory_order_relaxed),
            .paced = atomic_load_explicit(&p->paced, memory_order_relaxed),
        };
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && before == atomic_load_explicit(&p->sequence, memory_order_relaxed)) return s;
    }
}

// ---------------------------------------------------------------------------------------------------
// Audio thread

static int64_t frames_in(const drone_output *o, int64_t ns) {
    return (int64_t)((double)ns * 1e-9 * o->rate);
}

/// Notes when which frame was at the converter.
static void observe(drone_output *o) {
    int64_t now = drone_now_ns();
    o->seen.next_frame = drone_next_frame(o->engine);
    if (o->seen.paced) {
        o->seen.time_ns = now;
        o->seen.heard_frame = o->first_frame + frames_in(o, now - o->started_ns);
        o->seen.delay_frames = o->seen.next_frame - o->seen.heard_frame;
        return;
    }
    snd_pcm_status_t *status = o->status;
    if (snd_pcm_status(o->pcm, status) < 0 || snd_pcm_status_get_state(status) != SND_PCM_STATE_RUNNING) return;
    snd_htimestamp_t stamp;
    snd_pcm_status_get_htstamp(status, &stamp);
    int64_t time_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    int64_t age = now - time_ns;
    // Some plugins stamp by another clock, or not at all.
    if (age < -1000000000 || age > 1000000000) time_ns = now;
    snd_pcm_sframes_t delay = snd_pcm_status_get_delay(status);
    o->seen.time_ns = time_ns;
    o->seen.delay_frames = delay < 0 ? 0 : delay;
    o->seen.heard_frame = o->seen.next_frame - o->seen.delay_frames;
}

/// Finds out whether the device takes frames faster than time passes, over windows of a second.
static void watch_pace(drone_output *o) {
    int64_t now = drone_now_ns();
    int64_t written = drone_next_frame(o->engine);
    int64_t lead = frames_in(o, (int64_t)LEAD_MS * 1000000) + (int64_t)o->buffer_frames;
    int64_t elapsed = frames_in(o, now - o->window_ns);
    if (written - o->window_frame > elapsed + elapsed / 100 + lead)
        o->seen.paced = true;
    else if (now - o->window_ns > 1000000000) {
        o->window_ns = now;
        o->window_frame = written;
    }
}

/// How many frames may be written now, in whole periods.
static int64_t allowed(drone_output *o, int64_t avail) {
    int64_t next = drone_next_frame(o->engine);
    if (o->seen.paced) {
        int64_t ahead = o->first_frame + frames_in(o, drone_now_ns() - o->started_ns) + (int64_t)o->buffer_frames - next;
        if (avail > ahead) avail = ahead;
        int64_t known = drone_horizon(o->engine) - next;
        if (avail > known) avail = known;
    }
    int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
    if (end != INT64_MAX) {
        // A period of silence behind the end, so that a card that plays on until it notices finds nothing old.
        int64_t left = end + o->period_frames - next;
        int64_t limit = left > 0 ? (left + o->period_frames - 1) / o->period_frames * o->period_frames : 0;
        if (avail > limit) avail = limit;
    }
    return avail > 0 ? avail / o->period_frames * o->period_frames : 0;
}

/// Back to work after an error of any call. False if there is nothing to go back to.
static bool recover(drone_output *o, int error) {
    if (error == -EINTR || error == -EAGAIN) return true;
    if (error == -EPIPE || error == -ESTRPIPE) {
        int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
        if (drone_next_frame(o->engine) >= end) {
            o->seen.state = DRONE_OUTPUT_ENDED;
            return false;
        }
        o->seen.xruns++;
        o->running = false;
        if (error == -ESTRPIPE && snd_pcm_resume(o->pcm) == 0) return true;
        error = snd_pcm_prepare(o->pcm);
        if (error == 0) return true;
    }
    o->seen.state = DRONE_OUTPUT_FAILED;
    o->seen.error = error;
    return false;
}

/// Writes what fits. False when the thread is to end.
static bool fill(drone_output *o) {
    snd_pcm_sframes_t avail = snd_pcm_avail_update(o->pcm);
    if (avail < 0) return recover(o, (int)avail);
    int64_t frames = allowed(o, avail);
    while (frames > 0) {
        uint32_t n = frames < (int64_t)o->buffer_frames ? (uint32_t)frames : o->buffer_frames;
        drone_render(o->engine, o->staging, n);
        uint32_t done = 0;
        while (done < n) {
            const uint8_t *from = o->staging + (size_t)done * o->bytes_per_frame;
            snd_pcm_sframes_t written = snd_pcm_writei(o->pcm, from, n - done);
            if (written == -EAGAIN) {
                snd_pcm_wait(o->pcm, PACED_WAKE_MS);
                if (atomic_load_explicit(&o->quit, memory_order_acquire)) return true;
            } else if (written < 0) {
                if (!recover(o, (int)written)) return false;
            } else {
                done += (uint32_t)written;
            }
        }
        frames -= n;
    }
    if (!o->running && drone_next_frame(o->engine) > o->first_frame) {
        int error = snd_pcm_start(o->pcm);
        if (error < 0 && snd_pcm_state(o->pcm) != SND_PCM_STATE_RUNNING && !recover(o, error)) return false;
        o->running = true;
    }
    return true;
}

static bool has_ended(drone_output *o) {
    int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
    if (end == INT64_MAX || o->seen.heard_frame < end) return false;
    o->seen.state = DRONE_OUTPUT_ENDED;
    return true;
}

/// Sleeps until the device wants frames, a command comes, or it is time to look again.
static void rest(drone_output *o) {
    struct pollfd fds[MAX_POLL_FDS + 1] = {{.fd = o->wake_fd, .events = POLLIN}};
    unsigned count = 1;
    int timeout = WAKE_MS;
    bool waiting_for_end = allowed(o, o->period_frames) == 0;
    if (o->seen.paced || waiting_for_end) {
        timeout = PACED_WAKE_MS;
    } else {
        int described = snd_pcm_poll_descriptors(o->pcm, fds + 1, MAX_POLL_FDS);
        if (described > 0) count += (unsigned)described;
    }
    if (poll(fds, count, timeout) > 0 && (fds[0].revents & POLLIN)) {
        uint64_t value;
        if (read(o->wake_fd, &value, sizeof value) < 0) return;
    }
    if (count > 1) {
        unsigned short events;
        snd_pcm_poll_descriptors_revents(o->pcm, fds + 1, count - 1, &events);
    }
}

static void *run(void *context) {
    drone_output *o = context;
    o->seen.state = DRONE_OUTPUT_RUNNING;
    o->started_ns = o->window_ns = drone_now_ns();
    while (!atomic_load_explicit(&o->quit, memory_order_acquire)) {
        bool alive = fill(o);
        if (alive) {
            watch_pace(o);
            observe(o);
            alive = !has_ended(o);
        }
        publish(o);
        if (!alive) return NULL;
        rest(o);
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Control thread

static void wake(drone_output *o) {
    uint64_t one = 1;
    // A full counter wakes the thread just as well.
    if (write(o->wake_fd, &one, sizeof one) < 0) return;
}

int drone_output_start(drone_output *o, drone_engine *engine) {
    const drone_config *c = drone_engine_config(engine);
    if (o->engine || c->rate != o->rate || c->channels != o->channels || c->format != o->format)
        return DRONE_ERR_ARGUMENT;
    o->engine = engine;
    o->first_frame = o->window_frame = drone_next_frame(engine);
    o->bytes_per_frame = drone_bytes_per_frame(engine);
    o->staging = malloc((size_t)o->buffer_frames * o->bytes_per_frame);
    o->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!o->staging || o->wake_fd < 0) return DRONE_ERR_THREAD;
    o->seen.next_frame = o->first_frame;
    publish(o);
    // Signals belong to the control thread.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    o->has_thread = pthread_create(&o->thread, NULL, run, o) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return o->has_thread ? DRONE_OK : DRONE_ERR_THREAD;
}

void drone_output_end_at(drone_output *o, int64_t frame) {
    atomic_store_explicit(&o->end_frame, frame, memory_order_release);
    if (o->has_thread) wake(o);
}

void drone_output_destroy(drone_output *o) {
    if (!o) return;
    if (o->has_thread) {
        atomic_store_explicit(&o->quit, true, memory_order_release);
        wake(o);
        pthread_join(o->thread, NULL);
    }
    if (o->wake_fd >= 0) close(o->wake_fd);
    snd_pcm_drop(o->pcm);
    snd_pcm_close(o->pcm);
    snd_pcm_status_free(o->status);
    free(o->staging);
    free(o);
}
