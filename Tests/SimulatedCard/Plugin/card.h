/// The internals of the simulated card.
///
/// Nothing moves by itself: there is no thread, and the process that `interrupts process` starts only wakes the player.
/// The position of the pointer follows from the time, so every call first makes the card play up to now
/// (`card_advance`), with all faults in between, each at its time. The ring changes only by calls, so the result is the
/// same as if the card had played all the time.
#pragma once

#ifndef PIC
// Without it, alsa-lib's headers assume that the plugin is part of a static program.
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

/// The value at an index; the last value of a shorter list applies to the rest.
static inline double number_at(const number_list *list, unsigned index, double otherwise) {
    if (list->count == 0) return otherwise;
    return list->values[index < list->count ? index : list->count - 1];
}

/// A list of calls (`simulated_card_call`) or of errnos.
typedef struct code_list {
    unsigned count;
    int values[MAX_CHOICES];
} code_list;

typedef struct card_settings {
    char *id, *record, *state_file, *says;
    // A microphone: what it hears of a card, by which paths, and what else.
    char *hears, *hears_card, *plays;
    number_list path_us, path_db;
    double noise_db, gain_db;
    bool is_muted;
    uint64_t seed;
    // The crystal.
    double skew_ppm, wander_ppm, wander_period_s, wander_phase_deg;
    // Changes of its rate, and slews of CLOCK_MONOTONIC against it, in ms after the first start.
    number_list skew_at, skew_by_ppm, slew_at, slew_ppm, slew_for, offset_at, offset_us, offset_tau_s;
    // The pointer.
    int64_t step_frames, step_spread, prefetch_frames, latency_frames, hidden_latency_frames;
    double jitter_us, start_delay_ms;
    bool stamp_is_of_step, starved_is_stale, plays_on, calls_again, plays_again, rewindable, can_pause, can_resume;
    int64_t calls_early_frames;
    bool interrupts_come_from_outside, is_batch;
    // Answers that alsa-lib gives for a plugin, and that the wrappers give for this card.
    int64_t rewinds;
    bool has_monotonic_stamps, poses_as_hardware, drains_never;
    // The parameters that the card accepts.
    unsigned rate_count, rates[MAX_CHOICES];
    unsigned format_count, formats[MAX_CHOICES];
    unsigned channels_min, channels_max, period_min, period_max, buffer_min, buffer_max, periods_min, periods_max;
    // Faults, in ms after the first start.
    number_list xrun_at, suspend_at, resume_after, disconnect_at, return_after, stall_at, stall_for;
    number_list jump_at, jump_frames, jump_for;
    number_list again_at, again_for;
    double busy_for;
    // Calls that fail or hang; `_at` in ms after the first start, `_from` and `_count` in calls of the same kind.
    code_list fail, fail_errno, hang;
    number_list fail_at, fail_from, fail_count, hang_at, hang_from, hang_for;
    // The numbers of calls that are refused after each prepare.
    unsigned refuses_start, again_before_start;
    bool stall_jumps, jump_is_glitch;
} card_settings;

/// Reads the settings in a PCM definition, and those in the file named by its key `settings`.
int settings_read(card_settings *settings, const char *name, snd_config_t *definition);
void settings_free(card_settings *settings);

// ---------------------------------------------------------------------------------------------------
// Time, by the calling thread's clock

int64_t card_now(void);
/// Sleeps until a time; advances a simulated clock instead. Call it without holding a lock, because a simulated clock
/// is code of the test.
void card_sleep_until(int64_t ns);
bool card_time_is_simulated(void);

// ---------------------------------------------------------------------------------------------------
// The memory of a card, which outlives its handles

typedef struct card_memory {
    bool has_opened, has_started;
    /// The time of the first opening is the epoch of the crystal.
    int64_t first_open_ns, first_start_ns;
    /// The calls so far, and how often each entry of `fail` and of `hang` has taken effect.
    uint32_t calls[SIMULATED_CARD_CALLS], failed[MAX_CHOICES], hung[MAX_CHOICES];
} card_memory;

typedef struct card_identity {
    card_memory *memory;
    /// The state file, held by flock; -1 if the memory is in this process.
    int fd;
    /// The entry in the list of cards of this process.
    struct known_card *known;
    bool is_held;
} card_identity;

