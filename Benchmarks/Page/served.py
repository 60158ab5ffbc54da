"""A program that serves, and browsers that show its page: for the measurements beside this file."""
import os
import sys
import tempfile
import time

from selenium.webdriver.common.by import By

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Tests/BarlineCLITests/Scripts"))
from chromium import browser, serve, wait

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
        environment = {"ALSA_CONFIG_PATH": config, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        self.process, addresses = serve([barline, "serve", *options], environment)
        self.address = addresses["only watch"]

    def end(self):
        self.process.terminate()
        self.process.wait()


class Page:
    """A browser without a screen that shows a page."""

    def __init__(self, address, environment=None):
        self.driver = browser(environment=environment)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})
        self.driver.get(address)
        wait("music", lambda: self.driver.find_element(By.TAG_NAME, "body").get_attribute("data-kind") == "playing")

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
