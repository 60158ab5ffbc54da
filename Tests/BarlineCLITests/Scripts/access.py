"""Starts the program that its arguments name, and examines the page that it serves as people meet it who use a keyboard or a
screen reader. Prints what is seen, one fact a line, for PageAccessTests.swift to judge."""
import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import browser, serve, wait
from reader import examine, tab_through

program, addresses = serve(sys.argv[1:])
page = browser(390, 844)


def script(text, *values):
    return page.execute_script(text, *values)


def media(**features):
    wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})


try:
    for kind, address in [("control", addresses["control"]), ("watch", addresses["only watch"])]:
        page.get("about:blank")
        page.get(address)
        wait("music", lambda: script("return document.body.dataset.kind") == "playing")
        wait("the plan", lambda: script("return document.querySelectorAll('#parts tr').length") > 0)
        script("for (const each of document.querySelectorAll('details:not([hidden])')) each.open = true")
        examine(page, kind)
        script("document.getElementById('more').click()")
        for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
            script("document.getElementById(arguments[0]).click()", group)
            time.sleep(0.3)
            examine(page, kind)
            tab_through(page, kind)
        script("document.querySelector('#tabs .close').click()")
        stops = script("""const each = [...document.querySelectorAll('button, input, select, textarea, summary')]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0 && !one.matches(':disabled'));
            return each.findIndex((one) => one.id === 'more') - each.findIndex((one) => one.dataset.key || one.id === 'lock')""")
        print(kind, "stops", abs(stops))
        wide = script("return document.documentElement.scrollWidth > innerWidth")
        print(kind, "width", "too wide" if wide else "fits")

    # A foot pedal is a keyboard with the keys Page Up and Page Down.
    page.get("about:blank")
    page.get(addresses["control"])
    wait("music again", lambda: script("return document.body.dataset.kind") == "playing")
    wait("the plan again", lambda: script("return document.querySelectorAll('#parts tr').length") > 0)
    script("document.getElementById('more').click()")
    script("document.getElementById('choose-running').click()")
    script("document.getElementById('plan').open = true")
    for place in ["body", "#parts input[type=radio]", "#parts [data-cell=name]"]:
        field = page.find_element(By.CSS_SELECTOR, place)
        for wanted in ["paused", "playing"]:
            field.send_keys(Keys.PAGE_DOWN)
            wait(f"{wanted} by a pedal at {place}", lambda: script("return document.body.dataset.kind") == wanted)
        print("pedal", place)

    for name, wanted in [("reduced", "reduce"), ("full", "no-preference")]:
        media(prefers_reduced_motion=wanted)
        print("motion", name, script("""const flash = document.getElementById('flash');
            flash.classList.remove('on');
            return getComputedStyle(flash).transitionDuration"""))

    # What a screen reader says: lines and labels, every bar, or nothing.
    script("""window.said = []; new MutationObserver(() => said.push(document.getElementById('announcer').textContent))
        .observe(document.getElementById('announcer'), { childList: true, characterData: true, subtree: true });
        window.bars = 0; addEventListener('barline', () => (window.bars += 1))""")
    for choice in ["nothing", "lines", "bars"]:
        script("const choice = document.getElementById('announce'); choice.value = arguments[0]; choice.onchange?.()", choice)
        script("said.length = 0; bars = 0")
        wait("bars", lambda: script("return bars") >= 9)
        print("said", choice, script("return bars"), script("return said.length"), "|".join(script("return said")))
finally:
    page.quit()
    program.terminate()
    program.wait()
