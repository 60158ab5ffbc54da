// Before the page's own script: clocks and timers that stand still until the sound goes on, and a device that renders offline. `asked`
// has the seconds to render, the file for the sound, and what happens meanwhile: its kind, its beginning and its length in s.

const rate = 48000;
let [now, started] = [1000, 1.7e12];
const timers = new Map();
let count = 0;
performance.now = () => now;
Date.now = () => started + now;
const later = (run, pace, isRepeated) => {
  timers.set((count += 1), { run, pace, isRepeated, at: now + pace });
  return count;
};
window.setInterval = (run, pace) => later(run, pace, true);
window.setTimeout = (run, pace) => later(run, pace ?? 0, false);
window.clearInterval = window.clearTimeout = (number) => timers.delete(number);

/** Runs the timers that are due. */
function runDue() {
  for (const [number, timer] of timers) {
    if (timer.at > now) continue;
    if (timer.isRepeated) timer.at = now + timer.pace;
    else timers.delete(number);
    timer.run();
  }
}

let [isAway, onChange, lag] = [false, null, 0];

window.AudioContext = class extends OfflineAudioContext {
  constructor() {
    super(1, asked.seconds * rate, rate);
    window.device = this;
  }
  // As the page sees it; while this one renders, it is suspended again and again.
  get state() { return isAway ? "interrupted" : "running"; }
  set onstatechange(change) { onChange = change; }
  resume() { return isAway ? Promise.reject(new Error("a call")) : Promise.resolve(); }
  getOutputTimestamp() { return { contextTime: this.currentTime, performanceTime: now }; }
};

const text = (id) => document.getElementById(id).textContent;
/** Until the page has drawn what it says. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const facts = [];
/** What is to be told once the page has been woken again. */
let next = null;

const happen = {
  /** The sound is taken away, and its clock stands still; that of the page goes on. */
  async call(length) {
    isAway = true;
    onChange();
    for (let passed = 0; passed < length; passed += 0.25) {
      now += 250;
      lag += 0.25;
      runDue();
    }
    await drawn();
    facts.push(`away ${text("trouble")}`);
    isAway = false;
    onChange();
    next = () => `back ${text("note")}|${text("trouble")}`;
  },
  /** The device sleeps: its clocks stand still, except that of the day. */
  async sleep(length) {
    started += 1000 * length;
    runDue();
    await drawn();
    facts.push(`slept ${text("note")}`);
  },
};

function wave(samples) {
  const head = new DataView(new ArrayBuffer(44));
  const put = (at, size, ...values) => values.forEach((value, n) => head[`setUint${8 * size}`](at + n * size, value, true));
  const letters = (at, word) => [...word].forEach((letter, n) => head.setUint8(at + n, letter.charCodeAt(0)));
  letters(0, "RIFF");
  put(4, 4, 36 + 4 * samples.length);
  letters(8, "WAVEfmt ");
  put(16, 4, 16);
  put(20, 2, 3, 1);
  put(24, 4, rate, 4 * rate);
  put(32, 2, 4, 32);
  letters(36, "data");
  put(40, 4, 4 * samples.length);
  return new Blob([head, samples]);
}

/** Plays all; the page is woken as seldom as a browser wakes a hidden one, and more often at the beginning. */
window.play = async () => {
  const { device } = window;
  const [stop, goOn] = ["suspend", "resume"].map((name) => OfflineAudioContext.prototype[name].bind(device));
  const events = [...asked.events];
  let frozen = 0;
  for (let at = 0.1; at < asked.seconds; at = at < 2.95 ? at + 0.1 : Math.floor(at) + 1) {
    stop(at).then(async () => {
      now = 1000 + (device.currentTime + lag) * 1000;
      const isDue = events.length > 0 && events[0][1] <= device.currentTime;
      const [kind, begin, length] = isDue ? events.shift() : [];
      // A frozen page does nothing, and its sound goes on as long as it was put ahead.
      if (kind === "freeze") frozen = begin + length;
      else if (kind) await happen[kind](length);
      if (device.currentTime >= frozen) runDue();
      if (next && !kind) {
        await drawn();
        facts.push(next());
        next = null;
      }
      goOn();
    });
  }
  const samples = (await device.startRendering()).getChannelData(0);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(wave(samples));
  link.download = asked.file;
  link.click();
  return facts;
};
