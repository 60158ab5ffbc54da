#include "server.h"

#include <string.h>

// #embed is C23; clang supports it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/page.html"
};
static const unsigned char page_style[] = {
#embed "page/page.css"
};
static const unsigned char sheet_style[] = {
#embed "page/sheet.css"
};
static const unsigned char running_style[] = {
#embed "page/running.css"
};
static const unsigned char manifest[] = {
#embed "page/manifest.webmanifest"
};
static const unsigned char icon[] = {
#embed "page/icon.svg"
};
static const unsigned char audioclock_js[] = {
#embed "page/audioclock.js"
};
static const unsigned char brackets_js[] = {
#embed "page/brackets.js"
};
static const unsigned char choices_js[] = {
#embed "page/choices.js"
};
static const unsigned char clickplan_js[] = {
#embed "page/clickplan.js"
};
static const unsigned char clicksounds_js[] = {
#embed "page/clicksounds.js"
};
static const unsigned char clock_js[] = {
#embed "page/clock.js"
};
static const unsigned char conductedsound_js[] = {
#embed "page/conductedsound.js"
};
static const unsigned char conductor_js[] = {
#embed "page/conductor.js"
};
static const unsigned char connection_js[] = {
#embed "page/connection.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char device_js[] = {
#embed "page/device.js"
};
static const unsigned char drone_js[] = {
#embed "page/drone.js"
};
static const unsigned char elements_js[] = {
#embed "page/elements.js"
};
static const unsigned char entries_js[] = {
#embed "page/entries.js"
};
static const unsigned char flash_js[] = {
#embed "page/flash.js"
};
static const unsigned char heard_js[] = {
#embed "page/heard.js"
};
static const unsigned char storage_js[] = {
#embed "page/storage.js"
};
static const unsigned char keys_js[] = {
#embed "page/keys.js"
};
static const unsigned char lamp_js[] = {
#embed "page/lamp.js"
};
static const unsigned char live_js[] = {
#embed "page/live.js"
};
static const unsigned char lock_js[] = {
#embed "page/lock.js"
};
static const unsigned char music_js[] = {
#embed "page/music.js"
};
static const unsigned char offline_js[] = {
#embed "page/offline.js"
};
static const unsigned char guests_js[] = {
#embed "page/guests.js"
};
static const unsigned char own_js[] = {
#embed "page/own.js"
};
static const unsigned char pace_js[] = {
#embed "page/pace.js"
};
static const unsigned char passage_js[] = {
#embed "page/passage.js"
};
static const unsigned char page_js[] = {
#embed "page/page.js"
};
static const unsigned char display_js[] = {
#embed "page/display.js"
};
static const unsigned char plan_js[] = {
#embed "page/plan.js"
};
static const unsigned char quantities_js[] = {
#embed "page/quantities.js"
};
static const unsigned char random_js[] = {
#embed "page/random.js"
};
static const unsigned char running_js[] = {
#embed "page/running.js"
};
static const unsigned char sent_js[] = {
#embed "page/sent.js"
};
static const unsigned char serviceworker_js[] = {
#embed "page/serviceworker.js"
};
static const unsigned char sheet_js[] = {
#embed "page/sheet.js"
};
static const unsigned char shelf_js[] = {
#embed "page/shelf.js"
};
static const unsigned char sound_js[] = {
#embed "page/sound.js"
};
static const unsigned char signals_js[] = {
#embed "page/signals.js"
};
static const unsigned char soundcontrols_js[] = {
#embed "page/soundcontrols.js"
};
static const unsigned char spoken_js[] = {
#embed "page/spoken.js"
};
static const unsigned char strip_js[] = {
#embed "page/strip.js"
};
static const unsigned char taps_js[] = {
#embed "page/taps.js"
};
static const unsigned char told_js[] = {
#embed "page/told.js"
};
static const unsigned char typed_js[] = {
#embed "page/typed.js"
};

#define STYLE "text/css; charset=utf-8"
#define SCRIPT(name) {"/" #name ".js", "text/javascript; charset=utf-8", name##_js, sizeof name##_js}

static const cweb_file files[] = {
    {"/", "text/html; charset=utf-8", html, sizeof html},
    {"/page.css", STYLE, page_style, sizeof page_style},
    {"/sheet.css", STYLE, sheet_style, sizeof sheet_style},
    {"/running.css", STYLE, running_style, sizeof running_style},
    {"/manifest.webmanifest", "application/manifest+json", manifest, sizeof manifest},
    {"/icon.svg", "image/svg+xml", icon, sizeof icon},
    SCRIPT(audioclock), SCRIPT(brackets), SCRIPT(choices), SCRIPT(clickplan), SCRIPT(clicksounds),
    SCRIPT(clock), SCRIPT(conductedsound), SCRIPT(conductor), SCRIPT(connection), SCRIPT(controls), SCRIPT(device), SCRIPT(drone),
    SCRIPT(elements), SCRIPT(entries), SCRIPT(flash), SCRIPT(guests), SCRIPT(heard), SCRIPT(keys), SCRIPT(lamp),
    SCRIPT(live), SCRIPT(lock), SCRIPT(music),
    SCRIPT(offline), SCRIPT(own), SCRIPT(pace), SCRIPT(page), SCRIPT(passage), SCRIPT(display),
    SCRIPT(plan), SCRIPT(quantities), SCRIPT(random), SCRIPT(running), SCRIPT(sent), SCRIPT(serviceworker), SCRIPT(sheet),
    SCRIPT(shelf), SCRIPT(signals), SCRIPT(sound), SCRIPT(soundcontrols), SCRIPT(spoken), SCRIPT(storage),
    SCRIPT(strip), SCRIPT(taps), SCRIPT(told), SCRIPT(typed),
};

const cweb_file *cweb_file_at(const char *path) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++)
        if (strcmp(files[index].path, path) == 0) return &files[index];
    return NULL;
}
