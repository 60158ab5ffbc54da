/// Recording from an ALSA device: a capture handle of its own, with a clock of its own.
///
/// Nothing here concerns the audio thread, which plays: whatever happens to a microphone, the clicks go on. The caller
/// has a thread of ordinary priority that reads now and then; the device's buffer holds what came meanwhile.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drone.h"

typedef struct drone_capture drone_capture;

/// What a device gives.
typedef struct drone_capture_grant {
    /// Frames per second, channels, and frames in the device's buffer.
    uint32_t rate, channels, buffer_frames;
    /// Whether the device estimates its pointer, as sound servers do.
    bool estimates;
} drone_capture_grant;

/// A look at the device: this many frames had been captured at this time.
typedef struct drone_capture_look {
    /// CLOCK_MONOTONIC in ns.
    int64_t time_ns;
    /// Counted from the start of the newest run.
    int64_t frame;
} drone_capture_look;

/// Opens a device for recording; the rate and the channels are the nearest that it has, one channel or two if possible.
/// NULL and a negative errno in `error` if it cannot be opened. Thread: control. Takes time.
drone_capture *drone_capture_open(const char *device, uint32_t rate, drone_capture_grant *grant, int *error);

/// Begins to record, also anew after an overrun: frames are counted from 0 again. 0 or a negative errno. Thread: the one
/// that reads.
int drone_capture_start(drone_capture *capture);

/// Looks at the device. False if it does not record. Thread: the one that reads.
bool drone_capture_observe(drone_capture *capture, drone_capture_look *look);

/// Reads what has been recorded, at most `room` frames of the granted channels, interleaved, full scale 1. Never waits:
/// the number of frames, 0 if there are none yet, or a negative errno: -EPIPE after an overrun. Thread: the one that
/// reads.
int64_t drone_capture_read(drone_capture *capture, float *samples, int64_t room);

/// Ends the recording and closes the device. NULL is allowed. Thread: the one that reads.
void drone_capture_close(drone_capture *capture);

/// Reserves room on the disk for bytes of a file from an offset on, without making the file longer. 0 or a negative errno:
/// -ENOSPC if there is none, -EOPNOTSUPP if the file system cannot. Thread: control. May take time.
int drone_capture_reserve(int file, int64_t offset, int64_t bytes);

/// Calls `visit` with the name and the description of each device that can record. Thread: control. Takes time.
void drone_visit_capture_devices(
    void (*visit)(const char *name, const char *description, void *context), void *context);
