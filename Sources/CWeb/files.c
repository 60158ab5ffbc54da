#include "files.h"

#include <string.h>

// #embed is C23; clang supports it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "page/page.html"
};
static const unsigned char style[] = {
#embed "page/page.css"
};
static const unsigned char script[] = {
#embed "page/page.js"
};
static const unsigned char music[] = {
#embed "page/music.js"
};
static const unsigned char clock[] = {
#embed "page/clock.js"
};
static const unsigned char icon[] = {
#embed "page/icon.svg"
};

static const cweb_file files[] = {
    {"/", "text/html; charset=utf-8", page, sizeof page},
    {"/page.css", "text/css; charset=utf-8", style, sizeof style},
    {"/page.js", "text/javascript; charset=utf-8", script, sizeof script},
    {"/music.js", "text/javascript; charset=utf-8", music, sizeof music},
    {"/clock.js", "text/javascript; charset=utf-8", clock, sizeof clock},
    {"/icon.svg", "image/svg+xml", icon, sizeof icon},
};

const cweb_file *cweb_file_at(const char *path) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        if (strcmp(files[index].path, path) == 0) return &files[index];
    }
    return NULL;
}
