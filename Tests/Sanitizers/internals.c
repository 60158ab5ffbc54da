/// Laws about the inside of CDrone.
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "engine.h"

// ---------------------------------------------------------------------------------------------------
// Shared values

enum { WORDS = DRONE_SHARED_WORDS, WRITES = 200000 };

/// A value whose words are all the same, so that a mixture shows.
typedef struct value {
    uint64_t words[WORDS];
} value;

static value made_of(uint64_t n) {
    value v;
    for (int i = 0; i < WORDS; i++) v.words[i] = n;
    return v;
}

static uint64_t read_value(const drone_shared *shared) {
    value v;
    drone_shared_read(shared, &v, sizeof v);
    for (int i = 1; i < WORDS; i++) CHECK(v.words[i] == v.words[0]);
    return v.words[0];
}

static void *write_values(void *context) {
    for (uint64_t n = 1; n <= WRITES; n++) {
        value v = made_of(n);
        drone_shared_write(context, &v, sizeof v);
    }
    return NULL;
}

/// Readers see whole values, which never go back, while another thread writes.
static void read_while_written(void) {
    static drone_shared shared;
    pthread_t writer;
    CHECK(read_value(&shared) == 0);
    CHECK(pthread_create(&writer, NULL, write_values, &shared) == 0);
    uint64_t last = 0;
    while (last < WRITES) {
        uint64_t n = read_value(&shared);
        CHECK(n >= last);
        last = n;
    }
    pthread_join(writer, NULL);
}

/// A writer that has been stopped in the middle of a value keeps no reader waiting: the value before it is read.
static void read_from_stopped_writer(void) {
    static drone_shared shared;
    for (uint64_t n = 1; n <= 5; n++) {
        value next = made_of(n), torn = next;
        memset(&torn.words[WORDS / 2], 0xff, sizeof torn / 2);
        drone_shared_prepare(&shared, &torn, sizeof torn);
        CHECK(read_value(&shared) == n - 1);
        drone_shared_write(&shared, &next, sizeof next);
        CHECK(read_value(&shared) == n);
    }
}

// ---------------------------------------------------------------------------------------------------
// Locked memory

/// Sanitizers replace mlock by nothing.
enum { CAN_TEST_LOCKS = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) };

/// How many kilobytes of this process are locked.
static size_t locked_kb(void) {
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status);
    char line[256];
    size_t kb = SIZE_MAX;
    while (kb == SIZE_MAX && fgets(line, sizeof line, status)) sscanf(line, "VmLck: %zu kB", &kb);
    fclose(status);
    CHECK(kb != SIZE_MAX);
    return kb;
}

/// Whether the page of an address is locked.
static bool is_locked(const void *address) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    CHECK(maps);
    char line[512];
    bool is_inside = false, locked = false;
    while (fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
            is_inside = (uintptr_t)address >= begin && (uintptr_t)address < end;
        if (is_inside && strncmp(line, "VmFlags:", 8) == 0) locked = strstr(line, " lo") != NULL;
    }
    fclose(maps);
    return locked;
}

/// Checks that reading a range causes no page fault and, if it can be locked at all, that it never will.
static void check_range(const void *memory, size_t bytes, bool can_lock) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (uintptr_t at = (uintptr_t)memory / page * page; at < (uintptr_t)memory + bytes; at += page) {
        unsigned char is_present = 0;
        CHECK(mincore((void *)at, page, &is_present) == 0 && is_present & 1);
        if (can_lock) CHECK(is_locked((const void *)at));
    }
}

static void use_sounds(drone_engine *engine, double brightness, drone_sound sound) {
    static const float points[1000] = {1};
    drone_event tone = drone_event_tone(
        0, 0.1, (drone_tone_event){.hertz = 220, .waveform = DRONE_STRINGS, .brightness = brightness});
    drone_event click = drone_event_click(0, 0.1, (drone_click_event){.sound = sound});
    CHECK(drone_push(engine, &tone) == DRONE_OK && drone_push(engine, &click) == DRONE_OK);
    CHECK(drone_sample_add(engine, points, 1000, 1) > 0);
}

/// All that the audio thread reads is locked: tables, clicks and samples from before the start and from after it. Where
/// the system allows less than that, it has been touched. Nothing stays locked once the engine is gone.
static void lock_memory(void) {
    size_t before = locked_kb();
    int error;
    drone_config config = {.rate = 48000, .channels = 2, .format = DRONE_S16, .rewind_frames = 4800};
    drone_engine *e = drone_engine_create(&config, &error);
    CHECK(e);
    use_sounds(e, 0, DRONE_SOUND_BAR);
    drone_engine_lock_memory(e);
    use_sounds(e, 0.5, DRONE_SOUND_LINE);
    // Twice what is needed, so that rounding to pages does not matter.
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    bool can_lock = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / 2 > before * 1024 + 2000000;
    int tables = 0, samples = 0;
    check_range(e, sizeof *e, can_lock);
    check_range(e->checkpoints, e->checkpoint_capacity * sizeof *e->checkpoints, can_lock);
    for (drone_wavetable *t = e->wavetables; t; t = t->next, tables++)
        check_range(t, sizeof *t + ((1u << t->bits) + 1) * sizeof *t->points, can_lock);
    for (drone_sample *s = e->samples; s; s = s->next, samples++)
        check_range(s, sizeof *s + (size_t)s->stride * s->phases * sizeof *s->points, can_lock);
    CHECK(tables == 2 && samples == 4);
    // A released sample takes its lock along.
    drone_sample_release(e, 1);
    drone_engine_destroy(e);
    CHECK(locked_kb() == before);
    printf("memory: %s\n", can_lock ? "locked" : "touched, because the system allows too little to be locked");
}

void check_internals(void) {
    read_while_written();
    read_from_stopped_writer();
    if (CAN_TEST_LOCKS) lock_memory();
}
