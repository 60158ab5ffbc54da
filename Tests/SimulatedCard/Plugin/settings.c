/// Reads the settings of a card from ALSA's configuration.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

static const snd_pcm_format_t known_formats[] = {
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
    SND_PCM_FORMAT_FLOAT_LE,
};

typedef int reader(snd_config_t *node, void *target);

static int read_number(snd_config_t *node, void *target) {
    const char *text;
    if (snd_config_get_ireal(node, target) == 0) return 0;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    char *end;
    *(double *)target = strtod(text, &end);
    return end != text && *end == 0 ? 0 : -EINVAL;
}

static int read_integer(snd_config_t *node, void *target) {
    double value;
    if (read_number(node, &value) < 0 || value != (double)(int64_t)value) return -EINVAL;
    *(int64_t *)target = (int64_t)value;
    return 0;
}

static int read_count(snd_config_t *node, void *target) {
    int64_t value;
    if (read_integer(node, &value) < 0 || value < 0 || value > 1 << 24) return -EINVAL;
    *(unsigned *)target = (unsigned)value;
    return 0;
}

static int read_truth(snd_config_t *node, void *target) {
    int value = snd_config_get_bool(node);
    if (value < 0) return -EINVAL;
    *(bool *)target = value;
    return 0;
}

static int read_text(snd_config_t *node, void *target) {
    const char *text;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    char *copy = strdup(text);
    if (!copy) return -ENOMEM;
    free(*(char **)target);
    *(char **)target = copy;
    return 0;
}

/// Reads one of two words as false or true.
static int read_word(snd_config_t *node, bool *target, const char *no, const char *yes) {
    const char *text;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    if (strcmp(text, no) != 0 && strcmp(text, yes) != 0) return -EINVAL;
    *target = strcmp(text, yes) == 0;
    return 0;
}

static int read_stamp(snd_config_t *node, void *target) { return read_word(node, target, "query", "step"); }
static int read_starved(snd_config_t *node, void *target) { return read_word(node, target, "silence", "stale"); }
static int read_interrupts(snd_config_t *node, void *target) { return read_word(node, target, "timer", "process"); }
static int read_stall_mode(snd_config_t *node, void *target) { return read_word(node, target, "hold", "jump"); }
static int read_jump_mode(snd_config_t *node, void *target) { return read_word(node, target, "skip", "glitch"); }

static int read_drain(snd_config_t *node, void *target) { return read_word(node, target, "returns", "never"); }

/// Reads `all`, `none`, or a number of frames.
static int read_rewinds(snd_config_t *node, void *target) {
    bool is_all;
    if (read_word(node, &is_all, "none", "all") < 0) return read_integer(node, target);
    *(int64_t *)target = is_all ? NEVER : 0;
    return 0;
}

/// Reads a value, or `[ value ... ]`.
static int read_each(snd_config_t *node, int (*take)(snd_config_t *, void *), void *target) {
    if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) return take(node, target);
    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, node) {
        int error = take(snd_config_iterator_entry(i), target);
        if (error < 0) return error;
    }
    return 0;
}

static int add_number(snd_config_t *node, void *target) {
    number_list *list = target;
    if (list->count == MAX_CHOICES) return -E2BIG;
    return read_number(node, &list->values[list->count++]);
}

static int read_numbers(snd_config_t *node, void *target) {
    ((number_list *)target)->count = 0;
    return read_each(node, add_number, target);
}

static int add_call(snd_config_t *node, void *target) {
    code_list *list = target;
    const char *text;
    if (list->count == MAX_CHOICES) return -E2BIG;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    for (int call = 0; call < SIMULATED_CARD_CALLS; call++) {
        if (strcmp(card_call_name((simulated_card_call)call), text) != 0) continue;
        list->values[list->count++] = call;
        return 0;
    }
    return -EINVAL;
}

