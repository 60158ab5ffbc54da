/// What the audio thread does when something goes wrong: the timeline runs on, and the sound comes back by itself.
#include <errno.h>
#include <time.h>

#include "output.h"

enum {
    /// A device that is away is tried again after this, and then after twice as long each time.
    RETRY_FIRST_MS = 50,
    RETRY_LAST_MS = 1000,
    /// How long the drone takes to come back.
    FADE_MS = 10,
    /// CLOCK_BOOTTIME and CLOCK_MONOTONIC read one after the other differ by less than this.
    SLEEP_MS = 100,
    /// resume() is tried this often, a millisecond apart, before the device is prepared anew.
    RESUME_TRIES = 20,
    /// A device that fails again this soon is given a rest: no spinning.
    REST_MS = 20,
};

/// The frame that belongs to now, as if nothing had happened.
static int64_t due_frame(const drone_output *o) {
    if (o->seen.time_ns == 0) return drone_next_frame(o->engine);
    return o->seen.heard_frame + drone_output_frames_in(o, drone_now_ns() - o->seen.time_ns);
}

/// Tells of frames that nobody hears.
static void tell_gap(drone_output *o, int64_t end) {
    drone_gap_ring *ring = &o->gaps;
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (o->silent_from >= end || tail - atomic_load_explicit(&ring->head, memory_order_acquire) == DRONE_GAPS) return;
    ring->items[tail % DRONE_GAPS] = (drone_gap){.begin = o->silent_from, .end = end};
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

/// What was written has been played as far as the time went; what was not written was not.
static void begin_gap(drone_output *o) {
    int64_t due = due_frame(o), next = drone_next_frame(o->engine);
    o->silent_from = due < next ? due : next;
}

/// The engine goes to the frame that belongs to now: what was missed is left out.
static void catch_up(drone_output *o) {
    int64_t now = due_frame(o);
    // Before the engine shows that it has gone on.
    tell_gap(o, now);
    // What was rendered ahead and never played is rendered again.
    if (now < drone_next_frame(o->engine)) drone_seek(o->engine, now);
    drone_skip(o->engine, now, o->granted.rate * FADE_MS / 1000);
}

static void begin_epoch(drone_output *o) {
    if (drone_now_ns() - o->acquired_ns < (int64_t)REST_MS * 1000000)
        nanosleep(&(struct timespec){.tv_nsec = REST_MS * 1000000}, NULL);
    o->seen.epoch++;
    o->running = false;
    o->idle_calls = o->missed_steps = 0;
    o->step_wait_ns = 0;
    o->acquired_ns = drone_now_ns();
    catch_up(o);
}

static void lose(drone_output *o, int error) {
    // At once: the kernel finishes a removal only then.
    snd_pcm_close(o->pcm);
    o->pcm = NULL;
    o->seen.state = DRONE_OUTPUT_AWAY;
    o->seen.error = error;
    o->seen.losses++;
    tell_gap(o, INT64_MAX);
    o->retry_wait_ns = (int64_t)RETRY_FIRST_MS * 1000000;
    o->retry_ns = drone_now_ns() + o->retry_wait_ns;
}

static int resume(snd_pcm_t *pcm) {
    for (int i = 0; i < RESUME_TRIES; i++) {
        int error = snd_pcm_resume(pcm);
        if (error != -EAGAIN) return error;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return -EAGAIN;
}

bool drone_output_recover(drone_output *o, int error) {
    if (error == -EINTR || error == -EAGAIN) return true;
    int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
    if (error == -EPIPE && drone_next_frame(o->engine) >= end) {
        o->seen.state = DRONE_OUTPUT_ENDED;
        return false;
    }
    begin_gap(o);
    if (error == -EPIPE || error == -ESTRPIPE) {
        o->seen.error = error;
        if (error == -EPIPE) o->seen.xruns++;
        if (error == -ESTRPIPE) {
            o->seen.suspends++;
            resume(o->pcm);
        }
        // A stream that was resumed has lost its place in time all the same: it begins anew.
        snd_pcm_drop(o->pcm);
        // Who came too late once wakes up sooner from now on.
        if (o->seen.xruns > 0) drone_device_set_gulp(o->pcm, &o->granted, false);
        error = snd_pcm_prepare(o->pcm);
        if (error == 0) {
            begin_epoch(o);
            return false;
        }
    }
    lose(o, error);
    return false;
}

void drone_output_retry(drone_output *o) {
    int64_t now = drone_now_ns();
    if (now < o->retry_ns) return;
    drone_output_request same = o->granted;
    same.any_rate = same.any_channels = same.any_format = false;
    int error = drone_device_open(&o->pcm, o->device, &same, o->seen.realtime && o->seen.xruns == 0);
    if (error == 0 && same.buffer_frames > o->granted.buffer_frames) {
        // The staging room was made for the first buffer.
        same.buffer_frames = o->granted.buffer_frames;
    }
    if (error < 0) {
        o->pcm = NULL;
        o->seen.error = error;
        int64_t longest = (int64_t)RETRY_LAST_MS * 1000000;
        o->retry_wait_ns = 2 * o->retry_wait_ns < longest ? 2 * o->retry_wait_ns : longest;
        o->retry_ns = now + o->retry_wait_ns;
        return;
    }
    o->granted.period_frames = same.period_frames;
    o->granted.buffer_frames = same.buffer_frames;
    o->granted.gulp_frames = same.gulp_frames;
    o->seen.state = DRONE_OUTPUT_RUNNING;
    begin_epoch(o);
}

void drone_output_watch_sleep(drone_output *o) {
    struct timespec boot, monotonic;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_BOOTTIME, &boot);
    int64_t slept = (int64_t)(boot.tv_sec - monotonic.tv_sec) * 1000000000 + (boot.tv_nsec - monotonic.tv_nsec);
    if (o->slept_ns != 0 && slept - o->slept_ns > (int64_t)SLEEP_MS * 1000000) o->seen.suspends++;
    o->slept_ns = slept;
}
