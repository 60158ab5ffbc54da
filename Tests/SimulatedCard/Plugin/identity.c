/// The memory of a card between openings, and its lock: only one handle has the card open at a time.
// For pthread_cond_clockwait.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"

typedef struct known_card {
    struct known_card *next;
    char *id;
    card_memory memory;
    bool held, is_released;
} known_card;

static pthread_mutex_t cards_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_released = PTHREAD_COND_INITIALIZER;
static known_card *cards;

static known_card *know(const char *id) {
    for (known_card *k = cards; k; k = k->next) {
        if (strcmp(k->id, id) == 0) return k;
    }
    known_card *made = calloc(1, sizeof *made);
    if (!made || !(made->id = strdup(id))) {
        free(made);
        return NULL;
    }
    made->next = cards;
    return cards = made;
}

/// Maps the memory in a file, which other processes share.
static int map_file(card_identity *identity, const char *path) {
    identity->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (identity->fd < 0) return -errno;
    if (ftruncate(identity->fd, sizeof(card_memory)) < 0) return -errno;
    void *memory = mmap(NULL, sizeof(card_memory), PROT_READ | PROT_WRITE, MAP_SHARED, identity->fd, 0);
    if (memory == MAP_FAILED) return -errno;
    identity->memory = memory;
    return 0;
}

int identity_find(card_identity *identity, const card_settings *settings) {
    pthread_mutex_lock(&cards_lock);
    known_card *known = know(settings->id);
    pthread_mutex_unlock(&cards_lock);
    *identity = (card_identity){.fd = -1, .known = known};
    if (!known) return -ENOMEM;
    if (settings->state_file) return map_file(identity, settings->state_file);
    identity->memory = &known->memory;
    return 0;
}

int identity_hold(card_identity *identity) {
    if (identity->fd >= 0) return flock(identity->fd, LOCK_EX | LOCK_NB) < 0 ? -EBUSY : 0;
    pthread_mutex_lock(&cards_lock);
    identity->is_held = !identity->known->held;
    identity->known->held = true;
    pthread_mutex_unlock(&cards_lock);
    return identity->is_held ? 0 : -EBUSY;
}

void identity_release(card_identity *identity) {
    if (identity->fd >= 0) {
        if (identity->memory) munmap(identity->memory, sizeof(card_memory));
        // Closing the file releases the lock.
        close(identity->fd);
    } else if (identity->is_held) {
        pthread_mutex_lock(&cards_lock);
        identity->known->held = false;
        pthread_mutex_unlock(&cards_lock);
    }
    *identity = (card_identity){.fd = -1};
}

void identity_hang(const card_identity *identity, int64_t until_ns) {
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    pthread_mutex_lock(&cards_lock);
    int error = 0;
    while (!identity->known->is_released && error != ETIMEDOUT) {
        if (until_ns == NEVER)
            pthread_cond_wait(&is_released, &cards_lock);
        else
            error = pthread_cond_clockwait(&is_released, &cards_lock, CLOCK_MONOTONIC, &until);
    }
    pthread_mutex_unlock(&cards_lock);
}

void simulated_card_release(const char *id) {
    pthread_mutex_lock(&cards_lock);
    known_card *known = know(id);
    if (known) known->is_released = true;
    pthread_cond_broadcast(&is_released);
    pthread_mutex_unlock(&cards_lock);
}
