"""Firefox by WebDriver BiDi, which needs no other program: for the scripts beside this file."""
import json
import os
import re
import subprocess
import sys
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
        # Files are fetched into the working folder.
        place = f'user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", {json.dumps(os.getcwd())});\n'
        Path(folder, "user.js").write_text(SETTINGS + place)
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

    def complaints(self):
        """Prints what it complains of, a fact a line, other than that a network is away: then the page tries again."""
        for event in self.events:
            if event["method"] != "log.entryAdded" or event["params"]["level"] not in ["warn", "error"]:
                continue
            if not re.search(r"connection.* wss?://", event["params"]["text"]):
                print("complaint", event["params"]["text"])

    def close(self):
        self.send("browser.close")
        self.program.wait()
