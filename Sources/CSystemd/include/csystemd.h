/// sd-bus of libsystemd, loaded on demand: a program that asks nothing of other programs does not need the library.
#pragma once

#include <stdbool.h>
#include <systemd/sd-bus.h>

/// The functions of sd-bus that are used: `USE(name)` for each `sd_bus_name`.
#define CSYSTEMD_FUNCTIONS(USE) \
    USE(open_user) USE(open_system) USE(flush_close_unref) USE(get_fd) USE(process) USE(call) USE(match_signal) \
    USE(message_new_method_call) USE(message_unref) USE(message_open_container) USE(message_close_container) \
    USE(message_append_basic) USE(message_read_basic) USE(request_name) USE(add_object) USE(message_is_method_call) \
    USE(message_new_method_return) USE(message_new_signal) USE(send) USE(close_unref)

/// These functions, as systemd/sd-bus.h declares them.
typedef struct csystemd {
#define CSYSTEMD_FIELD(name) __typeof__(&sd_bus_##name) name;
    CSYSTEMD_FUNCTIONS(CSYSTEMD_FIELD)
#undef CSYSTEMD_FIELD
} csystemd;

/// Loads libsystemd.so.0, once for the whole program, and fills in all functions; false if the library or one of them
/// is missing. Thread: any.
bool csystemd_load(csystemd *bus);
