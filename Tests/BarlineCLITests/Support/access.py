"""Starts the program that its arguments name, and examines the page that it serves as people meet it who use a keyboard or a
screen reader. Prints what is seen, one fact a line, for PageAccessTests.swift to judge."""
import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from chromium import browser, serve, wait

CONTROLS = {"button", "textbox", "searchbox", "radio", "checkbox", "combobox", "listbox", "slider", "spinbutton", "link", "switch",
            "DisclosureTriangle", "DisclosureTriangleGrouped", "menuitem", "tab"}
LANDMARKS = {"banner", "main", "navigation", "region", "contentinfo"}


program, addresses = serve(sys.argv[1:])
page = browser(390, 844)


def script(text, *values):
    return page.execute_script(text, *values)


def media(**features):
    wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})


def examine(kind):
    """Every control and landmark that a screen reader meets, with its name."""
    page.execute_cdp_cmd("Accessibility.enable", {})
    nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    for node in nodes:
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value", "").strip()
        if node.get("ignored"):
            continue
        if role in CONTROLS:
            print(kind, "control", role, name or "WITHOUT A NAME")
        if role in LANDMARKS:
            print(kind, "landmark", role, name)
        live = [each for each in node.get("properties", []) if each["name"] == "live"]
        if live and live[0]["value"]["value"] != "off":
            print(kind, "live", live[0]["value"]["value"])


def tab_through(kind):
    """Presses Tab until the focus has been everywhere; tells where it was, and whether one could see it."""
    script("document.activeElement.blur(); window.getSelection().removeAllRanges(); window.scrollTo(0, 0)")
    # Otherwise Tab would go on from where the focus was last.
    script("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    script("""window.order = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
        .filter((each) => each.checkVisibility() && !each.matches(':disabled') && each.tabIndex >= 0
            && !(each.type === 'radio' && !each.checked && each.form === null
                && document.querySelector(`input[type=radio][name="${each.name}"]:checked`)))""")
    count = script("return order.length")
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    seen = []
    for _ in range(count):
        place, what, outline, inside = script("""const each = document.activeElement, style = getComputedStyle(each),
            box = each.getBoundingClientRect();
            return [order.indexOf(each), each.id || each.textContent || each.getAttribute('aria-label') || each.tagName,
              style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
              box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth]""")
        seen.append(place)
        if outline < 2 or not inside:
            print(kind, "unseen", what, outline, inside)
        # Keys sent to a field for files would be taken as the name of a file.
        ActionChains(page).send_keys(Keys.TAB).perform()
    print(kind, "order", "sensible" if seen == list(range(count)) else seen, count)


try:
    for kind, address in [("control", addresses["control"]), ("watch", addresses["only watch"])]:
        page.get("about:blank")
        page.get(address)
        wait("music", lambda: script("return document.body.dataset.kind") == "playing")
        wait("the plan", lambda: script("return document.querySelectorAll('#parts tr').length") > 0)
        script("for (const each of document.querySelectorAll('details:not([hidden])')) each.open = true")
        examine(kind)
        script("document.getElementById('more').click()")
        for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
            script("document.getElementById(arguments[0]).click()", group)
            time.sleep(0.3)
            examine(kind)
            tab_through(kind)
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
