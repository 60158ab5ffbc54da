/// The transport of JACK, by libjack, which is loaded on demand. Its few functions are declared in cjack.c: they have been the
/// same for twenty years, and a build needs no headers of JACK.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A client of a JACK server, which has no ports.
typedef struct cjack cjack;

/// What the transport does.
typedef enum {
    CJACK_STOPPED,
    CJACK_ROLLS,
    /// It is about to roll, and waits until this client is ready.
    CJACK_STARTS,
    /// It is about to roll. This client is ready; others may not be.
    CJACK_READY,
} cjack_state;

/// Where the transport is.
typedef struct {
    cjack_state state;
    /// Its frame. While it rolls: how many frames it is ahead of the frames of the server, modulo 2^32.
    uint32_t frame;
    /// The number of the start that it is about to make, or made last.
    uint16_t start;
    /// The first frame of the newest period, by the frames of the server.
    uint32_t period_begin;
} cjack_transport;

/// The frames of the server, and when that was: the time of CLOCK_MONOTONIC in ns.
typedef struct {
    uint32_t frame;
    int64_t time_ns;
} cjack_clock;

/// Connects to the running server as a client. NULL if no server runs, or if libjack.so.0 is missing. May take seconds.
/// Thread: any.
cjack *cjack_open(const char *name);

/// Whether ALSA's plugin for JACK has been loaded, so that sound may go through clients of its own in this process. A client
/// must not be opened while the plugin has one whose server has gone away: libjack would delete that, and the plugin would use
/// it on. Thread: any.
bool cjack_is_shared(void);

/// Closes it. Thread: any, not at the same time as another call.
void cjack_close(cjack *jack);

/// Whether the server has gone away. Thread: any.
bool cjack_is_gone(const cjack *jack);

/// Frames per second, and frames in a period. Thread: any.
uint32_t cjack_rate(const cjack *jack);
uint32_t cjack_period(const cjack *jack);

/// The transport in the newest period. It takes no lock and asks nobody. Thread: any.
cjack_transport cjack_read(const cjack *jack);

/// Promises to be ready for a start with this number, so that the transport rolls from this frame of the server on, which has to
/// be the first of a period. Without a promise that can be kept, the transport rolls a second after it was asked to.
/// Thread: any.
void cjack_promise(cjack *jack, uint16_t start, uint32_t frame);

/// The frames of the server now. Thread: any.
cjack_clock cjack_now(const cjack *jack);

/// Asks the server to start or stop the transport, or to move it to a frame. Thread: any.
void cjack_start(cjack *jack);
void cjack_stop(cjack *jack);
void cjack_locate(cjack *jack, uint32_t frame);
