/// A value that one thread writes while others read it. It is copied as a whole, so that new fields need no extra code.
#pragma once

#include <stdatomic.h>
#include <string.h>

#include "drone.h"

enum {
    /// 64-bit words of the largest value.
    DRONE_SHARED_WORDS = 24,
};

/// Two places for the value: one holds the newest, which is complete, and the other takes the next. Neither side waits
/// for the other. A reader finds a complete value even if the writer has been stopped in the middle of the next one, as
/// happens to a writer of normal priority on the same processor as a reader of real-time priority. It reads again only
/// if the writer has meanwhile completed another value.
typedef struct drone_shared {
    /// How many values have been completed. Value n is in place n modulo 2; value 0 is all zeros.
    _Atomic uint32_t completed;
    _Atomic uint64_t words[2][DRONE_SHARED_WORDS];
} drone_shared;

// The words are stored and loaded relaxed; the fences order them as a whole. Before words of value n + 2 are stored in
// the place of value n, `completed` has become n + 1: the fence in the writer keeps this order. A reader that has
// loaded such a word therefore no longer finds n in `completed` after its own fence, and reads again. So it never mixes
// words of two values.

/// Stores the next value in the place that no reader looks at, unless it is late. One thread at a time.
static inline void drone_shared_prepare(drone_shared *shared, const void *value, size_t bytes) DRONE_REALTIME {
    uint64_t words[DRONE_SHARED_WORDS] = {0};
    memcpy(words, value, bytes);
    uint32_t next = atomic_load_explicit(&shared->completed, memory_order_relaxed) + 1;
    atomic_thread_fence(memory_order_release);
    for (size_t i = 0; i < (bytes + 7) / 8; i++)
        atomic_store_explicit(&shared->words[next % 2][i], words[i], memory_order_relaxed);
}

/// Makes the prepared value the newest. One thread at a time.
static inline void drone_shared_complete(drone_shared *shared) DRONE_REALTIME {
    uint32_t completed = atomic_load_explicit(&shared->completed, memory_order_relaxed);
    atomic_store_explicit(&shared->completed, completed + 1, memory_order_release);
}

/// Shares a value of `bytes` bytes. One thread at a time.
static inline void drone_shared_write(drone_shared *shared, const void *value, size_t bytes) DRONE_REALTIME {
    drone_shared_prepare(shared, value, bytes);
    drone_shared_complete(shared);
}

/// Reads the newest value. Any thread.
static inline void drone_shared_read(const drone_shared *shared, void *value, size_t bytes) {
    uint64_t words[DRONE_SHARED_WORDS];
    uint32_t newest;
    do {
        newest = atomic_load_explicit(&shared->completed, memory_order_acquire);
        for (size_t i = 0; i < (bytes + 7) / 8; i++)
            words[i] = atomic_load_explicit(&shared->words[newest % 2][i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (newest != atomic_load_explicit(&shared->completed, memory_order_relaxed));
    memcpy(value, words, bytes);
}
