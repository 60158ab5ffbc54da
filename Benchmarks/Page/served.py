"""A program that serves, and browsers that show its page: for the measurements beside this file."""
import os
import re
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

# What the page is told, kept for the measurement.
SPY = """
const Plain = window.WebSocket;
window.states = [];
window.WebSocket = class extends Plain {
  constructor(...all) {
    super(...all);
    this.addEventListener('message', (event) => {
      const message = JSON.parse(event.data);
      if (message.state) window.states.push(message.state);
    });
  }
};
window.seen = [];
addEventListener('barline', (event) => seen.push([event.detail.boundary, performance.now()]));
"""


def score(folder, bars):
    """Writes a long score of lines with these bars in seconds; returns its path."""
    path = os.path.join(folder, "score.yaml")
    with open(path, "w") as file:
        file.write(f"count-in: 1\nlines: [{{bars: [{', '.join(map(str, bars))}], repeat: 2000}}]\n")
    return path


class Program:
    """`barline serve` with an ALSA configuration and options."""

    def __init__(self, barline, folder, alsa, *options):
        config = os.path.join(folder, "alsa.conf")
        with open(config, "w") as file:
            file.write(alsa)
        environment = {**os.environ, "ALSA_CONFIG_PATH": config, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        self.process = subprocess.Popen(
            [barline, "serve", *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
        self.address = None
        while self.address is None:
            line = self.process.stderr.readline()
            if not line:
                sys.exit("the program does not serve")
            found = re.match(r"only watch: +(http://\S+)", line)
            self.address = found[1] if found else None

    def end(self):
        self.process.terminate()
        self.process.wait()


class Page:
    """A browser without a screen that shows a page."""

    def __init__(self, address, environment=None):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=820,1180"]:
            options.add_argument(argument)
        service = Service("/usr/bin/chromedriver", env={**os.environ, **(environment or {})})
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})
        self.driver.get(address)
        self.wait(lambda: self.driver.find_element(By.TAG_NAME, "body").get_attribute("data-kind") == "playing")

    def wait(self, condition, patience=60):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                sys.exit("the page does not show the music")
            time.sleep(0.05)

    def run(self, script):
        return self.driver.execute_script(f"return {script}")

    def clock(self):
        """CLOCK_MONOTONIC in s at the page's time 0, and how far this may be wrong."""
        best = None
        for _ in range(200):
            before = time.monotonic()
            page = self.run("performance.now()")
            after = time.monotonic()
            if best is None or after - before < best[1]:
                best = ((before + after) / 2 - page / 1000, after - before)
        return best[0], best[1] / 2

    def click(self, name):
        self.driver.find_element(By.ID, name).click()

    def end(self):
        self.driver.quit()


def percentile(values, percent):
    """The nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]


def folder():
    return tempfile.TemporaryDirectory(prefix="barline-page-")
