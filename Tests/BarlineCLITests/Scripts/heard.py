"""Opens pages that play by themselves, which are named by its arguments after the program, and renders all that each sounds, from
the first touch on, without a sound card and without waiting: `page.html 300 page.wav` renders 300 s into a file, in floats of one
channel. `page.html 300 page.wav call:14:4,sleep:90:60` also takes the sound away at 14 s for 4 s, and lets the device sleep at 90 s
for a minute. Prints what the page says."""
import json
import sys
from pathlib import Path

from chromium import browser, complaints, wait

HERE = Path(__file__).parent

page = browser(390, 844, downloads=str(Path.cwd()))
page.set_script_timeout(600)
names = sys.argv[2:]
for name, seconds, wav, happens in zip(*(names[n::4] for n in range(4))):
    events = [each.split(":") for each in happens.split(",") if each]
    script = (HERE / "offline.js").read_text()
    values = {"seconds": int(seconds), "file": wav, "events": [[kind, float(at), float(length)] for kind, at, length in events]}
    page.get("about:blank")
    added = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"{{const asked = {json.dumps(values)};\n{script}}}"})
    page.get(Path(name).resolve().as_uri())
    page.find_element("css selector", '#thumb [data-key="Space"]').click()
    wait("a device", lambda: page.execute_script("return window.device !== undefined"))
    for fact in page.execute_async_script("window.play().then(arguments[0])"):
        print(fact)
    wait("a file", lambda: Path(wav).exists())
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})
complaints(page)
page.quit()
