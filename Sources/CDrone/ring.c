#include "ring.h"

#include <string.h>

#include "internal.h"

bool drone_ring_create(drone_ring *ring, uint32_t capacity, uint32_t item_bytes) {
    *ring = (drone_ring){.capacity = capacity, .item_bytes = item_bytes};
    ring->items = drone_memory_create((size_t)capacity * item_bytes);
    return ring->items != NULL;
}

void drone_ring_free(drone_ring *ring) {
    drone_memory_free(ring->items);
    ring->items = NULL;
}

static void *slot(drone_ring *ring, uint32_t position) DRONE_REALTIME {
    return ring->items + (size_t)(position & (ring->capacity - 1)) * ring->item_bytes;
}

uint32_t drone_ring_room(const drone_ring *ring) DRONE_REALTIME {
    return ring->capacity - (ring->staged - atomic_load_explicit(&ring->head, memory_order_acquire));
}

void *drone_ring_stage(drone_ring *ring) DRONE_REALTIME {
    return drone_ring_room(ring) > 0 ? slot(ring, ring->staged++) : NULL;
}

void drone_ring_unstage(drone_ring *ring) {
    ring->staged = atomic_load_explicit(&ring->tail, memory_order_relaxed);
}

void drone_ring_publish(drone_ring *ring) DRONE_REALTIME {
    atomic_store_explicit(&ring->tail, ring->staged, memory_order_release);
}

bool drone_ring_push(drone_ring *ring, const void *item) DRONE_REALTIME {
    void *place = drone_ring_stage(ring);
    if (!place) return false;
    memcpy(place, item, ring->item_bytes);
    drone_ring_publish(ring);
    return true;
}

uint32_t drone_ring_head(const drone_ring *ring) DRONE_REALTIME {
    return atomic_load_explicit(&ring->head, memory_order_relaxed);
}

const void *drone_ring_peek(drone_ring *ring, uint32_t index) DRONE_REALTIME {
    uint32_t head = drone_ring_head(ring);
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    return index < tail - head ? slot(ring, head + index) : NULL;
}

void drone_ring_drop(drone_ring *ring, uint32_t count) DRONE_REALTIME {
    atomic_store_explicit(&ring->head, drone_ring_head(ring) + count, memory_order_release);
}

bool drone_ring_pop(drone_ring *ring, void *item) DRONE_REALTIME {
    const void *oldest = drone_ring_peek(ring, 0);
    if (!oldest) return false;
    memcpy(item, oldest, ring->item_bytes);
    drone_ring_drop(ring, 1);
    return true;
}
