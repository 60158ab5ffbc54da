/// The microphone of the simulated card: a capture device with a crystal of its own, which hears what a card has played.
///
/// It reads the recording of that card, in which each frame has its time: what was heard at a time comes through one or more
/// paths, each with a delay and a level, to the frame that the microphone takes then. Like the card, it has no thread: each
/// call works out what has been captured until now. Open it with SND_PCM_NONBLOCK; nothing wakes a poll.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card.h"

enum {
    /// The frames of the card that are kept, and the rows of times: some seconds.
    HEARD_FRAMES = 1 << 20,
    HEARD_ROWS = 512,
    /// Half of the frames of the card between which a sample of the microphone is interpolated.
    REACH = 16,
    CHUNK = 480,
};

typedef struct ear {
    int rows_fd, samples_fd;
    int64_t rows_read, frames_read;
    simulated_card_row rows[HEARD_ROWS];
    unsigned row_count, at;
    /// Frame f of the recording, all channels added, is at f modulo HEARD_FRAMES.
    float *heard;
} ear;

typedef struct microphone {
    snd_pcm_ioplug_t io;
    snd_pcm_ioplug_callback_t callbacks;
    card_settings settings;
    crystal crystal;
    pthread_mutex_t lock;
    int64_t boundary, taken, start_ns;
    double anchor;
    bool running;
    uint64_t noise;
    ear ear;
    float *plays;
    int64_t plays_frames;
    uint64_t disturbed;
} microphone;

// ---------------------------------------------------------------------------------------------------
// What the card has played

static int open_recording(const char *path, const char *suffix) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name) return -1;
    return open(name, O_RDONLY | O_CLOEXEC);
}

static float sample_of(const uint8_t *bytes, snd_pcm_format_t format) {
    int32_t value = 0;
    float real;
    switch (format) {
    case SND_PCM_FORMAT_S16_LE: return (float)(int16_t)(bytes[0] | bytes[1] << 8) / 32768.0f;
    case SND_PCM_FORMAT_S24_3LE:
    case SND_PCM_FORMAT_S24_LE:
        value = (int32_t)((uint32_t)bytes[0] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 24);
        return (float)value / 2147483648.0f;
    case SND_PCM_FORMAT_S32_LE: memcpy(&value, bytes, sizeof value); return (float)value / 2147483648.0f;
    default: memcpy(&real, bytes, sizeof real); return real;
    }
}

/// Reads the frames of a row; false if they are not in the file yet.
static bool read_row(ear *e, const simulated_card_row *row) {
    size_t frame = (size_t)row->channels * row->bytes_per_sample, size = frame * row->count;
    uint8_t *bytes = malloc(size ? size : 1);
    bool is_read = bytes && pread(e->samples_fd, bytes, size, row->byte_offset) == (ssize_t)size;
    for (uint32_t i = 0; is_read && i < row->count; i++) {
        float sum = 0;
        for (unsigned channel = 0; channel < row->channels; channel++)
            sum += sample_of(bytes + i * frame + channel * row->bytes_per_sample, (snd_pcm_format_t)row->format);
        e->heard[(row->first_frame + i) % HEARD_FRAMES] = sum;
    }
    free(bytes);
    return is_read;
}

static void listen(microphone *m) {
    ear *e = &m->ear;
    const char *path = m->settings.hears;
    if (!path) return;
    if (m->settings.hears_card) card_publish(m->settings.hears_card);
    if (e->rows_fd < 0) e->rows_fd = open_recording(path, ".times");
    if (e->samples_fd < 0) e->samples_fd = open_recording(path, "");
    simulated_card_row row;
    while (e->rows_fd >= 0 && e->samples_fd >= 0
        && pread(e->rows_fd, &row, sizeof row, e->rows_read * (int64_t)sizeof row) == (ssize_t)sizeof row) {
        if (!read_row(e, &row)) return;
        if (e->row_count == HEARD_ROWS) {
            memmove(e->rows, e->rows + HEARD_ROWS / 2, HEARD_ROWS / 2 * sizeof row);
            e->row_count = HEARD_ROWS / 2;
            e->at = e->at > HEARD_ROWS / 2 ? e->at - HEARD_ROWS / 2 : 0;
        }
        e->rows[e->row_count++] = row;
        e->rows_read++;
        e->frames_read = row.first_frame + row.count;
    }
}

static double row_time(const simulated_card_row *row, const crystal *c) {
    return ((double)(row->time_ns - c->epoch_ns) + row->time_fraction) * 1e-9;
}

