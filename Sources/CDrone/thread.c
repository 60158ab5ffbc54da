/// The audio thread: rounds of deciding, writing and observing, the published snapshot, and the sleep between rounds.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "output.h"

enum {
    MAX_POLL_FDS = 16,
    /// The longest that the thread waits for a device to wake it.
    CALLED_WAKE_MS = 200,
    PACED_WAKE_MS = 10,
    /// REWIND only: the pause between looks while the card's clock is being learnt, and after that.
    ACQUIRE_WAKE_MS = 50,
    WAKE_MS = 380,
    /// How soon the pointer is looked at again after a surprise.
    QUICK_LOOK_MS = 5,
    /// How long at least a device is not listened to after it has woken the thread too early.
    EARLY_WAKE_MS = 1,
    /// After this many wake-ups without need, a device is not listened to any more.
    MOST_IDLE_CALLS = 20,
    SCHED_PRIORITY = 10,
    /// How much of the stack is touched before it is needed.
    STACK_BYTES = 64 * 1024,
};

_Static_assert(sizeof(drone_snapshot) <= 8 * DRONE_SHARED_WORDS, "a snapshot is shared as a whole");

void drone_output_publish(drone_output *o) {
    // The last published snapshot, for its state and epoch, before it is overwritten.
    drone_snapshot last;
    drone_shared_read(&o->published, &last, sizeof last);
    bool is_news = o->is_news || last.state != o->seen.state || last.epoch != o->seen.epoch;
    o->is_news = false;
    o->seen.rewinds = drone_output_rewinds(o);
    o->seen.away = !o->pcm;
    drone_shared_write(&o->published, &o->seen, sizeof o->seen);
    uint64_t one = 1;
    if (is_news && write(o->event_fd, &one, sizeof one) < 0) return;
}

static void check_end(drone_output *o) {
    int64_t end = drone_end(o->engine);
    if (end == INT64_MAX || o->seen.state == DRONE_OUTPUT_ENDED) return;
    int64_t heard = o->seen.heard_frame;
    // While the device is away the end passes in silence.
    if (o->seen.state == DRONE_OUTPUT_AWAY) heard += drone_output_frames_in(o, drone_now_ns() - o->seen.time_ns);
    if (heard >= end) o->seen.state = DRONE_OUTPUT_ENDED;
}

static void do_round(drone_output *o) {
    bool was_hurried = atomic_exchange_explicit(&o->hurried, false, memory_order_acq_rel);
    if (atomic_exchange_explicit(&o->given_realtime, false, memory_order_relaxed)) {
        o->seen.realtime = true;
        drone_fill_level_begin(o);
    }
    o->rest_until_ns = 0;
    o->seen.wakes++;
    drone_output_watch_sleep(o);
    if (!o->pcm) drone_output_retry(o);
    int error = drone_output_decide(o);
    if (error == 0 && o->pcm && o->rest_until_ns == 0) error = drone_output_fill(o);
    if (error < 0 && o->pcm)
        drone_output_recover(o, error);
    else if (o->pcm && o->running)
        drone_pointer_observe(o);
    check_end(o);
    o->is_called = false;
    if (was_hurried) o->is_news = true;
    drone_output_publish(o);
}

// ---------------------------------------------------------------------------------------------------
// Sleeping

/// Whether the device has been given all frames up to the end.
static bool is_filled(const drone_output *o) {
    return drone_end(o->engine) <= drone_next_frame(o->engine);
}

/// How long to leave a device with the policy REWIND alone.
static int64_t ahead_wait_ns(drone_output *o, int64_t now) {
    // No two pauses are the same: regular ones could keep step with the pointer's own steps, and always see it at the
    // same wrong place.
    o->jitter = o->jitter * 1664525u + 1013904223u;
    int64_t ms = drone_pointer_is_acquiring(o, now) ? ACQUIRE_WAKE_MS : WAKE_MS;
    if (o->pointer.quick_looks > 0) ms = QUICK_LOOK_MS;
    // A device that could not be filled, because events are missing, is served again before it is half empty.
    int64_t half = o->held_frames * 500 / o->granted.rate;
    if (ms > half) ms = half > 2 ? half : 2;
    return ms * 900000 + (int64_t)((o->jitter >> 16) % 1000) * ms * 200;
}

