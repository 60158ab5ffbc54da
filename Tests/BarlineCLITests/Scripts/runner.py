"""Starts the program that its arguments name, uses the calculator and the plan of the page in a browser without a screen, and
prints what is seen, one fact a line, for RunningPageTests.swift to judge. With PICTURES=folder it also takes pictures."""
import json
import os
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import browser, complaints, serve, wait

program, addresses = serve(sys.argv[1:])

page = browser()


def find(selector):
    return page.find_element(By.CSS_SELECTOR, selector)


def script(text, *values):
    return page.execute_script(text, *values)


def value(selector):
    return script("return document.querySelector(arguments[0])?.value ?? ''", selector)


def text(selector):
    return script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def enter(selector, typed):
    """Types over a value, as a person does."""
    field = find(selector)
    field.send_keys(Keys.CONTROL + "a")
    field.send_keys(typed + Keys.ENTER)


def picture(name, width, height, scheme="dark"):
    if folder := os.environ.get("PICTURES"):
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                             {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        page.save_screenshot(f"{folder}/{name}.png")
        find("#running").screenshot(f"{folder}/{name}-running.png")
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def rows():
    return [value(f"#pace-{row}") for row in ["distance", "time", "pace"]]


try:
    page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """window.sockets = [];
        window.WebSocket = class extends WebSocket { constructor(...all) { super(...all); sockets.push(this); } };"""})
    page.get(addresses["control"])
    script("window.pulses = []; navigator.vibrate = (pulse) => pulses.push(pulse)")
    wait("music", lambda: script("return document.body.dataset.kind") == "playing")
    wait("the calculator", lambda: value("#pace-time"))
    script("document.getElementById('more').click()")
    script("document.getElementById('choose-running').click()")
    find("#calculator summary").click()
    print("first", *rows())

    # With each row locked, the other two are typed.
    for lock, typed in [("time", {"distance": "10", "pace": "430"}), ("pace", {"distance": "half", "time": "1:30:00"}),
                        ("distance", {"time": "5000", "pace": "12 km/h"})]:
        find(f"#pace-{lock} ~ .lock input").click()
        wait(f"{lock} locked", lambda: find(f"#pace-{lock}").get_attribute("readonly"))
        for row, entry in typed.items():
            before = value(f"#pace-{lock}")
            enter(f"#pace-{row}", entry)
            wait(f"{row} {entry}", lambda: value(f"#pace-{lock}") != before)
        print("locked", lock, *rows())
    enter("#pace-time", "soon")
    print("refused", wait("a refusal", lambda: text("#pace-message")), "|", value("#pace-time"),
          find("#pace-time").get_attribute("aria-invalid"))
    find("#pace-time").send_keys(Keys.ESCAPE)
    picture("pace-phone", 390, 844)

    # The table of the plan.
    find("#plan summary").click()
    wait("the plan", lambda: script("return document.querySelectorAll('#parts tr').length") == 3)
    totals = lambda: [value(f"#total-{row}") for row in ["distance", "time", "pace"]]
    print("totals", *totals())
    print("plan", text("#plan-says"))

    def edited(what, act):
        before = script("return document.querySelector('#parts').textContent + [...document.querySelectorAll('#plan input')].map((each) => each.value)")
        act()
        wait(what, lambda: script("return document.querySelector('#parts').textContent + [...document.querySelectorAll('#plan input')].map((each) => each.value)") != before)

    cell = lambda row, name: f"#parts tr:nth-child({row}) [data-cell={name}]"
    edited("a pace", lambda: enter(cell(1, "pace"), "4:30"))
    edited("a first label", lambda: enter(cell(1, "name"), 'run "First"'))
    edited("repeats", lambda: enter(cell(2, "name"), "6"))
    edited("a label", lambda: enter(cell(3, "name"), 'run "Hill"'))
    edited("another interval", lambda: enter("#line-add", "walk 1:00 @ 10:00/km"))
    edited("a copy", lambda: find("[data-edit=duplicate]").click())
    edited("undo", lambda: find("[data-edit=undo]").click())
    enter(cell(1, "time"), "never")
    print("wrong", wait("a message", lambda: text("#plan-message")), "|", find(cell(1, "time")).get_attribute("aria-invalid"))
    find(cell(1, "time")).send_keys(Keys.ESCAPE)
    print("edited", *totals())
    picture("plan-phone", 390, 844)
    picture("plan-tablet", 820, 1180, "light")
    picture("plan-projector", 1920, 1080)
    script("""const made = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (file) => { file.text().then((text) => (window.saved = text)); return made(file); };""")
    find("[data-edit=save]").click()
    print("saved", json.dumps(wait("a file", lambda: script("return window.saved"))))

    # The new plan is played.
    find("[data-edit=start]").click()
    wait("the new plan", lambda: "First" in text("#place"))
    print("started yes")
    wait("a pulse", lambda: script("return pulses.length") > 0)
    print("pulses", json.dumps(script("return pulses[0]")))

    # What was typed as the network was lost is computed as soon as there is one; the page is opened without a network.
    wait("the files", lambda: script("return document.body.dataset.offline") == "ready")
    script("sockets.at(-1).close()")
    enter("#pace-pace", "15 km/h")
    wait("an answer", lambda: value("#pace-pace") == "15")
    print("remembered", *rows())
    page.refresh()
    wait("the controls after a reload", lambda: script("return document.getElementById('choose-running') !== null"))
    script("document.getElementById('more').click()")
    script("document.getElementById('choose-running').click()")
    wait("the calculator after a reload", lambda: value("#pace-pace") == "15")
    print("reloaded", *rows())
    place = wait("music", lambda: text("#place"))
    page.get("about:blank")
    program.terminate()
    program.wait()
    page.get(addresses["control"].split("#")[0])
    print("offline", wait("the notice", lambda: text("#network")), "|", *rows(), "|", text("#state"))
    enter("#pace-time", "1:00:00")
    print("waits", wait("the notice", lambda: text("#pace-message")), "|", value("#pace-time"))
    picture("offline-phone", 390, 844)
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
