/// The ALSA output as the control thread sees it.
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    /// How long a call of the device may take at the end, and how long to wait for it at least.
    PATIENCE_MS = 3000,
    LEAST_PATIENCE_MS = 100,
};

drone_output *drone_output_open(
    const char *device, const drone_output_request *request, drone_output_grant *grant, int *error) {
    drone_output *o = drone_memory_create(sizeof *o);
    *error = -ENOMEM;
    if (!o) return NULL;
    o->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    o->opener = o->wake_fd >= 0 ? drone_opener_create(device, o->wake_fd) : NULL;
    bool ready = o->opener && o->event_fd >= 0 && snd_pcm_status_malloc(&o->status) == 0 &&
        drone_ring_create(&o->observations, DRONE_OBSERVATIONS, sizeof(drone_observation)) &&
        drone_ring_create(&o->gaps, DRONE_GAPS, sizeof(drone_gap));
    drone_device opened = {0};
    if (ready) *error = drone_device_open(&opened, device, request);
    if (!ready || *error < 0) {
        drone_output_destroy(o);
        return NULL;
    }
    o->pcm = opened.pcm;
    o->granted = opened.grant;
    o->traits = opened.traits;
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
    o->staging = drone_memory_create((size_t)DRONE_PIECE_FRAMES * o->bytes_per_frame);
    if (!o->staging) return DRONE_ERR_MEMORY;
    o->engine = drone_engine_keep(engine);
    int64_t first = drone_next_frame(engine);
    o->pace_window_frame = o->seen.next_frame = o->seen.heard.frame = o->seen.changeable_frame = first;
    atomic_store(&o->written, first);
    o->resumed_frame = INT64_MIN;
    o->deepest_frames = c->rewind_frames > g->buffer_frames ? c->rewind_frames : g->buffer_frames;
    drone_output_publish(o);
    return DRONE_OK;
}

static void leave(drone_output *o);

static void *run(void *output) {
    drone_output_run(output);
    leave(output);
    return NULL;
}

int drone_output_start(drone_output *o, drone_engine *engine) {
    int status = drone_output_attach(o, engine);
    if (status != DRONE_OK) return status;
    drone_memory_forget_code();
    drone_engine_lock_memory(engine);
    drone_memory_lock(o);
    drone_memory_lock(o->staging);
    drone_memory_lock(o->observations.items);
    drone_memory_lock(o->gaps.items);
    // Signals belong to the control thread.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    drone_opener_start(o->opener);
    o->has_thread = pthread_create(&o->thread, NULL, run, o) == 0;
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

void drone_output_learn(drone_output *o, const drone_learnt *learnt) {
    atomic_store_explicit(&o->rate, learnt->rate, memory_order_relaxed);
    drone_shared_write(&o->learnt, learnt, sizeof *learnt);
}

int64_t drone_output_written(const drone_output *o) { return atomic_load_explicit(&o->written, memory_order_acquire); }

int64_t drone_output_stuck_ns(const drone_output *o) {
    int64_t since = atomic_load_explicit(&o->round_since_ns, memory_order_relaxed), now = drone_now_ns();
    return since != 0 && now > since ? now - since : 0;
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

int64_t drone_output_reach(const drone_output *o, int64_t time_ns) {
    drone_snapshot seen = drone_output_snapshot(o);
    // Before it is attached, an output has no engine.
    int64_t rendered = o->engine ? drone_read_counters(o->engine).frame : seen.next_frame;
    int64_t next = rendered > seen.next_frame ? rendered : seen.next_frame;
    if (!seen.heard.passes) return next;
    double rate = atomic_load_explicit(&o->rate, memory_order_relaxed);
    int64_t at = drone_frame_at(seen.heard, rate, time_ns), passed = at - seen.heard.frame;
    if (seen.away) return at > next ? at : next;
    if (seen.rewinds) return seen.changeable_frame + passed < next ? seen.changeable_frame + passed : next;
    if (seen.paced_by_clock) return next + passed;
    // With SMALL, frames are written only by refills. Those that will be written until then are out of reach.
    if (next != seen.next_frame || seen.refill_frames <= 0 || at < seen.refill_frame) return next;
    return next + ((at - seen.refill_frame) / seen.refill_frames + 1) * seen.refill_frames;
}

// ---------------------------------------------------------------------------------------------------
// The end

/// Frees an output that no thread uses any more. The opener closes a device that is still open.
static void free_output(drone_output *o) {
    drone_opener_destroy(o->opener);
    if (o->engine) drone_engine_destroy(o->engine);
    if (o->status) snd_pcm_status_free(o->status);
    if (o->wake_fd >= 0) close(o->wake_fd);
    if (o->event_fd >= 0) close(o->event_fd);
    drone_ring_free(&o->observations);
    drone_ring_free(&o->gaps);
    drone_memory_free(o->staging);
    drone_memory_free(o);
}

/// Hands the device to the opener, to be closed. Returns whether there was one.
static bool hand_over(drone_output *o) {
    if (!o->pcm) return false;
    // A card has played everything by now. A device that writes a file may still hold frames that it has not written.
    bool is_file = o->seen.paced_by_clock || snd_pcm_type(o->pcm) == SND_PCM_TYPE_FILE;
    drone_opener_close(o->opener, o->pcm, is_file && o->stage.kind == DRONE_STAGE_OVER);
    o->pcm = NULL;
    return true;
}

/// The audio thread has ended, perhaps after the control thread had given up waiting for it.
static void leave(drone_output *o) {
    if (!atomic_exchange(&o->is_left, true)) return;
    hand_over(o);
    free_output(o);
}

/// Waits a millisecond. Returns whether there is still time. Polled: a timed join waits until a time of day, which
/// shifts when the clock is set.
static bool has_time(int64_t until_ns) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return drone_now_ns() < until_ns;
}

/// Waits for the audio thread, which has been told to quit. Returns whether it has ended.
static bool has_ended(drone_output *o, int64_t until) {
    // A call that has kept the thread for long already is not waited for as long again.
    int64_t since = atomic_load_explicit(&o->round_since_ns, memory_order_relaxed);
    int64_t least = drone_now_ns() + drone_ms_in_ns(LEAST_PATIENCE_MS);
    if (since != 0 && since + drone_ms_in_ns(PATIENCE_MS) < until) until = since + drone_ms_in_ns(PATIENCE_MS);
    if (until < least) until = least;
    pthread_t thread = o->thread;
    while (pthread_tryjoin_np(thread, NULL) != 0) {
        if (has_time(until)) continue;
        // The thread frees everything when it comes back; if it has just come back, it is joined.
        if (!atomic_exchange(&o->is_left, true)) {
            pthread_detach(thread);
            return false;
        }
        pthread_join(thread, NULL);
        break;
    }
    return true;
}

void drone_output_destroy(drone_output *o) {
    if (!o) return;
    int64_t until = drone_now_ns() + drone_ms_in_ns(PATIENCE_MS);
    if (o->has_thread) {
        atomic_store_explicit(&o->quit, true, memory_order_release);
        wake(o);
        if (!has_ended(o, until)) return;
    }
    // An opener that is still opening or closing a device is not waited for: it has nothing more to play.
    if (hand_over(o))
        while (!drone_opener_is_free(o->opener) && has_time(until)) continue;
    free_output(o);
}
