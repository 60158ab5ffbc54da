"""Starts the program that its arguments name, and looks at the page that it serves as a player sees and touches it. Prints what is
seen, one fact a line, for PlayerPageTests.swift to judge. With PICTURES=folder it also takes pictures."""
import os
import sys
import time

from selenium.webdriver.common.by import By

from chromium import browser, complaints, serve, wait

program, addresses = serve(sys.argv[1:])
page = browser(390, 844)


def script(text, *values):
    return page.execute_script(text, *values)


def text(name):
    return script("return document.getElementById(arguments[0]).textContent", name)


def open_page(more=""):
    page.get("about:blank")
    page.get(addresses["control"] + more)
    wait("music", lambda: script("return document.body.dataset.kind") == "playing")


def press(name):
    script("document.querySelector(`[data-key=\"${arguments[0]}\"]`).click()", name)


def size(width, height, scheme="dark"):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    # The picture is drawn anew, and the digits have their new size.
    script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# What is cut off at the edges or by its own box, what is too small to touch, and numbers that overlap.
LOOK = """
const shown = (each) => each.checkVisibility() && !each.closest('.heard') && !each.closest('[aria-hidden] svg');
const name = (each) => each.id || each.dataset.key || each.textContent.slice(0, 20);
const faults = [];
if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the screen');
const numbers = ['left', 'bar', 'next-left', 'line-name'].map((id) => document.getElementById(id)).filter((each) => shown(each) && each.textContent);
for (const each of [...numbers, ...document.querySelectorAll('#thumb button')].filter(shown)) {
  const box = each.getBoundingClientRect();
  if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`${name(each)} is cut`);
}
for (const each of document.querySelectorAll('#thumb span, #sheet button, #sheet label span')) {
  if (shown(each) && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline') faults.push(`${name(each)} is cut in its box`);
}
for (const each of document.querySelectorAll('button, select, summary')) {
  const box = each.getBoundingClientRect();
  if (shown(each) && !each.disabled && (box.width < 47.5 || box.height < 47.5)) faults.push(`${name(each)} is small: ${box.width} x ${box.height}`);
}
const boxes = numbers.map((each) => [name(each), each.getBoundingClientRect()]);
boxes.forEach(([one, a], n) => boxes.slice(n + 1).forEach(([other, b]) => {
  const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  if (wide > 2 && high > 4) faults.push(`${one} and ${other} overlap`);
}));
return faults.join('; ');
"""

# The longest words of the lamp in the five languages, each in turn.
LAMP = """
const [state, lamp, kind] = [document.getElementById('state'), document.getElementById('lamp'), document.body.dataset.lamp];
document.body.dataset.lamp = 'holding';
const cut = ['EINZÄHLER', "POINT D'ORGUE", "JUSQU'AU LAP", 'CUENTA PREVIA', 'NESSUNA SCHEDA AUDIO'].filter((word) => {
  state.textContent = word;
  lamp.style.setProperty('--letters', word.length);
  const [a, b] = [state.getBoundingClientRect(), lamp.getBoundingClientRect()];
  return a.right > b.right || a.bottom > b.bottom + 1 || state.scrollWidth > state.clientWidth + 1;
});
document.body.dataset.lamp = kind;
return cut.join(', ');
"""

