/// Filling the device: transactions are decided about, and the samples that follow from them are written.
#include <errno.h>
#include <stdlib.h>

#include "output.h"

enum {
    /// REWIND only: how far ahead the device is filled while its clock is being learnt, and after that.
    ACQUIRE_FILL_MS = 250,
    FILL_MS = 1000,
    /// REWIND only: the device is filled this far even if the events for these frames are not known yet.
    SAFE_MS = 150,
    /// Silence that is written after the end, because a card may play on until it is stopped and must find no old
    /// frames.
    TAIL_MS = 20,
    /// With REWIND, frames are written in pieces of this size, so that after a rewind the card finds the first of them
    /// in time.
    REWOUND_PIECE_FRAMES = 480,
    /// Every engine can go back by this, whatever it was made for.
    LEAST_REWIND_FRAMES = 512,
    /// A device that paces itself takes no more frames than time passes, plus its fill level and this margin.
    LEAD_MS = 100,
    /// A device that has room but takes nothing for this long counts as away.
    REFUSED_MS = 2000,
    /// How soon a device that was not ready is asked again: at first, and after it has not been ready for long.
    AGAIN_MS = 1,
    AGAIN_LAST_MS = 20,
};

// ---------------------------------------------------------------------------------------------------
// Transactions

/// Takes back the frames in the device from `frame` on, if the headroom allows it. The engine goes back with it.
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
    // If the call does not return, nobody knows what the device has still got.
    atomic_store_explicit(&o->written, frame, memory_order_release);
    snd_pcm_sframes_t done = snd_pcm_rewind(o->pcm, (snd_pcm_uframes_t)wanted);
    atomic_store_explicit(&o->written, next - (done > 0 ? done : 0), memory_order_release);
    // A fault of the device says nothing about what it can do.
    if (done < 0) return (int)done;
    if (done > 0) {
        if (drone_seek(o->engine, next - done) != DRONE_OK) {
            snd_pcm_forward(o->pcm, (snd_pcm_uframes_t)done);
            return 0;
        }
        o->pointer.rewound_frames += done;
    }
    if (done < wanted) {
        // The device takes back less than it says, or nothing: it is not asked again. The frames that it has taken back
        // are rendered again as they were.
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
        if (frame < next && drone_output_is_playing(o) && drone_output_rewinds(o)) {
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

/// REWIND only: how many of the frames that the device has room for may be written.
static int64_t allowed_ahead(const drone_output *o, int64_t avail, int64_t known) {
    bool is_careful = drone_pointer_is_acquiring(o, drone_now_ns()) && o->seen.xruns == 0;
    int64_t fill = drone_output_frames_in_ms(o, is_careful ? ACQUIRE_FILL_MS : FILL_MS);
    int64_t held = (int64_t)o->granted.buffer_frames - avail;
    int64_t safe = drone_output_frames_in_ms(o, SAFE_MS) - held;
    int64_t most = fill - held;
    if (most > known) most = known > safe ? known : safe;
    return most < avail ? most : avail;
}

/// SMALL only: whole periods up to the target, once the low level is reached or the device asks for more. PulseAudio
/// does so for every period.
static int64_t allowed_small(const drone_output *o, int64_t avail) {
    int64_t period = o->granted.period_frames, held = (int64_t)o->granted.buffer_frames - avail;
    if (drone_output_is_playing(o) && !o->is_called && held > o->fill_level.low_frames) return 0;
    int64_t most = o->fill_level.target_frames - held;
    return (most < avail ? most : avail) / period * period;
}

/// The highest fill level of the device, in frames.
static int64_t most_ahead(const drone_output *o) {
    return drone_output_rewinds(o) ? (int64_t)o->granted.buffer_frames : o->fill_level.target_frames;
}

/// How many of the frames that the device has room for may be written now.
static int64_t allowed(const drone_output *o, int64_t avail) {
    int64_t next = drone_next_frame(o->engine), horizon = drone_horizon(o->engine);
    int64_t known = horizon > next ? horizon - next : 0;
    int64_t frames = avail;
    if (o->seen.paced_by_clock) {
        double rate = atomic_load_explicit(&o->rate, memory_order_relaxed);
        int64_t ahead = drone_frame_at(o->start, rate, drone_now_ns()) + most_ahead(o) - next;
        if (frames > ahead) frames = ahead;
        if (frames > known) frames = known;
    } else {
        frames = drone_output_rewinds(o) ? allowed_ahead(o, avail, known) : allowed_small(o, avail);
    }
    // The engine must be able to go back by all of it after a fault, even if the device came back with a larger buffer.
    int64_t depth = o->deepest_frames - ((int64_t)o->granted.buffer_frames - avail);
    if (frames > depth) frames = depth;
    int64_t end = drone_end(o->engine);
    if (end != INT64_MAX) {
        int64_t period = o->granted.period_frames, tail = drone_output_frames_in_ms(o, TAIL_MS);
        int64_t left = end + (tail > period ? tail : period) - next;
        int64_t limit = left > 0 ? (left + period - 1) / period * period : 0;
        if (frames > limit) frames = limit;
    }
    return frames > 0 ? frames : 0;
}

/// How many frames are rendered and written at once: no more than the engine can take back if the device refuses them.
static int64_t piece_frames(const drone_output *o) {
    int64_t most = drone_output_rewinds(o) ? REWOUND_PIECE_FRAMES : DRONE_PIECE_FRAMES;
    int64_t rewind = drone_engine_config(o->engine)->rewind_frames;
    if (rewind < LEAST_REWIND_FRAMES) rewind = LEAST_REWIND_FRAMES;
    return most < rewind ? most : rewind;
}

/// Renders and writes a piece. Returns how many of its frames the device took, or a negative errno. The engine is then
/// at the first frame that the device did not take.
static int64_t write_piece(drone_output *o, uint32_t frames) {
    int64_t next = drone_next_frame(o->engine);
    drone_render(o->engine, o->staging, frames);
    snd_pcm_sframes_t written = snd_pcm_writei(o->pcm, o->staging, frames);
    if (written == -EAGAIN || written == -EINTR) written = 0;
    // Frames that the device did not take are rendered again; a frame is a function of its number. If the write failed,
    // they belong to the gap.
    if (written < (snd_pcm_sframes_t)frames) drone_seek(o->engine, next + (written > 0 ? written : 0));
    atomic_store_explicit(&o->written, drone_next_frame(o->engine), memory_order_release);
    return written;
}

/// Records how long it took from the decision to rewind until the first piece was written again.
static void note_rewrite(drone_output *o) {
    if (o->pointer.rewind_began_ns == 0) return;
    int64_t took = drone_now_ns() - o->pointer.rewind_began_ns;
    o->pointer.rewind_began_ns = 0;
    // A slow rewrite is forgotten gradually, an eighth at a time.
    o->rewrite_ns = took > o->rewrite_ns ? took : o->rewrite_ns - o->rewrite_ns / 8;
}

static int start(drone_output *o) {
    if (drone_output_is_playing(o)) return 0;
    if (snd_pcm_state(o->pcm) == SND_PCM_STATE_PREPARED) {
        int error = snd_pcm_start(o->pcm);
        if (error == -EAGAIN) return error;
        if (error < 0 && snd_pcm_state(o->pcm) != SND_PCM_STATE_RUNNING) return error;
    }
    o->stage.kind = DRONE_STAGE_PLAYING;
    o->pointer.moved_ns = drone_now_ns();
    return 0;
}

/// The fault of a device that still answers: a negative errno; 0 if there is none.
static int fault(snd_pcm_state_t state) {
    switch (state) {
    case SND_PCM_STATE_XRUN: return -EPIPE;
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
    default: return 0;
    }
}

/// How many frames the device has room for, or a negative errno.
static snd_pcm_sframes_t room(drone_output *o) {
    // With SMALL the device is asked once per round, for its room and its pointer together.
    o->pointer.has_answer =
        !drone_output_rewinds(o) && drone_output_is_playing(o) && !o->seen.paced_by_clock && drone_pointer_ask(o) >= 0;
    if (o->pointer.has_answer) {
        int64_t avail = (int64_t)snd_pcm_status_get_avail(o->status);
        int error = fault(snd_pcm_status_get_state(o->status));
        if (error < 0) return error;
        if ((int64_t)o->granted.buffer_frames - avail <= o->fill_level.low_frames) return avail;
    }
    snd_pcm_sframes_t avail = snd_pcm_avail(o->pcm);
    // A suspended device repeats its last room, and wakes a thread that waits for more each time.
    int error = avail < 0 ? 0 : fault(snd_pcm_state(o->pcm));
    return error < 0 ? error : avail;
}

/// The device is not ready: it is asked again soon, but not for ever.
static int not_ready(drone_output *o) {
    int64_t now = drone_now_ns();
    if (o->stage.open.refused_since_ns == 0) o->stage.open.refused_since_ns = now;
    int64_t refused = now - o->stage.open.refused_since_ns, pause = refused / 8;
    if (refused > drone_ms_in_ns(REFUSED_MS)) return -EIO;
    if (pause < drone_ms_in_ns(AGAIN_MS)) pause = drone_ms_in_ns(AGAIN_MS);
    if (pause > drone_ms_in_ns(AGAIN_LAST_MS)) pause = drone_ms_in_ns(AGAIN_LAST_MS);
    o->stage.open.rest_until_ns = now + pause;
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

int drone_output_fill(drone_output *o, int64_t *missed) {
    snd_pcm_sframes_t avail = room(o);
    if (avail < 0) return (int)avail;
    int64_t held = (int64_t)o->granted.buffer_frames - avail;
    // Once it is known why the thread is late, that does not count again.
    if (drone_output_is_playing(o) && !o->seen.paced_by_clock && !drone_output_rewinds(o) && *missed == 0) {
        if (held < 0 && o->traits.is_plugin) {
            *missed = -held;
            return 0;
        }
        int error = drone_fill_level_watch(o, held);
        if (error < 0) return error;
    }
    int64_t frames = allowed(o, avail), piece = piece_frames(o);
    bool takes = true;
    o->stage.open.called_early = o->is_called && frames == 0;
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
    o->stage.open.refused_since_ns = 0;
    watch_pace(o);
    return 0;
}
