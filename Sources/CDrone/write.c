/// What goes into the device: transactions that are decided about, and the samples that follow from them.
#include <errno.h>
#include <stdlib.h>

#include "output.h"

enum {
    /// With REWIND: how far ahead the device is filled while its clock is being learnt, and thereafter.
    ACQUIRE_FILL_MS = 250,
    FILL_MS = 1000,
    /// How much is kept in such a device although it is not known yet what comes.
    SAFE_MS = 150,
    /// Silence that is written after the end, so that a card that plays on until it is stopped finds nothing old.
    TAIL_MS = 20,
    /// After a rewind what comes next is written in pieces of this size, so that the card finds it in time.
    REWOUND_PIECE_FRAMES = 480,
    /// A device that has taken so much more than time has passed, beside what lies ahead in it, does not pace itself.
    LEAD_MS = 100,
    /// A device that has room and takes nothing for so long is no better than one that is away.
    REFUSED_MS = 2000,
    /// How soon a device is asked again that was not ready.
    AGAIN_MS = 1,
};

// ---------------------------------------------------------------------------------------------------
// Transactions

/// Takes back what stands in the device from `frame` on, as far as it may. The engine follows it.
static int take_back(drone_output *o, int64_t frame) {
    int64_t next = drone_next_frame(o->engine);
    snd_pcm_sframes_t avail = snd_pcm_avail(o->pcm);
    if (avail < 0) return (int)avail;
    int64_t reach = next - ((int64_t)o->granted.buffer_frames - avail) + drone_pointer_headroom(o);
    o->seen.slack_frames = frame - reach;
    if (frame < reach) return 0;
    snd_pcm_sframes_t wanted = (snd_pcm_sframes_t)(next - frame);
    snd_pcm_sframes_t rewindable = snd_pcm_rewindable(o->pcm);
    if (rewindable >= 0 && rewindable < wanted) return 0;
    snd_pcm_sframes_t done = snd_pcm_rewind(o->pcm, (snd_pcm_uframes_t)wanted);
    if (done > 0) {
        if (drone_seek(o->engine, next - done) != DRONE_OK) {
            snd_pcm_forward(o->pcm, (snd_pcm_uframes_t)done);
            return 0;
        }
        o->pointer.rewound_frames += done;
    }
    if (done < wanted) {
        // It takes back less than it says, or nothing: from now on nothing is asked of it. What it did give back is
        // rendered again as it was.
        o->granted.policy = DRONE_POLICY_SMALL;
        drone_fill_level_begin(o);
    }
    return 0;
}

