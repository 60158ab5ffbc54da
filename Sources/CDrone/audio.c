/// The audio thread: looks at the device, renders what it wants, and sleeps.
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "output.h"

enum {
    MAX_POLL_FDS = 16,
    /// How far a device that paces itself may run ahead of the clock, beside its buffer.
    LEAD_MS = 500,
    /// The longest that the thread waits for a device to call.
    CALLED_WAKE_MS = 200,
    PACED_WAKE_MS = 10,
    /// A pointer that is this far from where time puts it has jumped, or the sound has stalled: it is learnt anew.
    STRAY_MS = 5,
    /// The same for a pointer whose steps are too long to be waited for.
    BLURRED_STRAY_MS = 25,
    /// How long the pointer's next step is waited for; how often in vain before it is taken as it comes.
    LONGEST_STEP_NS = 1300000,
    MOST_MISSED_STEPS = 3,
    /// A pointer that has been waited for this long is coarse: then only every so manieth look waits.
    COARSE_NS = 150000,
    COARSE_LOOKS = 3,
    /// While the clock of the card is being learnt: little ahead, many looks.
    ACQUIRE_MS = 10000,
    ACQUIRE_FILL_MS = 150,
    ACQUIRE_WAKE_MS = 50,
    /// Thereafter, with REWIND: how far ahead, and how long between looks.
    FILL_MS = 1000,
    WAKE_MS = 400,
    /// How much is kept in a device that is filled far ahead while it is not yet known what comes.
    SAFE_MS = 150,
    /// The same, while events are on their way that replace what has been taken back.
    LEAST_MS = 20,
    /// So many calls of a device that has nothing to say, and it is not listened to any more.
    MOST_IDLE_CALLS = 20,
    /// After a rewind what comes next is written in pieces of this size, so that the card finds it in time.
    PIECE_FRAMES = 480,
    /// What a rewinding device is not to be robbed of: it may be fetching that just now. Plugins fetch more.
    HARDWARE_MARGIN_MS = 4,
    PLUGIN_MARGIN_MS = 12,
    SCHED_PRIORITY = 10,
};

int64_t drone_output_frames_in(const drone_output *o, int64_t ns) {
    return (int64_t)((double)ns * 1e-9 * atomic_load_explicit(&o->rate, memory_order_relaxed));
}

static int64_t frames_in_ms(const drone_output *o, int64_t ms) { return ms * o->granted.rate / 1000; }

static bool rewinds(const drone_output *o) { return o->granted.policy == DRONE_POLICY_REWIND; }

static int64_t margin(const drone_output *o) {
    return frames_in_ms(o, snd_pcm_type(o->pcm) == SND_PCM_TYPE_HW ? HARDWARE_MARGIN_MS : PLUGIN_MARGIN_MS);
}

static bool is_acquiring(const drone_output *o, int64_t now) {
    return now - o->acquired_ns < (int64_t)ACQUIRE_MS * 1000000;
}

// ---------------------------------------------------------------------------------------------------
// Looking

static void observe_pace(drone_output *o, int64_t now) {
    o->seen.time_ns = now;
    o->seen.heard_frame = o->first_frame + drone_output_frames_in(o, now - o->started_ns);
    o->seen.delay_frames = o->seen.next_frame - o->seen.heard_frame;
    o->seen.reach_frame = o->seen.next_frame;
}

/// A pointer that strays is looked at often, by the control thread as well.
static void watch_pointer(drone_output *o, int64_t stray, int64_t now) {
    int64_t most = frames_in_ms(o, o->missed_steps < MOST_MISSED_STEPS ? STRAY_MS : BLURRED_STRAY_MS);
    if (is_acquiring(o, now) || llabs(stray) < most) return;
    o->acquired_ns = now;
    o->is_news = true;
}

/// Asks the device for its status. Returns 0 or a negative error.
static int ask(drone_output *o) {
    o->asked_ns = drone_now_ns();
    o->asked_frame = drone_next_frame(o->engine);
    return snd_pcm_status(o->pcm, o->status);
}

/// What the device has answered: which frame is heard when. False when it does not play.
static bool read_answer(drone_output *o, int64_t *time_ns, int64_t *heard) {
    const snd_pcm_status_t *status = o->status;
    if (snd_pcm_status_get_state(status) != SND_PCM_STATE_RUNNING) return false;
    snd_htimestamp_t stamp;
    snd_pcm_status_get_htstamp(status, &stamp);
    *time_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    int64_t age = o->asked_ns - *time_ns;
    // Some plugins stamp by another clock, or not at all.
    if (age < -1000000000 || age > 1000000000) *time_ns = o->asked_ns;
    int64_t delay = snd_pcm_status_get_delay(status);
    *heard = o->asked_frame - (delay < 0 ? 0 : delay);
    o->seen.delay_frames = o->seen.next_frame - *heard;
    return true;
}

