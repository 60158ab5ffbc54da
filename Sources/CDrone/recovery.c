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
    /// A device that fails this often before it has moved is not prepared once more, but opened again.
    MOST_FUTILE = 5,
};

/// Reports a gap that ends at `end`, also an empty one: a fault is reported even if it has cost no frames, and every
/// gap that was reported without an end gets one.
static void tell_gap(drone_output *o, int64_t end) {
    if (end < o->gap_begin) end = o->gap_begin;
    // If the queue is full, the newest gaps are dropped.
    drone_ring_push(&o->gaps, &(drone_gap){.begin = o->gap_begin, .end = end, .error = o->gap_error});
}

/// After a fault the device holds nothing: all frames from the engine's next one on can be changed.
static void forget_written(drone_output *o) {
    double rate = atomic_load_explicit(&o->rate, memory_order_relaxed);
    int64_t now = drone_now_ns();
    o->seen.heard = (drone_place){.time_ns = now, .frame = drone_frame_at(o->seen.heard, rate, now), .passes = true};
    o->seen.next_frame = o->seen.changeable_frame = drone_next_frame(o->engine);
    o->seen.refill_frames = 0;
    atomic_store_explicit(&o->written, o->seen.next_frame, memory_order_release);
}

/// From a fault on, frames pass by the clock. The gap begins at the frame that is due now, or at the first frame that
/// was not written, whichever comes first. A device that fails before it has moved has played nothing: its first frame
/// is due now. One that was begun anew has played since it was started, not since its first frame was due.
static void begin_gap(drone_output *o, int error) {
    if (!o->seen.heard.passes) {
        o->seen.heard.time_ns = drone_now_ns();
        o->seen.heard.passes = true;
    }
    int64_t due = drone_output_frame_now(o), next = drone_next_frame(o->engine);
    o->gap_begin = due < next ? due : next;
    if (o->pointer.is_new && !o->seen.paced_by_clock && o->resumed_frame != INT64_MIN) {
        bool is_playing = drone_output_is_playing(o);
        int64_t played = is_playing ? drone_output_frames_in(o, drone_now_ns() - o->pointer.moved_ns) : 0;
        if (o->resumed_frame + played < o->gap_begin) o->gap_begin = o->resumed_frame + played;
    }
    o->gap_error = error;
    // Told at once, without an end, in case the device hangs while it recovers.
    tell_gap(o, INT64_MAX);
}

/// Takes back the frames that were rendered ahead but never played. Returns the frame that is due now.
static int64_t go_back(drone_output *o) {
    int64_t now = drone_output_frame_now(o);
    // By a better known rate, the frame that is due may be a little before the one at which the sound went on last. The
    // engine cannot go back beyond that.
    if (now < o->resumed_frame) now = o->resumed_frame;
    if (now < drone_next_frame(o->engine)) drone_seek(o->engine, now);
    forget_written(o);
    return now;
}

/// Moves the engine to a frame, which the device has not been given: its pace is measured anew from there.
static void skip_to(drone_output *o, int64_t frame) {
    drone_skip(o->engine, frame, o->granted.rate * FADE_MS / 1000);
    o->resumed_frame = o->pace_window_frame = frame;
    o->pace_window_ns = drone_now_ns();
}

/// Moves the engine to the frame that is due now. Missed frames are left out.
static void catch_up(drone_output *o) {
    int64_t now = go_back(o);
    // The gap is reported before the engine shows that it has gone on.
    tell_gap(o, now);
    skip_to(o, now);
    forget_written(o);
}

/// The device is open and prepared: it is filled from the frame that is due now.
static void begin_epoch(drone_output *o) {
    int64_t now = drone_now_ns();
    bool fails_again = drone_output_is_open(o) && now - o->stage.open.prepared_ns < drone_ms_in_ns(REST_MS);
    o->stage = (drone_stage){.kind = DRONE_STAGE_FILLING, .open.prepared_ns = now};
    if (fails_again) o->stage.open.rest_until_ns = now + drone_ms_in_ns(REST_MS);
    o->seen.epoch++;
    o->idle_calls = o->unreported_underruns = 0;
    drone_pointer_reset(o);
    drone_fill_level_begin(o);
    o->acquiring_since_ns = now;
    catch_up(o);
}

/// Waits before the next attempt to open the device: longer each time, until it has played again.
static void wait_for_device(drone_output *o, int error) {
    int64_t longest = drone_ms_in_ns(RETRY_LAST_MS), twice = 2 * o->retry_wait_ns;
    o->retry_wait_ns = twice == 0 ? drone_ms_in_ns(RETRY_FIRST_MS) : twice < longest ? twice : longest;
    o->stage = (drone_stage){.kind = DRONE_STAGE_AWAY, .away.retry_ns = drone_now_ns() + o->retry_wait_ns};
    o->seen.error = error;
}

