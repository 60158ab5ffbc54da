// In the place of the connection, for a page that plays by itself: its own conductor answers what others ask a server.

import { Conductor } from "/conductor.js";
import { find, parse, put, timeOfDay } from "/elements.js";
import { isKept } from "/storage.js";
import { keys, press } from "/keys.js";
import { live, on, say, tell } from "/live.js";
import { Music } from "/music.js";
import { Signals } from "/signals.js";
import { clipsOf } from "/spoken.js";
import { Taps, tapsButton } from "/taps.js";
import { Told, filled } from "/told.js";
import { answer, Mistake } from "/typed.js";

export { askedVoice, live, on, say } from "/live.js";

/** The player's clock, which is the page's own: seconds for its milliseconds. */
export const player = { isKnown: true, at: (time) => time / 1000, when: (at) => at * 1000 };

const { welcome, words, music } = parse(find("sent").textContent);
const now = () => performance.now() / 1000;
const conductor = new Conductor(music, now());
const told = new Told(conductor);
const taps = new Taps(conductor);
let signals = null;

// What is for a server alone is not there.
for (const element of document.querySelectorAll("[data-served]")) element.remove();
const showTaps = tapsButton(taps, now);

/** How long after the first touch the sound begins to count, in s: the device has to be opened. */
const opening = 0.3;
let isTouched = false;

/** What the page has asked for; always possible. */
export function send(text) {
  const [kind] = text.split(" ", 1);
  const rest = text.slice(kind.length + 1);
  if (kind === "tap") {
    if (taps.tap(Number(rest) / 1e6)) tell("told", { told: taps.said, aloud: 1, at: rest });
    showTaps();
    show(now());
  }
  if (kind !== "key" && !(kind in welcome.questions)) return true;
  // Only a touch may begin sound: the first one does, unless this device is to be silent.
  const isFirst = !isTouched && (navigator.userActivation?.isActive ?? true);
  if (isFirst) {
    isTouched = true;
    if (!live.sound.isOn) find("sound").click();
  }
  const at = now() + (isFirst ? opening : 0);
  put("note", "");
  taps.follow(at);
  try {
    if (kind !== "key") answer(conductor, kind, rest, at);
    else if (rest === "Space" && conductor.isOver(at)) conductor.again(at);
    else press(conductor, rest, at);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    put("note", error.message);
  }
  taps.change(at);
  keep();
  show(at);
  return true;
}

export const ask = send;

/** Tells the page what has changed. */
function show(at) {
  signals = new Signals(conductor);
  for (const message of told.messages(at)) {
    if (message.sounds) message.sounds.signals = clicksOfSignals;
    tell(Object.keys(message)[0], message);
  }
  over = conductor.isOver(at);
  settings = told.settings(conductor.here(at));
}

/** The clicks between those of bars, as the sound of this page takes them; not for a choice of clicks of its own. */
function clicksOfSignals(from, to, choice) {
  const isOfVoice = ({ voice }) => !choice.voice || !voice || voice === choice.voice;
  const found = choice.part === "player" ? signals.between(from, to).filter(isOfVoice) : [];
  return found.map(({ key, at, sound, level }) => ({ key, at, sound, amplitude: Math.min(10 ** (level / 20), 1) }));
}

/** Begins: the music waits for a touch at the beginning, as sound does. */
export function connect() {
  restore();
  conductor.pause(now());
  welcome.keys = welcome.keys.filter(({ name }) => name in keys || name === "j");
  Object.assign(welcome.texts, { awakeHow: music.texts.awakeHow });
  const [timeline] = told.messages(now());
  const { state, beats, counts } = told.state(now());
  // The page asks whether there is music before it is told of any.
  live.music = new Music(timeline.timeline, timeline.bars, state, beats, { brackets: music.brackets, counts });
  told.known = null;
  live.sound.clips = clipsOf(music.speech);
  tell("welcome", welcome);
  if (told.isRun) tell("running", { running: "control", words });
  document.body.dataset.plan = told.isRun ? "1" : "0";
  show(now());
  if (!isKept) put("note", music.texts.notKept);
  setInterval(watch, 250);
}

// What this device remembers of the piece

// A file that was written with other settings begins with these.
const name = `sent ${JSON.stringify([music.title, music.bars.length, music.total, music.sound])}`;

function keep() {
  const { sound, anchor } = conductor;
  localStorage.setItem(name, JSON.stringify({ ...sound, speed: anchor.speed }));
}

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    if (!kept) return;
    const { speed, ...sound } = kept;
    Object.assign(conductor.sound, sound);
    conductor.setSpeed(speed, now());
  } catch {
    localStorage.removeItem(name);
  }
}

// What happens without a touch: more bars are due, the end comes, the device sleeps, a call takes the sound

let [over, shown, settings, last] = [false, null, "", { clock: Date.now(), time: performance.now() }];
/** Since when there has been no sound, in ms of the page; null while there is. */
let silentSince = null;

const onClock = (time) => timeOfDay(new Date(Date.now() - performance.now() + time));

function watch() {
  const at = now();
  const slept = Date.now() - last.clock - (performance.now() - last.time);
  last = { clock: Date.now(), time: performance.now() };
  // The page's own clock stands still while some devices sleep.
  if (slept > 1500 && live.music.state.pausedAt === null) tell("note", { note: filled(music.texts.asleep, { seconds: Math.round(slept / 1000) }) });
  watchSound();
  taps.follow(at);
  const n = conductor.here(at);
  const isMoreDue = told.known.passage.count === null || told.known.end < told.known.passage.count;
  const isNew = conductor.isOver(at) !== over || told.trouble !== shown || told.settings(n) !== settings;
  if (isNew || (isMoreDue && n + 1024 > told.known.end)) show(at);
  shown = told.trouble;
}

/** Says that there is no output, or that sound is away, as in a phone call, and since when. */
function watchSound() {
  const { sound } = live;
  const isAway = sound.isOn && sound.context.state !== "running";
  if (isAway && silentSince === null) silentSince = performance.now();
  if (isAway) {
    if (performance.now() - silentSince > 500) told.trouble = filled(music.texts.soundAway, { time: onClock(silentSince) });
    return;
  }
  if (silentSince !== null && told.trouble) {
    tell("note", { note: filled(music.texts.soundBack, { seconds: Math.round((performance.now() - silentSince) / 1000) }) });
  }
  [silentSince, told.trouble] = [null, sound.isRefused ? say("noOutput") : ""];
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") watch();
});
