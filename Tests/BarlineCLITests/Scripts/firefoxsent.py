"""Runs the command that its arguments are, which writes a page that plays by itself as its last argument, and opens that file in
Firefox. Prints what is seen, one fact a line, for SentPageTests.swift to judge."""
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from chromium import PATIENCE
from firefox import Firefox

subprocess.run(sys.argv[1:], check=True)
address = Path(sys.argv[-1]).resolve().as_uri()
with tempfile.TemporaryDirectory() as folder:
    page = Firefox(folder)
    try:
        lamp = "return document.body.dataset.lamp"
        bar = "return Number(document.body.dataset.bar)"
        key = lambda name: f'#thumb [data-key="{name}"]'
        page.open(address)
        page.wait("the page", f"{lamp} === 'paused'")
        print("title", page.script("return document.getElementById('title').textContent"))
        page.touch(key("Space"))
        page.wait("music", f"{lamp} === 'playing'")
        page.wait("the second bar", f"{bar} >= 1")
        page.touch(key("Space"))
        page.wait("a pause", f"{lamp} === 'paused'")
        here = page.script(bar)
        page.touch(key("→"))
        page.wait("a jump", f"{bar} === {here + 1}")
        page.touch(key("Space"))
        page.wait("music again", f"{lamp} === 'playing'")
        # Either it sounds, or the page says that there is no output.
        print("sound", page.wait("sound, or a word about it", """
            const [sound, trouble] = ['sound', 'trouble'].map((id) => document.getElementById(id));
            return sound.getAttribute('aria-pressed') === 'true' ? 'on' : trouble.textContent;"""))
        page.script("document.querySelector('#sheet [data-key=j]').dispatchEvent(new PointerEvent('pointerdown'))")
        page.wait("a tap", "return !document.getElementById('save-taps').hidden")
        page.script("document.getElementById('save-taps').click()")
        end = time.monotonic() + PATIENCE
        while not (Path("taps.csv").exists() and Path("taps.csv").stat().st_size) and time.monotonic() < end:
            time.sleep(0.02)
        print("taps", *Path("taps.csv").read_text().split("\n")[1].split(",")[8:])
        page.script("document.querySelector('#sheet [data-key=\"+\"]').click()")
        page.wait("another speed", "return document.getElementById('settings').textContent.startsWith('105%')")
        # A busy browser may open the page before it has stored what the page told it to keep.
        speed, end = "", time.monotonic() + PATIENCE
        while speed != "105%" and time.monotonic() < end:
            page.open("about:blank")
            page.open(address)
            page.wait("the page again", f"{lamp} === 'paused'")
            speed = page.script("return document.getElementById('settings').textContent").split()[0]
        print("kept", speed, page.script("return document.getElementById('note').textContent"))
        page.complaints()
        for event in page.events:
            parameters = event["params"]
            asked = parameters.get("request", {}).get("url", address)
            if asked not in [address, "about:blank"] and parameters.get("context") == page.context:
                print("asked", asked.split(",")[0])
        page.close()
    finally:
        page.program.kill()
        page.program.wait()