/// The device is of no use any more.
static void lose(drone_output *o, int error) {
    // Closed at once: the kernel cannot finish removing a device that is still open.
    if (o->pcm) drone_opener_close(o->opener, o->pcm, false);
    o->pcm = NULL;
    o->gap_error = error;
    o->seen.losses++;
    o->seen.silent = true;
    tell_gap(o, INT64_MAX);
    go_back(o);
    wait_for_device(o, error);
}

/// Prepares the stream again. Returns 0 or a negative errno.
static int prepare(drone_output *o, int error) {
    // A resumed stream has lost its place in time as well: it begins anew.
    if (error == -ESTRPIPE) snd_pcm_resume(o->pcm);
    snd_pcm_drop(o->pcm);
    return snd_pcm_prepare(o->pcm);
}

/// Lets the opener give the device a larger buffer: room for twice the level, so that this does not happen again each
/// time the level is raised.
static void enlarge(drone_output *o) {
    drone_device device = {.pcm = o->pcm, .grant = o->granted, .traits = o->traits};
    snd_pcm_drop(o->pcm);
    o->pcm = NULL;
    go_back(o);
    o->stage = (drone_stage){.kind = DRONE_STAGE_OPENING, .opening.enlarges = true};
    drone_opener_enlarge(o->opener, &device, 2 * o->fill_level.low_frames);
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
    skip_to(o, next);
    drone_fill_level_begin(o);
    return 0;
}

/// Ends the output's work.
static void end(drone_output *o) {
    o->stage = (drone_stage){.kind = DRONE_STAGE_OVER};
}

void drone_output_recover(drone_output *o, int error) {
    // The music is over: a device that gets no more frames runs dry. If the thread was stopped for so long that the end
    // has passed meanwhile, the frames that were not written have not been heard.
    if (error == -EPIPE && drone_output_frame_now(o) >= drone_end(o->engine)) {
        if (drone_next_frame(o->engine) < drone_end(o->engine)) begin_gap(o, error);
        end(o);
        return;
    }
    begin_gap(o, error);
    if (error == -EPIPE || error == -ESTRPIPE) {
        o->seen.error = error;
        if (error == -EPIPE) o->seen.xruns++;
        if (error == -ESTRPIPE) o->seen.suspends++;
        bool is_small = !drone_output_rewinds(o);
        if (error == -EPIPE && is_small && drone_fill_level_ran_dry(o)) {
            enlarge(o);
            return;
        }
        error = ++o->futile_faults > MOST_FUTILE ? -EIO : prepare(o, error);
        if (error == 0) {
            begin_epoch(o);
            return;
        }
    }
    lose(o, error);
}

void drone_output_reopen(drone_output *o) {
    if (o->stage.kind == DRONE_STAGE_AWAY && drone_now_ns() >= o->stage.away.retry_ns) {
        // An opener that still closes the device is waited for.
        if (!drone_opener_is_free(o->opener)) return;
        drone_output_request same = drone_device_request_again(&o->granted);
        o->stage = (drone_stage){.kind = DRONE_STAGE_OPENING};
        drone_opener_open(o->opener, &same);
    }
    drone_opened opened;
    if (o->stage.kind != DRONE_STAGE_OPENING || !drone_opener_answer(o->opener, &opened)) return;
    if (opened.error == 0) {
        o->pcm = opened.device.pcm;
        o->granted = opened.device.grant;
        o->traits = opened.device.traits;
        begin_epoch(o);
    } else if (o->stage.opening.enlarges) {
        lose(o, opened.error);
    } else {
        wait_for_device(o, opened.error);
    }
}

void drone_output_check_end(drone_output *o) {
    int64_t last = drone_end(o->engine);
    if (last == INT64_MAX || o->stage.kind == DRONE_STAGE_OVER || o->stage.kind == DRONE_STAGE_IDLE) return;
    // While the device plays, only an observation tells that the end was heard. Otherwise the end passes in silence.
    int64_t heard = drone_output_is_playing(o) ? o->seen.heard.frame : drone_output_frame_now(o);
    if (heard >= last) end(o);
}

void drone_output_watch_sleep(drone_output *o) {
    struct timespec boot, monotonic;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_BOOTTIME, &boot);
    int64_t slept = (int64_t)(boot.tv_sec - monotonic.tv_sec) * 1000000000 + (boot.tv_nsec - monotonic.tv_nsec);
    if (o->slept_ns != 0 && slept - o->slept_ns > drone_ms_in_ns(SLEEP_MS)) o->seen.suspends++;
    o->slept_ns = slept;
}
