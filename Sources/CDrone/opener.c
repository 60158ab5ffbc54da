/// The opener: opening, enlarging and closing a device on a thread of ordinary priority.
#include "opener.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Where the one job stands. The asking thread moves it from FREE to ASKED and from ANSWERED to FREE, the opener from
/// ASKED to ANSWERED, or to FREE if the job has no answer. Each of them owns the job and the answer while it is its
/// turn.
typedef enum turn { FREE, ASKED, ANSWERED } turn;

typedef struct job {
    enum { OPEN, ENLARGE, CLOSE } kind;
    drone_output_request request;
    drone_device device;
    int64_t frames;
    bool plays_out;
} job;

struct drone_opener {
    char *name;
    int wake_fd, bell_fd;
    bool has_thread;
    _Atomic turn turn;
    _Atomic bool quits;
    /// The asking side and the thread: the last one frees it.
    _Atomic unsigned owners;
    job job;
    drone_opened answer;
};

static void ring(int fd) {
    uint64_t one = 1;
    // A full counter wakes the thread just as well.
    if (write(fd, &one, sizeof one) < 0) return;
}

drone_opener *drone_opener_create(const char *name, int wake_fd) {
    drone_opener *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    o->name = strdup(name);
    o->wake_fd = fcntl(wake_fd, F_DUPFD_CLOEXEC, 0);
    o->bell_fd = eventfd(0, EFD_CLOEXEC);
    atomic_store(&o->owners, 1);
    if (o->name && o->wake_fd >= 0 && o->bell_fd >= 0) return o;
    drone_opener_destroy(o);
    return NULL;
}

/// Does the job. Only closing has no answer, because nobody waits for it.
static void work(drone_opener *o) {
    job *j = &o->job;
    o->answer = (drone_opened){.device = j->device};
    switch (j->kind) {
    case OPEN: o->answer.error = drone_device_open(&o->answer.device, o->name, &j->request); break;
    case ENLARGE: o->answer.error = drone_device_enlarge(&o->answer.device, j->frames); break;
    case CLOSE: drone_device_close(j->device.pcm, j->plays_out); break;
    }
    atomic_store_explicit(&o->turn, j->kind == CLOSE ? FREE : ANSWERED, memory_order_release);
    ring(o->wake_fd);
}

/// Closes a device that nobody has taken. The asking side has said that it never will.
static void close_untaken(drone_opener *o) {
    drone_opened answer;
    if (drone_opener_answer(o, &answer) && answer.device.pcm) drone_device_close(answer.device.pcm, false);
}

static void release(drone_opener *o) {
    if (atomic_fetch_sub(&o->owners, 1) > 1) return;
    if (o->wake_fd >= 0) close(o->wake_fd);
    if (o->bell_fd >= 0) close(o->bell_fd);
    free(o->name);
    free(o);
}

static void *run(void *context) {
    drone_opener *o = context;
    while (true) {
        uint64_t rung;
        while (read(o->bell_fd, &rung, sizeof rung) < 0 && errno == EINTR) continue;
        // A job that was asked for before the end is still done: it may be closing the device.
        if (atomic_load_explicit(&o->turn, memory_order_acquire) == ASKED) work(o);
        if (atomic_load(&o->quits)) break;
    }
    close_untaken(o);
    release(o);
    return NULL;
}

void drone_opener_start(drone_opener *o) {
    // The control thread may have real-time priority, which a new thread would inherit.
    pthread_attr_t attributes;
    struct sched_param usual = {0};
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &usual);
    pthread_t thread;
    atomic_fetch_add(&o->owners, 1);
    o->has_thread = pthread_create(&thread, &attributes, run, o) == 0;
    if (!o->has_thread) atomic_fetch_sub(&o->owners, 1);
    pthread_attr_destroy(&attributes);
}

bool drone_opener_is_free(const drone_opener *o) {
    return atomic_load_explicit(&o->turn, memory_order_acquire) == FREE;
}

static void ask(drone_opener *o, job job) {
    o->job = job;
    atomic_store_explicit(&o->turn, ASKED, memory_order_release);
    if (o->has_thread)
        ring(o->bell_fd);
    else
        work(o);
}

void drone_opener_open(drone_opener *o, const drone_output_request *request) {
    ask(o, (job){.kind = OPEN, .request = *request});
}

void drone_opener_enlarge(drone_opener *o, const drone_device *device, int64_t frames) {
    ask(o, (job){.kind = ENLARGE, .device = *device, .frames = frames});
}

void drone_opener_close(drone_opener *o, snd_pcm_t *pcm, bool plays_out) {
    ask(o, (job){.kind = CLOSE, .device = {.pcm = pcm}, .plays_out = plays_out});
}

bool drone_opener_has_answer(const drone_opener *o) {
    return atomic_load_explicit(&o->turn, memory_order_acquire) == ANSWERED;
}

bool drone_opener_answer(drone_opener *o, drone_opened *answer) {
    if (!drone_opener_has_answer(o)) return false;
    *answer = o->answer;
    atomic_store_explicit(&o->turn, FREE, memory_order_release);
    return true;
}

void drone_opener_destroy(drone_opener *o) {
    if (!o) return;
    atomic_store(&o->quits, true);
    if (o->has_thread)
        ring(o->bell_fd);
    else
        close_untaken(o);
    release(o);
}
