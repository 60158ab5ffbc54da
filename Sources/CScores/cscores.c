#include "cscores.h"

// #embed is C23; clang supports it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char irrational_meters[] = {
#embed "scores/irrational-meters.yaml"
};
static const unsigned char metronome[] = {
#embed "scores/metronome.yaml"
};
static const unsigned char open_form[] = {
#embed "scores/open-form.yaml"
};
static const unsigned char run_walk_run[] = {
#embed "scores/run-walk-run.yaml"
};
static const unsigned char sequenza_vii[] = {
#embed "scores/sequenza-vii.yaml"
};
static const unsigned char time_brackets[] = {
#embed "scores/time-brackets.yaml"
};
static const unsigned char until_the_sign[] = {
#embed "scores/until-the-sign.yaml"
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    ptrdiff_t length;
} scores[] = {
    {"irrational-meters", irrational_meters, sizeof irrational_meters},
    {"metronome", metronome, sizeof metronome},
    {"open-form", open_form, sizeof open_form},
    {"run-walk-run", run_walk_run, sizeof run_walk_run},
    {"sequenza-vii", sequenza_vii, sizeof sequenza_vii},
    {"time-brackets", time_brackets, sizeof time_brackets},
    {"until-the-sign", until_the_sign, sizeof until_the_sign},
};

int cscores_count(void) {
    return sizeof scores / sizeof scores[0];
}

const char *cscores_name(int index) {
    return index >= 0 && index < cscores_count() ? scores[index].name : NULL;
}

const unsigned char *cscores_bytes(int index, ptrdiff_t *length) {
    int is_valid = index >= 0 && index < cscores_count();
    *length = is_valid ? scores[index].length : 0;
    return is_valid ? scores[index].bytes : NULL;
}
