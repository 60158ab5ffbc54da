#include <string.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

uint32_t drone_format_bytes(drone_format format) DRONE_REALTIME {
    switch (format) {
    case DRONE_S16: return 2;
    case DRONE_S24_3: return 3;
    case DRONE_S24:
    case DRONE_S32:
    case DRONE_F32: return 4;
    }
    return 4;
}

/// A 32-bit integer hash with good avalanche (two rounds of xor-shift and multiply).
static inline uint32_t mixed(uint32_t x) DRONE_REALTIME {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

/// Triangular dither of +-1 LSB as a function of frame and channel, so that blocks, rewinds and repeats agree.
static inline double dither(uint32_t seed, uint32_t frame_low) DRONE_REALTIME {
    uint32_t h = mixed(frame_low ^ seed);
    return (double)((int32_t)(h & 0xffff) - (int32_t)(h >> 16)) * 0x1p-16;
}

static inline int32_t rounded(double x, double low, double high) DRONE_REALTIME {
    x = x < low ? low : (x > high ? high : x);
    return (int32_t)(x + (x < 0 ? -0.5 : 0.5));
}

static void to_s16(const double *mix, int16_t *out, uint32_t frames, uint32_t channels, int64_t frame) DRONE_REALTIME {
    for (uint32_t c = 0; c < channels; c++) {
        for (uint32_t i = 0; i < frames; i++) {
            uint64_t f = (uint64_t)(frame + i);
            uint32_t seed = ((uint32_t)(f >> 32) + 1) * 0x9e3779b9u + c * 0x85ebca6bu;
            // Digital silence stays silence.
            double d = mix[i] == 0 ? 0 : dither(seed, (uint32_t)f);
            out[(size_t)i * channels + c] = (int16_t)rounded(mix[i] * 32768 + d, -32768, 32767);
        }
    }
}

static void to_f32(const double *mix, float *out, uint32_t frames, uint32_t channels) DRONE_REALTIME {
    for (uint32_t i = 0; i < frames; i++)
        for (uint32_t c = 0; c < channels; c++) out[(size_t)i * channels + c] = (float)mix[i];
}

void drone_quantize(
    const double *mix, void *out, uint32_t frames, uint32_t channels, drone_format format, int64_t frame
) DRONE_REALTIME {
    switch (format) {
    case DRONE_S16: to_s16(mix, out, frames, channels, frame); return;
    case DRONE_F32: to_f32(mix, out, frames, channels); return;
    default: break;
    }
    uint8_t *bytes = out;
    for (uint32_t i = 0; i < frames; i++) {
        int32_t value;
        if (format == DRONE_S32)
            value = rounded(mix[i] * 2147483648.0, -2147483648.0, 2147483647.0);
        else
            value = rounded(mix[i] * 8388608.0, -8388608.0, 8388607.0);
        uint32_t size = format == DRONE_S24_3 ? 3 : 4;
        for (uint32_t c = 0; c < channels; c++) {
            memcpy(bytes, &value, size);
            bytes += size;
        }
    }
}
