/// The inside of the simulated card.
///
/// Nothing moves by itself: there is no thread, and the process that `interrupts process` starts only says when. Where
/// the card's pointer is follows from the time, so every call first lets the card play up to now (`card_advance`), with
/// whatever faults fall in between, each at its own moment. What the ring holds changes only by calls, so the result is
/// the same as if the card had played all along.
#pragma once

#ifndef PIC
// Without it alsa-lib's headers take a plugin for a part of a static program.
#define PIC 1
#endif
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/simulated_card.h"

enum {
    MAX_EVENTS = 64,
    MAX_CHOICES = 16,
    ROWS_AT_ONCE = 64,
};

#define NEVER INT64_MAX

// ---------------------------------------------------------------------------------------------------
// Settings

typedef struct number_list {
    unsigned count;
    double values[MAX_CHOICES];
} number_list;

typedef struct card_settings {
    char *id, *record, *state_file, *says;
    uint64_t seed;
    // The crystal.
    double skew_ppm, wander_ppm, wander_period_s, wander_phase_deg;
    // The pointer.
    int64_t step_frames, step_spread, prefetch_frames, latency_frames, hidden_latency_frames;
    double jitter_us, start_delay_ms;
    bool stamp_is_of_step, starved_is_stale, plays_on, rewindable, can_pause, can_resume;
    int64_t calls_early_frames;
    bool interrupts_come_from_outside, is_batch;
    // What alsa-lib answers in a plugin's place, and the wrappers for this one.
    int64_t rewinds;
    bool has_monotonic_stamps, poses_as_hardware, drains_never;
    // What it accepts.
    unsigned rate_count, rates[MAX_CHOICES];
    unsigned format_count, formats[MAX_CHOICES];
    unsigned channels_min, channels_max, period_min, period_max, buffer_min, buffer_max, periods_min, periods_max;
    // Faults, in ms after the first start.
    number_list xrun_at, suspend_at, resume_after, disconnect_at, return_after, stall_at, stall_for;
    number_list jump_at, jump_frames, jump_for;
    number_list again_at, again_for;
    double busy_for;
    // Calls that are refused after each prepare.
    unsigned refuses_start, again_before_start;
    bool stall_jumps, jump_is_glitch;
} card_settings;

/// Reads the settings of a PCM definition, and of the file that its `settings` names.
int settings_read(card_settings *settings, const char *name, snd_config_t *definition);
void settings_free(card_settings *settings);

// ---------------------------------------------------------------------------------------------------
// Time, by the calling thread's clock

int64_t card_now(void);
/// With a simulated clock, advances it. Without a lock held: the clock is the test's.
void card_sleep_until(int64_t ns);
bool card_time_is_simulated(void);

// ---------------------------------------------------------------------------------------------------
// What outlives a handle

typedef struct card_memory {
    bool has_opened, has_started;
    /// The first opening is the crystal's epoch.
    int64_t first_open_ns, first_start_ns;
} card_memory;

typedef struct card_identity {
    card_memory *memory;
    /// The state file, held by flock; -1 if the memory is this process's.
    int fd;
    /// In the process's list of cards.
    struct known_card *known;
    bool is_held;
} card_identity;

int identity_find(card_identity *identity, const card_settings *settings);
/// -EBUSY if another handle has the card.
int identity_hold(card_identity *identity);
void identity_release(card_identity *identity);

// ---------------------------------------------------------------------------------------------------
// The crystal: seconds by the card against those of its clock

typedef struct crystal {
    int64_t epoch_ns;
    double pace, amplitude, angular, phase;
    /// The integral of the wander begins at 0.
    double start;
} crystal;

crystal crystal_make(const card_settings *settings, int64_t epoch_ns);
/// The card's seconds at a moment that is given in seconds after the epoch.
double crystal_at(const crystal *crystal, double seconds);
/// When, in seconds after the epoch, the card has counted so many seconds.
double crystal_when(const crystal *crystal, double card_seconds);

static inline double crystal_seconds(const crystal *crystal, int64_t ns) {
    return (double)(ns - crystal->epoch_ns) * 1e-9;
}

// ---------------------------------------------------------------------------------------------------
// The recording

typedef struct recording {
    int samples_fd, rows_fd, events_fd;
    int64_t frames, bytes;
    uint8_t *staging;
    size_t staging_size, staged, settled;
    simulated_card_row rows[ROWS_AT_ONCE];
    unsigned row_count;
} recording;

