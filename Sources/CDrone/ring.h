/// A ring for one producer and one consumer: what one thread writes another reads, without a lock.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drone.h"

/// Positions only grow; item n stands in slot n modulo the capacity. What has been staged is seen by the consumer once it is
/// published, all of it at once. No call waits.
///
/// Memory orders: each side loads its own position relaxed, for nobody else stores it. `tail` is stored with release and
/// loaded by the consumer with acquire: what has been written into the slots is there before they count. `head` is stored
/// with release and loaded by the producer with acquire: the consumer has read a slot before it is written again.
typedef struct drone_ring {
    /// The consumer's position, and the producer's as published.
    _Atomic uint32_t head, tail;
    /// Producer: the position behind the last staged item.
    uint32_t staged;
    /// A power of two.
    uint32_t capacity;
    uint32_t item_bytes;
    uint8_t *items;
} drone_ring;

/// Makes room for `capacity` (a power of two) items. False when there is no memory. Control thread.
bool drone_ring_create(drone_ring *ring, uint32_t capacity, uint32_t item_bytes);
void drone_ring_free(drone_ring *ring);

// Producer.

/// A place for one more item, staged, zeroed by nobody; null when the ring is full.
void *drone_ring_stage(drone_ring *ring) DRONE_REALTIME;
/// How many more items can be staged.
uint32_t drone_ring_room(const drone_ring *ring) DRONE_REALTIME;
/// Forgets what has been staged and not been published.
void drone_ring_unstage(drone_ring *ring);
/// Shows the consumer all that is staged.
void drone_ring_publish(drone_ring *ring) DRONE_REALTIME;
/// Stages and publishes a copy of one item; false when the ring is full, and nothing is changed.
bool drone_ring_push(drone_ring *ring, const void *item) DRONE_REALTIME;

// Consumer.

/// The item so many behind the oldest; null where there is none yet. It stays until it is dropped.
const void *drone_ring_peek(drone_ring *ring, uint32_t index) DRONE_REALTIME;
/// The position of the oldest item.
uint32_t drone_ring_head(const drone_ring *ring) DRONE_REALTIME;
/// Drops the oldest items.
void drone_ring_drop(drone_ring *ring, uint32_t count) DRONE_REALTIME;
/// Takes the oldest item out; false when there is none.
bool drone_ring_pop(drone_ring *ring, void *item) DRONE_REALTIME;
