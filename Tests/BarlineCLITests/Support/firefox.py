"""Runs the command that its arguments are, which writes a page that plays by itself as its last argument, and opens that file in
Firefox by WebDriver BiDi, which needs no other program. Prints what is seen, one fact a line, for SentPageTests.swift to judge."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websocket import create_connection

from chromium import PATIENCE

# Firefox itself asks many hosts for news; what is counted is what the page asks for.
SETTINGS = """
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("app.update.disabledForTesting", true);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
"""


class Firefox:
    def __init__(self, folder):
        Path(folder, "user.js").write_text(SETTINGS)
        # As root, it wants a home of its own.
        environment = {**os.environ, "HOME": folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
        self.program = subprocess.Popen(
            ["/usr/bin/firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
        address = None
        for line in self.program.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                address = found[1]
                break
        if not address:
            sys.exit("Firefox does not begin")
        self.socket = create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.number, self.events = 0, []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("type") == "event":
                self.events.append(message)
            elif message.get("id") == self.number:
                if message["type"] == "error":
                    sys.exit(f"{method}: {message['message']}")
                return message["result"]

    def open(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def script(self, text):
        """What the function body `text` returns."""
        answer = self.send(
            "script.evaluate", expression=f"JSON.stringify((() => {{ {text} }})())", target={"context": self.context}, awaitPromise=False)
        if answer["type"] == "exception":
            sys.exit(f"{text}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"].get("value", "null"))

    def touch(self, selector):
        """A click of a person on an element."""
        x, y = self.script(f"""const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];""")
        acts = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.send("input.performActions", context=self.context, actions=[{"type": "pointer", "id": "finger", "actions": acts}])

    def wait(self, what, text):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if value := self.script(text):
                return value
            time.sleep(0.02)
        shown = self.script("return document.body.innerText")
        sys.exit(f"never seen: {what}; {shown!r}")


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
        page.script("document.querySelector('#sheet [data-key=\"+\"]').click()")
        page.wait("another speed", "return document.getElementById('settings').textContent.startsWith('105%')")
        page.open("about:blank")
        page.open(address)
        page.wait("the page again", f"{lamp} === 'paused'")
        print("kept", page.script("return document.getElementById('settings').textContent").split()[0],
              page.script("return document.getElementById('note').textContent"))
        for event in page.events:
            parameters = event["params"]
            if event["method"] == "log.entryAdded" and parameters["level"] in ["warn", "error"]:
                print("complaint", parameters["text"])
            asked = parameters.get("request", {}).get("url", address)
            if asked not in [address, "about:blank"] and parameters.get("context") == page.context:
                print("asked", asked.split(",")[0])
        page.send("browser.close")
        page.program.wait()
    finally:
        page.program.kill()
        page.program.wait()