int recording_open(recording *recording, const char *path);
/// Room for so many samples without a time, and a good deal more.
int recording_set_up(recording *recording, size_t bytes_per_frame, size_t frames_ahead);
/// A line in `RECORD.events`, at once.
void recording_note(recording *recording, int64_t ns, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool recording_is_kept(const recording *recording);
/// Takes samples whose time is not known yet.
uint8_t *recording_stage(recording *recording, size_t bytes);
/// Gives the time of the oldest samples that have none.
void recording_settle(recording *recording, simulated_card_row row);
/// Whether the oldest row has waited long enough for the disk.
bool recording_is_due(const recording *recording, int64_t now_ns);
void recording_flush(recording *recording);
/// Forgets the samples that have no time.
void recording_discard(recording *recording);
void recording_close(recording *recording);

// ---------------------------------------------------------------------------------------------------
// Interrupts

typedef struct interrupt_orders {
    /// When the next is wanted, and on which processor.
    _Atomic int64_t wanted_ns;
    _Atomic int processor;
} interrupt_orders;

typedef struct interrupts {
    /// What is polled: a timer, or an event counter that another process raises. With a simulated clock nothing ever
    /// raises it: the deadline is asked for.
    int fd;
    int64_t armed_ns;
    /// Shared with that process; null with a timer.
    interrupt_orders *orders;
    bool is_raised;
    pid_t source;
} interrupts;

// ---------------------------------------------------------------------------------------------------
// The card

typedef enum event_kind {
    EVENT_XRUN,
    EVENT_SUSPEND,
    EVENT_DISCONNECT,
    EVENT_STALL,
    EVENT_GO_ON,
    EVENT_JUMP,
    EVENT_LAND,
    EVENT_REFUSE,
    EVENT_ACCEPT,
} event_kind;

typedef struct event {
    /// After the first start.
    int64_t at_ns;
    event_kind kind;
    /// Frames of a jump; how long a suspension or a disconnection lasts, in ns or NEVER.
    int64_t value;
} event;

typedef struct card {
    snd_pcm_ioplug_t io;
    snd_pcm_ioplug_callback_t callbacks;
    card_settings settings;
    card_identity identity;
    crystal crystal;
    recording recording;
    pthread_mutex_t lock;

    event events[MAX_EVENTS];
    unsigned event_count, next_event;
    /// Until when the machine sleeps, and what the card did when it fell asleep.
    int64_t asleep_until_ns;
    snd_pcm_state_t slept_as;

    // What hw_params and sw_params gave.
    uint32_t rate, channels, bytes_per_sample, bytes_per_frame;
    int64_t period, buffer, step_frames, step_spread, avail_min, stop_threshold, boundary;
    bool silences_played;

    /// The card's memory; in it, frame f stands at f modulo its length.
    uint8_t *ring;
    int64_t ring_frames;
    /// Frames given since prepare; moves on its own only if the card is not rewindable.
    int64_t appended;
    /// The end of the last transfer: what lies between it and the next is a rewind or a forward.
    int64_t written_to;

    // The true position is `position + (card seconds - anchor) * rate`, and stands still unless moving.
    double position, anchor;
    bool running, paused, held, frozen;
    uint32_t run;
    /// Frames that left the ring, frames that were heard, and those of them that have a row.
    int64_t captured, heard, rowed;
    /// The pointer as last shown, without and with what a buggy driver adds; the step it stands on.
    int64_t shown, reported, on_step;
    int64_t glitch;
    /// How many times that the card refuses writes last now, and how many calls it has refused since prepare.
    int refusing;
    unsigned refused_starts, refused_writes;
    /// When the pointer was last asked for, and whether a delay has been told since.
    int64_t asked_ns;
    bool delay_is_due;

    struct card *next_open;
    /// Which opening it is, counted over the process, and how often the program has stopped it.
    uint64_t opening;
    _Atomic uint64_t stops;
    bool stamps_are_monotonic;
    /// When the card was last started or stopped by the program.
    int64_t trigger_ns;
    interrupts interrupts;
    uint64_t wakes, spurious, transfers, refusals, pointers;
} card;

bool card_is_moving(const card *card);
/// Where it truly is.
double card_position(const card *card, int64_t ns);
/// When the position is reached, in seconds after the epoch, going on as now.
double card_when_reached(const card *card, double position);
/// The frames that have left the ring when so many have been heard: whole bursts if the card fetches ahead.
int64_t card_fetched(const card *card, double position);
/// Where the last step up to a position ends.
int64_t card_step_before(const card *card, int64_t position);
/// Moves the pointer as the application sees it.
void card_look(card *card, int64_t ns);
/// When the application sees the pointer at the position or beyond.
int64_t card_seen_at(const card *card, int64_t position);

/// Puts the faults in the order of their times.
int card_plan(card *card);
/// How many frames a row of times spans at most.
int64_t card_row_frames(const card *card);
/// Takes up, silently, what happened while nobody had the card open. False if the card is away.
bool card_catch_up(card *card, int64_t now);
/// Takes up what an event changes whether the card runs or not: stalls and glitches.
void card_take_state(card *card, const event *event);
/// Plays up to now, with every fault that falls in between.
void card_advance(card *card, int64_t now);
void card_begin(card *card, int64_t now);
void card_finish(card *card, bool plays_out);
void card_rest(card *card, int64_t now, bool rests);
/// The moment at which a poll is to return. At or before now: at once.
int64_t card_deadline(card *card, int64_t now);
int64_t card_application(const card *card);
/// The place that the writer has come to: the application's, unless the card appends.
int64_t card_written(const card *card);
/// Frames that the pointer has gone since its last step.
int64_t card_since_step(const card *card, int64_t now);
int card_error(const card *card);
/// When a program sees the so manieth period of the run end.
int64_t card_period_end(const card *card, int64_t period);

/// Puts a card among those that are open, and takes it out.
void card_enlist(card *card);
void card_delist(card *card);
/// Tells whoever drains a card that one has been stopped. Without a card's lock held.
void card_tell_stopped(void);

int interrupts_open(interrupts *interrupts, bool come_from_outside);
/// Makes poll return at the deadline, or at once. Left unread it stays readable; set anew it is not.
void interrupts_arm(interrupts *interrupts, int64_t deadline, int64_t now);
/// Poll has returned, and there was a reason or not.
void interrupts_answer(interrupts *interrupts, bool is_due, int64_t now);
/// Starts the other process, if they come from outside, when the card starts.
int interrupts_begin(card *card);
void interrupts_end(interrupts *interrupts);
void interrupts_close(interrupts *interrupts);
/// What alsa-lib calls; `pause` is left out for a card that cannot.
extern const snd_pcm_ioplug_callback_t card_callbacks;
/// Frees a card and all that it has open.
void card_destroy(card *card);