/// A windowed sinc: what a band-limited converter makes of the frames about a place between two of them.
static double between(const ear *e, double place, int64_t first, int64_t end) {
    int64_t whole = (int64_t)floor(place);
    double sum = 0, sine = sin(M_PI * (place - (double)whole)) / M_PI;
    for (int64_t f = whole - REACH + 1; f <= whole + REACH; f++) {
        if (f < first || f >= end) continue;
        double x = place - (double)f, window = 0.5 + 0.5 * cos(M_PI * x / (REACH + 1));
        double sinc = fabs(x) < 1e-9 ? 1 : sine * ((f - whole) % 2 == 0 ? 1 : -1) / x;
        sum += sinc * window * e->heard[((f % HEARD_FRAMES) + HEARD_FRAMES) % HEARD_FRAMES];
    }
    return sum;
}

/// What the card plays at a time in seconds after the epoch; times may go back by the differences of paths.
static double played_at(microphone *m, double seconds) {
    ear *e = &m->ear;
    while (e->at > 0 && row_time(&e->rows[e->at], &m->crystal) > seconds) e->at--;
    while (e->at + 1 < e->row_count && row_time(&e->rows[e->at + 1], &m->crystal) <= seconds) e->at++;
    if (e->row_count == 0) return 0;
    const simulated_card_row *row = &e->rows[e->at];
    double place = (seconds - row_time(row, &m->crystal)) * row->rate;
    // Between two runs of the card there is silence.
    if (place < -REACH || place > row->count + REACH) return 0;
    int64_t oldest = e->frames_read - HEARD_FRAMES;
    return between(e, (double)row->first_frame + place, oldest > 0 ? oldest : 0, e->frames_read);
}

// ---------------------------------------------------------------------------------------------------
// What the microphone takes

static double noise_of(microphone *m) {
    m->noise = m->noise * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)m->noise * 0x1p-63;
}

static double when_taken(const microphone *m, int64_t frame) {
    return crystal_when(&m->crystal, m->anchor + (double)frame / m->io.rate);
}

static void take(microphone *m, float *samples, int64_t first, int64_t count) {
    const card_settings *s = &m->settings;
    double from = when_taken(m, first), to = when_taken(m, first + count);
    double noise = s->noise_db > -200 ? pow(10, s->noise_db / 20) * sqrt(3) : 0, gain = pow(10, s->gain_db / 20);
    for (int64_t i = 0; i < count; i++) {
        double seconds = from + (to - from) * (double)i / (double)count, sum = 0;
        for (unsigned path = 0; path < s->path_us.count && s->hears; path++) {
            double level = pow(10, number_at(&s->path_db, path, 0) / 20);
            sum += level * played_at(m, seconds - s->path_us.values[path] * 1e-6);
        }
        int64_t played = s->plays_again && m->plays_frames > 0 ? (first + i) % m->plays_frames : first + i;
        if (played < m->plays_frames) sum += m->plays[played];
        if (noise > 0) sum += noise * noise_of(m);
        sum *= gain;
        samples[i] = s->is_muted ? 0 : (float)fmin(fmax(sum, -1), 1);
    }
}

