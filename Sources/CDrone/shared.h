/// A value that one thread writes while others read it. It is copied as a whole, so that new fields need no extra code.
#pragma once

#include <stdatomic.h>
#include <string.h>

#include "drone.h"

enum {
    /// 64-bit words of the largest value.
    DRONE_SHARED_WORDS = 24,
};

/// A sequence lock: the sequence number is odd while the value is being written. The writer never waits; a reader reads
/// again if the value was written meanwhile.
typedef struct drone_shared {
    _Atomic uint32_t sequence;
    _Atomic uint64_t words[DRONE_SHARED_WORDS];
} drone_shared;

// The words are stored and loaded relaxed; the fences order them as a whole. In the writer, the fence keeps the words
// after the odd number, and the release store keeps them before the even one. In a reader, the acquire load keeps the
// words after the first load of the number, and the fence keeps them before the second. So a reader never mixes words
// of two values.

/// Shares a value of `bytes` bytes. One thread at a time.
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
