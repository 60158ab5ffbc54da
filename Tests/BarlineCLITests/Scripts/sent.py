"""Runs the command that its arguments are, which writes a page that plays by itself as its last argument, and opens that file in a
browser. Prints what is seen, one fact a line, for SentPageTests.swift to judge. With PICTURES=folder it also takes pictures."""
import re
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from chromium import browser, complaints, wait

subprocess.run(sys.argv[1:], check=True)
address = Path(sys.argv[-1]).resolve().as_uri()
page = browser(390, 844, downloads=str(Path.cwd()), watched=True)


def script(text, *values):
    return page.execute_script(text, *values)


def kind():
    return script("return document.body.dataset.lamp")


def bar():
    return script("return Number(document.body.dataset.bar)")


def text(name):
    return script("return document.getElementById(arguments[0]).textContent", name)


def press(name):
    page.find_element("css selector", f'#thumb [data-key="{name}"]').click()


def picture(name):
    if folder := os.environ.get("PICTURES"):
        page.save_screenshot(f"{folder}/{name}.png")


# The devices that the page opens.
page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
    window.devices = [];
    const Device = window.AudioContext;
    window.AudioContext = class extends Device { constructor(...all) { super(...all); devices.push(this); } };
    window.begun = 0;
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when) { begun += 1; return start.call(this, when); };"""})
page.get(address)
print("begin", kind(), script("return document.getElementById('sound').getAttribute('aria-pressed')"))
print("title", text("title"))
# What is to come is drawn before it begins.
print("ahead", wait("the first line", lambda: script("return document.querySelectorAll('#bars span').length")))
press("Space")
wait("sound", lambda: script("return document.getElementById('sound').getAttribute('aria-pressed')") == "true")
wait("music", lambda: kind() == "playing")
print("texts", text("texts"))
picture("playing")
wait("the next bar", lambda: bar() >= 1)
press("Space")
wait("a pause", lambda: kind() == "paused")
here = bar()
time.sleep(0.5)
print("paused", bar() == here)
press("→")
wait("a jump", lambda: bar() == here + 1)
press("Space")
wait("music again", lambda: kind() == "playing")
# Taps, by the key and by its button, are saved as a log.
tapped = "return document.getElementById('confirmed').textContent"
saves = "return document.getElementById('save-taps').hidden ? '' : document.getElementById('save-taps').textContent"
print("untapped", script(saves) == "")


def tap(count, touch):
    """Taps; the number of the bar that this is nearest to, and how far from it in ms."""
    before = script(tapped)
    touch()
    wait("a tap", lambda: script(saves).endswith(f": {count}"))
    told = wait("its place", lambda: script(tapped) != before and re.match(r"(\d+)\.(\d+): (\d+) ms (late|early)$", script(tapped)))
    return 4 * int(told[1]) + int(told[2]), int(told[3])


def button():
    """Taps by the button as soon as the page shows the next bar: in the page itself, which no slow connection makes late."""
    page.execute_async_script("""
        const done = arguments[arguments.length - 1];
        const here = document.body.dataset.bar;
        const watch = new MutationObserver(() => {
          if (document.body.dataset.bar === here) return;
          watch.disconnect();
          document.querySelector("#sheet [data-key=j]").dispatchEvent(new PointerEvent("pointerdown"));
          done();
        });
        watch.observe(document.body, { attributeFilter: ["data-bar"] });""")


# The report knows two bars that follow each other if both taps were near their boundaries.
taps = [tap(1, lambda: page.find_element("css selector", "body").send_keys("j"))]
while len(taps) < 3 or taps[-1][0] != taps[-2][0] + 1 or max(taps[-1][1], taps[-2][1]) > 300:
    taps.append(tap(len(taps) + 1, button))
script("document.getElementById('save-taps').click()")
wait("a file of taps", lambda: Path("taps.csv").exists() and Path("taps.csv").stat().st_size > 0)
# A frozen page comes back, and a device that is taken away or closed is opened again.
page.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
page.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
# It stays hidden until another page has been in front.
own = page.current_window_handle
page.switch_to.new_window("tab")
page.close()
page.switch_to.window(own)
here = bar()
wait("a bar after the page was frozen", lambda: bar() > here)
script("devices[0].resume = () => Promise.reject(new Error('a call')); devices[0].suspend()")
print("away", wait("a word about the sound", lambda: text("trouble"))[:15])
script("delete devices[0].resume")
wait("the sound again", lambda: script("return devices[0].state") == "running" and text("trouble") == "")
print("back", text("note").split(" for ")[0])
script("devices[0].close(); window.begun = 0")
wait("another device", lambda: script("return devices.length === 2 && devices[1].state === 'running' && begun > 0"))
print("devices", script("return document.getElementById('sound').getAttribute('aria-pressed')"))
press("l")
wait("a loop", lambda: script("return document.querySelector('[data-key=l]').getAttribute('aria-pressed')") == "true")
script("document.querySelector('#sheet [data-key=\"+\"]').click()")
wait("another speed", lambda: text("settings").startswith("105%"))
picture("loop")


def opened_again():
    """The speed with which the page is opened again."""
    page.get("about:blank")
    page.get(address)
    wait("the page again", lambda: kind() == "paused")
    return text("settings").split()[0]


# A busy browser may open the page before it has stored what the page told it to keep.
wait("the speed that was kept", lambda: opened_again() == "105%")
print("kept", text("settings").split()[0])
script("""
    document.getElementById("question").value = "place";
    document.getElementById("answer").value = "99.1";
    document.getElementById("go").requestSubmit();
""")
wait("a refusal", lambda: text("note") != "")
print("refused", text("note"))
print("tabs", script("return [...document.querySelectorAll('[role=tab]')].filter((tab) => !tab.hidden).map((tab) => tab.id).join(' ')"))
# A browser that keeps nothing for files says so, and plays all the same.
page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
    "source": "for (const name of ['localStorage', 'sessionStorage']) "
    "Object.defineProperty(window, name, {get() { throw new DOMException('no', 'SecurityError'); }});"})
page.get("about:blank")
page.get(address)
print("forgets", text("note"))
press("Space")
wait("music without a memory", lambda: kind() == "playing")
sent = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
asked = {each["params"]["request"]["url"] for each in sent if each["method"] == "Network.requestWillBeSent"}
print("asked", " ".join(sorted(each.split(",")[0] for each in asked if each not in (address, "about:blank"))))
complaints(page)
page.quit()