try:
    open_page()
    # Flashes of bars of 0.12 s, for as long as it takes to see many bars.
    script("""window.lit = []; window.colors = new Set(); window.bars = 0;
        const flash = document.getElementById('flash'); let was = false;
        new MutationObserver(() => {
          const is = flash.classList.contains('on');
          if (is && !was) { lit.push(performance.now()); colors.add(flash.style.getPropertyValue('--colour')); }
          was = is;
        }).observe(flash, { attributes: true });
        addEventListener('barline', () => (bars += 1))""")
    wait("bars", lambda: script("return bars") > 60)
    begins = script("return lit")
    print("flashes", len(begins), min(later - begin for begin, later in zip(begins, begins[1:])) >= 330)
    print("colors", " ".join(sorted(script("return [...colors]"))))
    print("behind", script("return getComputedStyle(document.getElementById('flash')).zIndex"))

    # Without a sound card: a word to the player stays, beside the trouble.
    script("document.getElementById('answer').value = 'nowhere'; document.getElementById('go').requestSubmit()")
    wait("a note", lambda: "nowhere" in text("note"))
    time.sleep(0.3)
    print("note", "nowhere" in text("note"), text("trouble"))

    # What a key has changed is said, and shown.
    press("+")
    print("confirmed", wait("a confirmation", lambda: text("confirmed")))
    press("-")
    press("c")
    pressed = "return document.querySelector('[data-key=c]').getAttribute('aria-pressed')"
    wait("no clicks", lambda: script(pressed) == "false")
    press("c")
    wait("clicks", lambda: script(pressed) == "true")
    print("toggle yes")

    # One player's own page.
    open_page("&voice=oboe")
    wait("the own voice", lambda: text("place").startswith("oboe"))
    script("window.own = []; addEventListener('barline', (event) => own.push(document.getElementById('bar').textContent))")
    wait("own bars", lambda: script("return own.length") >= 3)
    print("own", text("line-word"), set(script("return own")) == {"1", "2"}, text("lead").startswith("leading: flute"))
    lengths = set()
    wait("both lengths", lambda: lengths.add(text("next-left")) or lengths >= {"1.7", "2.3"})
    print("lengths", " ".join(sorted(lengths)))

    # Every size, every group of the sheet, and the lock.
    folder = os.environ.get("PICTURES")
    for width, height in [(320, 568), (390, 844), (844, 390), (1024, 768), (1920, 1080), (2560, 1440), (320, 256), (640, 512)]:
        for scheme in ["dark", "light"]:
            size(width, height, scheme)
            print("look", f"{width}x{height}", script(LOOK) or "whole")
            print("look", f"{width}x{height} lamp", script(LAMP) or "whole")
            if folder:
                page.save_screenshot(f"{folder}/{width}x{height}-{scheme}.png")
        script("document.getElementById('more').click()")
        for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
            script("document.getElementById(arguments[0]).click()", group)
            print("look", f"{width}x{height} {group}", script(LOOK) or "whole")
            if folder:
                page.save_screenshot(f"{folder}/{width}x{height}-{group}.png")
        script("document.querySelector('#tabs .close').click()")

    # Contrast, also in a flash: text against the ground that is under it.
    for scheme in ["dark", "light"]:
        size(390, 844, scheme)
        print("contrast", scheme, *script("""
            const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
            const paint = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
            const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
              .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
              .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
            const ratio = (one, other) => { const [a, b] = [light(paint(one)), light(paint(other))]; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
            const style = (id, name) => getComputedStyle(document.getElementById(id))[name];
            const flash = document.getElementById('flash');
            const worst = (ids, grounds) => Math.min(...ids.flatMap((id) => grounds.map((ground) => ratio(style(id, 'color'), ground))));
            const back = getComputedStyle(document.documentElement).backgroundColor;
            const grounds = [back];
            for (const color of ['#56b4e9', '#e69f00', '#d55e00', '#ffffff', '#000000', '#ff0000', '#0000ff']) {
              flash.style.setProperty('--colour', color);
              flash.className = 'screen';
              grounds.push(getComputedStyle(flash).backgroundColor);
            }
            flash.className = '';
            return [worst(['left', 'next-left'], grounds), worst(['title', 'elapsed', 'settings', 'lead', 'trouble', 'note'], grounds),
              ratio(style('bar', 'color'), style('bar', 'backgroundColor'))].map((value) => value.toFixed(1));
        """))

    script("document.getElementById('lock').click()")
    for width, height in [(390, 844), (844, 390), (1024, 768), (1920, 1080)]:
        size(width, height)
        print("look", f"{width}x{height} locked", script(LOOK) or "whole")
        if folder:
            page.save_screenshot(f"{folder}/{width}x{height}-locked.png")
    reached = script("""const stops = [...document.querySelectorAll('button, input, select, textarea, summary')]
        .filter((each) => each.checkVisibility() && !each.disabled && !each.closest('[inert]')); return stops.map((each) => each.id)""")
    print("locked", reached)
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
