#define _GNU_SOURCE
#include "cjack.h"

#include <dlfcn.h>
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

enum { NO_START_SERVER = 1, ROLLING = 1 };

/// The functions of libjack that are used: the name without `jack_`, the result, the parameters.
#define FUNCTIONS(USE) \
    USE(client_open, client *, (const char *, int, int *, ...)) \
    USE(client_close, int, (client *)) \
    USE(activate, int, (client *)) \
    USE(set_process_callback, int, (client *, int (*)(uint32_t, void *), void *)) \
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
    /// The transport: whether it rolls in bit 32, and below that its frame.
    _Atomic uint64_t transport;
    atomic_bool is_gone;
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

/// Runs on JACK's thread, in real time: here alone, the frame of the transport and that of the server belong together.
static int process(uint32_t frames, void *argument) {
    (void)frames;
    cjack *jack = argument;
    position here;
    uint64_t rolls = jack->transport_query(jack->client, &here) == ROLLING;
    uint32_t frame = here.frame - (rolls ? jack->last_frame_time(jack->client) : 0);
    atomic_store_explicit(&jack->transport, rolls << 32 | frame, memory_order_release);
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
    if (jack->set_process_callback(jack->client, process, jack) != 0 || jack->activate(jack->client) != 0) {
        cjack_close(jack);
        return NULL;
    }
    return jack;
}

void cjack_close(cjack *jack) {
    jack->client_close(jack->client);
    free(jack);
}

bool cjack_is_gone(const cjack *jack) { return atomic_load(&jack->is_gone); }

uint32_t cjack_rate(const cjack *jack) { return jack->get_sample_rate(jack->client); }

uint32_t cjack_period(const cjack *jack) { return jack->get_buffer_size(jack->client); }

cjack_transport cjack_read(const cjack *jack) {
    uint64_t word = atomic_load_explicit(&jack->transport, memory_order_acquire);
    return (cjack_transport){.rolls = word >> 32 != 0, .frame = (uint32_t)word};
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
