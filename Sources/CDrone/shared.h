/// A value that one thread writes and others read while it is written: a new field of it is shared without more ado.
#pragma once

#include <stdatomic.h>
#include <string.h>

#include "drone.h"

enum {
    /// Words of the largest value.
    DRONE_SHARED_WORDS = 24,
};

/// A sequence lock; its number is odd while the value is written. The writer never waits; a reader reads again what has been
/// written meanwhile.
typedef struct drone_shared {
    _Atomic uint32_t sequence;
    _Atomic uint64_t words[DRONE_SHARED_WORDS];
} drone_shared;

// The words are relaxed: the fences order them as a whole. The writer's fence keeps them after the odd number, the release
// store keeps them before the even one. The acquire load keeps a reader's words after the first look at the number, the
// fence keeps them before the second: words of two values are never taken for one.

/// Shares a value of so many bytes. One thread at a time.
static inline void drone_shared_write(drone_shared *shared, const void *value, size_t bytes) DRONE_REALTIME {
    uint64_t words[DRONE_SHARED_WORDS] = {0};
    memcpy(words, value, bytes);
    uint32_t sequence = atomic_load_explicit(&shared->sequence, memory_order_relaxed);
    atomic_store_explicit(&shared->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    for (size_t i = 0; i < (bytes + 7) / 8; i++) atomic_store_explicit(&shared->words[i], words[i], memory_order_relaxed);
    atomic_store_explicit(&shared->sequence, sequence + 2, memory_order_release);
}

/// Reads the newest value. Any thread.
static inline void drone_shared_read(const drone_shared *shared, void *value, size_t bytes) {
    uint64_t words[DRONE_SHARED_WORDS];
    uint32_t before;
    do {
        before = atomic_load_explicit(&shared->sequence, memory_order_acquire);
        for (size_t i = 0; i < (bytes + 7) / 8; i++)
            words[i] = atomic_load_explicit(&shared->words[i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (before % 2 != 0 || before != atomic_load_explicit(&shared->sequence, memory_order_relaxed));
    memcpy(value, words, bytes);
}
