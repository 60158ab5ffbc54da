"""Starts the program that its arguments name, on the simulated card whose library is LIBRARY, and asks the page that it serves for
the last bar that a microphone has heard. Prints what is seen, one fact a line, for ListenLiveTests.swift to judge."""
import os
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import browser, complaints, serve, wait

# The browser first: the music does not wait for it.
page = browser()
program, addresses = serve(sys.argv[1:], {"LD_PRELOAD": os.environ["LIBRARY"]})


def script(text, *values):
    return page.execute_script(text, *values)


def text(name):
    return script("return document.getElementById(arguments[0]).textContent", name)


try:
    page.get(addresses["control"])
    wait("a bar that was heard for certain", lambda: text("heard-late"))
    print("needle", script("return getComputedStyle(document.getElementById('needle-mark')).visibility"))
    wait("a note", lambda: text("pitch-note"))
    print("note", text("pitch-note"))
    # As by a screen reader or a keyboard: it is not seen.
    button = page.find_element(By.ID, "heard-ask")
    print("button", button.accessible_name)
    script("document.getElementById('announcer').textContent = ''")
    button.send_keys(Keys.ENTER)
    print("answer", wait("an answer", lambda: text("announcer")))
    # Most of the music has been for a machine that is slow to open the page.
    script("document.getElementById('answer').value = '1.55'; document.getElementById('go').requestSubmit()")
    wait("the end", lambda: text("network") == "the music is over")
    print("last", text("heard-bar"))
    button.send_keys(Keys.ENTER)
    print("asked", text("announcer"))
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
