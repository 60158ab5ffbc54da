/// Memory that the audio thread reads: it can be locked, so that reading it causes no page faults.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

/// Comes before the memory, and keeps its alignment.
typedef union header {
    struct {
        size_t bytes;
        bool is_locked;
    };
    uint8_t room[64];
} header;

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *drone_memory_create(size_t bytes) {
    // Whole pages: the system does not count locks, so that freeing one block would unlock a neighbor on the same page.
    size_t page = page_bytes();
    if (bytes > SIZE_MAX - sizeof(header) - page) return NULL;
    bytes = (bytes + sizeof(header) + page - 1) / page * page;
    header *h = aligned_alloc(page, bytes);
    if (!h) return NULL;
    memset(h, 0, bytes);
    h->bytes = bytes;
    return h + 1;
}

void drone_memory_free(void *memory) {
    if (!memory) return;
    header *h = (header *)memory - 1;
    if (h->is_locked) munlock(h, h->bytes);
    free(h);
}

void drone_memory_lock(void *memory) {
    header *h = (header *)memory - 1;
    h->is_locked = true;
    if (mlock(h, h->bytes) == 0) return;
    volatile uint8_t *byte = (volatile uint8_t *)h;
    size_t page = page_bytes();
    for (size_t at = 0; at < h->bytes; at += page) byte[at] = byte[at];
}
