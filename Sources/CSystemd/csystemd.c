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
    if (!library) return false;
    return find(library, "sd_bus_open_user", &bus->open_user) &&
        find(library, "sd_bus_open_system", &bus->open_system) &&
        find(library, "sd_bus_flush_close_unref", &bus->flush_close_unref) &&
        find(library, "sd_bus_get_fd", &bus->get_fd) && find(library, "sd_bus_process", &bus->process) &&
        find(library, "sd_bus_call", &bus->call) && find(library, "sd_bus_match_signal", &bus->match_signal) &&
        find(library, "sd_bus_message_new_method_call", &bus->message_new_method_call) &&
        find(library, "sd_bus_message_unref", &bus->message_unref) &&
        find(library, "sd_bus_message_open_container", &bus->message_open_container) &&
        find(library, "sd_bus_message_close_container", &bus->message_close_container) &&
        find(library, "sd_bus_message_append_basic", &bus->message_append_basic) &&
        find(library, "sd_bus_message_read_basic", &bus->message_read_basic);
}
