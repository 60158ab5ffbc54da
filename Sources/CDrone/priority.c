/// Real-time priority from RealtimeKit, which gives it only to a program that the kernel ends if one of its threads
/// never rests.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "drone_output.h"

enum {
    /// After this time without a rest a thread loses its priority, in us.
    WARNED_US = 100000,
    /// The longest time without a rest that RealtimeKit allows, in us: after it the kernel ends the program.
    KILLED_US = 200000,
    /// How many threads can be prepared for priority.
    MOST_THREADS = 16,
};

static _Atomic pid_t threads[MOST_THREADS];

bool drone_give_back_realtime(int64_t thread) {
    // Setting the flag is always allowed; clearing it, which RealtimeKit has set, is not.
    struct sched_param none = {.sched_priority = 0};
    return sched_setscheduler((pid_t)thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0;
}

/// The signal handler: takes the priority back before the kernel ends the program.
static void yield_priority(int signal) {
    (void)signal;
    int before = errno;
    for (int i = 0; i < MOST_THREADS; i++) {
        pid_t thread = atomic_load(&threads[i]);
        if (thread != 0) drone_give_back_realtime(thread);
    }
    errno = before;
}

bool drone_prepare_realtime(int64_t thread) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return false;
    if (limit.rlim_max > KILLED_US) limit.rlim_max = KILLED_US;
    if (limit.rlim_cur > WARNED_US) limit.rlim_cur = WARNED_US < limit.rlim_max ? WARNED_US : limit.rlim_max;
    struct sigaction action = {.sa_handler = yield_priority, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGXCPU, &action, NULL) != 0 || setrlimit(RLIMIT_RTTIME, &limit) != 0) return false;
    for (int i = 0; i < MOST_THREADS; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&threads[i], &none, (pid_t)thread)) return true;
    }
    return false;
}

void drone_forget_realtime(int64_t thread) {
    for (int i = 0; i < MOST_THREADS; i++) {
        pid_t same = (pid_t)thread;
        if (atomic_compare_exchange_strong(&threads[i], &same, 0)) return;
    }
}
