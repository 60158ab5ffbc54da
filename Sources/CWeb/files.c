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
static const unsigned char audioclock[] = {
#embed "page/audioclock.js"
};
static const unsigned char clicksounds[] = {
#embed "page/clicksounds.js"
};
static const unsigned char clickplan[] = {
#embed "page/clickplan.js"
};
static const unsigned char device[] = {
#embed "page/device.js"
};
static const unsigned char drone[] = {
#embed "page/drone.js"
};
static const unsigned char sound[] = {
#embed "page/sound.js"
};
static const unsigned char soundcontrols[] = {
#embed "page/soundcontrols.js"
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
    {"/audioclock.js", "text/javascript; charset=utf-8", audioclock, sizeof audioclock},
    {"/clicksounds.js", "text/javascript; charset=utf-8", clicksounds, sizeof clicksounds},
    {"/clickplan.js", "text/javascript; charset=utf-8", clickplan, sizeof clickplan},
    {"/device.js", "text/javascript; charset=utf-8", device, sizeof device},
    {"/drone.js", "text/javascript; charset=utf-8", drone, sizeof drone},
    {"/sound.js", "text/javascript; charset=utf-8", sound, sizeof sound},
    {"/soundcontrols.js", "text/javascript; charset=utf-8", soundcontrols, sizeof soundcontrols},
    {"/icon.svg", "image/svg+xml", icon, sizeof icon},
};

const cweb_file *cweb_file_at(const char *path) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        if (strcmp(files[index].path, path) == 0) return &files[index];
    }
    return NULL;
}
