/// The time: the system's, or that of a clock that replaces it.
#include <sys/timex.h>
#include <time.h>

#include "drone_output.h"

/// The calling thread's clock; null for the system's.
static _Thread_local const drone_clock *own_clock;

void drone_use_clock(const drone_clock *clock) { own_clock = clock; }

int64_t drone_now_ns(void) {
    const drone_clock *clock = own_clock;
    if (clock) return clock->now_ns(clock->context);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool drone_clock_is_synchronized(void) {
    struct timex state = {0};
    return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}
