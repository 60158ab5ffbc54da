/// The interrupts of the card, which wake the thread that polls it.
///
/// The interrupts of a real card cost a program only the wake-up. With a timer, the program also pays for setting the
/// timer, which on a virtual machine takes longer than everything else. To measure the processor time of a program,
/// another process can therefore sleep and send the interrupts. That process runs on the processor of the thread that
/// polls, because waking another virtual processor costs more than the wake-up itself. The interrupts of a real card
/// can be bound to a processor, too.
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
    // The interrupt stays raised as long as there is a reason, as in the kernel. The program's next write lowers it, at
    // no other cost.
    if (!is_due) lower(i);
    i->is_raised = is_due;
    // A program that is woken too early must be woken again.
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
    // A time of zero would disarm the timer.
    if (deadline != NEVER) at.it_value = moment(deadline <= now ? 1 : deadline);
    if (timerfd_settime(i->fd, TFD_TIMER_ABSTIME, &at, NULL) < 0) SYSERR("simcard: timerfd_settime");
}

static void go_to(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    // If this fails, the process stays on its processor.
    sched_setaffinity(0, sizeof set, &set);
}

/// The other process: checks at the end of each period whether an interrupt is due. `c` is its copy of the card as of
/// the start.
static void interrupt(const card *c, pid_t parent) {
    const interrupts *i = &c->interrupts;
    // This process must not keep any file of the program open.
    dup2(i->fd, 0);
    close_range(1, ~0u, 0);
    // With the priority of the player, it would make the player move to another processor.
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    int64_t period = 1;
    int processor = -1;
    // It ends with the program. A parent-death signal would already come when the thread that called fork ends.
    while (getppid() == parent) {
        int64_t now = card_now(), wanted = atomic_load(&i->orders->wanted_ns);
        int asked = atomic_load(&i->orders->processor);
        if (asked >= 0 && asked != processor) go_to(processor = asked);
        if (wanted <= now) {
            uint64_t one = 1;
            // Only one interrupt per order.
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
