/// The opener: a thread of ordinary priority that opens, enlarges and closes a device, because these calls parse files,
/// load libraries and may hang. It does one job at a time; asking for one and taking its answer never waits.
#pragma once

#include "device.h"

typedef struct drone_opener drone_opener;

/// The result of the opener's newest job.
typedef struct drone_opened {
    /// 0 or a negative errno.
    int error;
    /// The device; its `pcm` is null after an error, and after closing.
    drone_device device;
} drone_opened;

/// Makes an opener, without a thread, for the device `name`. `wake_fd` is an eventfd that is written to when there is
/// an answer; it is duplicated. Null if there is no memory. Control thread.
drone_opener *drone_opener_create(const char *name, int wake_fd);

/// Starts its thread. Without one, it does each job in the call that asks for it. Control thread.
void drone_opener_start(drone_opener *opener);

/// Whether it has no job, and no answer that waits to be taken.
bool drone_opener_is_free(const drone_opener *opener);

/// Asks it to open the device, to give an open one a larger buffer, or to close it. It must be free. A device that it
/// enlarges or closes belongs to it from then on. Any one thread. Real-time safe with its thread.
void drone_opener_open(drone_opener *opener, const drone_output_request *request);
void drone_opener_enlarge(drone_opener *opener, const drone_device *device, int64_t frames);
void drone_opener_close(drone_opener *opener, snd_pcm_t *pcm, bool plays_out);

/// Whether there is an answer.
bool drone_opener_has_answer(const drone_opener *opener);

/// Takes the answer, after which the opener is free; false if there is none. Closing has none. Real-time safe.
bool drone_opener_answer(drone_opener *opener, drone_opened *answer);

/// Ends it, without waiting: a thread that is inside a call of the device frees everything when that returns, and
/// closes what nobody has taken. Null is allowed. Control thread, or the last one that uses it.
void drone_opener_destroy(drone_opener *opener);
