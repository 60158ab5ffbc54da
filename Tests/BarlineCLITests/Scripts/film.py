"""Runs the command that its arguments are, which writes a page of film music that plays by itself as its last argument, and watches
its streamer in a browser. Prints what is seen, one fact a line, for SentPageTests.swift to judge."""
import subprocess
import sys
from pathlib import Path

from chromium import browser, complaints, wait

subprocess.run(sys.argv[1:], check=True)
page = browser(390, 844)
page.get(Path(sys.argv[-1]).resolve().as_uri())
script = page.execute_script
print("settings", script("return document.getElementById('settings').textContent"))
# Each color of the streamer with the bar in which it is seen, and each punch.
script("""
    window.seen = [];
    const flash = document.getElementById('flash');
    new MutationObserver(() => flash.className === 'punch on' && seen.push(`punch ${document.body.dataset.bar}`)).observe(flash, { attributes: true });
    const streamer = document.getElementById('streamer');
    new MutationObserver(() => {
      const color = streamer.style.getPropertyValue('--streamer');
      if (!streamer.hidden && window.color !== color) seen.push(`${window.color = color} ${document.body.dataset.bar}`);
    }).observe(streamer, { attributes: true });
    const beat = document.getElementById('beat');
    beat.value = 'streamer';
    beat.dispatchEvent(new Event('change'));
""")
page.find_element("css selector", '#thumb [data-key="Space"]').click()
wait("the end", lambda: script("return document.body.dataset.lamp") == "end")
for each in script("return seen"):
    print("seen", each)
complaints(page)
page.quit()
