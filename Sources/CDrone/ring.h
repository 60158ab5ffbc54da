/// A ring for one producer and one consumer: one thread writes, another reads, without a lock.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drone.h"

/// Positions only grow; item n is in slot n modulo the capacity. Staged items become visible to the consumer when they
/// are published, all at once. No call waits.
///
/// Memory orders: each side loads its own position relaxed, because only that side stores it. `tail` is stored with
/// release and loaded by the consumer with acquire, so that the slots are written before they count. `head` is stored
/// with release and loaded by the producer with acquire, so that a slot has been read before it is written again.
typedef struct drone_ring {
    /// The consumer's position, and the producer's published position.
    _Atomic uint32_t head, tail;
    /// Producer: the position after the last staged item.
    uint32_t staged;
    /// A power of two.
    uint32_t capacity;
    uint32_t item_bytes;
    uint8_t *items;
} drone_ring;

/// Allocates room for `capacity` (a power of two) items. False if there is no memory. Control thread.
bool drone_ring_create(drone_ring *ring, uint32_t capacity, uint32_t item_bytes);
void drone_ring_free(drone_ring *ring);

// Producer.

/// Stages one more item and returns its slot, which is not zeroed; null if the ring is full.
void *drone_ring_stage(drone_ring *ring) DRONE_REALTIME;
/// How many more items can be staged.
uint32_t drone_ring_room(const drone_ring *ring) DRONE_REALTIME;
/// Drops the items that have been staged but not published.
void drone_ring_unstage(drone_ring *ring);
/// Makes all staged items visible to the consumer.
void drone_ring_publish(drone_ring *ring) DRONE_REALTIME;
/// Stages and publishes a copy of one item; false if the ring is full, and nothing is changed.
bool drone_ring_push(drone_ring *ring, const void *item) DRONE_REALTIME;

// Consumer.

/// The item `index` places after the oldest; null if there is none yet. It stays until it is dropped.
const void *drone_ring_peek(drone_ring *ring, uint32_t index) DRONE_REALTIME;
/// The position of the oldest item.
uint32_t drone_ring_head(const drone_ring *ring) DRONE_REALTIME;
/// Drops the `count` oldest items.
void drone_ring_drop(drone_ring *ring, uint32_t count) DRONE_REALTIME;
/// Takes the oldest item out; false if there is none.
bool drone_ring_pop(drone_ring *ring, void *item) DRONE_REALTIME;
