/// The fill level of a device with the policy SMALL: as low as the machine allows.
///
/// Once no more than a low level is left, the thread fills the device up to a target. The low level is how late the
/// thread may come. If the thread is late repeatedly, the low level is raised, as sound servers do; after a long time
/// without late wake-ups it is lowered again. Both levels are whole periods, because a device wakes the thread at the
/// end of a period.
#include "output.h"

enum {
    /// The target as long as nothing goes wrong.
    BASE_MS = 24,
    /// REPEATED late wake-ups within this time are the machine's habit, not an accident.
    RECENT_MS = 10000,
    REPEATED = 2,
    /// After this time without a late wake-up the level is lowered.
    QUIET_MS = 60000,
    /// A thread that was later than this was stopped. That is no habit either, and a level for it would delay every command.
    STOPPED_MS = 1000,
};

static int64_t whole_periods(const drone_output *o, int64_t frames, bool up) {
    int64_t period = o->granted.period_frames;
    return (up ? frames + period - 1 : frames) / period * period;
}

/// The levels as long as nothing has gone wrong. A thread that has real-time priority, and whose device has never run
/// dry, writes three quarters of the target at a time; any other thread writes half.
static void base_level(const drone_output *o, int64_t *low, int64_t *target) {
    int64_t period = o->granted.period_frames, whole = whole_periods(o, drone_output_frames_in_ms(o, BASE_MS), false);
    // PulseAudio asks for its whole buffer to be filled.
    if (o->traits.is_pulse) whole = whole_periods(o, o->granted.buffer_frames, false);
    if (whole < 2 * period) whole = 2 * period;
    if (whole > (int64_t)o->granted.buffer_frames) whole = whole_periods(o, o->granted.buffer_frames, false);
    bool is_punctual = o->seen.realtime && o->seen.xruns == 0;
    int64_t refill = whole_periods(o, is_punctual ? whole / 4 * 3 : whole / 2, false);
    if (refill < period) refill = period;
    *low = whole - refill;
    *target = whole;
}

/// Sets the low level to `wanted`, or to the nearest level that the device has room for.
static int set_low(drone_output *o, int64_t wanted) {
    drone_fill_level *l = &o->fill_level;
    int64_t base_low, base_target;
    base_level(o, &base_low, &base_target);
    int64_t room = whole_periods(o, o->granted.buffer_frames, false);
    int64_t refill = base_target - base_low;
    int64_t low = whole_periods(o, wanted, true);
    if (low < base_low) low = base_low;
    if (low > room - (int64_t)o->granted.period_frames) low = room - (int64_t)o->granted.period_frames;
    l->low_frames = low;
    l->target_frames = low + refill < room ? low + refill : room;
    return o->pcm ? drone_device_set_low(o->pcm, &o->granted, low) : 0;
}

void drone_fill_level_begin(drone_output *o) {
    int64_t now = drone_now_ns();
    o->fill_level.kept_ns = now;
    o->fill_level.due_ns = 0;
    set_low(o, o->fill_level.low_frames);
}

static void note_late(drone_output *o, int64_t late_ns, int64_t now) {
    if (late_ns > drone_ms_in_ns(STOPPED_MS)) return;
    drone_fill_level *l = &o->fill_level;
    uint32_t slot = l->late_count++ % DRONE_LATE_WAKES;
    l->late_at_ns[slot] = now;
    l->late_ns[slot] = late_ns;
}

/// The longest delay among the recent late wake-ups; `count` receives their number.
static int64_t worst_late(const drone_output *o, int64_t now, uint32_t *count) {
    const drone_fill_level *l = &o->fill_level;
    int64_t worst = 0;
    *count = 0;
    for (uint32_t i = 0; i < DRONE_LATE_WAKES && i < l->late_count; i++) {
        if (now - l->late_at_ns[i] > drone_ms_in_ns(RECENT_MS)) continue;
        ++*count;
        if (l->late_ns[i] > worst) worst = l->late_ns[i];
    }
    return worst;
}

/// The low level that the recent late wake-ups ask for; 0 while there are too few of them.
static int64_t wanted_low(const drone_output *o, int64_t now) {
    uint32_t count;
    int64_t worst = worst_late(o, now, &count);
    return count < REPEATED ? 0 : drone_output_frames_in(o, worst + worst / 2);
}

int drone_fill_level_watch(drone_output *o, int64_t held_frames) {
    drone_fill_level *l = &o->fill_level;
    int64_t now = drone_now_ns();
    uint32_t count;
    int64_t left = held_frames < 0 ? 0 : held_frames, short_by = l->low_frames - left;
    if (drone_output_is_playing(o) && short_by > l->low_frames / 3) {
        // A wake-up that has used up a third of the low level keeps the level; one that has used up half of it counts
        // as late.
        l->kept_ns = now;
        if (short_by > l->low_frames / 2) note_late(o, short_by * 1000000000 / o->granted.rate, now);
    }
    o->seen.late_ns = worst_late(o, now, &count);
    int64_t wanted = wanted_low(o, now), base_low, base_target;
    base_level(o, &base_low, &base_target);
    if (wanted > l->low_frames) {
        l->kept_ns = now;
        return set_low(o, wanted);
    }
    if (l->low_frames > base_low && now - l->kept_ns > drone_ms_in_ns(QUIET_MS)) {
        l->kept_ns = now;
        return set_low(o, l->low_frames / 2);
    }
    return 0;
}

bool drone_fill_level_ran_dry(drone_output *o) {
    drone_fill_level *l = &o->fill_level;
    int64_t now = drone_now_ns();
    if (l->due_ns != 0 && now > l->due_ns) note_late(o, now - l->due_ns, now);
    l->kept_ns = now;
    int64_t wanted = wanted_low(o, now);
    if (wanted > l->low_frames) l->low_frames = wanted;
    return l->low_frames + 2 * (int64_t)o->granted.period_frames > (int64_t)o->granted.buffer_frames;
}
