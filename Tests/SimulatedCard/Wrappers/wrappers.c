/// Replaces functions of alsa-lib for simulated cards, where alsa-lib answers without asking the plugin.
///
/// A definition in the program, or in a library that is loaded before alsa-lib, takes precedence over alsa-lib's. It
/// has no version, so it matches every version of the name; `RTLD_NEXT` finds alsa-lib's default version. Calls with
/// other handles go straight to alsa-lib. alsa-lib itself calls some of these functions for the slave of a plugin.
/// Linkers export a definition that a library also has, so these calls come here, too: `plug` over a card behaves like
/// the card.
// For RTLD_NEXT and dl_iterate_phdr.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "include/simulated_card_wrappers.h"

// ---------------------------------------------------------------------------------------------------
// The card's functions

typedef struct card_functions {
    typeof(simulated_card_answers_of) *answers_of;
    typeof(simulated_card_wait) *wait;
    typeof(simulated_card_drain) *drain;
    typeof(simulated_card_trouble) *trouble;
} card_functions;

static int take_card_path(struct dl_phdr_info *object, size_t size, void *path) {
    (void)size;
    static const char name[] = "/libSimulatedCard.so";
    size_t length = strlen(object->dlpi_name);
    if (length < strlen(name) || strcmp(object->dlpi_name + length - strlen(name), name) != 0) return 0;
    snprintf(path, PATH_MAX, "%s", object->dlpi_name);
    return 1;
}

/// The functions of the card's plugin; NULL while alsa-lib has not loaded it. Once loaded, it stays loaded.
static const card_functions *find_card(void) {
    static card_functions found;
    static _Atomic bool is_found;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load_explicit(&is_found, memory_order_acquire)) return &found;
    char path[PATH_MAX];
    void *library = dl_iterate_phdr(take_card_path, path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!library) return NULL;
    pthread_mutex_lock(&lock);
    if (!found.answers_of) {
        found = (card_functions){
            .answers_of = dlsym(library, "simulated_card_answers_of"),
            .wait = dlsym(library, "simulated_card_wait"),
            .drain = dlsym(library, "simulated_card_drain"),
            .trouble = dlsym(library, "simulated_card_trouble"),
        };
        atomic_store_explicit(&is_found, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return &found;
}

// ---------------------------------------------------------------------------------------------------
// alsa-lib's own functions

static struct {
    typeof(snd_pcm_type) *type;
    typeof(snd_pcm_status) *status;
    typeof(snd_pcm_htimestamp) *htimestamp;
    typeof(snd_pcm_wait) *wait;
    typeof(snd_pcm_avail) *avail;
    typeof(snd_pcm_rewind) *rewind;
    typeof(snd_pcm_drain) *drain;
    typeof(snd_pcm_hw_params_any) *hw_params_any;
    typeof(snd_pcm_hw_params_current) *hw_params_current;
    typeof(snd_pcm_hw_params_is_batch) *hw_params_is_batch;
    typeof(snd_pcm_sw_params_set_tstamp_type) *set_tstamp_type;
    /// The offsets of the stamps in a status, found by means of alsa-lib's getters.
    size_t stamp_place, trigger_place;
} alsa;

static size_t place_in_status(void (*get)(const snd_pcm_status_t *, snd_htimestamp_t *)) {
    _Alignas(snd_htimestamp_t) uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)i;
    snd_htimestamp_t stamp;
    get((const snd_pcm_status_t *)bytes, &stamp);
    uint8_t first;
    memcpy(&first, &stamp, 1);
    return first;
}

__attribute__((constructor)) static void find_alsa(void) {
    alsa.type = dlsym(RTLD_NEXT, "snd_pcm_type");
    alsa.status = dlsym(RTLD_NEXT, "snd_pcm_status");
    alsa.htimestamp = dlsym(RTLD_NEXT, "snd_pcm_htimestamp");
    alsa.wait = dlsym(RTLD_NEXT, "snd_pcm_wait");
    alsa.avail = dlsym(RTLD_NEXT, "snd_pcm_avail");
    alsa.rewind = dlsym(RTLD_NEXT, "snd_pcm_rewind");
    alsa.drain = dlsym(RTLD_NEXT, "snd_pcm_drain");
    alsa.hw_params_any = dlsym(RTLD_NEXT, "snd_pcm_hw_params_any");
    alsa.hw_params_current = dlsym(RTLD_NEXT, "snd_pcm_hw_params_current");
    alsa.hw_params_is_batch = dlsym(RTLD_NEXT, "snd_pcm_hw_params_is_batch");
    alsa.set_tstamp_type = dlsym(RTLD_NEXT, "snd_pcm_sw_params_set_tstamp_type");
    alsa.stamp_place = place_in_status(snd_pcm_status_get_htstamp);
    alsa.trigger_place = place_in_status(snd_pcm_status_get_trigger_htstamp);
}

/// Gets the answers of a card; false if the handle is not a simulated card's.
static bool ask(snd_pcm_t *pcm, simulated_card_answers *answers) {
    if (alsa.type(pcm) != SND_PCM_TYPE_IOPLUG) return false;
    const card_functions *card = find_card();
    return card && card->answers_of(pcm, answers);
}

