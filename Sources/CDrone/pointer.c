/// Observing the device: which frame is heard when, how its pointer moves, and which frames must not be taken back.
#include <errno.h>
#include <stdlib.h>

#include "output.h"

enum {
    /// A pointer that is this far from where the clock expects it has jumped, or the sound has stalled: it is learnt
    /// anew.
    STRAY_MS = 5,
    /// This many looks in quick succession tell a real jump from a single wrong reading.
    QUICK_LOOKS = 3,
    /// How long to wait for the pointer's next step, and after how many waits in vain to read the pointer without
    /// waiting.
    LONGEST_STEP_NS = 1300000,
    MOST_MISSED_STEPS = 3,
    /// A pointer is coarse if waits longer than COARSE_NS outnumber the others by COARSE_WAITS. The difference is
    /// counted up to MOST_LONG_WAITS.
    COARSE_NS = 150000,
    COARSE_WAITS = 3,
    MOST_LONG_WAITS = 8,
    /// With a coarse pointer, the first looks all wait for its step, because the music waits for them. Later only one
    /// look in COARSE_LOOKS waits, once the clock is learnt. With SMALL, where looks are many, another factor of
    /// SMALL_LOOKS fewer wait.
    FIRST_LOOKS = 4,
    COARSE_LOOKS = 3,
    SMALL_LOOKS = 16,
    /// How long the card's clock is being learnt.
    ACQUIRE_MS = 10000,
    /// The headroom, besides what the device says about itself: DMA engines and sound servers fetch ahead of the
    /// pointer that they show. (PulseAudio leaves 1.3 ms to hardware; PipeWire's quantum is some 10 ms.)
    HARDWARE_HEADROOM_MS = 3,
    PLUGIN_HEADROOM_MS = 12,
    /// A server that copies a whole period at a time may copy it this long before it is heard.
    PERIOD_MARGIN_MS = 2,
    /// A step longer than this, and longer than two periods, is a surprise and not the pointer's own.
    LONGEST_OWN_STEP_MS = 20,
    /// A device that holds frames but has not moved for this long counts as away. Sound servers take up to 1.4 s until
    /// they begin, wireless loudspeakers longer.
    STILL_MS = 5000,
    /// How long to look again soon, after one observation that is too far from the learnt clock, and after SURPRISES of
    /// them in a row on the same side, which are news.
    DOUBT_MS = 100,
    LONG_DOUBT_MS = 1000,
    SURPRISES = 2,
};

bool drone_pointer_is_acquiring(const drone_output *o, int64_t now_ns) {
    return now_ns - o->acquiring_since_ns < drone_ms_in_ns(ACQUIRE_MS);
}

bool drone_pointer_is_doubtful(const drone_output *o, int64_t now_ns) {
    return now_ns < o->pointer.doubt_until_ns || drone_pointer_is_acquiring(o, now_ns);
}

void drone_pointer_reset(drone_output *o) { o->pointer = (drone_pointer){.is_new = true}; }

/// The pointer's longest recent step, in frames.
static int64_t longest_step(const drone_output *o) {
    int64_t longest = 0;
    uint32_t count = o->pointer.step_count < DRONE_STEPS ? o->pointer.step_count : DRONE_STEPS;
    for (uint32_t i = 0; i < count; i++)
        if (o->pointer.steps[i] > longest) longest = o->pointer.steps[i];
    return longest;
}

int64_t drone_pointer_headroom(const drone_output *o) {
    int64_t step = longest_step(o);
    if (o->traits.is_batch && step < (int64_t)o->granted.period_frames) step = o->granted.period_frames;
    int64_t base = drone_output_frames_in_ms(o, o->traits.is_hardware ? HARDWARE_HEADROOM_MS : PLUGIN_HEADROOM_MS);
    int64_t copied = (int64_t)o->granted.period_frames + drone_output_frames_in_ms(o, PERIOD_MARGIN_MS);
    if (o->granted.estimates && base < copied) base = copied;
    return base + step + o->traits.fifo_frames + drone_output_frames_in(o, o->rewrite_ns);
}

int drone_pointer_ask(drone_output *o) {
    o->pointer.asked_ns = drone_now_ns();
    o->pointer.asked_frame = drone_next_frame(o->engine);
    return snd_pcm_status(o->pcm, o->status);
}

/// Reads from the device's status which frame is heard when. False if the device does not play.
static bool read_answer(drone_output *o, int64_t *time_ns, int64_t *heard) {
    const snd_pcm_status_t *status = o->status;
    if (snd_pcm_status_get_state(status) != SND_PCM_STATE_RUNNING) return false;
    snd_htimestamp_t stamp;
    snd_pcm_status_get_htstamp(status, &stamp);
    *time_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    int64_t age = o->pointer.asked_ns - *time_ns;
    // Some plugins stamp by another clock, or not at all.
    if (age < -1000000000 || age > 1000000000) *time_ns = o->pointer.asked_ns;
    int64_t delay = snd_pcm_status_get_delay(status);
    *heard = o->pointer.asked_frame - (delay < 0 ? 0 : delay);
    return true;
}

