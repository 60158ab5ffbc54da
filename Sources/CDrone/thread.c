/// The audio thread: the sleep between rounds, and rounds for a caller without a thread.
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
    /// How soon to ask again for an opener that is busy; how long to wait at most for one that will wake the thread.
    BUSY_WAKE_MS = 20,
    OPENING_WAKE_MS = 1000,
    /// How long at least a device is not listened to after it has woken the thread too early.
    EARLY_WAKE_MS = 1,
    /// A device that has nothing new is listened to again at once, so often.
    MOST_EMPTY_CALLS = 4,
    /// After this many wake-ups without need, a device is not listened to any more.
    MOST_IDLE_CALLS = 20,
    SCHED_PRIORITY = 10,
    /// How much of the stack is touched before it is needed.
    STACK_BYTES = 64 * 1024,
};

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
    int64_t ms = drone_pointer_is_doubtful(o, now) ? ACQUIRE_WAKE_MS : WAKE_MS;
    if (o->pointer.quick_looks > 0) ms = QUICK_LOOK_MS;
    // A device that could not be filled, because events are missing, is served again before it is half empty.
    int64_t half = o->held_frames * 500 / o->granted.rate;
    if (ms > half) ms = half > 2 ? half : 2;
    return ms * 900000 + (int64_t)((o->jitter >> 16) % 1000) * ms * 200;
}

/// Plans the sleep until the next round for a device that wakes the thread itself.
static drone_wait plan_small(drone_output *o, int64_t now) {
    bool called_early = o->stage.open.called_early;
    // A device that wakes the thread although it has no room would do so again at once, and keep the processor busy.
    drone_wait wait = {.until_ns = now + drone_ms_in_ns(CALLED_WAKE_MS), .listens = !called_early};
    // By what its buffer held, not by what is heard: a sound server holds more after that.
    int64_t left = o->held_frames - o->fill_level.low_frames;
    o->fill_level.due_ns = o->held_ns + left * 1000000000 / o->granted.rate;
    if (o->pointer.quick_looks > 0) wait.until_ns = now + drone_ms_in_ns(QUICK_LOOK_MS);
    if (called_early) {
        int64_t soon = now + drone_ms_in_ns(EARLY_WAKE_MS);
        wait.until_ns = o->fill_level.due_ns > soon ? o->fill_level.due_ns : soon;
    }
    return wait;
}

/// Plans the sleep until the next round for an open device.
static drone_wait plan_open(drone_output *o, int64_t now) {
    if (o->stage.open.rest_until_ns != 0) return (drone_wait){.until_ns = o->stage.open.rest_until_ns};
    if (o->stage.kind == DRONE_STAGE_FILLING) return (drone_wait){.until_ns = now};
    if (o->seen.paced_by_clock || is_filled(o)) return (drone_wait){.until_ns = now + drone_ms_in_ns(PACED_WAKE_MS)};
    if (!drone_output_rewinds(o)) return plan_small(o, now);
    return (drone_wait){.until_ns = now + ahead_wait_ns(o, now), .listens = o->idle_calls < MOST_IDLE_CALLS};
}

/// Plans the sleep until the next round.
static drone_wait plan(drone_output *o) {
    int64_t now = drone_now_ns();
    o->fill_level.due_ns = 0;
    switch (o->stage.kind) {
    case DRONE_STAGE_IDLE: return (drone_wait){.until_ns = now};
    case DRONE_STAGE_FILLING:
    case DRONE_STAGE_PLAYING: return plan_open(o, now);
    case DRONE_STAGE_AWAY: {
        int64_t soon = now + drone_ms_in_ns(BUSY_WAKE_MS);
        return (drone_wait){.until_ns = o->stage.away.retry_ns > now ? o->stage.away.retry_ns : soon};
    }
    // The opener wakes the thread.
    case DRONE_STAGE_OPENING: {
        bool has_answer = drone_opener_has_answer(o->opener);
        return (drone_wait){.until_ns = has_answer ? now : now + drone_ms_in_ns(OPENING_WAKE_MS)};
    }
    case DRONE_STAGE_OVER: return (drone_wait){.ended = true};
    }
    return (drone_wait){.ended = true};
}

/// Answers a wake-up by the device: from this call plugins learn that it was noticed. Returns whether it was one: a plugin
/// may have been told of a period before, and have nothing new.
static bool answer_call(drone_output *o, struct pollfd *fds, unsigned count) {
    unsigned short events = 0;
    if (snd_pcm_poll_descriptors_revents(o->pcm, fds, count, &events) < 0) return true;
    // With REWIND a device has a reason to wake the thread only if it has failed.
    if (drone_output_rewinds(o) && snd_pcm_state(o->pcm) == SND_PCM_STATE_RUNNING) o->idle_calls++;
    return events != 0;
}

/// Sleeps. Returns whether the device has woken the thread.
static bool sleep_until(drone_output *o, drone_wait wait) {
    for (int turn = 0; turn < MOST_EMPTY_CALLS; turn++) {
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
        bool is_woken = ready > 0 && (fds[0].revents & POLLIN);
        uint64_t value;
        if (is_woken && read(o->wake_fd, &value, sizeof value) == (ssize_t)sizeof value) ready--;
        if (count == 1 || ready <= 0) return false;
        if (answer_call(o, fds + 1, count - 1)) return true;
        if (is_woken) return false;
    }
    return true;
}

/// Touches the stack in advance, so that it causes no page faults while music plays. Not inlined: as a part of its
/// caller it would touch the caller's own memory, and not the stack below, which the called functions need.
__attribute__((noinline)) static void touch_stack(void) {
    volatile uint8_t stack[STACK_BYTES];
    for (size_t at = 0; at < sizeof stack; at += 1024) stack[at] = 0;
}

void drone_output_run(drone_output *o) {
    struct sched_param priority = {.sched_priority = SCHED_PRIORITY};
    o->seen.realtime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
    o->seen.thread_id = syscall(SYS_gettid);
    touch_stack();
    drone_output_begin(o);
    bool is_called = false;
    while (!atomic_load_explicit(&o->quit, memory_order_acquire)) {
        drone_output_do_round(o, is_called);
        drone_wait wait = plan(o);
        if (wait.ended) return;
        is_called = sleep_until(o, wait);
    }
}

// ---------------------------------------------------------------------------------------------------
// The same without a thread

drone_wait drone_output_next_round(drone_output *o) {
    if (o->stage.kind == DRONE_STAGE_IDLE) drone_output_begin(o);
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
    if (o->stage.kind == DRONE_STAGE_IDLE) drone_output_begin(o);
    struct pollfd fds[MAX_POLL_FDS];
    int described = called && drone_output_is_open(o) ? snd_pcm_poll_descriptors(o->pcm, fds, MAX_POLL_FDS) : 0;
    for (int i = 0; i < described; i++) fds[i].revents = fds[i].events;
    drone_output_do_round(o, described > 0 && answer_call(o, fds, (unsigned)described));
}