/// Plans the sleep until the next round.
static drone_wait plan(drone_output *o) {
    int64_t now = drone_now_ns();
    drone_wait wait = {.ended = o->seen.state == DRONE_OUTPUT_ENDED};
    o->fill_level.due_ns = 0;
    if (!o->pcm) {
        wait.until_ns = o->retry_ns;
    } else if (o->rest_until_ns != 0 || !o->running) {
        wait.until_ns = o->rest_until_ns != 0 ? o->rest_until_ns : now;
    } else if (o->seen.paced_by_clock || is_filled(o)) {
        wait.until_ns = now + drone_ms_in_ns(PACED_WAKE_MS);
    } else if (drone_output_rewinds(o)) {
        wait.until_ns = now + ahead_wait_ns(o, now);
        wait.listens = o->idle_calls < MOST_IDLE_CALLS;
    } else {
        wait.until_ns = now + drone_ms_in_ns(CALLED_WAKE_MS);
        // A device that wakes the thread although it has no room would do so again at once, and keep the processor
        // busy.
        wait.listens = !o->called_early;
        int64_t left = drone_next_frame(o->engine) - o->seen.heard_frame;
        o->fill_level.due_ns = o->seen.time_ns + (left - o->fill_level.low_frames) * 1000000000 / o->granted.rate;
        if (o->pointer.quick_looks > 0) wait.until_ns = now + drone_ms_in_ns(QUICK_LOOK_MS);
        if (o->called_early) {
            int64_t soon = now + drone_ms_in_ns(EARLY_WAKE_MS);
            wait.until_ns = o->fill_level.due_ns > soon ? o->fill_level.due_ns : soon;
        }
    }
    return wait;
}

/// Answers a wake-up by the device: from this call plugins learn that it was noticed.
static void answer_call(drone_output *o, struct pollfd *fds, unsigned count) {
    unsigned short events;
    snd_pcm_poll_descriptors_revents(o->pcm, fds, count, &events);
    o->is_called = true;
    // With REWIND a device has a reason to wake the thread only if it has failed.
    if (drone_output_rewinds(o) && snd_pcm_state(o->pcm) == SND_PCM_STATE_RUNNING) o->idle_calls++;
}

static void sleep_until(drone_output *o, drone_wait wait) {
    struct pollfd fds[MAX_POLL_FDS + 1] = {{.fd = o->wake_fd, .events = POLLIN}};
    unsigned count = 1;
    if (wait.listens) {
        // Asked before every sleep, because plugins set their timers by it.
        int described = snd_pcm_poll_descriptors(o->pcm, fds + 1, MAX_POLL_FDS);
        if (described > 0) count += (unsigned)described;
    }
    int64_t left = drone_output_is_hurried(o) ? 0 : wait.until_ns - drone_now_ns();
    struct timespec timeout = {0};
    if (left > 0) timeout = (struct timespec){.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
    int ready = ppoll(fds, count, &timeout, NULL);
    if (ready > 0 && (fds[0].revents & POLLIN)) {
        uint64_t value;
        if (read(o->wake_fd, &value, sizeof value) == (ssize_t)sizeof value) ready--;
    }
    if (count > 1 && ready > 0) answer_call(o, fds + 1, count - 1);
}

/// Touches the stack in advance, so that it causes no page faults while music plays. Not inlined: as a part of its
/// caller it would touch the caller's own memory, and not the stack below, which the called functions need.
__attribute__((noinline)) static void touch_stack(void) {
    volatile uint8_t stack[STACK_BYTES];
    for (size_t at = 0; at < sizeof stack; at += 1024) stack[at] = 0;
}

/// Sets the state that the first round begins with.
static void begin(drone_output *o) {
    o->seen.state = DRONE_OUTPUT_RUNNING;
    o->started_ns = o->pace_window_ns = o->acquiring_since_ns = o->prepared_ns = drone_now_ns();
    drone_pointer_reset(o);
    drone_fill_level_begin(o);
}

void *drone_output_run(void *context) {
    drone_output *o = context;
    struct sched_param priority = {.sched_priority = SCHED_PRIORITY};
    o->seen.realtime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
    o->seen.thread_id = syscall(SYS_gettid);
    touch_stack();
    begin(o);
    while (!atomic_load_explicit(&o->quit, memory_order_acquire)) {
        do_round(o);
        drone_wait wait = plan(o);
        if (wait.ended) return NULL;
        sleep_until(o, wait);
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// The same without a thread

drone_wait drone_output_next_round(drone_output *o) {
    if (o->seen.state == DRONE_OUTPUT_IDLE) {
        begin(o);
        return (drone_wait){.until_ns = drone_now_ns()};
    }
    drone_wait wait = plan(o);
    // As before every sleep: plugins set their timers by it.
    struct pollfd fds[MAX_POLL_FDS];
    if (wait.listens) snd_pcm_poll_descriptors(o->pcm, fds, MAX_POLL_FDS);
    return wait;
}

bool drone_output_is_hurried(const drone_output *o) {
    return atomic_load_explicit(&o->hurried, memory_order_acquire);
}

void drone_output_round(drone_output *o, bool called) {
    if (o->seen.state == DRONE_OUTPUT_IDLE) begin(o);
    struct pollfd fds[MAX_POLL_FDS];
    int described = called && o->pcm ? snd_pcm_poll_descriptors(o->pcm, fds, MAX_POLL_FDS) : 0;
    for (int i = 0; i < described; i++) fds[i].revents = fds[i].events;
    if (described > 0) answer_call(o, fds, (unsigned)described);
    do_round(o);
}
