/// Recovery from faults, on the audio thread: the timeline runs on, and the sound comes back by itself.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "output.h"

enum {
    /// The pause before the first attempt to reopen a device. Each further pause is twice as long, up to RETRY_LAST_MS.
    RETRY_FIRST_MS = 50,
    RETRY_LAST_MS = 1000,
    /// How long the drone takes to fade in again.
    FADE_MS = 10,
    /// The machine has been suspended if CLOCK_BOOTTIME has gained more than this on CLOCK_MONOTONIC. Reading one clock
    /// after the other makes a smaller difference.
    SLEEP_MS = 100,
    /// A device that fails again within this time gets a rest of the same length, so that the thread does not spin.
    REST_MS = 20,
    /// After more unreported underruns than this, a device whose buffer is too small is set up again.
    MOST_UNREPORTED = 3,
};

/// The frame that would be heard now if nothing had happened.
static int64_t due_frame(const drone_output *o) {
    if (o->seen.time_ns == 0) return drone_next_frame(o->engine);
    return o->seen.heard_frame + drone_output_frames_in(o, drone_now_ns() - o->seen.time_ns);
}

/// Reports a gap that ends at `end`, also an empty one: a fault is reported even if it has cost no frames.
static void tell_gap(drone_output *o, int64_t end) {
    if (o->gap_begin > end) return;
    // If the queue is full, the newest gaps are dropped.
    drone_ring_push(&o->gaps, &(drone_gap){.begin = o->gap_begin, .end = end, .error = o->gap_error});
}

/// The gap begins at the frame that is due now, or at the first frame that was not written, whichever comes first.
static void begin_gap(drone_output *o, int error) {
    int64_t due = due_frame(o), next = drone_next_frame(o->engine);
    o->gap_begin = due < next ? due : next;
    o->gap_error = error;
}

/// Moves the engine to the frame that is due now. Missed frames are left out.
static void catch_up(drone_output *o) {
    int64_t now = due_frame(o);
    // The gap is reported before the engine shows that it has gone on.
    tell_gap(o, now);
    // Frames that were rendered ahead but never played are rendered again.
    if (now < drone_next_frame(o->engine)) drone_seek(o->engine, now);
    drone_skip(o->engine, now, o->granted.rate * FADE_MS / 1000);
}

static void begin_epoch(drone_output *o) {
    int64_t now = drone_now_ns();
    if (now - o->prepared_ns < drone_ms_in_ns(REST_MS)) o->rest_until_ns = now + drone_ms_in_ns(REST_MS);
    o->seen.epoch++;
    o->seen.state = DRONE_OUTPUT_RUNNING;
    o->running = false;
    o->refused_since_ns = 0;
    o->idle_calls = o->unreported_underruns = 0;
    drone_pointer_reset(o);
    drone_fill_level_begin(o);
    o->acquiring_since_ns = o->prepared_ns = now;
    catch_up(o);
}

static void lose(drone_output *o, int error) {
    // Closed at once: the kernel cannot finish removing a device that is still open.
    snd_pcm_close(o->pcm);
    o->pcm = NULL;
    o->running = false;
    o->seen.state = DRONE_OUTPUT_AWAY;
    o->seen.error = o->gap_error = error;
    o->seen.losses++;
    tell_gap(o, INT64_MAX);
    o->retry_wait_ns = drone_ms_in_ns(RETRY_FIRST_MS);
    o->retry_ns = drone_now_ns() + o->retry_wait_ns;
}

/// Prepares the stream again. Returns 0 or a negative errno.
static int prepare(drone_output *o, int error) {
    bool is_small = !drone_output_rewinds(o), is_dry = error == -EPIPE;
    bool enlarges = is_small && is_dry && drone_fill_level_ran_dry(o);
    // A resumed stream has lost its place in time as well: it begins anew.
    if (error == -ESTRPIPE) snd_pcm_resume(o->pcm);
    snd_pcm_drop(o->pcm);
    if (!enlarges) return snd_pcm_prepare(o->pcm);
    // Room for twice the level, so that this does not happen again each time the level is raised.
    return drone_device_enlarge(o->pcm, &o->granted, &o->traits, 2 * o->fill_level.low_frames);
}

int drone_output_recover_unreported(drone_output *o, int64_t frames) {
    int64_t begin = drone_next_frame(o->engine), next = begin;
    // After the end of the music nothing is lost.
    if (begin >= drone_end(o->engine)) return 0;
    // A larger buffer needs a new stream, which interrupts the sound. Accept a few short losses first.
    bool is_short = drone_fill_level_ran_dry(o);
    if (++o->unreported_underruns > MOST_UNREPORTED && is_short) return -EPIPE;
    // After a long underrun a new stream is quicker than writing all that silence.
    if (frames > (int64_t)o->granted.rate) return -EPIPE;
    o->seen.error = o->gap_error = -EPIPE;
    o->seen.xruns++;
    o->gap_begin = begin;
    memset(o->staging, 0, (size_t)DRONE_PIECE_FRAMES * o->bytes_per_frame);
    while (next < begin + frames) {
        int64_t left = begin + frames - next;
        snd_pcm_sframes_t written = snd_pcm_writei(o->pcm, o->staging, left < DRONE_PIECE_FRAMES ? left : DRONE_PIECE_FRAMES);
        if (written < 0 && written != -EAGAIN) return (int)written;
        if (written <= 0) break;
        next += written;
    }
    tell_gap(o, next);
    drone_skip(o->engine, next, o->granted.rate * FADE_MS / 1000);
    drone_fill_level_begin(o);
    return 0;
}

void drone_output_recover(drone_output *o, int error) {
    // The music is over: a device that gets no more frames runs dry.
    if (error == -EPIPE && due_frame(o) >= drone_end(o->engine)) {
        o->seen.state = DRONE_OUTPUT_ENDED;
        return;
    }
    begin_gap(o, error);
    if (error == -EPIPE || error == -ESTRPIPE) {
        o->seen.error = error;
        if (error == -EPIPE) o->seen.xruns++;
        if (error == -ESTRPIPE) o->seen.suspends++;
        int failed = prepare(o, error);
        if (failed == 0) {
            begin_epoch(o);
            return;
        }
        error = failed;
    }
    lose(o, error);
}

void drone_output_retry(drone_output *o) {
    int64_t now = drone_now_ns();
    if (now < o->retry_ns) return;
    drone_output_request same = drone_output_request_again(&o->granted);
    drone_output_grant grant;
    int error = drone_device_open(&o->pcm, o->device, &same, &grant, &o->traits);
    if (error < 0) {
        o->pcm = NULL;
        o->seen.error = error;
        int64_t longest = drone_ms_in_ns(RETRY_LAST_MS);
        o->retry_wait_ns = 2 * o->retry_wait_ns < longest ? 2 * o->retry_wait_ns : longest;
        o->retry_ns = now + o->retry_wait_ns;
        return;
    }
    o->granted = grant;
    begin_epoch(o);
}

void drone_output_watch_sleep(drone_output *o) {
    struct timespec boot, monotonic;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_BOOTTIME, &boot);
    int64_t slept = (int64_t)(boot.tv_sec - monotonic.tv_sec) * 1000000000 + (boot.tv_nsec - monotonic.tv_nsec);
    if (o->slept_ns != 0 && slept - o->slept_ns > drone_ms_in_ns(SLEEP_MS)) o->seen.suspends++;
    o->slept_ns = slept;
}