static int add_errno(snd_config_t *node, void *target) {
    static const struct {
        const char *name;
        int error;
    } known[] = {
        {"EAGAIN", -EAGAIN}, {"EBADFD", -EBADFD}, {"EBUSY", -EBUSY}, {"EINVAL", -EINVAL}, {"EIO", -EIO},
        {"ENODEV", -ENODEV}, {"ENOTTY", -ENOTTY}, {"EPIPE", -EPIPE}, {"ESTRPIPE", -ESTRPIPE},
    };
    code_list *list = target;
    const char *text;
    if (list->count == MAX_CHOICES) return -E2BIG;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, text) != 0) continue;
        list->values[list->count++] = known[i].error;
        return 0;
    }
    return -EINVAL;
}

static int read_calls(snd_config_t *node, void *target) {
    ((code_list *)target)->count = 0;
    return read_each(node, add_call, target);
}

static int read_errnos(snd_config_t *node, void *target) {
    ((code_list *)target)->count = 0;
    return read_each(node, add_errno, target);
}

static int add_rate(snd_config_t *node, void *target) {
    card_settings *s = target;
    return s->rate_count == MAX_CHOICES ? -E2BIG : read_count(node, &s->rates[s->rate_count++]);
}

static int read_rates(snd_config_t *node, void *target) {
    ((card_settings *)target)->rate_count = 0;
    return read_each(node, add_rate, target);
}

static int add_format(snd_config_t *node, void *target) {
    card_settings *s = target;
    const char *text;
    if (s->format_count == MAX_CHOICES) return -E2BIG;
    if (snd_config_get_string(node, &text) < 0 || !text) return -EINVAL;
    snd_pcm_format_t format = snd_pcm_format_value(text);
    for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; i++) {
        if (known_formats[i] != format) continue;
        s->formats[s->format_count++] = (unsigned)format;
        return 0;
    }
    return -EINVAL;
}

static int read_formats(snd_config_t *node, void *target) {
    ((card_settings *)target)->format_count = 0;
    return read_each(node, add_format, target);
}

static int read_channels(snd_config_t *node, void *target) {
    card_settings *s = target;
    int error = read_count(node, &s->channels_min);
    s->channels_max = s->channels_min;
    return error;
}

static int read_settings_file(card_settings *settings, const char *path);

