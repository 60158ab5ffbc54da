/// CDrone under fire, for the sanitizers: one thread queues and cuts, another renders and seeks; an output plays into
/// ALSA's null device. Ends by itself; prints what it did; any report of a sanitizer makes it fail.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drone.h"

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

enum { RATE = 48000, SECONDS = 60, BLOCK = 2000 };

static uint64_t random_state = 7;

static uint32_t below(uint64_t *state, uint32_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % limit;
}

static void *render(void *context) {
    drone_engine *engine = context;
    static uint8_t bytes[BLOCK * 4];
    uint64_t state = 99;
    int64_t frame = 0;
    while (frame < (int64_t)RATE * SECONDS) {
        uint32_t n = 1 + below(&state, BLOCK);
        drone_render(engine, bytes, n);
        frame += n;
        if (below(&state, 10) == 0) {
            int64_t target = frame - below(&state, 9600);
            if (target >= 0 && drone_seek(engine, target) == DRONE_OK) frame = target;
        }
        // A card takes its time too: let the other thread get in between.
        if (below(&state, 3) == 0) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return NULL;
}

/// Renders on a thread of its own while this one queues events, cuts and reads.
static void stress_engine(void) {
    int error;
    drone_config config = {.rate = RATE, .channels = 2, .format = DRONE_S16, .rewind_frames = 9600};
    drone_engine *engine = drone_engine_create(&config, &error);
    CHECK(engine && error == DRONE_OK);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, render, engine) == 0);
    int64_t frame = 0;
    uint64_t pushed = 0, cuts = 0, full = 0;
    while (drone_read_counters(engine).frame < (int64_t)RATE * SECONDS) {
        drone_event event = {
            .frame = frame + below(&random_state, 400),
            .fraction = below(&random_state, 1000) / 1000.0,
            .kind = below(&random_state, 20) == 0 ? DRONE_EVENT_TONE : DRONE_EVENT_CLICK,
            .sound = (drone_sound)below(&random_state, DRONE_SOUND_COUNT),
            .waveform = (drone_waveform)below(&random_state, DRONE_WAVEFORM_COUNT),
            .level = below(&random_state, 100) / 1000.0,
            .hertz = 50 + below(&random_state, 3000),
            .ramp_frames = below(&random_state, 3000),
        };
        int status = drone_push(engine, &event);
        CHECK(status == DRONE_OK || status == DRONE_ERR_FULL || status == DRONE_ERR_ORDER);
        if (status == DRONE_OK) {
            pushed++;
            frame = event.frame;
        } else if (status == DRONE_ERR_FULL) {
            full++;
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        }
        if (below(&random_state, 200) == 0) {
            frame = drone_read_counters(engine).frame + below(&random_state, 4000);
            CHECK(drone_cut(engine, frame) == DRONE_OK || drone_space(engine) == 0);
            cuts++;
        }
        drone_set_horizon(engine, frame);
    }
    pthread_join(thread, NULL);
    drone_counters counters = drone_read_counters(engine);
    CHECK(pushed > 1000 && cuts > 10 && counters.clicks > 100);
    printf("engine: %llu events, %llu cuts, queue full %llu times, %llu clicks, %llu late\n",
        (unsigned long long)pushed, (unsigned long long)cuts, (unsigned long long)full,
        (unsigned long long)counters.clicks, (unsigned long long)counters.late);
    drone_engine_destroy(engine);
}

/// The output's thread into a device that takes everything, read from here all the while.
static void stress_output(void) {
    int error;
    drone_output_request request = {
        .rate = RATE, .any_rate = true, .channels = 2, .any_channels = true, .format = DRONE_S16, .any_format = true};
    drone_output *output = drone_output_open("null", &request, &error);
    CHECK(output && error == 0);
    drone_config config = {
        .rate = request.rate, .channels = request.channels, .format = request.format, .first_frame = -4800};
    drone_engine *engine = drone_engine_create(&config, &error);
    CHECK(engine);
    drone_event tone = {.kind = DRONE_EVENT_TONE, .level = 0.1, .hertz = 440, .ramp_frames = 480};
    CHECK(drone_push(engine, &tone) == DRONE_OK);
    drone_set_horizon(engine, 10 * RATE);
    CHECK(drone_output_start(output, engine) == DRONE_OK);
    CHECK(drone_output_start(output, engine) == DRONE_ERR_ARGUMENT);
    int64_t last = INT64_MIN;
    drone_snapshot seen;
    int reads = 0;
    do {
        seen = drone_output_snapshot(output);
        CHECK(seen.next_frame >= last);
        last = seen.next_frame;
        if (++reads == 100) drone_output_end_at(output, RATE / 2);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    } while (seen.state != DRONE_OUTPUT_ENDED);
    CHECK(seen.state == DRONE_OUTPUT_ENDED && seen.heard_frame >= RATE / 2);
    printf("output: %d reads, %lld frames\n", reads, (long long)seen.next_frame);
    drone_output_destroy(output);
    drone_engine_destroy(engine);
    CHECK(drone_output_open("no such device", &request, &error) == NULL && error < 0);
}

int main(void) {
    stress_engine();
    stress_output();
    return 0;
}
