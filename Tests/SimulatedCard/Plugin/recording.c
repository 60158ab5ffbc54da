/// Writes the recording: samples, rows with their times, and a line for each event.
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAGING_BYTES = 1 << 17 };

/// The longest time between hearing a frame and writing it to disk.
static const int64_t flush_every_ns = 250000000;

static int open_beside(const char *path, const char *suffix, int64_t *size) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name) return -ENAMETOOLONG;
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return -errno;
    struct stat status;
    *size = fstat(fd, &status) == 0 ? status.st_size : 0;
    return fd;
}

/// The number of frames in an existing recording, which is continued.
static int64_t frames_so_far(const char *path, int64_t rows_size) {
    char name[4096];
    simulated_card_row last;
    if (rows_size < (int64_t)sizeof last) return 0;
    snprintf(name, sizeof name, "%s.times", path);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    int64_t at = (rows_size / (int64_t)sizeof last - 1) * (int64_t)sizeof last;
    bool has_last = pread(fd, &last, sizeof last, at) == (ssize_t)sizeof last;
    close(fd);
    return has_last ? last.first_frame + last.count : 0;
}

int recording_open(recording *r, const char *path) {
    *r = (recording){.samples_fd = -1, .rows_fd = -1, .events_fd = -1};
    if (!path) return 0;
    int64_t rows_size = 0, events_size = 0;
    r->samples_fd = open_beside(path, "", &r->bytes);
    r->rows_fd = open_beside(path, ".times", &rows_size);
    r->events_fd = open_beside(path, ".events", &events_size);
    if (r->samples_fd < 0) return r->samples_fd;
    if (r->rows_fd < 0) return r->rows_fd;
    if (r->events_fd < 0) return r->events_fd;
    r->frames = frames_so_far(path, rows_size);
    return 0;
}

int recording_set_up(recording *r, size_t bytes_per_frame, size_t frames_ahead) {
    r->staging_size = STAGING_BYTES + bytes_per_frame * frames_ahead;
    uint8_t *staging = realloc(r->staging, r->staging_size);
    if (!staging) return -ENOMEM;
    r->staging = staging;
    r->staged = r->settled = 0;
    return 0;
}

/// Writes all bytes. After a failure, nothing more is written, and ALSA's error handler is called.
static void write_all(int *fd, const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    while (count > 0 && *fd >= 0) {
        ssize_t written = write(*fd, from, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            SYSERR("simcard: the recording ends here");
            close(*fd);
            *fd = -1;
            return;
        }
        from += written;
        count -= (size_t)written;
    }
}

void recording_note(recording *r, int64_t ns, const char *format, ...) {
    if (r->events_fd < 0) return;
    char line[256];
    int length = snprintf(line, sizeof line, "%lld ", (long long)ns);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
    line[length++] = '\n';
    write_all(&r->events_fd, line, (size_t)length);
}

bool recording_is_kept(const recording *r) { return r->samples_fd >= 0; }

uint8_t *recording_stage(recording *r, size_t bytes) {
    if (r->samples_fd < 0 || r->staged + bytes > r->staging_size) return NULL;
    uint8_t *place = r->staging + r->staged;
    r->staged += bytes;
    return place;
}

/// Writes the samples before their rows, so that no row refers to missing samples.
static void write_out(recording *r) {
    write_all(&r->samples_fd, r->staging, r->settled);
    write_all(&r->rows_fd, r->rows, r->row_count * sizeof *r->rows);
    memmove(r->staging, r->staging + r->settled, r->staged - r->settled);
    r->staged -= r->settled;
    r->settled = 0;
    r->row_count = 0;
}

void recording_settle(recording *r, simulated_card_row row) {
    if (r->samples_fd < 0) return;
    row.first_frame = r->frames;
    row.byte_offset = r->bytes;
    size_t bytes = (size_t)row.count * row.channels * row.bytes_per_sample;
    r->rows[r->row_count++] = row;
    r->frames += row.count;
    r->bytes += (int64_t)bytes;
    r->settled += bytes;
    if (r->row_count == ROWS_AT_ONCE || r->settled >= STAGING_BYTES / 2) write_out(r);
}

bool recording_is_due(const recording *r, int64_t now_ns) {
    return r->row_count > 0 && now_ns - r->rows[0].time_ns >= flush_every_ns;
}

void recording_flush(recording *r) {
    if (r->row_count > 0) write_out(r);
}

void recording_discard(recording *r) {
    r->staged = r->settled;
}

void recording_close(recording *r) {
    recording_discard(r);
    recording_flush(r);
    if (r->samples_fd >= 0) close(r->samples_fd);
    if (r->rows_fd >= 0) close(r->rows_fd);
    if (r->events_fd >= 0) close(r->events_fd);
    free(r->staging);
    *r = (recording){.samples_fd = -1, .rows_fd = -1, .events_fd = -1};
}
