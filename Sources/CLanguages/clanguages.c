#include "clanguages.h"

#include <string.h>

// #embed is C23; clang supports it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "catalogs/de.po"
};
static const unsigned char spanish[] = {
#embed "catalogs/es.po"
};
static const unsigned char french[] = {
#embed "catalogs/fr.po"
};
static const unsigned char italian[] = {
#embed "catalogs/it.po"
};

static const struct {
    const char *code;
    const unsigned char *bytes;
    ptrdiff_t length;
} catalogs[] = {
    {"de", german, sizeof german},
    {"es", spanish, sizeof spanish},
    {"fr", french, sizeof french},
    {"it", italian, sizeof italian},
};

const unsigned char *clanguages_catalog(const char *code, ptrdiff_t *length) {
    for (size_t index = 0; index < sizeof catalogs / sizeof catalogs[0]; index++) {
        if (strcmp(catalogs[index].code, code) == 0) {
            *length = catalogs[index].length;
            return catalogs[index].bytes;
        }
    }
    *length = 0;
    return NULL;
}
