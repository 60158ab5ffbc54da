/// The clock of the cards: CLOCK_MONOTONIC, or the simulated clock of a thread that has set one.
#include <errno.h>
#include <time.h>

#include "card.h"

/// Its functions are NULL while the thread has no simulated clock.
static _Thread_local simulated_card_clock simulated;

void simulated_card_set_clock(const simulated_card_clock *clock) {
    simulated = clock ? *clock : (simulated_card_clock){0};
}

bool card_time_is_simulated(void) { return simulated.now_ns != NULL; }

int64_t card_now(void) {
    if (simulated.now_ns) return simulated.now_ns(simulated.context);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void card_sleep_until(int64_t ns) {
    if (simulated.now_ns) {
        simulated.sleep_until(simulated.context, ns);
        return;
    }
    struct timespec at = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
}