static bool read_pointer(drone_output *o, int64_t *time_ns, int64_t *heard) {
    return ask(o) >= 0 && read_answer(o, time_ns, heard);
}

/// Waits for the pointer's next step: what it shows then is no step old. A timer sees it anywhere within a step; a
/// period's end is a step already. False when there is nothing worth to be learnt from.
static bool await_step(drone_output *o, int64_t *time_ns, int64_t *heard) {
    if (!rewinds(o) || o->missed_steps >= MOST_MISSED_STEPS) return true;
    bool is_coarse = o->step_wait_ns > COARSE_NS;
    // To wait for a coarse pointer takes the processor: once a second is enough.
    if (is_coarse && !is_acquiring(o, *time_ns) && ++o->looks % COARSE_LOOKS != 0) return false;
    int64_t begin = drone_now_ns(), now = begin, before = *heard;
    while (*heard == before && now - begin < LONGEST_STEP_NS) {
        if (!read_pointer(o, time_ns, heard)) return false;
        now = drone_now_ns();
    }
    o->missed_steps = *heard == before ? o->missed_steps + 1 : 0;
    if (*heard == before) return false;
    if (now - begin > o->step_wait_ns) o->step_wait_ns = now - begin;
    return true;
}

/// Notes when which frame was at the converter.
static void observe(drone_output *o) {
    int64_t now = drone_now_ns();
    int64_t last_ns = o->seen.time_ns, last_heard = o->seen.heard_frame;
    o->seen.next_frame = drone_next_frame(o->engine);
    if (o->seen.paced) {
        observe_pace(o, now);
        return;
    }
    int64_t time_ns, heard;
    // Who asked before writing need not ask again.
    if (!(o->has_answer ? read_answer(o, &time_ns, &heard) : read_pointer(o, &time_ns, &heard))) return;
    bool is_worth = await_step(o, &time_ns, &heard);
    o->seen.time_ns = time_ns;
    o->seen.heard_frame = heard;
    int64_t avail = (int64_t)snd_pcm_status_get_avail(o->status) - (o->seen.next_frame - o->asked_frame);
    int64_t in_buffer = (int64_t)o->granted.buffer_frames - avail;
    o->seen.gulp_frames = o->granted.gulp_frames;
    o->seen.gulp_frame = heard + o->seen.gulp_frames - avail;
    o->seen.reach_frame = rewinds(o) ? o->seen.next_frame - in_buffer + margin(o) : o->seen.next_frame;
    if (o->seen.reach_frame > o->seen.next_frame) o->seen.reach_frame = o->seen.next_frame;
    watch_pointer(o, heard - last_heard - drone_output_frames_in(o, time_ns - last_ns), now);

    drone_observation_ring *ring = &o->observations;
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (!is_worth || tail - atomic_load_explicit(&ring->head, memory_order_acquire) == DRONE_OBSERVATIONS) return;
    ring->items[tail % DRONE_OBSERVATIONS] =
        (drone_observation){.time_ns = time_ns, .frame = heard, .epoch = o->seen.epoch};
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

/// Finds out whether the device takes frames faster than time passes, over windows of a second.
static void watch_pace(drone_output *o) {
    int64_t now = drone_now_ns();
    int64_t written = drone_next_frame(o->engine);
    int64_t lead = frames_in_ms(o, LEAD_MS) + (int64_t)o->granted.buffer_frames;
    int64_t elapsed = drone_output_frames_in(o, now - o->window_ns);
    if (written - o->window_frame > elapsed + elapsed / 100 + lead) {
        o->seen.paced = true;
    } else if (now - o->window_ns > 1000000000) {
        o->window_ns = now;
        o->window_frame = written;
    }
}

// ---------------------------------------------------------------------------------------------------
// Writing

/// Whether a cut waits for the events behind it: to take it up now would mean to render without them.
static bool is_cut_open(drone_output *o) {
    int64_t cut = drone_pending_cut(o->engine);
    return cut != INT64_MAX && drone_horizon(o->engine) <= cut;
}

/// How many frames may be written now, of those that the device has room for.
static int64_t allowed(drone_output *o, int64_t avail) {
    int64_t next = drone_next_frame(o->engine);
    int64_t period = o->granted.period_frames;
    if (rewinds(o)) {
        int64_t fill = frames_in_ms(o, is_acquiring(o, drone_now_ns()) ? ACQUIRE_FILL_MS : FILL_MS);
        int64_t held = (int64_t)o->granted.buffer_frames - avail;
        int64_t horizon = drone_horizon(o->engine);
        int64_t known = horizon > next ? horizon - next : 0;
        int64_t safe = frames_in_ms(o, is_cut_open(o) ? LEAST_MS : SAFE_MS) - held;
        if (avail > fill - held) avail = fill - held;
        if (avail > known) avail = known > safe ? known : safe;
    }
    if (o->seen.paced) {
        int64_t now = o->first_frame + drone_output_frames_in(o, drone_now_ns() - o->started_ns);
        int64_t ahead = now + (int64_t)o->granted.buffer_frames - next;
        if (avail > ahead) avail = ahead;
        int64_t horizon = drone_horizon(o->engine);
        int64_t known = horizon > next ? horizon - next : 0;
        if (avail > known) avail = known;
    }
    int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
    if (end != INT64_MAX) {
        // Silence behind the end, so that a card that plays on until it is noticed finds nothing old.
        int64_t tail = frames_in_ms(o, 2 * PACED_WAKE_MS);
        int64_t left = end + (tail > period ? tail : period) - next;
        int64_t limit = left > 0 ? (left + period - 1) / period * period : 0;
        if (avail > limit) avail = limit;
    }
    if (avail <= 0) return 0;
    // Who waits for periods must write periods, or loses wake-ups.
    return rewinds(o) ? avail : avail / period * period;
}

/// Takes back what a cut makes void and the card has not played.
static void take_back(drone_output *o) {
    int64_t cut = drone_pending_cut(o->engine);
    if (!rewinds(o) || !o->running || cut == INT64_MAX || is_cut_open(o)) return;
    snd_pcm_sframes_t avail = snd_pcm_avail(o->pcm);
    if (avail < 0) return;
    int64_t next = drone_next_frame(o->engine);
    int64_t can = (int64_t)o->granted.buffer_frames - avail - margin(o);
    int64_t rewindable = snd_pcm_rewindable(o->pcm);
    if (can > rewindable) can = rewindable;
    if (can > next - cut) can = next - cut;
    if (can <= 0) return;
    snd_pcm_sframes_t done = snd_pcm_rewind(o->pcm, (snd_pcm_uframes_t)can);
    if (done > 0 && drone_seek(o->engine, next - done) != DRONE_OK) snd_pcm_forward(o->pcm, (snd_pcm_uframes_t)done);
}

/// Writes a piece whole. False when the round is over.
static bool write_piece(drone_output *o, uint32_t frames) {
    drone_render(o->engine, o->staging, frames);
    uint32_t done = 0;
    while (done < frames) {
        const uint8_t *from = o->staging + (size_t)done * o->bytes_per_frame;
        snd_pcm_sframes_t written = snd_pcm_writei(o->pcm, from, frames - done);
        if (written == -EAGAIN) {
            snd_pcm_wait(o->pcm, PACED_WAKE_MS);
            if (atomic_load_explicit(&o->quit, memory_order_acquire)) return false;
        } else if (written < 0) {
            if (!drone_output_recover(o, (int)written)) return false;
        } else {
            done += (uint32_t)written;
        }
    }
    return true;
}

/// What a device that still answers has suffered: a negative error, 0 for nothing.
static int fault(snd_pcm_state_t state) {
    switch (state) {
    case SND_PCM_STATE_XRUN: return -EPIPE;
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
    default: return 0;
    }
}

/// For how many frames the device has room, or a negative error.
static snd_pcm_sframes_t room(drone_output *o) {
    // Who is called for every gulp asks once a wake-up, for this and for the pointer.
    o->has_answer = !rewinds(o) && o->running && !o->seen.paced && ask(o) >= 0;
    if (o->has_answer) {
        int64_t avail = (int64_t)snd_pcm_status_get_avail(o->status);
        int error = fault(snd_pcm_status_get_state(o->status));
        if (error < 0) return error;
        if (avail >= o->granted.gulp_frames) return avail;
    }
    snd_pcm_sframes_t avail = snd_pcm_avail(o->pcm);
    // One that sleeps tells its last room again and again, and wakes who waits for more each time: no spinning.
    int error = avail < 0 ? 0 : fault(snd_pcm_state(o->pcm));
    return error < 0 ? error : avail;
}

/// Writes what fits. False when the round is over.
static bool fill(drone_output *o) {
    take_back(o);
    snd_pcm_sframes_t avail = room(o);
    if (avail < 0) return drone_output_recover(o, (int)avail);
    int64_t frames = allowed(o, avail);
    while (frames > 0) {
        int64_t piece = rewinds(o) ? PIECE_FRAMES : o->granted.buffer_frames;
        uint32_t n = (uint32_t)(frames < piece ? frames : piece);
        if (!write_piece(o, n)) return false;
        frames -= n;
    }
    if (!o->running && snd_pcm_state(o->pcm) == SND_PCM_STATE_PREPARED) {
        int error = snd_pcm_start(o->pcm);
        if (error < 0 && snd_pcm_state(o->pcm) != SND_PCM_STATE_RUNNING) return drone_output_recover(o, error);
    }
    o->running = true;
    return true;
}

static void check_end(drone_output *o) {
    int64_t end = atomic_load_explicit(&o->end_frame, memory_order_acquire);
    if (end == INT64_MAX) return;
    int64_t heard = o->seen.heard_frame;
    // While the device is away the end passes in silence.
    if (o->seen.state == DRONE_OUTPUT_AWAY) heard += drone_output_frames_in(o, drone_now_ns() - o->seen.time_ns);
    if (heard >= end) o->seen.state = DRONE_OUTPUT_ENDED;
}

// ---------------------------------------------------------------------------------------------------
// Sleeping

/// Whether the device has all that it will get.
static bool is_filled(const drone_output *o) {
    return atomic_load_explicit(&o->end_frame, memory_order_relaxed) <= o->seen.next_frame;
}

/// How long to sleep where no poll descriptor of the device wakes the thread, in ms; 0 where one does.
static int pause_ms(drone_output *o) {
    int64_t now = drone_now_ns();
    if (!o->pcm) {
        int64_t left = (o->retry_ns - now) / 1000000 + 1;
        return left < 1 ? 1 : (int)left;
    }
    if (o->seen.paced || is_filled(o)) return PACED_WAKE_MS;
    if (!rewinds(o)) return 0;
    // Timers that beat with the pointer's steps would never see it true: no two pauses are the same.
    o->dither = o->dither * 1664525u + 1013904223u;
    int64_t base = is_acquiring(o, now) ? ACQUIRE_WAKE_MS : WAKE_MS;
    // Who could not fill it up for want of events looks again before it is half empty.
    int64_t half = o->seen.delay_frames * 500 / o->granted.rate;
    if (base > half) base = half > 2 ? half : 2;
    return (int)(base * 9 / 10 + (o->dither >> 16) % (base / 5 + 1));
}

/// Whether the device's own descriptors are watched: small periods wake the thread, and a fault wakes it at once.
static bool listens(const drone_output *o) {
    return o->pcm && !o->seen.paced && !is_filled(o) && (!rewinds(o) || o->idle_calls < MOST_IDLE_CALLS);
}

static void rest(drone_output *o) {
    bool listening = listens(o);
    int timeout = pause_ms(o);
    // Who is called for every gulp sees all there is in good time, and looks at one descriptor less.
    bool is_called = timeout == 0 && listening;
    struct pollfd fds[MAX_POLL_FDS + 1] = {{.fd = is_called ? -1 : o->wake_fd, .events = POLLIN}};
    unsigned count = 1;
    if (timeout == 0) timeout = CALLED_WAKE_MS;
    if (listening) {
        // Each time: plugins set their timers by it.
        int described = snd_pcm_poll_descriptors(o->pcm, fds + 1, MAX_POLL_FDS);
        if (described > 0) count += (unsigned)described;
    }
    int ready = poll(fds, count, timeout);
    if (ready > 0 && (fds[0].revents & POLLIN)) {
        uint64_t value;
        ready--;
        if (read(o->wake_fd, &value, sizeof value) < 0) return;
    }
    if (count > 1) {
        unsigned short events;
        snd_pcm_poll_descriptors_revents(o->pcm, fds + 1, count - 1, &events);
        // A device that is filled far ahead has nothing to say but that it has failed.
        if (rewinds(o) && ready > 0 && snd_pcm_state(o->pcm) == SND_PCM_STATE_RUNNING) o->idle_calls++;
    }
    o->seen.wakes++;
}

void *drone_output_run(void *context) {
    drone_output *o = context;
    struct sched_param priority = {.sched_priority = SCHED_PRIORITY};
    o->seen.realtime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
    // What it was opened with does as well, at some more wake-ups.
    if (o->seen.realtime && drone_device_set_gulp(o->pcm, &o->granted, true) < 0)
        drone_device_set_gulp(o->pcm, &o->granted, false);
    o->seen.state = DRONE_OUTPUT_RUNNING;
    o->started_ns = o->window_ns = o->acquired_ns = drone_now_ns();
    while (!atomic_load_explicit(&o->quit, memory_order_acquire)) {
        drone_output_watch_sleep(o);
        if (!o->pcm) drone_output_retry(o);
        if (o->pcm && fill(o)) {
            watch_pace(o);
            observe(o);
        }
        if (o->seen.state != DRONE_OUTPUT_ENDED) check_end(o);
        drone_output_publish(o);
        if (o->seen.state == DRONE_OUTPUT_ENDED) return NULL;
        // After a fault that has been mended there is work to do at once.
        if (!o->pcm || o->running) rest(o);
    }
    return NULL;
}
