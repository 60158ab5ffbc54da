/// CDrone under fire, for the sanitizers: one thread commits transactions, another decides, renders and seeks; an output
/// plays into ALSA's null device. Ends once each has done what it must; prints what it did; any report of a sanitizer
/// makes it fail.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "drone_output.h"

enum { RATE = 48000, BLOCK = 2000, ENOUGH = 500 };

static uint64_t random_state = 7;

static uint32_t below(uint64_t *state, uint32_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % limit;
}

static atomic_bool is_over;

static void *render(void *context) {
    drone_engine *engine = context;
    static uint8_t bytes[BLOCK * 4];
    uint64_t state = 99;
    int64_t frame = 0, begin;
    while (!atomic_load(&is_over)) {
        while (drone_next_transaction(engine, &begin)) {
            // What has been rendered is taken back for it, as far as the engine remembers.
            if (begin < frame && drone_seek(engine, begin) == DRONE_OK) frame = begin;
            CHECK(drone_decide(engine) == (begin >= frame));
        }
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

static drone_event random_event(int64_t frame) {
    double level = below(&random_state, 100) / 1000.0;
    if (below(&random_state, 20) == 0) {
        return drone_event_tone(frame, level, (drone_tone_event){
            .waveform = (drone_waveform)below(&random_state, DRONE_WAVEFORM_COUNT),
            .hertz = 50 + below(&random_state, 3000),
            .ramp_frames = below(&random_state, 3000),
        });
    }
    return drone_event_click(frame, level, (drone_click_event){
        .fraction = below(&random_state, 1000) / 1000.0,
        .sound = (drone_sound)below(&random_state, DRONE_SOUND_COUNT),
    });
}

/// Renders on a thread of its own while this one commits and reads verdicts, until enough of everything has been done.
static void stress_engine(void) {
    int error;
    drone_config config = {.rate = RATE, .channels = 2, .format = DRONE_S16, .rewind_frames = 9600};
    drone_engine *engine = drone_engine_create(&config, &error);
    CHECK(engine && error == DRONE_OK);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, render, engine) == 0);
    uint64_t pushed = 0, full = 0, taken = 0, refused = 0;
    while (pushed < 20000 || full == 0 || taken < ENOUGH || refused < ENOUGH) {
        int64_t begin = drone_read_counters(engine).frame + (int64_t)below(&random_state, 16000) - 10000;
        int64_t frame = begin;
        // One that would follow what is there is refused where the room is used up; one that replaces has its own.
        bool replaces = below(&random_state, 4) != 0;
        if (replaces && drone_begin(engine, begin) != DRONE_OK) full++;
        uint32_t number = 0;
        for (uint32_t i = below(&random_state, 60); i > 0; i--) {
            drone_event event = random_event(frame);
            int status = drone_push(engine, &event);
            CHECK(status == DRONE_OK || status == DRONE_ERR_FULL || status == DRONE_ERR_ORDER);
            if (status == DRONE_OK) pushed++;
            if (status == DRONE_ERR_FULL) full++;
            frame += below(&random_state, 400);
        }
        number = drone_commit(engine, frame, INT64_MAX);
        while (number != 0 && drone_read_verdict(engine).number != number)
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        if (number == 0)
            full++;
        else if (drone_read_verdict(engine).taken)
            taken++;
        else
            refused++;
        // Now and then far more than there is room for, read by nobody meanwhile.
        if (full == 0 && pushed > 5000)
            for (int64_t far = INT64_MAX / 2; full == 0; far++) {
                drone_event event = random_event(far);
                int status = drone_push(engine, &event);
                CHECK(status == DRONE_OK || status == DRONE_ERR_FULL);
                if (status == DRONE_ERR_FULL) full++;
            }
    }
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    drone_counters counters = drone_read_counters(engine);
    CHECK(counters.clicks > 0);
    printf("engine: %llu events, %llu transactions taken, %llu refused, no room %llu times, %llu clicks\n",
        (unsigned long long)pushed, (unsigned long long)taken, (unsigned long long)refused, (unsigned long long)full,
        (unsigned long long)counters.clicks);
    drone_engine_destroy(engine);
}

/// The output's thread into a device that takes everything, read and hurried from here all the while.
static void stress_output(void) {
    int error;
    drone_output_request request = {
        .rate = RATE, .any_rate = true, .channels = 2, .any_channels = true, .format = DRONE_S16, .any_format = true};
    drone_output_grant grant;
    drone_output *output = drone_output_open("null", &request, &grant, &error);
    CHECK(output && error == 0);
    drone_config config = {
        .rate = grant.rate, .channels = grant.channels, .format = grant.format, .first_frame = -4800,
        .rewind_frames = grant.rate};
    drone_engine *engine = drone_engine_create(&config, &error);
    CHECK(engine);
    drone_event tone = drone_event_tone(0, 0.1, (drone_tone_event){.hertz = 440, .ramp_frames = 480});
    CHECK(drone_push(engine, &tone) == DRONE_OK);
    CHECK(drone_commit(engine, 10 * RATE, INT64_MAX) == 1);
    CHECK(drone_output_start(output, engine) == DRONE_OK);
    CHECK(drone_output_start(output, engine) == DRONE_ERR_ARGUMENT);
    drone_snapshot seen;
    int reads = 0, taken = 0;
    bool ends = false;
    do {
        seen = drone_output_snapshot(output);
        CHECK(seen.next_frame >= seen.heard.frame);
        drone_observation look;
        while (drone_output_next_observation(output, &look)) CHECK(look.epoch <= drone_output_snapshot(output).epoch);
        drone_gap gap;
        while (drone_output_next_gap(output, &gap)) CHECK(gap.begin <= gap.end);
        // A click, again and again, where it can still be changed; at last an end.
        if (!ends && drone_begin(engine, seen.heard.frame + RATE / 5) == DRONE_OK) {
            ends = taken >= 20;
            drone_event click = random_event(seen.heard.frame + RATE / 4);
            CHECK(drone_push(engine, &click) == DRONE_OK);
            uint32_t number = drone_commit(
                engine, seen.heard.frame + 10 * RATE, ends ? seen.heard.frame + RATE / 2 : INT64_MAX);
            CHECK(number != 0);
            drone_output_hurry(output);
            while (drone_read_verdict(engine).number != number) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            bool took = drone_read_verdict(engine).taken;
            taken += took;
            ends = ends && took;
        }
        reads++;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    } while (seen.state != DRONE_OUTPUT_ENDED);
    printf("output: %d reads, %d transactions taken, %lld frames\n", reads, taken, (long long)seen.next_frame);
    drone_output_destroy(output);
    drone_engine_destroy(engine);
    CHECK(drone_output_open("no such device", &request, &grant, &error) == NULL && error < 0);
}

int main(void) {
    check_internals();
    stress_engine();
    stress_output();
    return 0;
}
