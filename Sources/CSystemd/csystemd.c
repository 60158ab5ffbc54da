#define _GNU_SOURCE
#include "csystemd.h"

#include <dlfcn.h>
#include <string.h>

/// Finds one function. The pointer is copied, because C has no conversion from an object pointer to a function pointer.
static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool csystemd_load(csystemd *bus) {
    // dlopen does not load a library twice.
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
#define FIND(name) && find(library, "sd_bus_" #name, &bus->name)
    return library != NULL CSYSTEMD_FUNCTIONS(FIND);
#undef FIND
}
