#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdint.h>

// Functions of ALSA's sequencer that are macros, or take structures that Swift does not see. Times are in ns of a queue's
// clock; results below 0 are errors of ALSA.

/// The audio thread's devices are opened with such a handler, too: reasons are returned, and told by the program.
static void alsa_seq_quiet(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Opens the sequencer. What is wrong is returned, and not written to standard error.
static inline int alsa_seq_open(snd_seq_t **seq) {
    snd_lib_error_set_handler(alsa_seq_quiet);
    return snd_seq_open(seq, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK);
}

static inline snd_seq_real_time_t alsa_seq_time(int64_t ns) {
    snd_seq_real_time_t time = {(unsigned)(ns / 1000000000), (unsigned)(ns % 1000000000)};
    return time;
}

/// Puts a message for all subscribers of a port into a queue, or sends it now if `queue` is below 0. The numbers of a note are
/// the note and its velocity, those of other messages parameter and value; `bytes` are those of a system exclusive message.
static inline int alsa_seq_send(
    snd_seq_t *seq, int port, int queue, int64_t due, int type, int channel, int number, int value, const uint8_t *bytes,
    unsigned count) {
    snd_seq_event_t event;
    snd_seq_ev_clear(&event);
    snd_seq_ev_set_source(&event, port);
    snd_seq_ev_set_subs(&event);
    if (queue < 0) {
        snd_seq_ev_set_direct(&event);
    } else {
        snd_seq_real_time_t time = alsa_seq_time(due);
        snd_seq_ev_schedule_real(&event, queue, 0, &time);
    }
    if (type == SND_SEQ_EVENT_SYSEX) {
        snd_seq_ev_set_sysex(&event, count, (void *)bytes);
    } else {
        snd_seq_ev_set_fixed(&event);
        event.type = (snd_seq_event_type_t)type;
        if (type == SND_SEQ_EVENT_NOTEON || type == SND_SEQ_EVENT_NOTEOFF) {
            event.data.note.channel = (unsigned char)channel;
            event.data.note.note = (unsigned char)number;
            event.data.note.velocity = (unsigned char)value;
        } else {
            event.data.control.channel = (unsigned char)channel;
            event.data.control.param = (unsigned)number;
            event.data.control.value = value;
        }
    }
    return snd_seq_event_output_direct(seq, &event);
}

/// Whether a port sends to another one.
static inline bool alsa_seq_is_connected(snd_seq_t *seq, int port, snd_seq_addr_t to) {
    snd_seq_port_subscribe_t *connection;
    snd_seq_port_subscribe_alloca(&connection);
    snd_seq_addr_t from = {(unsigned char)snd_seq_client_id(seq), (unsigned char)port};
    snd_seq_port_subscribe_set_sender(connection, &from);
    snd_seq_port_subscribe_set_dest(connection, &to);
    return snd_seq_get_port_subscription(seq, connection) >= 0;
}

/// Takes all messages out of a queue that are due at a time or later.
static inline int alsa_seq_take_back(snd_seq_t *seq, int queue, int64_t from) {
    snd_seq_remove_events_t *which;
    snd_seq_remove_events_alloca(&which);
    snd_seq_timestamp_t time;
    time.time = alsa_seq_time(from);
    snd_seq_remove_events_set_condition(which, SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TIME_AFTER);
    snd_seq_remove_events_set_queue(which, queue);
    snd_seq_remove_events_set_time(which, &time);
    return snd_seq_remove_events(seq, which);
}

/// The time of a queue.
static inline int64_t alsa_seq_now(snd_seq_t *seq, int queue) {
    snd_seq_queue_status_t *status;
    snd_seq_queue_status_alloca(&status);
    int error = snd_seq_get_queue_status(seq, queue, status);
    if (error < 0) return error;
    const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/// Makes a queue that looks so many times in a second for what is due, by a timer of high resolution if there is one, and
/// starts it.
static inline int alsa_seq_start(snd_seq_t *seq, unsigned hertz) {
    int queue = snd_seq_alloc_named_queue(seq, "Barline");
    if (queue < 0) return queue;
    snd_seq_queue_timer_t *timer;
    snd_seq_queue_timer_alloca(&timer);
    snd_timer_id_t *id;
    snd_timer_id_alloca(&id);
    snd_timer_id_set_class(id, SND_TIMER_CLASS_GLOBAL);
    snd_timer_id_set_sclass(id, SND_TIMER_SCLASS_NONE);
    snd_timer_id_set_device(id, SND_TIMER_GLOBAL_HRTIMER);
    snd_seq_queue_timer_set_type(timer, SND_SEQ_TIMER_ALSA);
    snd_seq_queue_timer_set_id(timer, id);
    snd_seq_queue_timer_set_resolution(timer, hertz);
    if (snd_seq_set_queue_timer(seq, queue, timer) < 0) {
        snd_timer_id_set_device(id, SND_TIMER_GLOBAL_SYSTEM);
        snd_seq_queue_timer_set_id(timer, id);
        int error = snd_seq_set_queue_timer(seq, queue, timer);
        if (error < 0) return error;
    }
    int error = snd_seq_control_queue(seq, queue, SND_SEQ_EVENT_START, 0, NULL);
    if (error >= 0) error = snd_seq_drain_output(seq);
    return error < 0 ? error : queue;
}