static bool read_pointer(drone_output *o, int64_t *time_ns, int64_t *heard) {
    return drone_pointer_ask(o) >= 0 && read_answer(o, time_ns, heard);
}

/// Waits for the pointer's next step. Right after a step the pointer is exact, however late the thread was woken. If
/// the steps are too long to wait for, does not wait: the end of a period, which wakes the thread, is a step. False if
/// there is nothing worth learning from.
static bool await_step(drone_output *o, int64_t *time_ns, int64_t *heard) {
    drone_pointer *p = &o->pointer;
    if (p->missed_steps >= MOST_MISSED_STEPS) return true;
    bool is_coarse = p->long_waits >= COARSE_WAITS;
    // Waiting for a coarse pointer keeps the processor busy: it is enough to do so some times a second at first, and
    // once a second later.
    uint32_t every = drone_pointer_is_doubtful(o, *time_ns) ? 1 : COARSE_LOOKS;
    if (!drone_output_rewinds(o)) every *= SMALL_LOOKS;
    // After a surprise every look waits, because the control thread needs these looks to see what has happened.
    if (is_coarse && p->quick_looks == 0 && ++p->looks > FIRST_LOOKS && p->looks % every != 0) return false;
    int64_t begin = drone_now_ns(), now = begin, before = *heard;
    while (*heard == before && now - begin < LONGEST_STEP_NS) {
        if (!read_pointer(o, time_ns, heard)) return false;
        now = drone_now_ns();
    }
    p->missed_steps = *heard == before ? p->missed_steps + 1 : 0;
    if (*heard == before) return false;
    // A single long wait may be the machine's fault: only several make the pointer coarse.
    if (now - begin > COARSE_NS)
        p->long_waits += p->long_waits < MOST_LONG_WAITS;
    else
        p->long_waits -= p->long_waits > 0;
    return true;
}

/// Learns the pointer's steps from how far it strays from a steady pace between two looks. If it strays too far, plans
/// quick looks, and tells the control thread after the last of them. Returns whether it strays too far.
static bool watch(drone_output *o, int64_t stray, int64_t now) {
    drone_pointer *p = &o->pointer;
    int64_t most = longest_step(o) * 3 / 2 + drone_output_frames_in_ms(o, 1);
    if (most < drone_output_frames_in_ms(o, STRAY_MS)) most = drone_output_frames_in_ms(o, STRAY_MS);
    int64_t longest_own = drone_output_frames_in_ms(o, LONGEST_OWN_STEP_MS);
    if (longest_own < 2 * (int64_t)o->granted.period_frames) longest_own = 2 * (int64_t)o->granted.period_frames;
    bool is_own = llabs(stray) <= longest_own;
    p->total_stray += stray;
    if (llabs(stray) > p->largest_stray) p->largest_stray = llabs(stray);
    // The first steps are taken as the pointer's own. Later, a long step is its own only if the pointer comes back from
    // it.
    bool is_first = p->step_count < DRONE_STEPS && is_own;
    if (is_first || llabs(stray) < most) p->steps[p->step_count++ % DRONE_STEPS] = llabs(stray);
    if (p->quick_looks == 0) {
        bool came_back = p->largest_stray >= most && is_own && llabs(p->total_stray) < most;
        if (came_back) p->steps[p->step_count++ % DRONE_STEPS] = p->largest_stray;
        p->total_stray = p->largest_stray = 0;
    }
    if (llabs(stray) < most) return false;
    if (p->quick_looks == 0) p->total_stray = stray, p->largest_stray = llabs(stray);
    p->quick_looks = QUICK_LOOKS;
    o->acquiring_since_ns = now;
    return true;
}

static void observe_pace(drone_output *o, int64_t now) {
    double rate = atomic_load_explicit(&o->rate, memory_order_relaxed);
    o->seen.heard = (drone_place){.time_ns = now, .frame = drone_frame_at(o->start, rate, now), .passes = true};
    o->seen.changeable_frame = o->seen.next_frame;
}

