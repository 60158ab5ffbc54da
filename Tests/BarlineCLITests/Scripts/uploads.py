"""Starts the program that its arguments name, and sends it large scores and others, as a page does. Prints what memory the program
has, one fact a line, for MemoryTests.swift to judge."""
import json
import re
import signal
import sys
import threading
import urllib.request

from websocket import create_connection

from chromium import PATIENCE, serve, wait

# How much more than at the beginning, in MB.
MORE = 16

program, addresses = serve(sys.argv[1:])
threading.Thread(target=program.stderr.read, daemon=True).start()
try:
    host, secret = re.match(r"http://([^/]+)/#(\S+)", addresses["control"]).groups()
    page = create_connection(f"ws://{host}/live", origin=f"http://{host}", timeout=PATIENCE)
    page.send(f"hello {secret}")

    def message(kind, is_it=lambda message: True):
        while True:
            found = json.loads(page.recv())
            if kind in found and is_it(found):
                return found

    def drop(name, text):
        page.send(f"drop {name}")
        ticket = message("send")["send"]
        headers = {"Authorization": f"Bearer {ticket}", "Content-Type": "application/octet-stream"}
        urllib.request.urlopen(urllib.request.Request(f"http://{host}/upload", text.encode(), headers)).read()

    def play(title, text):
        drop(f"{title}.yaml", f"title: {title}\n{text}")
        message("timeline", lambda found: found["timeline"]["title"] == title)

    def memory():
        with open(f"/proc/{program.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    message("timeline")
    small = "lines: [{bars: [0.5, 0.4, 0.6, 0.5], repeat: 500}]\n"
    play("Begin", small)
    begin = memory()
    print("begin", round(begin))
    for n in range(4):
        play(f"Large {n}", "lines:\n" + "- [0.5, 0.4, 0.6]\n" * 100_000)
        print("large", round(memory()))
        play(f"Small {n}", small)
        wait("memory that is given back after a large score", lambda: memory() < begin + MORE)
    drop("bad.yaml", "title: Bad\nlines:\n" + "- [oops, 0.4, 0.6]\n" * 100_000)
    message("problems")
    wait("memory that is given back after a score with errors", lambda: memory() < begin + MORE)
    print("end", round(memory()))
    # The first signal ends, also while a large score is read and another one waits.
    drop("large.yaml", "title: Large\nlines:\n" + "- [0.5, 0.4, 0.6]\n" * 100_000)
    drop("small.yaml", f"title: Small\n{small}")
    program.send_signal(signal.SIGINT)
    print("ended", program.wait(PATIENCE))
finally:
    program.terminate()
    program.wait()
