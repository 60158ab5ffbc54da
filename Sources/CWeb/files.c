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
static const unsigned char running[] = {
#embed "page/running.js"
};
static const unsigned char quantities[] = {
#embed "page/quantities.js"
};
static const unsigned char pace[] = {
#embed "page/pace.js"
};
static const unsigned char plan[] = {
#embed "page/plan.js"
};
static const unsigned char vibration[] = {
#embed "page/vibration.js"
};
static const unsigned char running_style[] = {
#embed "page/running.css"
};
static const unsigned char offline[] = {
#embed "page/offline.js"
};
static const unsigned char service_worker[] = {
#embed "page/serviceworker.js"
};
static const unsigned char manifest[] = {
#embed "page/manifest.webmanifest"
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
    {"/elements.js", "text/javascript; charset=utf-8", elements, sizeof elements},
    {"/connection.js", "text/javascript; charset=utf-8", connection, sizeof connection},
    {"/picture.js", "text/javascript; charset=utf-8", picture, sizeof picture},
    {"/controls.js", "text/javascript; charset=utf-8", controls, sizeof controls},
    {"/lock.js", "text/javascript; charset=utf-8", lock, sizeof lock},
    {"/choices.js", "text/javascript; charset=utf-8", choices, sizeof choices},
    {"/shelf.js", "text/javascript; charset=utf-8", shelf, sizeof shelf},
    {"/music.js", "text/javascript; charset=utf-8", music, sizeof music},
    {"/clock.js", "text/javascript; charset=utf-8", clock, sizeof clock},
    {"/running.js", "text/javascript; charset=utf-8", running, sizeof running},
    {"/quantities.js", "text/javascript; charset=utf-8", quantities, sizeof quantities},
    {"/pace.js", "text/javascript; charset=utf-8", pace, sizeof pace},
    {"/plan.js", "text/javascript; charset=utf-8", plan, sizeof plan},
    {"/vibration.js", "text/javascript; charset=utf-8", vibration, sizeof vibration},
    {"/running.css", "text/css; charset=utf-8", running_style, sizeof running_style},
    {"/offline.js", "text/javascript; charset=utf-8", offline, sizeof offline},
    {"/serviceworker.js", "text/javascript; charset=utf-8", service_worker, sizeof service_worker},
    {"/manifest.webmanifest", "application/manifest+json", manifest, sizeof manifest},
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