static int apply(card_settings *s, const char *key, snd_config_t *node) {
    const struct {
        const char *key;
        reader *read;
        void *target;
    } keys[] = {
        {"id", read_text, &s->id},
        {"record", read_text, &s->record},
        {"state_file", read_text, &s->state_file},
        {"says", read_text, &s->says},
        {"hears", read_text, &s->hears},
        {"hears_card", read_text, &s->hears_card},
        {"plays", read_text, &s->plays},
        {"plays_again", read_truth, &s->plays_again},
        {"path_us", read_numbers, &s->path_us},
        {"path_db", read_numbers, &s->path_db},
        {"noise_db", read_number, &s->noise_db},
        {"gain_db", read_number, &s->gain_db},
        {"muted", read_truth, &s->is_muted},
        {"seed", read_integer, &s->seed},
        {"skew_ppm", read_number, &s->skew_ppm},
        {"wander_ppm", read_number, &s->wander_ppm},
        {"wander_period_s", read_number, &s->wander_period_s},
        {"wander_phase_deg", read_number, &s->wander_phase_deg},
        {"skew_at", read_numbers, &s->skew_at},
        {"skew_by_ppm", read_numbers, &s->skew_by_ppm},
        {"slew_at", read_numbers, &s->slew_at},
        {"slew_ppm", read_numbers, &s->slew_ppm},
        {"slew_for", read_numbers, &s->slew_for},
        {"offset_at", read_numbers, &s->offset_at},
        {"offset_us", read_numbers, &s->offset_us},
        {"offset_tau_s", read_numbers, &s->offset_tau_s},
        {"step_frames", read_integer, &s->step_frames},
        {"step_spread", read_integer, &s->step_spread},
        {"batch", read_truth, &s->is_batch},
        {"prefetch_frames", read_integer, &s->prefetch_frames},
        {"latency_frames", read_integer, &s->latency_frames},
        {"hidden_latency_frames", read_integer, &s->hidden_latency_frames},
        {"jitter_us", read_number, &s->jitter_us},
        {"start_delay_ms", read_number, &s->start_delay_ms},
        {"tstamp", read_stamp, &s->stamp_is_of_step},
        {"interrupts", read_interrupts, &s->interrupts_come_from_outside},
        {"plays_on", read_truth, &s->plays_on},
        {"calls_again", read_truth, &s->calls_again},
        {"calls_early_frames", read_integer, &s->calls_early_frames},
        {"starved", read_starved, &s->starved_is_stale},
        {"rewindable", read_truth, &s->rewindable},
        {"rewinds", read_rewinds, &s->rewinds},
        {"monotonic_stamps", read_truth, &s->has_monotonic_stamps},
        {"poses_as_hardware", read_truth, &s->poses_as_hardware},
        {"drain", read_drain, &s->drains_never},
        {"pause", read_truth, &s->can_pause},
        {"resume", read_truth, &s->can_resume},
        {"rate", read_rates, s},
        {"format", read_formats, s},
        {"channels", read_channels, s},
        {"channels_min", read_count, &s->channels_min},
        {"channels_max", read_count, &s->channels_max},
        {"period_min", read_count, &s->period_min},
        {"period_max", read_count, &s->period_max},
        {"buffer_min", read_count, &s->buffer_min},
        {"buffer_max", read_count, &s->buffer_max},
        {"periods_min", read_count, &s->periods_min},
        {"periods_max", read_count, &s->periods_max},
        {"xrun_at", read_numbers, &s->xrun_at},
        {"suspend_at", read_numbers, &s->suspend_at},
        {"resume_after", read_numbers, &s->resume_after},
        {"disconnect_at", read_numbers, &s->disconnect_at},
        {"return_after", read_numbers, &s->return_after},
        {"stall_at", read_numbers, &s->stall_at},
        {"stall_for", read_numbers, &s->stall_for},
        {"stall_mode", read_stall_mode, &s->stall_jumps},
        {"jump_at", read_numbers, &s->jump_at},
        {"jump_frames", read_numbers, &s->jump_frames},
        {"jump_for", read_numbers, &s->jump_for},
        {"jump_mode", read_jump_mode, &s->jump_is_glitch},
        {"busy_for", read_number, &s->busy_for},
        {"fail", read_calls, &s->fail},
        {"fail_errno", read_errnos, &s->fail_errno},
        {"fail_at", read_numbers, &s->fail_at},
        {"fail_from", read_numbers, &s->fail_from},
        {"fail_count", read_numbers, &s->fail_count},
        {"hang", read_calls, &s->hang},
        {"hang_at", read_numbers, &s->hang_at},
        {"hang_from", read_numbers, &s->hang_from},
        {"hang_for", read_numbers, &s->hang_for},
        {"refuses_start", read_count, &s->refuses_start},
        {"again_before_start", read_count, &s->again_before_start},
        {"again_at", read_numbers, &s->again_at},
        {"again_for", read_numbers, &s->again_for},
    };
    if (strcmp(key, "type") == 0 || strcmp(key, "comment") == 0 || strcmp(key, "hint") == 0) return 0;
    if (strcmp(key, "settings") == 0) {
        const char *path;
        if (snd_config_get_string(node, &path) < 0 || !path) return -EINVAL;
        if (!s->id && !(s->id = strdup(path))) return -ENOMEM;
        return read_settings_file(s, path);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, key) == 0) return keys[i].read(node, keys[i].target);
    }
    return -ENOENT;
}

static int apply_all(card_settings *settings, snd_config_t *nodes) {
    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, nodes) {
        snd_config_t *node = snd_config_iterator_entry(i);
        const char *key;
        if (snd_config_get_id(node, &key) < 0) continue;
        int error = apply(settings, key, node);
        if (error < 0) {
            SNDERR("simcard: %s: %s", key, error == -ENOENT ? "no such key" : "not a value that it can have");
            return error == -ENOMEM ? error : -EINVAL;
        }
    }
    return 0;
}

static int read_settings_file(card_settings *settings, const char *path) {
    snd_input_t *input;
    snd_config_t *top = NULL;
    int error = snd_input_stdio_open(&input, path, "r");
    if (error < 0) return error;
    error = snd_config_top(&top);
    if (error == 0) error = snd_config_load(top, input);
    if (error == 0) error = apply_all(settings, top);
    if (top) snd_config_delete(top);
    snd_input_close(input);
    return error;
}

