"""Starts the program that its arguments name, opens the page that it serves in a browser without a screen, and prints what is
seen, one fact a line, for BrowserTests.swift to judge."""
import signal
import sys
import time

from selenium.webdriver.common.by import By

from chromium import browser, complaints, serve, wait

# A drone on A4 that glides to 442 Hz at 1 s, while a change to E5 that was due then is taken back, and ends at 2 s: its
# frequencies and peaks.
DRONE = """
const done = arguments[arguments.length - 1];
const render = async ({ Drone }) => {
  const context = new OfflineAudioContext(1, 48000 * 3, 48000);
  const drone = new Drone(context, context.destination);
  const tone = (hertz) => ({ notes: [[hertz, 0.06, 0]], waveform: 'sine', brightness: 0, beating: 0, fade: 0.05 });
  const at = (time, now, next) => context.suspend(time).then(() => (drone.follow(now, next), context.resume()));
  at(0.1, tone(440), null);
  at(0.8, tone(440), { drone: tone(659), when: 1 });
  at(0.9, tone(440), { drone: tone(442), when: 1 });
  at(1.5, tone(442), { drone: null, when: 2 });
  const samples = (await context.startRendering()).getChannelData(0);
  return [0.3, 1.3, 2.3].flatMap((begin) => {
    const part = samples.slice(begin * 48000, (begin + 0.6) * 48000);
    const rises = [...part.keys()].filter((n) => n > 0 && part[n - 1] < 0 && part[n] >= 0);
    const hertz = rises.length > 1 ? ((rises.length - 1) / (rises[rises.length - 1] - rises[0])) * 48000 : 0;
    return [Math.round(hertz), part.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0).toFixed(3)];
  });
};
import('/drone.js').then(render).then((facts) => done(facts.join(' ')), (error) => done(`${error}`));
"""

program, addresses = serve(sys.argv[1:])

page = browser()
try:
    page.get(addresses["control"])
    text = lambda name: page.execute_script("return document.getElementById(arguments[0]).textContent", name)
    kind = lambda: page.find_element(By.TAG_NAME, "body").get_attribute("data-kind")
    number = lambda: int(page.find_element(By.TAG_NAME, "body").get_attribute("data-bar") or -1)


    class key:
        """A key of the page, at the thumb or in the sheet."""

        def __init__(self, name):
            self.name = name

        def click(self):
            page.execute_script("document.querySelector(`[data-key=\"${arguments[0]}\"]`).click()", self.name)

    def answer(words):
        page.execute_script("document.getElementById('answer').value = arguments[0]; document.getElementById('go').requestSubmit()", words)


    wait("music", lambda: kind() == "playing")
    print("title", text("title"))
    page.execute_script("window.seen = []; addEventListener('barline', (event) => seen.push(event.detail))")
    wait("ten bars", lambda: page.execute_script("return seen.length") >= 10)
    for flash in page.execute_script("return seen"):
        print("flash", flash["boundary"], flash["at"])

    page.execute_script("""window.begun = []; const start = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function (when) { begun.push(when); return start.call(this, when); }""")
    # Browsers let a page sound after a touch of a person only.
    for name in ["more", "choose-device", "sound"]:
        page.find_element(By.ID, name).click()
    wait("sound", lambda: page.find_element(By.ID, "sound").get_attribute("aria-pressed") == "true")
    wait("clicks of the page's own", lambda: page.execute_script("return begun.length") >= 10)

    page.find_element(By.CSS_SELECTOR, "#tabs .close").click()

    print("drone", page.execute_async_script(DRONE))

    key("Space").click()
    wait("a pause", lambda: kind() == "paused")
    paused = number()
    time.sleep(1.5)
    print("paused", paused, number())
    key("Space").click()
    wait("music after the pause", lambda: kind() == "playing")
    # A hold until a cue may be known long before the music waits there: until then, the key goes to the next bar.
    page.execute_async_script("""const done = arguments[arguments.length - 1];
        window.sent = [];
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) { const [, key] = text.match(/^at \\d+ (key .*)/) ?? []; if (key) sent.push(key); send.call(this, text); };
        import('/connection.js').then(({ live }) => {
          Object.assign(live.music.state, { held: live.timeline.total - 0.1, heldBar: live.timeline.count - 1 });
          requestAnimationFrame(() => requestAnimationFrame(done));
        })""")
    word = page.find_element(By.CSS_SELECTOR, '[data-key="→"]').text
    key("→").click()
    print("next", word, wait("the key", lambda: page.execute_script("return sent[0]")))

    key("l").click()
    looped = wait("a loop", lambda: kind() == "playing" and number() >= 0 and number() + 1)
    key("o").click()
    key("+").click()
    wait("a higher speed", lambda: text("settings").startswith("105%"))
    key("d").click()
    wait("a drone", lambda: "no drone" not in text("settings"))
    key("c").click()
    wait("no clicks", lambda: "clicks off" in text("settings"))
    answer("7.3")
    wait("the bar that was asked for", lambda: text("place").startswith("line 7, bar"))
    answer("nowhere")
    print("note", wait("a note", lambda: text("note")))
    print("settings", text("settings"))

    page.find_element(By.ID, "lock").click()
    controls = lambda: [each for each in page.find_elements(By.CSS_SELECTOR, "button, input, select, summary") if each.is_displayed()]
    wait("the lock", lambda: len(controls()) == 1)
    page.find_element(By.TAG_NAME, "body").send_keys(" ")
    time.sleep(0.5)
    print("locked", kind())

    before = number()
    page.refresh()
    wait("music after a reload", lambda: kind() == "playing" and number() >= before)
    print("reloaded", [each.get_attribute("id") for each in controls()])
    page.execute_script("document.getElementById('lock').dispatchEvent(new PointerEvent('pointerdown'))")
    wait("no lock", lambda: len(controls()) > 4)

    page.get("about:blank")
    page.get(addresses["only watch"])
    wait("music for a watcher", lambda: kind() == "playing")
    print("watching", text("network"), [each for each in page.find_elements(By.CSS_SELECTOR, "[data-key]") if each.is_displayed()])

    # A program that does not answer is as far away as one without a network: the page goes on, and says so.
    page.get("about:blank")
    page.get(addresses["control"])
    wait("music for a player", lambda: kind() == "playing")
    program.send_signal(signal.SIGSTOP)
    alone = number()
    page.execute_script("document.querySelector('[data-keys=w]').remove()")
    wait("a word about the silence", lambda: text("network") == "no network: this page plays on by itself" and text("state") == "alone")
    key("Space").click()
    print("refused", wait("a refusal", lambda: text("note")))
    wait("bars without an answer", lambda: number() >= alone + 6)
    program.send_signal(signal.SIGCONT)
    wait("the program again", lambda: text("network") == "" and text("state") != "alone")
    print("alone", kind())
    rest = "return [...document.querySelectorAll('#rest [data-key]')].map((key) => key.dataset.key).join()"
    print("rest", wait("a button for a key without a place", lambda: page.execute_script(rest)))
    program.terminate()
    wait("the end", lambda: text("network") == "the music is over")
    complaints(page)
finally:
    page.quit()
    program.terminate()
    program.wait()
