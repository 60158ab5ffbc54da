#define _GNU_SOURCE
#include "cjack.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct _jack_client client;

/// The beginning of jack_position_t; the rest is not read.
typedef struct {
    uint64_t unique;
    uint64_t usecs;
    uint32_t frame_rate;
    uint32_t frame;
    uint32_t valid;
    uint8_t rest[232];
} __attribute__((packed)) position;

enum { NO_START_SERVER = 1, ROLLING = 1, STARTING = 3, NET_STARTING = 4 };

/// What this client has said to the start that the transport is about to make.
enum answer { NOT_ASKED, NOT_READY, READY };

/// The functions of libjack that are used: the name without `jack_`, the result, the parameters.
#define FUNCTIONS(USE) \
    USE(client_open, client *, (const char *, int, int *, ...)) \
    USE(client_close, int, (client *)) \
    USE(activate, int, (client *)) \
    USE(set_process_callback, int, (client *, int (*)(uint32_t, void *), void *)) \
    USE(set_sync_callback, int, (client *, int (*)(int, position *, void *), void *)) \
    USE(on_shutdown, void, (client *, void (*)(void *), void *)) \
    USE(set_error_function, void, (void (*)(const char *))) \
    USE(set_info_function, void, (void (*)(const char *))) \
    USE(get_sample_rate, uint32_t, (client *)) \
    USE(get_buffer_size, uint32_t, (client *)) \
    USE(last_frame_time, uint32_t, (const client *)) \
    USE(frame_time, uint32_t, (const client *)) \
    USE(frames_to_time, uint64_t, (const client *, uint32_t)) \
    USE(get_time, uint64_t, (void)) \
    USE(transport_query, int, (const client *, position *)) \
    USE(transport_start, void, (client *)) \
    USE(transport_stop, void, (client *)) \
    USE(transport_locate, int, (client *, uint32_t))

struct cjack {
#define FIELD(name, result, parameters) result(*name) parameters;
    FUNCTIONS(FIELD)
#undef FIELD
    client *client;
    /// The transport: its frame, above that its state (`cjack_state`), and above that the number of the start.
    _Atomic uint64_t transport;
    /// The first frame of the newest period, by the frames of the server.
    _Atomic uint32_t period_begin;
    /// What was promised: a frame of the server, above that whether anything was, and above that the number of the start.
    _Atomic uint64_t promise;
    atomic_bool is_gone;
    /// The rest belongs to JACK's thread: the start that the transport is about to make, its number, the frame of the transport
    /// from which it will roll, the frame of the server at which it was asked for, and what was answered.
    uint16_t start;
    uint32_t start_at, asked_at;
    enum answer answer;
};

/// Finds one function. The pointer is copied, because C has no conversion from an object pointer to a function pointer.
static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load(cjack *jack) {
    // dlopen does not load a library twice.
    void *library = dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL);
#define FIND(name, result, parameters) && find(library, "jack_" #name, &jack->name)
    return library != NULL FUNCTIONS(FIND);
#undef FIND
}

/// Runs on JACK's thread, in real time, before `process` of the same period: whether this client is ready for the transport to
/// roll. The transport rolls in the period after the one in which the last client is ready.
static int get_ready(int state, position *here, void *argument) {
    cjack *jack = argument;
    if (state != STARTING && state != NET_STARTING) return 1;
    uint32_t now = jack->last_frame_time(jack->client);
    if (jack->answer != NOT_READY || here->frame != jack->start_at) {
        // Another place, while the others wait, does not make them wait for another second.
        if (jack->answer != NOT_READY) jack->asked_at = now;
        jack->answer = NOT_READY;
        jack->start++;
        jack->start_at = here->frame;
    }
    uint64_t promise = atomic_load_explicit(&jack->promise, memory_order_acquire);
    bool is_promised = promise >> 32 == ((uint64_t)jack->start << 16 | 1);
    bool is_due = now + jack->get_buffer_size(jack->client) == (uint32_t)promise;
    // The other clients do not wait for longer than a second, whatever has happened here.
    bool is_overdue = now - jack->asked_at >= jack->get_sample_rate(jack->client);
    if ((is_promised && is_due) || is_overdue) jack->answer = READY;
    return jack->answer == READY;
}

