/// Memory that the audio thread reads: it can be locked, so that reading it causes no page faults.
// For dl_iterate_phdr.
#define _GNU_SOURCE
#include <link.h>
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

/// Whether the loader has written into the code of a library: it must be kept. Debian has no such library.
static bool has_written_code(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return true;
    }
    return false;
}

static int forget(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    if (has_written_code(object)) return 0;
    uintptr_t page = *(const size_t *)context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (part->p_flags & PF_W)) continue;
        uintptr_t begin = (object->dlpi_addr + part->p_vaddr) / page * page;
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) / page * page;
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void drone_memory_forget_code(void) {
    size_t page = page_bytes();
    dl_iterate_phdr(forget, &page);
}