int identity_find(card_identity *identity, const card_settings *settings);
/// Returns -EBUSY if another handle has the card open.
int identity_hold(card_identity *identity);
void identity_release(card_identity *identity);
/// Waits until a time of CLOCK_MONOTONIC, or for ever (NEVER), or until `simulated_card_release`.
void identity_hang(const card_identity *identity, int64_t until_ns);

// ---------------------------------------------------------------------------------------------------
// The crystal: seconds of the card as a function of those of its clock, which is CLOCK_MONOTONIC

/// A constant slew: the clock gains this share of its own time.
typedef struct crystal_slew {
    double from, to, share;
} crystal_slew;

/// An offset that the clock gains with a time constant, as when NTP corrects it.
typedef struct crystal_offset {
    double from, seconds, tau;
} crystal_offset;

/// A change of the crystal's own rate: when, in seconds of both clocks, and by how much.
typedef struct crystal_change {
    double from, raw_from, by;
} crystal_change;

typedef struct crystal {
    int64_t epoch_ns;
    double pace, amplitude, angular, phase;
    /// A constant that makes the integral of the wander 0 at the epoch.
    double start;
    unsigned slew_count, offset_count, change_count;
    crystal_slew slews[MAX_CHOICES];
    crystal_offset offsets[MAX_CHOICES];
    crystal_change changes[MAX_CHOICES];
} crystal;

