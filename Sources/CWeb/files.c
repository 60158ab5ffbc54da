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
static const unsigned char elements[] = {
#embed "page/elements.js"
};
static const unsigned char connection[] = {
#embed "page/connection.js"
};
static const unsigned char picture[] = {
#embed "page/picture.js"
};
static const unsigned char controls[] = {
#embed "page/controls.js"
};
static const unsigned char lock[] = {
#embed "page/lock.js"
};
static const unsigned char choices[] = {
#embed "page/choices.js"
};
static const unsigned char shelf[] = {
#embed "page/shelf.js"
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
    {"/elements.js", "text/javascript; charset=utf-8", elements, sizeof elements},
    {"/connection.js", "text/javascript; charset=utf-8", connection, sizeof connection},
    {"/picture.js", "text/javascript; charset=utf-8", picture, sizeof picture},
    {"/controls.js", "text/javascript; charset=utf-8", controls, sizeof controls},
    {"/lock.js", "text/javascript; charset=utf-8", lock, sizeof lock},
    {"/choices.js", "text/javascript; charset=utf-8", choices, sizeof choices},
    {"/shelf.js", "text/javascript; charset=utf-8", shelf, sizeof shelf},
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