/// Compares an observation with the learnt clock. If it is too far off, the clock may have turned: it is looked at
/// again soon.
static void compare(drone_output *o, const drone_observation *observation, int64_t now) {
    drone_pointer *p = &o->pointer;
    drone_learnt learnt;
    drone_shared_read(&o->learnt, &learnt, sizeof learnt);
    if (learnt.tolerance_frames <= 0) return;
    double expected = (double)(observation->time_ns - learnt.time_ns) * 1e-9 * learnt.rate + learnt.fraction;
    double error = (double)(observation->frame - learnt.frame) - expected;
    if (error <= learnt.tolerance_frames && error >= -learnt.tolerance_frames) {
        p->surprises = 0;
        return;
    }
    if (error > 0)
        p->surprises = p->surprises > 0 ? p->surprises + 1 : 1;
    else
        p->surprises = p->surprises < 0 ? p->surprises - 1 : -1;
    bool are_several = abs(p->surprises) >= SURPRISES;
    p->doubt_until_ns = now + drone_ms_in_ns(are_several ? LONG_DOUBT_MS : DOUBT_MS);
    if (are_several) o->is_news = true;
}

/// Whether the device has appended the frames that were to replace others. Such a device takes nothing back, whatever
/// it says.
static bool has_appended(drone_output *o, int64_t stray) {
    int64_t rewound = o->pointer.rewound_frames;
    o->pointer.rewound_frames = 0;
    return rewound > drone_output_frames_in_ms(o, STRAY_MS) && llabs(stray + rewound) < rewound / 8 + longest_step(o);
}

/// Publishes which frame is heard, how much the device holds, and what can still be changed.
static void publish(drone_output *o, int64_t time_ns, int64_t heard) {
    int64_t avail = (int64_t)snd_pcm_status_get_avail(o->status) - (o->seen.next_frame - o->pointer.asked_frame);
    int64_t held = (int64_t)o->granted.buffer_frames - avail;
    o->held_frames = held;
    o->held_ns = o->pointer.asked_ns;
    o->seen.heard = (drone_place){.time_ns = time_ns, .frame = heard, .passes = true};
    o->seen.refill_frames = o->fill_level.target_frames - o->fill_level.low_frames;
    // A device that has run dry, because this thread was stopped, is refilled as soon as it is seen.
    o->seen.refill_frame = heard + (held > 0 ? held : 0) - o->fill_level.low_frames;
    o->seen.changeable_frame = o->seen.next_frame;
    if (!drone_output_rewinds(o)) return;
    int64_t reach = o->seen.next_frame - held + drone_pointer_headroom(o);
    if (reach < o->seen.next_frame) o->seen.changeable_frame = reach;
}

/// Whether the device stands still although it holds frames.
static bool is_still(drone_output *o, bool has_moved, int64_t now) {
    if (has_moved || o->held_frames <= 0) o->pointer.moved_ns = now;
    return now - o->pointer.moved_ns > drone_ms_in_ns(STILL_MS);
}

int drone_pointer_observe(drone_output *o) {
    int64_t now = drone_now_ns();
    drone_place last = o->seen.heard;
    o->seen.next_frame = drone_next_frame(o->engine);
    if (o->seen.paced_by_clock) {
        observe_pace(o, now);
        return 0;
    }
    int64_t time_ns, heard;
    // If the status was asked for before writing, it is not asked for again.
    int error = o->pointer.has_answer ? 0 : drone_pointer_ask(o);
    o->pointer.has_answer = false;
    if (error < 0) return error;
    if (!read_answer(o, &time_ns, &heard)) return 0;
    bool is_worth = await_step(o, &time_ns, &heard);
    // After the last quick look the control thread can tell what has happened.
    if (o->pointer.quick_looks > 0 && --o->pointer.quick_looks == 0) o->is_news = true;
    publish(o, time_ns, heard);
    bool is_first = o->pointer.is_new;
    o->pointer.is_new = false;
    int64_t stray = is_first ? 0 : heard - last.frame - drone_output_frames_in(o, time_ns - last.time_ns);
    if (has_appended(o, stray)) {
        o->granted.policy = DRONE_POLICY_SMALL;
        o->seen.epoch++;
        drone_fill_level_begin(o);
    }
    if (watch(o, stray, now)) is_worth = true;
    bool has_moved = !is_first && heard != last.frame;
    if (has_moved) {
        o->seen.silent = false;
        o->futile_faults = 0;
        // A device that has played is asked for again soon.
        o->retry_wait_ns = 0;
    }
    if (is_still(o, is_first || has_moved, now)) return -EIO;
    // A pointer that stands still tells nothing.
    if (!is_worth || (!is_first && !has_moved)) return 0;
    bool is_blurred = drone_output_rewinds(o) && o->pointer.missed_steps >= MOST_MISSED_STEPS;
    drone_observation observation = {
        .time_ns = time_ns,
        .frame = heard,
        .blur_frames = is_blurred ? longest_step(o) : 0,
        .epoch = o->seen.epoch,
    };
    // If nobody fetches the observations, the newest are dropped.
    drone_ring_push(&o->observations, &observation);
    compare(o, &observation, now);
    return 0;
}
