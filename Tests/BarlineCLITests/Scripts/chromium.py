"""What the scripts beside this file begin with: a program that serves, a browser without a screen, and patience."""
import os
import re
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# In seconds: a busy machine may take its time.
PATIENCE = 300
pages = []


def wait(what, condition):
    """What the condition gives as soon as it is true. If this never comes, the script ends and tells what the pages show."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    shown = "".join(f"; {page.execute_script('return document.body.innerText')!r}" for page in pages)
    sys.exit(f"never seen: {what}{shown}")


def browser(width=820, height=1180, downloads=None, environment=None, watched=False):
    """Chromium; what a page complains of is kept in its log, and what it asks for if it is `watched`. Files are fetched into
    the folder `downloads`."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"]:
        options.add_argument(argument)
    if downloads:
        options.add_experimental_option("prefs", {"download.default_directory": downloads})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"} | ({"performance": "ALL"} if watched else {}))
    service = Service("/usr/bin/chromedriver", env={**os.environ, **(environment or {})})
    pages.append(webdriver.Chrome(options=options, service=service))
    return pages[-1]


def complaints(page):
    """Prints what the browser complains of, a fact a line, other than that a network is away."""
    for entry in page.get_log("browser"):
        if not re.search("WebSocket|ERR_CONNECTION|ERR_EMPTY|ERR_FAILED|ERR_INTERNET", entry["message"]):
            print("complaint", entry["message"])


def serve(arguments, environment=None):
    """Starts a program that serves; its process, and the addresses for `control` and to `only watch`."""
    program = subprocess.Popen(
        arguments, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={**os.environ, **(environment or {})})
    addresses = {}
    while len(addresses) < 2:
        line = program.stderr.readline()
        if not line:
            sys.exit("the program does not serve")
        if found := re.match(r"(control|only watch): +(http\S+)", line):
            addresses[found[1]] = found[2]
    return program, addresses