crystal crystal_make(const card_settings *settings, int64_t epoch_ns);
/// Sets the times of all slews and changes of the rate. Before the first start, there are none.
void crystal_begin(crystal *crystal, const card_settings *settings, int64_t first_start_ns);
/// The card's seconds at a time given in seconds after the epoch.
double crystal_at(const crystal *crystal, double seconds);
/// When a slew or a changed rate next begins or ends after a time, in seconds after the epoch; infinite if never.
double crystal_next_bend(const crystal *crystal, double seconds);
/// When the card has counted this many seconds, in seconds after the epoch.
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
/// Allocates room for at least this many frames whose times are not known yet.
int recording_set_up(recording *recording, size_t bytes_per_frame, size_t frames_ahead);
/// Writes a line to `RECORD.events` at once.
void recording_note(recording *recording, int64_t ns, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool recording_is_kept(const recording *recording);
/// Room for samples whose times are not known yet; NULL if nothing is recorded or there is no room.
uint8_t *recording_stage(recording *recording, size_t bytes);
/// Sets the times of the oldest samples without times.
void recording_settle(recording *recording, simulated_card_row row);
/// Whether the oldest row is due to be written to disk.
bool recording_is_due(const recording *recording, int64_t now_ns);
void recording_flush(recording *recording);
/// Discards the samples without times.
void recording_discard(recording *recording);
void recording_close(recording *recording);

// ---------------------------------------------------------------------------------------------------
// Interrupts

typedef struct interrupt_orders {
    /// When the next interrupt is wanted, and on which processor.
    _Atomic int64_t wanted_ns;
    _Atomic int processor;
} interrupt_orders;

typedef struct interrupts {
    /// The descriptor that is polled: a timer, or an eventfd that another process raises. With a simulated clock,
    /// nothing raises it; tests query the deadline instead.
    int fd;
    int64_t armed_ns;
    /// Shared with that process; NULL with a timer.
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
    /// The time after the first start of the card.
    int64_t at_ns;
    event_kind kind;
    /// The frames of a jump, or the length of a suspension or a disconnection in ns or NEVER.
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
    /// When the machine wakes, and the state of the card when it fell asleep.
    int64_t asleep_until_ns;
    snd_pcm_state_t slept_as;

    // The values from hw_params and sw_params.
    uint32_t rate, channels, bytes_per_sample, bytes_per_frame;
    int64_t period, buffer, step_frames, step_spread, avail_min, stop_threshold, boundary;
    bool silences_played;

    /// The ring buffer; frame f is at f modulo `ring_frames`.
    uint8_t *ring;
    int64_t ring_frames;
    /// The frames appended since prepare; only used if the card is not rewindable.
    int64_t appended;
    /// The end of the last transfer; a gap between it and the next one is a rewind or a forward.
    int64_t written_to;

    // The true position is `position + (card seconds - anchor) * rate`; it stands still unless the card is moving.
    double position, anchor;
    bool running, paused, held, frozen;
    uint32_t run;
    /// The number of frames that have left the ring, that have been heard, and that have a row.
    int64_t captured, heard, rowed;
    /// The pointer as last shown, without and with the error of a glitch, and the step that it is on.
    int64_t shown, reported, on_step;
    int64_t glitch;
    /// How many periods of refused writes are active now; and how many starts and writes have been refused since
    /// prepare.
    int refusing;
    unsigned refused_starts, refused_writes;
    /// When the pointer was last asked for, and whether the delay has not been asked for since.
    int64_t asked_ns;
    bool delay_is_due;

    struct card *next_open;
    /// The number of this opening in the process, and how often the program has stopped the card.
    uint64_t opening;
    _Atomic uint64_t stops;
    bool stamps_are_monotonic;
    /// When the program last started or stopped the card.
    int64_t trigger_ns;
    interrupts interrupts;
    /// Whether the next poll returns for what has been answered.
    bool is_unread;
    uint64_t wakes, spurious, transfers, refusals, pointers;
} card;

bool card_is_moving(const card *card);
/// The true position.
double card_position(const card *card, int64_t ns);
/// When the position is reached, in seconds after the epoch, if the card goes on as now.
double card_when_reached(const card *card, double position);
/// The number of frames that have left the ring at a true position: whole bursts if the card fetches ahead.
int64_t card_fetched(const card *card, double position);
/// The end of the last step up to a position.
int64_t card_step_before(const card *card, int64_t position);
/// Updates the pointer that the application sees.
void card_look(card *card, int64_t ns);
/// When the application sees the pointer at the position or after it.
int64_t card_seen_at(const card *card, int64_t position);

/// Plans all faults in order of time.
int card_plan(card *card);
/// The maximum number of frames in a row.
int64_t card_row_frames(const card *card);
/// Applies the faults that came while the card was not open, without recording them. False if the card is away.
bool card_catch_up(card *card, int64_t now);
/// Applies the effects of an event that do not depend on whether the card runs: stalls, glitches and refused writes.
void card_take_state(card *card, const event *event);
/// Plays up to now, with all faults in between.
void card_advance(card *card, int64_t now);
void card_begin(card *card, int64_t now);
void card_finish(card *card, bool plays_out);
void card_rest(card *card, int64_t now, bool rests);
/// Gives every frame that has been heard its time, and writes them out.
void card_write_out(card *card);
/// The time at which a poll returns; at or before now means at once.
int64_t card_deadline(card *card, int64_t now);
int64_t card_application(const card *card);
/// The end of the written frames: the application's pointer, unless the card appends.
int64_t card_written(const card *card);
/// The number of frames that the true position has moved since the last step.
int64_t card_since_step(const card *card, int64_t now);
int card_error(const card *card);
/// When a program sees the end of the nth period of the run.
int64_t card_period_end(const card *card, int64_t period);

/// Hangs or fails in a call, if the settings say so. Returns 0 or a negative errno. Call it without holding a lock of the
/// card.
int card_trouble(card *card, simulated_card_call call);
/// The name of a call in the settings and in the list of events.
const char *card_call_name(simulated_card_call call);

/// Adds a card to the list of open cards; `card_delist` removes it.
void card_enlist(card *card);
void card_delist(card *card);
/// Tells threads that drain a card that one has been stopped. Call it without holding the lock of a card.
void card_tell_stopped(void);

int interrupts_open(interrupts *interrupts, bool come_from_outside);
/// Makes poll return at the deadline, or at once. The descriptor stays readable until it is armed again.
void interrupts_arm(interrupts *interrupts, int64_t deadline, int64_t now);
/// Call it when poll has returned; `is_due` says whether there was a reason.
void interrupts_answer(interrupts *interrupts, bool is_due, int64_t now);
/// Starts the process that sends the interrupts, if there is one, when the card starts.
int interrupts_begin(card *card);
void interrupts_end(interrupts *interrupts);
void interrupts_close(interrupts *interrupts);
/// The callbacks for alsa-lib; `pause` is left out for a card that cannot pause.
extern const snd_pcm_ioplug_callback_t card_callbacks;
/// Plays until now and writes out what has been heard, for a microphone; nothing if no such card is open.
void card_publish(const char *id);
/// Restricts a handle to the parameters in the settings.
int card_constrain(snd_pcm_ioplug_t *io, const card_settings *settings);
/// Opens a microphone. Returns 0 or a negative errno.
int microphone_open(snd_pcm_t **pcm, const char *name, snd_config_t *definition, int mode);
/// Frees a card and everything that it has open.
void card_destroy(card *card);
