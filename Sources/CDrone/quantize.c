/// Samples as a device or a file stores them: dithered or rounded, interleaved.
#include <string.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

static const uint8_t bytes_of[] = {[DRONE_S16] = 2, [DRONE_S24_3] = 3, [DRONE_S24] = 4, [DRONE_S32] = 4, [DRONE_F32] = 4};

uint32_t drone_format_bytes(drone_format format) DRONE_REALTIME { return bytes_of[format]; }

/// A 32-bit integer hash with good avalanche (Thomas Wang). It needs only shifts, additions and logic, which every
/// vector unit has.
static inline uint32_t mixed(uint32_t x) DRONE_REALTIME {
    x = ~x + (x << 15);
    x ^= x >> 12;
    x += x << 2;
    x ^= x >> 4;
    x += (x << 3) + (x << 11);
    return x ^ (x >> 16);
}

/// Triangular dither of +-1 LSB. It is a function of frame and channel, so that blocks, rewinds and repeats agree.
static inline float dither(uint32_t seed, uint32_t frame_low) DRONE_REALTIME {
    uint32_t h = mixed(frame_low ^ seed);
    return (float)((int32_t)(h & 0xffff) - (int32_t)(h >> 16)) * 0x1p-16f;
}

double drone_format_ceiling(drone_format format) {
    static const double ceilings[] = {
        // One step less for the dither, and one because the positive range is a step shorter.
        [DRONE_S16] = 32766.0 / 32768,     [DRONE_S24_3] = 8388607.0 / 8388608,
        [DRONE_S24] = 8388607.0 / 8388608, [DRONE_S32] = 2147483647.0 / 2147483648,
        [DRONE_F32] = 1,
    };
    return ceilings[format];
}

static inline int32_t rounded(double x, double low, double high) DRONE_REALTIME {
    x = x < low ? low : (x > high ? high : x);
    return (int32_t)(x + (x < 0 ? -0.5 : 0.5));
}

static inline __attribute__((always_inline)) void to_s16_anywhere(
    const double *restrict mix, int16_t *restrict out, uint32_t frames, uint32_t channel, int64_t frame
) DRONE_REALTIME {
    // A loop of its own, so that the next one, which has only values of 32 bits, uses the processor's full vector width.
    // A float is exact to 1/256 of a step.
    float steps[DRONE_MIX_FRAMES];
    for (uint32_t i = 0; i < frames; i++) steps[i] = (float)(mix[i] * 32768);
    for (uint32_t i = 0; i < frames;) {
        // Up to the frame at which the upper half of the frame's number changes.
        uint64_t f = (uint64_t)frame + i;
        uint32_t low = (uint32_t)f, room = UINT32_MAX - low;
        uint32_t end = room < frames - i ? i + room + 1 : frames;
        uint32_t seed = ((uint32_t)(f >> 32) + 1) * 0x9e3779b9u + channel * 0x85ebca6bu;
        uint32_t base = low - i;
        for (; i < end; i++) {
            // Digital silence is not dithered.
            float x = steps[i];
            x += x == 0 ? 0.0f : dither(seed, base + i);
            x = x < -32768 ? -32768 : (x > 32767 ? 32767 : x);
            // Rounds to nearest: the offset makes the value positive, so that the cast rounds it down.
            out[i] = (int16_t)((int32_t)(x + 32768.5f) - 32768);
        }
    }
}

DRONE_WIDE static void to_s16_wide(
    const double *mix, int16_t *out, uint32_t frames, uint32_t channel, int64_t frame
) DRONE_REALTIME {
    to_s16_anywhere(mix, out, frames, channel, frame);
}

static void all_s16(
    const double *const *lanes, const uint8_t *lane_of_channel, int16_t *out, uint32_t frames, uint32_t channels,
    int64_t frame
) DRONE_REALTIME {
    bool is_wide = drone_is_wide();
    int16_t row[DRONE_MIX_FRAMES];
    for (uint32_t c = 0; c < channels; c++) {
        const double *lane = lanes[lane_of_channel[c]];
        int16_t *to = channels == 1 ? out : row;
        if (is_wide)
            to_s16_wide(lane, to, frames, c, frame);
        else
            to_s16_anywhere(lane, to, frames, c, frame);
        for (uint32_t i = 0; to == row && i < frames; i++) out[(size_t)i * channels + c] = row[i];
    }
}

void drone_quantize(
    const double *const *lanes, const uint8_t *lane_of_channel, void *out, uint32_t frames, uint32_t channels,
    drone_format format, int64_t frame
) DRONE_REALTIME {
    if (format == DRONE_S16) {
        all_s16(lanes, lane_of_channel, out, frames, channels, frame);
        return;
    }
    uint32_t size = drone_format_bytes(format);
    for (uint32_t c = 0; c < channels; c++) {
        const double *mix = lanes[lane_of_channel[c]];
        uint8_t *bytes = (uint8_t *)out + (size_t)c * size;
        for (uint32_t i = 0; i < frames; i++, bytes += (size_t)channels * size) {
            if (format == DRONE_F32) {
                float value = (float)mix[i];
                memcpy(bytes, &value, 4);
                continue;
            }
            int32_t value = format == DRONE_S32 ? rounded(mix[i] * 2147483648.0, -2147483648.0, 2147483647.0)
                                                : rounded(mix[i] * 8388608.0, -8388608.0, 8388607.0);
            memcpy(bytes, &value, size == 3 ? 3 : 4);
        }
    }
}