/// Runs on JACK's thread, in real time: here alone, the frame of the transport and that of the server belong together.
static int process(uint32_t frames, void *argument) {
    (void)frames;
    cjack *jack = argument;
    position here;
    int its_state = jack->transport_query(jack->client, &here);
    uint32_t now = jack->last_frame_time(jack->client);
    cjack_state state = CJACK_STOPPED;
    if (its_state == ROLLING) {
        state = CJACK_ROLLS;
        here.frame -= now;
    } else if ((its_state == STARTING || its_state == NET_STARTING) && jack->answer != NOT_ASKED) {
        state = jack->answer == READY ? CJACK_READY : CJACK_STARTS;
    }
    if (state == CJACK_ROLLS || state == CJACK_STOPPED) jack->answer = NOT_ASKED;
    atomic_store_explicit(&jack->period_begin, now, memory_order_release);
    uint64_t word = (uint64_t)jack->start << 48 | (uint64_t)state << 32 | here.frame;
    atomic_store_explicit(&jack->transport, word, memory_order_release);
    return 0;
}

static void shut_down(void *argument) {
    cjack *jack = argument;
    atomic_store(&jack->is_gone, true);
}

/// libjack would write to standard error.
static void say_nothing(const char *text) { (void)text; }

cjack *cjack_open(const char *name) {
    cjack *jack = calloc(1, sizeof *jack);
    if (jack == NULL || !load(jack)) {
        free(jack);
        return NULL;
    }
    jack->set_error_function(say_nothing);
    jack->set_info_function(say_nothing);
    int status = 0;
    jack->client = jack->client_open(name, NO_START_SERVER, &status);
    if (jack->client == NULL) {
        free(jack);
        return NULL;
    }
    jack->on_shutdown(jack->client, shut_down, jack);
    position here;
    jack->transport_query(jack->client, &here);
    jack->transport = here.frame;
    if (jack->set_process_callback(jack->client, process, jack) != 0 ||
        jack->set_sync_callback(jack->client, get_ready, jack) != 0 || jack->activate(jack->client) != 0) {
        cjack_close(jack);
        return NULL;
    }
    return jack;
}

void cjack_close(cjack *jack) {
    jack->client_close(jack->client);
    free(jack);
}

static int is_plugin(struct dl_phdr_info *library, size_t size, void *argument) {
    (void)size;
    (void)argument;
    return strstr(library->dlpi_name, "libasound_module_pcm_jack") != NULL;
}

bool cjack_is_shared(void) { return dl_iterate_phdr(is_plugin, NULL) != 0; }

bool cjack_is_gone(const cjack *jack) { return atomic_load(&jack->is_gone); }

uint32_t cjack_rate(const cjack *jack) { return jack->get_sample_rate(jack->client); }

uint32_t cjack_period(const cjack *jack) { return jack->get_buffer_size(jack->client); }

cjack_transport cjack_read(const cjack *jack) {
    uint64_t word = atomic_load_explicit(&jack->transport, memory_order_acquire);
    return (cjack_transport){.state = (cjack_state)(word >> 32 & 0xffff),
                             .frame = (uint32_t)word,
                             .start = (uint16_t)(word >> 48),
                             .period_begin = atomic_load_explicit(&jack->period_begin, memory_order_acquire)};
}

void cjack_promise(cjack *jack, uint16_t start, uint32_t frame) {
    uint64_t promise = (uint64_t)start << 48 | 1ull << 32 | frame;
    atomic_store_explicit(&jack->promise, promise, memory_order_release);
}

cjack_clock cjack_now(const cjack *jack) {
    uint32_t frame = jack->frame_time(jack->client);
    uint64_t time = jack->frames_to_time(jack->client, frame);
    // JACK may have another clock.
    struct timespec now;
    uint64_t its_now = jack->get_time();
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ago_us = (int64_t)(its_now - time);
    return (cjack_clock){.frame = frame, .time_ns = now.tv_sec * 1000000000 + now.tv_nsec - ago_us * 1000};
}

void cjack_start(cjack *jack) { jack->transport_start(jack->client); }

void cjack_stop(cjack *jack) { jack->transport_stop(jack->client); }

void cjack_locate(cjack *jack, uint32_t frame) { (void)jack->transport_locate(jack->client, frame); }