/// Whether there is a value for each time, and no value is larger than `most`.
static bool are_small(const number_list *times, const number_list *values, double most) {
    bool are_small = times->count == 0 || values->count > 0;
    for (unsigned i = 0; i < values->count; i++) are_small = are_small && fabs(values->values[i]) <= most;
    return are_small;
}

static bool is_positive(const number_list *values) {
    bool is_positive = true;
    for (unsigned i = 0; i < values->count; i++) is_positive = is_positive && values->values[i] > 0;
    return is_positive;
}

static bool are_sane(const card_settings *s) {
    const number_list *frames = &s->jump_frames;
    for (unsigned i = 0; i < frames->count; i++) {
        if (frames->values[i] != (double)(int64_t)frames->values[i]) return false;
    }
    bool has_clock = s->wander_period_s > 0 && fabs(s->skew_ppm) < 1e5 && s->wander_ppm >= 0 && s->wander_ppm < 1e5;
    bool has_pointer = s->step_frames > 0 && s->step_frames <= 1 << 20 && s->step_spread >= 0
        && s->step_spread <= 1 << 20 && s->prefetch_frames >= 0
        && s->prefetch_frames <= 1 << 20 && s->latency_frames >= 0 && s->calls_early_frames >= 0 && s->hidden_latency_frames >= 0 && s->rewinds >= 0
        && s->jitter_us >= 0 && s->jitter_us <= 1e5 && s->start_delay_ms >= 0;
    has_clock = has_clock && are_small(&s->skew_at, &s->skew_by_ppm, 1e4) && are_small(&s->slew_at, &s->slew_ppm, 1e4)
        && are_small(&s->offset_at, &s->offset_us, 1e6) && is_positive(&s->slew_for) && is_positive(&s->offset_tau_s);
    bool has_shape = s->rate_count > 0 && s->format_count > 0 && s->channels_min > 0
        && s->channels_min <= s->channels_max && s->channels_max <= 64;
    bool has_buffer = s->period_min > 0 && s->period_min <= s->period_max && s->period_max <= 1 << 20
        && s->buffer_min <= s->buffer_max && s->buffer_max <= 1 << 22 && s->periods_min > 0
        && s->periods_min <= s->periods_max;
    bool has_jumps = frames->count <= s->jump_at.count && (s->jump_at.count == 0 || frames->count > 0);
    // The process that sends interrupts only knows the state of the card at its start.
    bool is_even = s->xrun_at.count + s->suspend_at.count + s->disconnect_at.count + s->stall_at.count + s->jump_at.count
        + s->again_at.count == 0 && !s->can_pause;
    bool has_interrupts = !s->interrupts_come_from_outside || is_even;
    return has_interrupts && has_clock && has_pointer && has_shape && has_buffer && has_jumps;
}

int settings_read(card_settings *settings, const char *name, snd_config_t *definition) {
    *settings = (card_settings){
        .seed = 1,
        .noise_db = -1000,
        .wander_period_s = 600,
        .step_frames = 1,
        .rewindable = true,
        .rewinds = NEVER,
        .has_monotonic_stamps = true,
        .can_pause = true,
        .rate_count = 3,
        .rates = {44100, 48000, 96000},
        .channels_min = 1,
        .channels_max = 8,
        .period_min = 16,
        .period_max = 1 << 16,
        .buffer_min = 32,
        .buffer_max = 1 << 18,
        .periods_min = 2,
        .periods_max = 1024,
        .jump_for = {.count = 1, .values = {20}},
        .offset_tau_s = {.count = 1, .values = {64}},
    };
    for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; i++)
        settings->formats[settings->format_count++] = (unsigned)known_formats[i];
    int error = apply_all(settings, definition);
    if (error < 0) return error;
    if (!settings->id && !(settings->id = strdup(name ? name : "simcard"))) return -ENOMEM;
    if (are_sane(settings)) return 0;
    SNDERR("simcard: %s: settings that contradict each other or lie out of range", settings->id);
    return -EINVAL;
}

void settings_free(card_settings *settings) {
    free(settings->id);
    free(settings->record);
    free(settings->state_file);
    free(settings->says);
    free(settings->hears);
    free(settings->hears_card);
    free(settings->plays);
}
