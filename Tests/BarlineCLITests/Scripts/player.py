"""Starts the program that its arguments name, and looks at the page that it serves as a player sees and touches it. Prints what is
seen, one fact a line, for PlayerPageTests.swift to judge. With PICTURES=folder it also takes pictures."""
import sys
import time

from chromium import browser, complaints, serve, wait
from looks import contrast, look_everywhere, look_locked

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


try:
    open_page()
    # Flashes of bars of 0.12 s, for as long as it takes to see many bars.
    script("""window.lit = []; window.colors = new Set(); window.bars = 0;
        const flash = document.getElementById('flash');
        const name = Object.getOwnPropertyDescriptor(Element.prototype, 'className');
        // The time by which the page decides to light it, however long a busy machine takes from there on.
        const clock = performance.now.bind(performance);
        performance.now = () => (window.read = clock());
        Object.defineProperty(flash, 'className', { get() { return name.get.call(this); }, set(names) {
          if (names.endsWith(' on')) { lit.push(read); colors.add(flash.style.getPropertyValue('--colour')); }
          name.set.call(this, names);
        } });
        addEventListener('barline', () => (bars += 1))""")
    wait("bars", lambda: script("return bars") > 60)
    begins = script("return lit")
    print("flashes", len(begins), min(later - begin for begin, later in zip(begins, begins[1:])) >= 330)
    print("colors", " ".join(sorted(script("return [...colors]"))))
    print("behind", script("return getComputedStyle(document.getElementById('flash')).zIndex"))

    turned = "return /[\u202A-\u202E\u2066-\u2069]/.test(document.title + document.body.textContent)"
    print("title", text("title"), script(turned))

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

    # At every size, the page of one file is looked at: it has the same sheet.
    look_everywhere(page, [(320, 568), (844, 390), (1920, 1080), (640, 512)])
    contrast(page)

    look_locked(page)
    reached = script("""const stops = [...document.querySelectorAll('button, input, select, textarea, summary')]
        .filter((each) => each.checkVisibility() && !each.disabled && !each.closest('[inert]')); return stops.map((each) => each.id)""")
    print("locked", reached)
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
