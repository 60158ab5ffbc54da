/// Records what arrives at a port of ALSA's sequencer called "Recorder": a line for each event, with the moment at which it
/// arrived and the one for which it was queued, in ns of CLOCK_MONOTONIC, and its numbers. Ends after two seconds of silence
/// that follow the first event, or after `argv[1]` seconds.
#include <alsa/asoundlib.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// The time of a queue minus the system's, by the quickest of some looks; as it was before if the queue is no longer there.
static int64_t offset_of(snd_seq_t *seq, int queue, int64_t offset) {
    snd_seq_queue_status_t *status;
    snd_seq_queue_status_alloca(&status);
    int64_t best = INT64_MAX;
    for (int look = 0; look < 3; look++) {
        int64_t before = now();
        if (snd_seq_get_queue_status(seq, queue, status) < 0) continue;
        int64_t after = now();
        const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
        if (after - before >= best) continue;
        best = after - before;
        offset = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec - (before + after) / 2;
    }
    return offset;
}

int main(int count, char **arguments) {
    snd_seq_t *seq;
    if (snd_seq_open(&seq, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK) < 0) return 1;
    snd_seq_set_client_name(seq, "Recorder");
    snd_seq_set_client_pool_input(seq, 2000);
    int port = snd_seq_create_simple_port(
        seq, "in", SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE, SND_SEQ_PORT_TYPE_APPLICATION);
    if (port < 0) return 1;
    int64_t end = now() + 1000000000 * (int64_t)(count > 1 ? atoi(arguments[1]) : 60), offset = 0, measured = 0;
    struct pollfd sockets[4];
    int sockets_count = snd_seq_poll_descriptors(seq, sockets, 4, POLLIN);
    for (int64_t last = 0; now() < end && (last == 0 || now() < last + 2000000000);) {
        snd_seq_event_t *event;
        if (snd_seq_event_input(seq, &event) < 0) {
            poll(sockets, (nfds_t)sockets_count, 100);
            continue;
        }
        // That somebody has connected is no music.
        if (event->type >= SND_SEQ_EVENT_CLIENT_START && event->type <= SND_SEQ_EVENT_PORT_UNSUBSCRIBED) continue;
        int64_t arrived = last = now(), due = arrived;
        if (event->queue != SND_SEQ_QUEUE_DIRECT) {
            if (arrived - measured > 100000000) {
                offset = offset_of(seq, event->queue, offset);
                measured = arrived;
            }
            due = (int64_t)event->time.time.tv_sec * 1000000000 + event->time.time.tv_nsec - offset;
        }
        printf("%" PRId64 " %" PRId64 " %d", arrived, due, event->type);
        if (event->type == SND_SEQ_EVENT_SYSEX) {
            const uint8_t *bytes = event->data.ext.ptr;
            for (unsigned i = 0; i < event->data.ext.len; i++) printf(" %d", bytes[i]);
        } else if (event->type == SND_SEQ_EVENT_NOTEON || event->type == SND_SEQ_EVENT_NOTEOFF) {
            printf(" %d %d %d", event->data.note.channel, event->data.note.note, event->data.note.velocity);
        } else {
            printf(" %d %u %d", event->data.control.channel, event->data.control.param, event->data.control.value);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
