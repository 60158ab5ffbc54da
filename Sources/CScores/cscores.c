#include "cscores.h"

// #embed is C23; clang has it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char metronome[] = {
#embed "scores/metronome.yaml"
};
static const unsigned char run_walk_run[] = {
#embed "scores/run-walk-run.yaml"
};
static const unsigned char sequenza_vii[] = {
#embed "scores/sequenza-vii.yaml"
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    ptrdiff_t length;
} scores[] = {
    {"metronome", metronome, sizeof metronome},
    {"run-walk-run", run_walk_run, sizeof run_walk_run},
    {"sequenza-vii", sequenza_vii, sizeof sequenza_vii},
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
