/// The cards that are open in this process, and what others than alsa-lib ask of them.
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "card.h"

/// Taken before a card's own lock, never after it.
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static card *open_cards;

void card_enlist(card *c) {
    pthread_mutex_lock(&open_lock);
    c->next_open = open_cards;
    open_cards = c;
    pthread_mutex_unlock(&open_lock);
}

void card_delist(card *c) {
    pthread_mutex_lock(&open_lock);
    card **place = &open_cards;
    while (*place && *place != c) place = &(*place)->next_open;
    if (*place) *place = c->next_open;
    pthread_mutex_unlock(&open_lock);
}

/// The card with its lock and the list's held, by its handle or its name; null if it is not open.
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
    *answers = (simulated_card_answers){.is_simulated = card_time_is_simulated()};
    if (answers->is_simulated) {
        answers->stamp_ns = card_now();
        answers->trigger_ns = c->trigger_ns;
    }
    unlock_open(c);
    return true;
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
