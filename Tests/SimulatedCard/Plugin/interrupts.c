/// What wakes who polls the card.
///
/// A card's interrupts come from outside and cost a program nothing but waking up. A timer of the program's own costs
/// it the setting too, which on a virtual machine takes longer than all the rest: who measures a program's processor
/// has another process sleep instead. That one stays on the processor of who polls, as a card's interrupts may be set to
/// come: one virtual processor that wakes another costs more than waking up.
// For close_range and sched_setaffinity.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "card.h"

static struct timespec moment(int64_t ns) {
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

int interrupts_open(interrupts *i, bool come_from_outside) {
    i->armed_ns = NEVER;
    if (!come_from_outside || card_time_is_simulated()) {
        i->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        return i->fd < 0 ? -errno : 0;
    }
    i->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (i->fd < 0) return -errno;
    void *page = mmap(NULL, sizeof *i->orders, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return -errno;
    i->orders = page;
    atomic_store(&i->orders->wanted_ns, NEVER);
    return 0;
}

static void raise_now(const interrupts *i) {
    uint64_t one = 1;
    if (write(i->fd, &one, sizeof one) < 0) SYSERR("simcard: write");
}

static void lower(const interrupts *i) {
    uint64_t count;
    if (read(i->fd, &count, sizeof count) < 0 && errno != EAGAIN) SYSERR("simcard: read");
}

void interrupts_answer(interrupts *i, bool is_due, int64_t now) {
    if (!i->orders) return;
    // It stays up until there is no more reason, as a kernel has it: who then writes lowers it, at no more cost than that.
    if (!is_due) lower(i);
    i->is_raised = is_due;
    // Who looks too early wants to be called again.
    i->armed_ns = is_due ? now : NEVER;
}

static void arm_outside(interrupts *i, int64_t deadline, int64_t now) {
    if (deadline > now && i->is_raised) lower(i);
    if (deadline <= now && !i->is_raised) raise_now(i);
    i->is_raised = deadline <= now;
    atomic_store(&i->orders->processor, sched_getcpu());
    atomic_store(&i->orders->wanted_ns, deadline <= now ? NEVER : deadline);
    i->armed_ns = deadline;
}

void interrupts_arm(interrupts *i, int64_t deadline, int64_t now) {
    if (deadline == i->armed_ns || (deadline <= now && i->armed_ns != NEVER && i->armed_ns <= now)) return;
    if (i->orders) {
        arm_outside(i, deadline, now);
        return;
    }
    i->armed_ns = deadline;
    if (card_time_is_simulated()) return;
    struct itimerspec at = {0};
    // Zero would disarm it.
    if (deadline != NEVER) at.it_value = moment(deadline <= now ? 1 : deadline);
    if (timerfd_settime(i->fd, TFD_TIMER_ABSTIME, &at, NULL) < 0) SYSERR("simcard: timerfd_settime");
}

static void go_to(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    // Where it may not go, it wakes from where it is.
    sched_setaffinity(0, sizeof set, &set);
}

/// The other process: looks at each period's end whether it is time. `c` is its copy, of the moment of the start.
static void interrupt(const card *c, pid_t parent) {
    const interrupts *i = &c->interrupts;
    // Of what the program has open nothing stays open by this one.
    dup2(i->fd, 0);
    close_range(1, ~0u, 0);
    // One of a player's own priority would have it move on to another processor.
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    int64_t period = 1;
    int processor = -1;
    // It ends with the program. A signal at the parent's death would come at the death of the thread that called.
    while (getppid() == parent) {
        int64_t now = card_now(), wanted = atomic_load(&i->orders->wanted_ns);
        int asked = atomic_load(&i->orders->processor);
        if (asked >= 0 && asked != processor) go_to(processor = asked);
        if (wanted <= now) {
            uint64_t one = 1;
            // Once: who wants another says so.
            bool is_first = atomic_compare_exchange_strong(&i->orders->wanted_ns, &wanted, NEVER);
            if (is_first && write(0, &one, sizeof one) < 0) break;
            continue;
        }
        while (card_period_end(c, period) <= now) period++;
        int64_t next = card_period_end(c, period);
        struct timespec at = moment(wanted < next ? wanted : next);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
    _exit(0);
}

int interrupts_begin(card *c) {
    interrupts *i = &c->interrupts;
    if (!i->orders || i->source > 0) return 0;
    pid_t parent = getpid();
    i->source = fork();
    if (i->source == 0) interrupt(c, parent);
    return i->source < 0 ? -errno : 0;
}

void interrupts_end(interrupts *i) {
    if (i->source <= 0) return;
    kill(i->source, SIGKILL);
    while (waitpid(i->source, NULL, 0) < 0 && errno == EINTR) {}
    i->source = 0;
}

void interrupts_close(interrupts *i) {
    interrupts_end(i);
    if (i->orders) munmap(i->orders, sizeof *i->orders);
    if (i->fd >= 0) close(i->fd);
}
