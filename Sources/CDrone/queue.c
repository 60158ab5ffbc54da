#include "internal.h"

bool drone_queue_push(drone_queue *queue, const drone_item *item) {
    uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    if (tail - head == DRONE_QUEUE_EVENTS) return false;
    queue->items[tail % DRONE_QUEUE_EVENTS] = *item;
    atomic_store_explicit(&queue->tail, tail + 1, memory_order_release);
    return true;
}

uint32_t drone_queue_space(const drone_queue *queue) {
    uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    return DRONE_QUEUE_EVENTS - (tail - head);
}

const drone_item *drone_queue_peek(const drone_queue *queue) DRONE_REALTIME {
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    return head == tail ? NULL : &queue->items[head % DRONE_QUEUE_EVENTS];
}

void drone_queue_pop(drone_queue *queue) DRONE_REALTIME {
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    atomic_store_explicit(&queue->head, head + 1, memory_order_release);
}