/// Hangs or fails as the card does in this call. Returns 0 or a negative errno.
static int trouble(snd_pcm_t *pcm, simulated_card_call call) {
    if (alsa.type(pcm) != SND_PCM_TYPE_IOPLUG) return 0;
    const card_functions *card = find_card();
    return card ? card->trouble(pcm, call) : 0;
}

// ---------------------------------------------------------------------------------------------------
// Simulated time

static snd_htimestamp_t stamp_of(int64_t ns) {
    return (snd_htimestamp_t){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

int snd_pcm_status(snd_pcm_t *pcm, snd_pcm_status_t *status) {
    int error = trouble(pcm, SIMULATED_CARD_STATUS);
    if (error == 0) error = alsa.status(pcm, status);
    simulated_card_answers answers;
    if (error < 0 || !ask(pcm, &answers) || !answers.is_simulated) return error;
    snd_htimestamp_t stamp = stamp_of(answers.stamp_ns), trigger = stamp_of(answers.trigger_ns);
    memcpy((uint8_t *)status + alsa.stamp_place, &stamp, sizeof stamp);
    memcpy((uint8_t *)status + alsa.trigger_place, &trigger, sizeof trigger);
    return error;
}

snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm) {
    int error = trouble(pcm, SIMULATED_CARD_AVAIL);
    return error < 0 ? error : alsa.avail(pcm);
}

int snd_pcm_htimestamp(snd_pcm_t *pcm, snd_pcm_uframes_t *avail, snd_htimestamp_t *stamp) {
    int error = alsa.htimestamp(pcm, avail, stamp);
    simulated_card_answers answers;
    if (error == 0 && ask(pcm, &answers) && answers.is_simulated) *stamp = stamp_of(answers.stamp_ns);
    return error;
}

int snd_pcm_wait(snd_pcm_t *pcm, int timeout) {
    simulated_card_answers answers;
    bool is_simulated = ask(pcm, &answers) && answers.is_simulated;
    return is_simulated ? find_card()->wait(pcm, timeout) : alsa.wait(pcm, timeout);
}

// ---------------------------------------------------------------------------------------------------
// Settings

snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
    int error = trouble(pcm, SIMULATED_CARD_REWIND);
    if (error < 0) return error;
    simulated_card_answers answers;
    if (ask(pcm, &answers) && frames > (snd_pcm_uframes_t)answers.rewinds) frames = (snd_pcm_uframes_t)answers.rewinds;
    return alsa.rewind(pcm, frames);
}

/// alsa-lib waits for the end of a plugin's drain, even if the handle was opened non-blocking.
int snd_pcm_drain(snd_pcm_t *pcm) {
    simulated_card_answers answers;
    if (!ask(pcm, &answers)) return alsa.drain(pcm);
    int error = trouble(pcm, SIMULATED_CARD_DRAIN);
    if (error < 0) return error;
    error = answers.drains_never ? find_card()->drain(pcm) : 0;
    // The handle may be gone.
    if (error < 0) return error;
    do error = alsa.drain(pcm);
    while (error == -EAGAIN && answers.is_simulated && find_card()->wait(pcm, -1) == 1);
    return error;
}

int snd_pcm_sw_params_set_tstamp_type(snd_pcm_t *pcm, snd_pcm_sw_params_t *params, snd_pcm_tstamp_type_t type) {
    simulated_card_answers answers;
    bool is_refused = type != SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY && ask(pcm, &answers) && !answers.has_monotonic_stamps;
    return is_refused ? -EINVAL : alsa.set_tstamp_type(pcm, params, type);
}

/// alsa-lib itself calls this only for the slaves of `dmix` and similar plugins; those slaves are never ioplugs.
snd_pcm_type_t snd_pcm_type(snd_pcm_t *pcm) {
    simulated_card_answers answers;
    return ask(pcm, &answers) && answers.poses_as_hardware ? SND_PCM_TYPE_HW : alsa.type(pcm);
}

// Parameters do not contain their handle. The kernel reserves their last bytes; `any` and `current` clear them, and
// refining and copying keep them. So a batch card's mark is stored there.
static const uint64_t batch_mark = UINT64_C(0x7461625f6d697362);

static uint8_t *mark_place(const snd_pcm_hw_params_t *params) {
    return (uint8_t *)params + snd_pcm_hw_params_sizeof() - sizeof batch_mark;
}

static void mark(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    simulated_card_answers answers;
    if (ask(pcm, &answers) && answers.is_batch) memcpy(mark_place(params), &batch_mark, sizeof batch_mark);
}

int snd_pcm_hw_params_any(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    int result = alsa.hw_params_any(pcm, params);
    if (result >= 0) mark(pcm, params);
    return result;
}

int snd_pcm_hw_params_current(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    int result = alsa.hw_params_current(pcm, params);
    if (result >= 0) mark(pcm, params);
    return result;
}

int snd_pcm_hw_params_is_batch(const snd_pcm_hw_params_t *params) {
    bool is_marked = memcmp(mark_place(params), &batch_mark, sizeof batch_mark) == 0;
    return is_marked ? 1 : alsa.hw_params_is_batch(params);
}
