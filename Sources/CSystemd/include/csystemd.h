/// sd-bus of libsystemd, loaded on demand: a program that asks nothing of other programs does not need the library.
#pragma once

#include <stdbool.h>
#include <systemd/sd-bus.h>

/// The functions of sd-bus that are used, as systemd/sd-bus.h declares them.
typedef struct csystemd {
    __typeof__(&sd_bus_open_user) open_user;
    __typeof__(&sd_bus_open_system) open_system;
    __typeof__(&sd_bus_flush_close_unref) flush_close_unref;
    __typeof__(&sd_bus_get_fd) get_fd;
    __typeof__(&sd_bus_process) process;
    __typeof__(&sd_bus_call) call;
    __typeof__(&sd_bus_match_signal) match_signal;
    __typeof__(&sd_bus_message_new_method_call) message_new_method_call;
    __typeof__(&sd_bus_message_unref) message_unref;
    __typeof__(&sd_bus_message_open_container) message_open_container;
    __typeof__(&sd_bus_message_close_container) message_close_container;
    __typeof__(&sd_bus_message_append_basic) message_append_basic;
    __typeof__(&sd_bus_message_read_basic) message_read_basic;
} csystemd;

/// Loads libsystemd.so.0, once for the whole program, and fills in all functions; false if the library or one of them
/// is missing.
/// Thread: any.
bool csystemd_load(csystemd *bus);
