/// Calls that fail or hang.
#include <errno.h>

#include "card.h"

/// How long a call hangs that never returns, in simulated time.
static const int64_t for_ever_ns = INT64_C(3600000000000);

static const char *const names[SIMULATED_CARD_CALLS] = {
    [SIMULATED_CARD_OPEN] = "open",     [SIMULATED_CARD_SET_UP] = "set-up", [SIMULATED_CARD_PREPARE] = "prepare",
    [SIMULATED_CARD_START] = "start",   [SIMULATED_CARD_STATUS] = "status", [SIMULATED_CARD_AVAIL] = "avail",
    [SIMULATED_CARD_WRITE] = "write",   [SIMULATED_CARD_REWIND] = "rewind", [SIMULATED_CARD_DRAIN] = "drain",
    [SIMULATED_CARD_DROP] = "drop",     [SIMULATED_CARD_CLOSE] = "close",
};

const char *card_call_name(simulated_card_call call) { return names[call]; }

/// Whether an entry of a list of calls takes effect: with its `at`, from that time after the first start on.
static bool is_due(const card *c, const number_list *at, const number_list *from, unsigned entry, uint32_t calls) {
    const card_memory *memory = c->identity.memory;
    if ((double)calls < number_at(from, entry, 1)) return false;
    if (at->count == 0) return true;
    int64_t since = memory->first_start_ns + (int64_t)(number_at(at, entry, 0) * 1e6);
    return memory->has_started && card_now() >= since;
}

/// How long a call hangs, in ms; 0 if it does not, negative for ever.
static double hang_ms(card *c, simulated_card_call call, uint32_t calls) {
    const card_settings *s = &c->settings;
    for (unsigned i = 0; i < s->hang.count; i++) {
        if (s->hang.values[i] != (int)call || c->identity.memory->hung[i] > 0) continue;
        if (!is_due(c, &s->hang_at, &s->hang_from, i, calls)) continue;
        c->identity.memory->hung[i]++;
        recording_note(&c->recording, card_now(), "hang %s", names[call]);
        return number_at(&s->hang_for, i, -1);
    }
    return 0;
}

static int failure(card *c, simulated_card_call call, uint32_t calls) {
    const card_settings *s = &c->settings;
    for (unsigned i = 0; i < s->fail.count; i++) {
        double most = number_at(&s->fail_count, i, -1);
        uint32_t *failed = &c->identity.memory->failed[i];
        if (s->fail.values[i] != (int)call || (most >= 0 && *failed >= most)) continue;
        if (!is_due(c, &s->fail_at, &s->fail_from, i, calls)) continue;
        ++*failed;
        unsigned last = s->fail_errno.count - 1;
        int error = s->fail_errno.count == 0 ? -EIO : s->fail_errno.values[i < last ? i : last];
        recording_note(&c->recording, card_now(), "fail %s error=%d", names[call], error);
        return error;
    }
    return 0;
}

int card_trouble(card *c, simulated_card_call call) {
    if (c->settings.fail.count + c->settings.hang.count == 0) return 0;
    pthread_mutex_lock(&c->lock);
    uint32_t calls = ++c->identity.memory->calls[call];
    double ms = hang_ms(c, call, calls);
    pthread_mutex_unlock(&c->lock);
    if (ms != 0) {
        bool is_simulated = card_time_is_simulated();
        int64_t until = ms > 0 ? card_now() + (int64_t)(ms * 1e6) : is_simulated ? card_now() + for_ever_ns : NEVER;
        if (is_simulated)
            card_sleep_until(until);
        else
            identity_hang(&c->identity, until);
    }
    pthread_mutex_lock(&c->lock);
    int error = failure(c, call, calls);
    pthread_mutex_unlock(&c->lock);
    return error;
}
