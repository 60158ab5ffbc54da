"""Starts the program that its arguments name, without a score, and uses every control of its page in a browser, as a player
would; prints what is seen, one fact a line, for BrowserControlsTests.swift to judge. Pictures of the page go to the folder
pictures."""
import os
import re
import socket
import sys
import threading
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from chromium import browser, complaints, serve, wait

FOLDER = os.getcwd()


class Network:
    """A network that can be cut: a proxy in front of the program."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = None
        self.is_cut = False
        self.sockets = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            client, _ = self.listener.accept()
            if self.is_cut:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self.target))
            self.sockets += [client, server]
            for source, sink in [(client, server), (server, client)]:
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.is_cut = True
        for end in self.sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.sockets = []


network = Network()
program, addresses = serve(
    sys.argv[1:] + ["--proxy", f"127.0.0.1:{network.port}"], {"TMPDIR": FOLDER + "/temporary"})
found = re.match(r"http://127.0.0.1:(\d+)(/#\S+)", addresses["control"])
network.target = int(found[1])
threading.Thread(target=program.stderr.read, daemon=True).start()

page = browser(downloads=FOLDER + "/fetched")
try:
    page.get(f"http://127.0.0.1:{network.port}{found[2]}")
    element = lambda name: page.find_element(By.ID, name)
    # The text as it is, also where it is not in view.
    text = lambda name: page.execute_script("return document.getElementById(arguments[0]).textContent", name)
    data = lambda name: page.execute_script("return document.body.dataset[arguments[0]]", name)
    kind = lambda: data("kind")
    number = lambda: int(data("bar") or -1)
    settings = lambda: text("settings")
    used = set()

    def press(name):
        used.add(name)
        page.execute_script(
            "document.querySelectorAll('[data-key]').forEach(key => { if (key.dataset.key === arguments[0]) key.click() })", name)

    def show(group):
        page.execute_script("if (document.getElementById('sheet').hidden) document.getElementById('more').click()")
        page.execute_script("document.getElementById('choose-' + arguments[0]).click()", group)

    def answer(question, words):
        show("music")
        Select(element("question")).select_by_value(question)
        element("answer").send_keys(words + "\n")

    # A score is chosen.
    wait("the scores", lambda: page.execute_script("return document.getElementById('scores').length") > 1)
    print("idle", text("place"))
    show("files")
    element("make").find_element(By.TAG_NAME, "button").click()
    print("nothing", wait("a word about the file", lambda: text("note")))
    page.execute_script("document.getElementById('note').textContent = ''")
    answer("place", "5")
    print("nothing", wait("a word about the place", lambda: text("note")))
    show("files")
    Select(element("scores")).select_by_value("time-brackets")
    element("open").find_element(By.TAG_NAME, "button").click()
    wait("the chosen score", lambda: kind() == "playing")
    print("chosen", text("title"))
    wait("the title of the tab", lambda: page.title == text("title"))
    page.execute_script("document.querySelector('[data-key=\"Space\"]').click()")
    wait("a pause", lambda: kind() == "paused")
    print("brackets", wait("brackets", lambda: text("brackets")))
    press("Space")

    # A bad score is dropped: its errors are shown, and the music goes on. Then a good one.
    drop = """const files = new DataTransfer();
        files.items.add(new File([arguments[1]], arguments[0]));
        document.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));"""
    page.execute_script(drop, "../bad.yaml", "title: Bad\nlines: [{bars: [0.5, oops]}]\n")
    print("problems", wait("errors", lambda: text("problems")).replace("\n", " | "))
    page.execute_script(drop, "huge.yaml", "#" * 2_000_001)
    wait("a refusal", lambda: "huge.yaml" in text("problems"))
    page.execute_script(drop, "nothing.yaml", "")
    print("empty", wait("a word about the empty file", lambda: "nothing.yaml" in text("problems") and text("problems")))
    good = open("dropped.yaml").read()
    page.execute_script(drop, "dropped.yaml", good)
    wait("the dropped score", lambda: text("title") == "Dropped" and kind() == "playing")
    print("problems-after", text("problems") or "none")

    # A small score right after a large one, which is still being read.
    for delay in [0, 0.1, 0.3]:
        page.execute_script(drop, "large.yaml", "title: Large\nlines:\n" + "- [0.5, 0.4, 0.6]\n" * 40_000)
        time.sleep(delay)
        page.execute_script(drop, "dropped.yaml", good.replace("Dropped", f"Small {delay}"))
        wait("the small score", lambda: text("title") == f"Small {delay}" and kind() == "playing")
    page.execute_script(drop, "dropped.yaml", good)
    wait("the dropped score again", lambda: text("title") == "Dropped" and kind() == "playing")
    print("raced yes")

    # Every key.
    press("Space")
    wait("a pause", lambda: kind() == "paused")
    paused = number()
    time.sleep(0.7)
    print("stands", paused == number())
    press("Space")
    wait("music", lambda: kind() == "playing")
    for name, word in [
        ("+", "105%"), ("-", "100%"), (">", "101%"), ("<", "100%"), ("d", "drone B4"), ("m", "-23 dB"), ("n", "-24 dB"),
        ("M", "drone C5"), ("N", "drone B4"), ("w", "triangle"), ("b", "A4 440.1"), ("v", "A4 440.0"), ("B", "A4 441.0"),
        ("V", "A4 440.0"), ("x", "clicks"), ("z", "clicks"), ("c", "clicks off"), ("i", "jumps counted in"),
    ]:
        before = settings()
        press(name)
        wait(f"{word} after {name}", lambda: word in settings() and (settings() != before or name in "dxz"))
    # A bar or two without clicks are heard.
    time.sleep(1.3)
    press("i")
    press("c")
    wait("clicks", lambda: "clicks off" not in settings() and "jumps" not in settings())
    # In a count-in, the time of the place that was left is not shown.
    wait("no count-in at jumps", lambda: "jumps" not in settings())
    press("i")
    wait("a count-in at jumps", lambda: "jumps" in settings())
    # It lasts for a second, which a slow machine may miss: the page keeps what it showed.
    page.execute_script("""new MutationObserver(() => {
        if (document.body.dataset.kind === "countIn") window.counted = document.getElementById("elapsed").textContent || "no time"
    }).observe(document.body, {attributes: true, subtree: true, childList: true, characterData: true})""")
    answer("place", "3.1")
    print("counted", wait("a count-in", lambda: page.execute_script("return window.counted")))
    press("i")
    wait("music", lambda: kind() == "playing" and "jumps" not in settings())
    for question, words, shown in [("pitch", "E3", "drone E3"), ("waveform", "oboe", "oboe")]:
        answer(question, words)
        wait(shown, lambda: shown in settings())
    answer("waveform", "kazoo")
    wait("a word about the waveform", lambda: "kazoo" in text("note"))
    press("R")
    wait("the sound of the start", lambda: settings().startswith("100%   A4 440.0   no drone"))
    for _ in range(3):
        press("t")
        time.sleep(0.25)
    wait("a tapped speed", lambda: not settings().startswith("100%"))
    press("0")
    wait("100 %", lambda: settings().startswith("100%"))
    bars = lambda: page.execute_script("return [...document.querySelectorAll('#bars span')].map(bar => bar.dataset.name).join(' ')")
    for name in ["l", "L"]:
        press(name)
        wait("a loop", lambda: "[" in bars() and "]" in bars())
        press("o")
        wait("no loop", lambda: "[" not in bars())
    press("[")
    press("]")
    wait("a loop between marks", lambda: "[" in bars())
    answer("program", "off")
    wait("no loop", lambda: "[" not in bars())
    place = lambda: text("place")
    # Places are looked at in a pause: while the music plays, a slow machine may miss them.
    press("Space")
    wait("a pause", lambda: kind() == "paused")
    answer("place", "6.3")
    wait("line 6", lambda: place().startswith("line 6, bar 3"))
    press("↓")
    wait("line 7", lambda: place().startswith("line 7, bar 1"))
    here = number()
    press("→")
    press("→")
    wait("two bars on", lambda: number() == here + 2)
    press("↑")
    wait("the start of the line", lambda: number() == here)
    press("→")
    wait("the next bar", lambda: number() == here + 1)
    press("←")
    wait("the bar before", lambda: number() == here)
    press("Enter")
    wait("music", lambda: kind() == "playing")
    # Notes for the log, with a tab, and as long as the field allows.
    for words in ["too\tloud", "譜" * 100]:
        show("music")
        Select(element("question")).select_by_value("mark")
        page.execute_script(
            "document.getElementById('answer').value = arguments[0]; document.getElementById('go').requestSubmit()",
            words)
    press("j")
    wait("where the tap fell", lambda: re.search("ms (late|early)", text("confirmed")))
    for _ in range(10):
        press(".")
    press("Home")
    wait("the first line", lambda: place().startswith("line 1, bar"))
    press(",")
    shown = {key.get_attribute("data-key") for key in page.find_elements(By.CSS_SELECTOR, "[data-key]")}
    print("unused", sorted(shown - used))

    # Files of the music.
    def fetch(name, ending, more=""):
        element("make").find_element(By.TAG_NAME, "select").send_keys("")
        Select(element("kinds")).select_by_value(name)
        element("make").find_element(By.TAG_NAME, "button").click()
        path = f"fetched/Dropped{more}.{ending}"
        # The browser first reserves the name with an empty file, and then puts the whole file in its place.
        wait(f"the file {path}", lambda: os.path.exists(path) and os.path.getsize(path) > 0)
        print("fetched", name, os.path.getsize(path), open(path, "rb").read(4))

    show("files")
    for name, ending in [("wav", "wav"), ("flac", "flac"), ("midi", "mid"), ("pdf", "pdf")]:
        fetch(name, ending)
    fetch("yaml", "yaml")
    yaml = open("fetched/Dropped.yaml").read()
    print("yaml", settings().split()[0] == (re.findall(r"^speed: (.*)", yaml, re.M) or ["100%"])[0].strip("'\""), settings(), "|", re.sub(r"\s+", " ", yaml)[:200])
    # Two kinds of files with one ending.
    fetch("csv", "csv")
    print("lost", wait("what the file does not carry", lambda: "Dropped.csv: " in text("note") and text("note")))
    fetch("reaper", "csv", " (reaper)")
    print("downloaded", wait("the last file", lambda: "is downloaded" in text("told") and text("told")))
    # They are made in the folder for temporary files, and nowhere else.
    os.rename(f"{FOLDER}/temporary", f"{FOLDER}/away")
    element("make").find_element(By.TAG_NAME, "button").click()
    print("homeless", wait("why there is no file", lambda: "cannot be made" in text("note") and text("note")))
    os.rename(f"{FOLDER}/away", f"{FOLDER}/temporary")
    # From its beginning, so that the piece does not end while a slow machine looks at the rest.
    press("Home")
    wait("the first line again", lambda: place().startswith("line 1, bar"))

    # The lock, and a reload while the music plays.
    page.execute_script("document.querySelector('#tabs .close').click()")
    element("lock").click()
    wait("the lock", lambda: not element("more").is_displayed())
    page.find_element(By.TAG_NAME, "body").send_keys(" ")
    page.execute_script(drop, "dropped.yaml", "title: Sneaked\n" + good)
    time.sleep(0.3)
    print("locked", kind(), text("title"))
    page.execute_script("document.getElementById('lock').dispatchEvent(new PointerEvent('pointerdown'))")
    wait("no lock", lambda: element("more").is_displayed())
    before = number()
    choices = """return [...document.querySelectorAll('#choices select:not(#voice)')].map((choice) => {
        if (arguments[0]) {
          choice.selectedIndex = choice.options.length - 1;
          for (const kind of ['input', 'change']) choice.dispatchEvent(new Event(kind));
        }
        return `${choice.id}=${choice.value}`;
      }).join()"""
    print("put", page.execute_script(choices, True))
    page.refresh()
    wait("music after a reload", lambda: kind() == "playing" and number() >= before)
    print("kept", page.execute_script(choices, False))
    print("closed", page.execute_script("return document.getElementById('sheet').hidden"))

    # The network is cut for longer than what the page has been told ahead.
    network.cut()
    wait("no network", lambda: data("network") == "gone")
    alone = number()
    wait("bars without a network", lambda: number() >= alone + 14)
    print("alone", text("network"))
    network.is_cut = False
    wait("the network", lambda: data("network") == "here" and text("network") == "")
    press("Home")
    wait("the first line once more", lambda: place().startswith("line 1, bar"))

    # Pictures at the sizes of a phone, a tablet and a projector; nothing is wider than the screen.
    os.makedirs("pictures", exist_ok=True)
    sizes = {"phone": (390, 844), "phone-wide": (844, 390), "tablet": (820, 1180), "projector": (1920, 1080)}
    for scheme in ["dark", "light"]:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        for name, (width, height) in sizes.items():
            page.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            page.execute_script("scrollTo(0, 0)")
            time.sleep(0.1)
            page.save_screenshot(f"pictures/{name}-{scheme}.png")
            wide = page.execute_script("return document.documentElement.scrollWidth - innerWidth")
            high = page.execute_script("return document.getElementById('left').getBoundingClientRect().height / innerHeight")
            print("size", name, max(wide, 0), round(high, 2))

    # On a device that is touched, the end of the music for all is asked about.
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    show("music")
    end = page.find_element(By.CSS_SELECTOR, "[data-key=q]")
    end.click()
    print("asked", page.switch_to.alert.text)
    page.switch_to.alert.dismiss()
    after = number()
    wait("music that has not been ended", lambda: number() > after and kind() == "playing")
    end.click()
    page.switch_to.alert.accept()
    wait("the end", lambda: program.poll() is not None)
    print("ended", program.returncode)
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
