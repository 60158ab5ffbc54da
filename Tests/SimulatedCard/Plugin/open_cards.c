/// The open cards of this process, and the queries that do not come from alsa-lib.
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "card.h"

/// Always taken before the lock of a card, never after it.
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static card *open_cards;
static uint64_t openings;
static pthread_cond_t has_stopped = PTHREAD_COND_INITIALIZER;

static const int64_t drain_ns = INT64_C(3600000000000);

void card_enlist(card *c) {
    pthread_mutex_lock(&open_lock);
    c->opening = ++openings;
    c->next_open = open_cards;
    open_cards = c;
    pthread_mutex_unlock(&open_lock);
}

void card_delist(card *c) {
    pthread_mutex_lock(&open_lock);
    card **place = &open_cards;
    while (*place && *place != c) place = &(*place)->next_open;
    if (*place) *place = c->next_open;
    pthread_cond_broadcast(&has_stopped);
    pthread_mutex_unlock(&open_lock);
}

void card_tell_stopped(void) {
    pthread_mutex_lock(&open_lock);
    pthread_cond_broadcast(&has_stopped);
    pthread_mutex_unlock(&open_lock);
}

/// The card with this handle or name, with its lock and the lock of the list held; NULL if it is not open.
static card *lock_open(const snd_pcm_t *pcm, const char *id) {
    pthread_mutex_lock(&open_lock);
    for (card *c = open_cards; c; c = c->next_open) {
        if (id ? strcmp(c->settings.id, id) != 0 : c->io.pcm != pcm) continue;
        pthread_mutex_lock(&c->lock);
        return c;
    }
    pthread_mutex_unlock(&open_lock);
    return NULL;
}

static void unlock_open(card *c) {
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(&open_lock);
}

void card_publish(const char *id) {
    card *c = lock_open(NULL, id);
    if (!c) return;
    if (c->running) card_advance(c, card_now());
    card_write_out(c);
    unlock_open(c);
}

int64_t simulated_card_deadline(const char *id) {
    card *c = lock_open(NULL, id);
    if (!c) return NEVER;
    int64_t deadline = c->interrupts.armed_ns;
    unlock_open(c);
    return deadline;
}

bool simulated_card_answers_of(const snd_pcm_t *pcm, simulated_card_answers *answers) {
    card *c = lock_open(pcm, NULL);
    if (!c) return false;
    const card_settings *s = &c->settings;
    *answers = (simulated_card_answers){
        .rewinds = s->rewinds,
        .has_monotonic_stamps = s->has_monotonic_stamps,
        .is_batch = s->is_batch,
        .poses_as_hardware = s->poses_as_hardware,
        .drains_never = s->drains_never,
        .is_simulated = card_time_is_simulated(),
    };
    if (answers->is_simulated) {
        int64_t ahead = c->stamps_are_monotonic ? 0 : simulated_card_realtime_ns;
        answers->stamp_ns = card_now() + ahead;
        answers->trigger_ns = c->trigger_ns + ahead;
    }
    unlock_open(c);
    return true;
}

int simulated_card_trouble(const snd_pcm_t *pcm, simulated_card_call call) {
    card *c = lock_open(pcm, NULL);
    if (!c) return 0;
    unlock_open(c);
    // A program that closes a handle while another thread is in one of its calls is wrong, so the card stays.
    return card_trouble(c, call);
}

int simulated_card_wait(snd_pcm_t *pcm, int timeout_ms) {
    int64_t end = timeout_ms < 0 ? NEVER : card_now() + (int64_t)timeout_ms * 1000000;
    for (;;) {
        struct pollfd fd;
        int count = snd_pcm_poll_descriptors(pcm, &fd, 1);
        if (count < 0) return count;
        card *c = lock_open(pcm, NULL);
        if (!c) return -EBADF;
        int64_t deadline = c->interrupts.armed_ns;
        unlock_open(c);
        if (deadline == NEVER && end == NEVER) {
            SNDERR("simcard: nothing will ever end this wait");
            return -EDEADLK;
        }
        if (deadline > end) {
            card_sleep_until(end);
            return 0;
        }
        if (deadline > card_now()) card_sleep_until(deadline);
        unsigned short events;
        fd.revents = POLLIN;
        int error = snd_pcm_poll_descriptors_revents(pcm, &fd, 1, &events);
        if (error < 0) return error;
        if (events & (POLLERR | POLLNVAL)) {
            if (!(c = lock_open(pcm, NULL))) return -EBADF;
            error = card_error(c);
            unlock_open(c);
            return error < 0 ? error : -EIO;
        }
        if (events & POLLOUT) return 1;
    }
}

static bool is_still_running(uint64_t opening, uint64_t stops) {
    const card *c = open_cards;
    while (c && c->opening != opening) c = c->next_open;
    return c && c->stops == stops;
}

int simulated_card_drain(const snd_pcm_t *pcm) {
    card *c = lock_open(pcm, NULL);
    if (!c) return -EBADF;
    int64_t now = card_now();
    recording_note(&c->recording, now, "drain");
    uint64_t opening = c->opening, stops = c->stops;
    unlock_open(c);
    if (card_time_is_simulated()) {
        card_sleep_until(now + drain_ns);
        return 0;
    }
    pthread_mutex_lock(&open_lock);
    while (is_still_running(opening, stops)) pthread_cond_wait(&has_stopped, &open_lock);
    pthread_mutex_unlock(&open_lock);
    return -EIO;
}
