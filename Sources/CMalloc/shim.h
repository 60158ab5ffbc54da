#include <linux/memfd.h>
#include <malloc.h>

/// A file in memory: <sys/mman.h> declares it only with _GNU_SOURCE, which Swift's own module of the library does not define.
int memfd_create(const char *name, unsigned int flags);