static void put(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    const float *samples, int64_t count) {
    for (unsigned channel = 0; channel < io->channels; channel++) {
        uint8_t *to = (uint8_t *)areas[channel].addr + areas[channel].first / 8 + offset * (areas[channel].step / 8);
        for (int64_t i = 0; i < count; i++, to += areas[channel].step / 8) {
            int32_t wide = (int32_t)fmin(fmax(samples[i] * 2147483648.0, -2147483648.0), 2147483647.0);
            int16_t narrow = (int16_t)fmin(fmax(samples[i] * 32768.0, -32768.0), 32767.0);
            switch (io->format) {
            case SND_PCM_FORMAT_S16_LE: memcpy(to, &narrow, 2); break;
            case SND_PCM_FORMAT_S24_3LE: memcpy(to, (uint8_t *)&wide + 1, 3); break;
            case SND_PCM_FORMAT_S24_LE: wide >>= 8; memcpy(to, &wide, 4); break;
            case SND_PCM_FORMAT_S32_LE: memcpy(to, &wide, 4); break;
            default: memcpy(to, &samples[i], 4);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Callbacks

/// The frames that have been captured by now.
static int64_t captured(const microphone *m) {
    if (!m->running) return m->taken;
    double frames = (crystal_at(&m->crystal, crystal_seconds(&m->crystal, card_now())) - m->anchor) * m->io.rate;
    int64_t step = m->settings.step_frames;
    return frames < 0 ? 0 : (int64_t)frames / step * step;
}

/// The fault that is due: the microphone is pulled out, or its buffer overruns.
static int fault(microphone *m) {
    const card_settings *s = &m->settings;
    int64_t since = m->running ? card_now() - m->start_ns : 0;
    if (m->running && s->disconnect_at.count > 0 && since > (int64_t)(s->disconnect_at.values[0] * 1e6)) {
        m->running = false;
        snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_DISCONNECTED);
    }
    if (m->io.state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    bool is_due = m->disturbed < s->xrun_at.count && since > (int64_t)(s->xrun_at.values[m->disturbed] * 1e6);
    if (m->running && (is_due || captured(m) - m->taken > (int64_t)m->io.buffer_size)) {
        if (is_due) m->disturbed++;
        m->running = false;
        snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_XRUN);
    }
    return m->io.state == SND_PCM_STATE_XRUN ? -EPIPE : 0;
}

static int begin(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    m->start_ns = m->start_ns ? m->start_ns : card_now();
    m->anchor = crystal_at(&m->crystal, crystal_seconds(&m->crystal, card_now()));
    m->running = true;
    return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
    ((microphone *)io->private_data)->running = false;
    return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    int error = fault(m);
    // The library takes any error of this function for an overrun, even of a device that has gone away.
    if (error < 0 && error != -ENODEV) return error;
    return m->boundary > 0 ? captured(m) % m->boundary : 0;
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
    microphone *m = io->private_data;
    int error = fault(m);
    if (error < 0) return error;
    listen(m);
    float samples[CHUNK];
    for (snd_pcm_uframes_t done = 0; done < size;) {
        int64_t count = size - done < CHUNK ? (int64_t)(size - done) : CHUNK;
        take(m, samples, m->taken, count);
        put(io, areas, offset + done, samples, count);
        m->taken += count;
        done += (snd_pcm_uframes_t)count;
    }
    return (snd_pcm_sframes_t)size;
}

static int prepare(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    if (io->state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    m->running = false;
    m->taken = 0;
    return 0;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    snd_pcm_uframes_t boundary;
    if (snd_pcm_sw_params_get_boundary(params, &boundary) < 0) return -EINVAL;
    ((microphone *)io->private_data)->boundary = (int64_t)boundary;
    return 0;
}

static void destroy(microphone *m) {
    if (m->ear.rows_fd >= 0) close(m->ear.rows_fd);
    if (m->ear.samples_fd >= 0) close(m->ear.samples_fd);
    if (m->io.poll_fd >= 0) close(m->io.poll_fd);
    free(m->ear.heard);
    free(m->plays);
    settings_free(&m->settings);
    free(m);
}

static int on_close(snd_pcm_ioplug_t *io) {
    destroy(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t microphone_callbacks = {
    .start = begin, .stop = stop, .pointer = pointer, .transfer = transfer, .prepare = prepare, .sw_params = sw_params,
    .close = on_close,
};

/// Reads what the player plays: mono floats, at the rate of the microphone.
static int read_player(microphone *m) {
    if (!m->settings.plays) return 0;
    int fd = open(m->settings.plays, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    off_t size = lseek(fd, 0, SEEK_END);
    m->plays = malloc(size > 0 ? (size_t)size : 1);
    bool is_read = m->plays && pread(fd, m->plays, (size_t)size, 0) == size;
    close(fd);
    m->plays_frames = is_read ? size / (off_t)sizeof(float) : 0;
    return is_read ? 0 : -EIO;
}

int microphone_open(snd_pcm_t **pcm, const char *name, snd_config_t *definition, int mode) {
    microphone *m = calloc(1, sizeof *m);
    if (!m) return -ENOMEM;
    m->ear.rows_fd = m->ear.samples_fd = m->io.poll_fd = -1;
    int error = settings_read(&m->settings, name, definition);
    if (error == 0 && m->settings.busy_for > 0) error = -EBUSY;
    if (error == 0 && !(m->ear.heard = calloc(HEARD_FRAMES, sizeof(float)))) error = -ENOMEM;
    if (error == 0) error = read_player(m);
    if (error < 0) {
        destroy(m);
        return error;
    }
    m->noise = m->settings.seed;
    m->crystal = crystal_make(&m->settings, card_now());
    m->callbacks = microphone_callbacks;
    m->io = (snd_pcm_ioplug_t){
        .version = SND_PCM_IOPLUG_VERSION,
        .name = "Barline's simulated microphone",
        .flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC,
        // Never ready: a program reads by the time.
        .poll_fd = open("/dev/null", O_WRONLY | O_CLOEXEC),
        .callback = &m->callbacks,
        .private_data = m,
    };
    error = snd_pcm_ioplug_create(&m->io, name, SND_PCM_STREAM_CAPTURE, mode);
    if (error < 0) {
        destroy(m);
        return error;
    }
    error = card_constrain(&m->io, &m->settings);
    if (error < 0) {
        snd_pcm_ioplug_delete(&m->io);
        return error;
    }
    *pcm = m->io.pcm;
    return 0;
}
