/// The last step of a rendering that mixes more than an engine: the limiter and the rounding of an engine, for samples
/// from anywhere.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct drone_master {
    uint32_t channels, lookahead, window_frames;
    drone_format format;
    double ceiling, release;
    drone_limiter limiter;
    /// How many frames have been taken, and how many of them are finished.
    int64_t taken, finished;
    /// How many of the last frames that were taken are silent.
    int64_t silent_frames;
    uint8_t lane_of_channel[DRONE_LANES];
    /// Per channel: `lookahead` frames that are not finished, and room for those that are taken next.
    double *window;
};

drone_master *drone_master_create(const drone_config *config, double ceiling) {
    if (!drone_is_valid(config) || !(ceiling > 0 && ceiling <= 1)) return NULL;
    drone_master *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->channels = config->channels;
    m->format = config->format;
    // The room that a format needs above a sample, for dither and rounding, is needed below the ceiling as well.
    m->ceiling = ceiling - (1 - drone_format_ceiling(config->format));
    m->release = 1 - exp(-1 / (0.080 * config->rate));
    m->lookahead = config->rate / 1000;
    m->limiter = (drone_limiter){.gain = 1, .target = 1};
    for (uint32_t c = 0; c < m->channels; c++) m->lane_of_channel[c] = (uint8_t)c;
    m->window_frames = m->lookahead + DRONE_MIX_FRAMES;
    m->window = calloc((size_t)m->window_frames * m->channels, sizeof *m->window);
    if (m->window) return m;
    free(m);
    return NULL;
}

void drone_master_destroy(drone_master *m) {
    if (!m) return;
    free(m->window);
    free(m);
}

uint32_t drone_master_lookahead(const drone_master *m) { return m->lookahead; }

static bool is_silent(const float *in, size_t count) {
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t sample;
        memcpy(&sample, in + i, sizeof sample);
        bits |= sample;
    }
    return bits == 0;
}

/// Takes at most DRONE_MIX_FRAMES frames, and finishes as many, except at the very beginning.
static uint32_t take_some(drone_master *m, const float *in, uint8_t *out, uint32_t frames) {
    double *lanes[DRONE_LANES];
    const double *ready[DRONE_LANES];
    uint32_t early = m->taken < m->lookahead ? m->lookahead - (uint32_t)m->taken : 0;
    uint32_t skipped = early < frames ? early : frames;
    uint32_t done = frames - skipped;
    bool silent = is_silent(in, (size_t)frames * m->channels);
    if (silent && m->silent_frames >= m->lookahead && m->limiter.gain == 1) {
        // Most of a plan is silence: the limiter rests, and silence is 0 in every format.
        memset(out, 0, (size_t)done * m->channels * drone_format_bytes(m->format));
        m->silent_frames += frames;
        m->taken += frames;
        m->finished += done;
        return done;
    }
    m->silent_frames = silent ? m->silent_frames + frames : 0;
    for (uint32_t c = 0; c < m->channels; c++) {
        lanes[c] = m->window + (size_t)c * m->window_frames;
        ready[c] = lanes[c] + skipped;
        double *to = lanes[c] + m->lookahead;
        for (uint32_t i = 0; i < frames; i++) to[i] = (double)in[(size_t)i * m->channels + c];
    }
    drone_limit(&m->limiter, lanes, m->channels, m->lookahead, frames, m->ceiling, m->release);
    if (done > 0) drone_quantize(ready, m->lane_of_channel, out, done, m->channels, m->format, m->finished);
    for (uint32_t c = 0; c < m->channels; c++)
        memmove(lanes[c], lanes[c] + frames, m->lookahead * sizeof *lanes[c]);
    m->taken += frames;
    m->finished += done;
    return done;
}

uint32_t drone_master_take(drone_master *m, const float *in, void *out, uint32_t frames) {
    uint8_t *bytes = out;
    uint32_t done = 0, size = m->channels * drone_format_bytes(m->format);
    while (frames > 0) {
        uint32_t some = frames < DRONE_MIX_FRAMES ? frames : DRONE_MIX_FRAMES;
        done += take_some(m, in, bytes + (size_t)done * size, some);
        in += (size_t)some * m->channels;
        frames -= some;
    }
    return done;
}

