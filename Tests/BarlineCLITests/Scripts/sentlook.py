"""Runs the command that its arguments are, which writes a page that plays by itself as its last argument, and looks at that file at
every size, as people meet it who see, touch, use a keyboard or a screen reader. Prints what is seen, one fact a line, for
SentPageTests.swift to judge. With PICTURES=folder it also takes pictures."""
import os
import subprocess
import sys
from pathlib import Path

from chromium import browser, complaints, wait
from looks import LOOK, LYING, SIZES, contrast, look_everywhere, look_locked, picture, size
from reader import examine, tab_through

subprocess.run(sys.argv[1:], check=True)
page = browser(390, 844)
page.get(Path(sys.argv[-1]).resolve().as_uri())
script = page.execute_script
lamp = "return document.body.dataset.lamp"
press = lambda name: page.find_element("css selector", f'#thumb [data-key="{name}"]').click()

wait("the page", lambda: script(lamp) == "paused")
picture(page, "begin")
examine(page, "begin")
press("Space")
wait("music", lambda: script(lamp) == "playing")
look_everywhere(page)
contrast(page)
size(page, 390, 844)
script("document.getElementById('more').click()")
for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
    script("document.getElementById(arguments[0]).click()", group)
    script("for (const each of document.querySelectorAll('details:not([hidden])')) each.open = true")
    examine(page, "reader")
    tab_through(page, "reader")
script("document.querySelector('#tabs .close').click()")
look_locked(page)
# Words of other languages are longer; where there is the least room, they must fit, too.
for language in ["de", "es", "fr", "it"]:
    subprocess.run(sys.argv[1:], check=True, env={**os.environ, "LC_ALL": f"{language}.UTF-8"})
    page.get("about:blank")
    page.get(Path(sys.argv[-1]).resolve().as_uri())
    wait("the page", lambda: page.execute_script(lamp) == "paused")
    print("language", page.execute_script("return document.documentElement.lang"))
    look_everywhere(page, [(320, 568), (844, 390)], ["light"])
# Bar 12 of 13 in line 11 is the widest place of a page of Sequenza VII; here it lasts long enough to be looked at.
Path("wide.yaml").write_text("lines: [{repeat: 13, bars: [" + ", ".join(["600"] * 13) + "]}]\n")
subprocess.run([sys.argv[1], "render", "wide.yaml", "--from", "11.12", "-o", "wide.html"], check=True)
complaints(page)
page.quit()
page = browser(390, 844)
page.get(Path("wide.html").resolve().as_uri())
wait("the page", lambda: page.execute_script(lamp) == "paused")
page.find_element("css selector", '#thumb [data-key="Space"]').click()
wait("music", lambda: page.execute_script(lamp) == "playing")
for width, height in [*SIZES, *LYING]:
    size(page, width, height)
    print("wide", f"{width}x{height}", page.execute_script(LOOK) or "whole")
    picture(page, f"wide-{width}x{height}")
complaints(page)
page.quit()
