"""Starts the program that its arguments name, and opens the page that it serves in Firefox on a machine without any output for sound.
Prints what is seen, one fact a line, for PlayerPageTests.swift to judge."""
import sys
import tempfile

from chromium import serve
from firefox import Firefox

program, addresses = serve(sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    page = Firefox(folder)
    try:
        page.open(addresses["control"])
        page.wait("music", "return document.body.dataset.kind === 'playing'")
        page.touch("#more")
        page.touch("#choose-device")
        print("before", page.script("return document.getElementById('note').textContent"))
        page.touch("#sound")
        print("note", page.wait("a word about the sound", "return document.getElementById('note').textContent"))
        print("sound", page.script("return document.getElementById('sound').getAttribute('aria-pressed')"))
        # The music goes on.
        bar = "return Number(document.body.dataset.bar)"
        here = page.script(bar)
        page.wait("more bars", f"{bar} > {here + 1}")
        page.complaints()
        page.close()
    finally:
        page.program.kill()
        page.program.wait()
        program.terminate()
        program.wait()