int drone_output_decide(drone_output *o) {
    int64_t frame;
    while (drone_next_transaction(o->engine, &frame)) {
        int64_t next = drone_next_frame(o->engine);
        o->seen.slack_frames = frame == INT64_MAX ? 0 : frame - next;
        if (frame < next && o->pcm && o->running && drone_output_rewinds(o)) {
            int64_t begin = drone_now_ns();
            int error = take_back(o, frame);
            if (error < 0) return error;
            if (drone_next_frame(o->engine) < next) o->pointer.rewind_began_ns = begin;
        }
        drone_decide(o->engine);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------
// Samples

/// With REWIND: how many frames may be written into the room that there is.
static int64_t allowed_ahead(const drone_output *o, int64_t avail, int64_t known) {
    bool is_careful = drone_pointer_is_acquiring(o, drone_now_ns()) && o->seen.xruns == 0;
    int64_t fill = drone_output_frames_in_ms(o, is_careful ? ACQUIRE_FILL_MS : FILL_MS);
    int64_t held = (int64_t)o->granted.buffer_frames - avail;
    int64_t safe = drone_output_frames_in_ms(o, SAFE_MS) - held;
    int64_t most = fill - held;
    if (most > known) most = known > safe ? known : safe;
    return most < avail ? most : avail;
}

/// With SMALL: whole periods up to the target, once the low level is reached, or the device calls for more: PulseAudio does for
/// every period.
static int64_t allowed_small(const drone_output *o, int64_t avail) {
    int64_t period = o->granted.period_frames, held = (int64_t)o->granted.buffer_frames - avail;
    if (o->running && !o->is_called && held > o->fill_level.low_frames) return 0;
    int64_t most = o->fill_level.target_frames - held;
    return (most < avail ? most : avail) / period * period;
}

/// How much lies ahead in the device at most.
static int64_t most_ahead(const drone_output *o) {
    return drone_output_rewinds(o) ? (int64_t)o->granted.buffer_frames : o->fill_level.target_frames;
}

/// How many frames may be written now, of those that the device has room for.
static int64_t allowed(const drone_output *o, int64_t avail) {
    int64_t next = drone_next_frame(o->engine), horizon = drone_horizon(o->engine);
    int64_t known = horizon > next ? horizon - next : 0;
    int64_t frames = avail;
    if (o->seen.paced_by_clock) {
        int64_t now = o->first_frame + drone_output_frames_in(o, drone_now_ns() - o->started_ns);
        int64_t ahead = now + most_ahead(o) - next;
        if (frames > ahead) frames = ahead;
        if (frames > known) frames = known;
    } else {
        frames = drone_output_rewinds(o) ? allowed_ahead(o, avail, known) : allowed_small(o, avail);
    }
    int64_t end = drone_end(o->engine);
    if (end != INT64_MAX) {
        int64_t period = o->granted.period_frames, tail = drone_output_frames_in_ms(o, TAIL_MS);
        int64_t left = end + (tail > period ? tail : period) - next;
        int64_t limit = left > 0 ? (left + period - 1) / period * period : 0;
        if (frames > limit) frames = limit;
    }
    return frames > 0 ? frames : 0;
}

/// Renders and writes a piece. Returns how much of it the device took, or a negative errno. The engine stands behind what it
/// took.
static int64_t write_piece(drone_output *o, uint32_t frames) {
    int64_t next = drone_next_frame(o->engine);
    drone_render(o->engine, o->staging, frames);
    snd_pcm_sframes_t written = snd_pcm_writei(o->pcm, o->staging, frames);
    if (written == -EAGAIN || written == -EINTR) written = 0;
    // What it did not take is rendered again: a frame is a function of its number. What it failed at is the gap's.
    if (written < (snd_pcm_sframes_t)frames) drone_seek(o->engine, next + (written > 0 ? written : 0));
    return written;
}

/// Notes how long it took from the decision to rewind until the first piece was in its place again.
static void note_rewrite(drone_output *o) {
    if (o->pointer.rewind_began_ns == 0) return;
    int64_t took = drone_now_ns() - o->pointer.rewind_began_ns;
    o->pointer.rewind_began_ns = 0;
    // An eighth at a time it forgets that the machine was slow.
    o->rewrite_ns = took > o->rewrite_ns ? took : o->rewrite_ns - o->rewrite_ns / 8;
}

static int start(drone_output *o) {
    if (!o->running && snd_pcm_state(o->pcm) == SND_PCM_STATE_PREPARED) {
        int error = snd_pcm_start(o->pcm);
        if (error == -EAGAIN) return error;
        if (error < 0 && snd_pcm_state(o->pcm) != SND_PCM_STATE_RUNNING) return error;
    }
    o->running = true;
    return 0;
}

/// What a device that still answers has suffered: a negative errno, 0 for nothing.
static int fault(snd_pcm_state_t state) {
    switch (state) {
    case SND_PCM_STATE_XRUN: return -EPIPE;
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
    default: return 0;
    }
}

/// For how many frames the device has room, or a negative errno.
static snd_pcm_sframes_t room(drone_output *o) {
    // A device that wakes the thread for every refill is asked once, for this and for the pointer.
    o->pointer.has_answer =
        !drone_output_rewinds(o) && o->running && !o->seen.paced_by_clock && drone_pointer_ask(o) >= 0;
    if (o->pointer.has_answer) {
        int64_t avail = (int64_t)snd_pcm_status_get_avail(o->status);
        int error = fault(snd_pcm_status_get_state(o->status));
        if (error < 0) return error;
        if ((int64_t)o->granted.buffer_frames - avail <= o->fill_level.low_frames) return avail;
    }
    snd_pcm_sframes_t avail = snd_pcm_avail(o->pcm);
    // A device that sleeps repeats its last room, and wakes a thread that waits for more each time.
    int error = avail < 0 ? 0 : fault(snd_pcm_state(o->pcm));
    return error < 0 ? error : avail;
}

/// A device that is not ready is asked again soon, but not for ever.
static int not_ready(drone_output *o) {
    int64_t now = drone_now_ns();
    if (o->refused_since_ns == 0) o->refused_since_ns = now;
    if (now - o->refused_since_ns > drone_ms_in_ns(REFUSED_MS)) return -EIO;
    o->rest_until_ns = now + drone_ms_in_ns(AGAIN_MS);
    return 0;
}

/// Finds out whether the device takes frames faster than time passes, over windows of a second.
static void watch_pace(drone_output *o) {
    int64_t now = drone_now_ns();
    int64_t written = drone_next_frame(o->engine);
    int64_t lead = drone_output_frames_in_ms(o, LEAD_MS) + most_ahead(o);
    int64_t elapsed = drone_output_frames_in(o, now - o->pace_window_ns);
    if (written - o->pace_window_frame > elapsed + elapsed / 100 + lead) {
        o->seen.paced_by_clock = true;
    } else if (now - o->pace_window_ns > 1000000000) {
        o->pace_window_ns = now;
        o->pace_window_frame = written;
    }
}

int drone_output_fill(drone_output *o) {
    snd_pcm_sframes_t avail = room(o);
    if (avail < 0) return (int)avail;
    int64_t held = (int64_t)o->granted.buffer_frames - avail;
    if (o->running && !o->seen.paced_by_clock && !drone_output_rewinds(o)) {
        int64_t next = drone_next_frame(o->engine);
        bool ran_dry = held < 0 && o->traits.is_plugin;
        int error = ran_dry ? drone_output_recover_unreported(o, -held) : drone_fill_level_watch(o, held);
        if (error < 0) return error;
        avail -= drone_next_frame(o->engine) - next;
    }
    int64_t frames = allowed(o, avail), piece = drone_output_rewinds(o) ? REWOUND_PIECE_FRAMES : DRONE_PIECE_FRAMES;
    bool takes = true;
    o->called_early = o->is_called && frames == 0;
    while (frames > 0 && takes) {
        int64_t n = frames < piece ? frames : piece;
        int64_t written = write_piece(o, (uint32_t)n);
        note_rewrite(o);
        if (written < 0) return (int)written;
        takes = written > 0;
        frames -= written;
    }
    if (!takes) return not_ready(o);
    int error = start(o);
    if (error == -EAGAIN) return not_ready(o);
    if (error < 0) return error;
    o->refused_since_ns = 0;
    watch_pace(o);
    return 0;
}
