// The page: it learns the player's clock, keeps the timeline and the newest state, and shows what is heard.

import { PlayerClock } from "/clock.js";
import * as running from "/running.js";
import { Music, clock as clockText, left as leftText } from "/music.js";

const find = (id) => document.getElementById(id);
const player = new PlayerClock();
let [music, timeline, bars, words] = [null, null, [], {}];
let socket = null;
let isLocked = false;
let mayControl = false;
let pause = 500;

/** Writes a text if it is new; the screen is drawn sixty times a second. */
function put(id, text) {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}

// The connection

function send(text) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(text);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const connection = new WebSocket(`${scheme}://${location.host}/live`);
  socket = connection;
  let isWelcome = false;
  connection.onopen = () => send(`hello ${location.hash.slice(1)}`);
  connection.onmessage = (event) => {
    const message = JSON.parse(event.data);
    running.receive(message);
    if (message.welcome) {
      isWelcome = true;
      pause = 500;
      welcome(message);
    } else receive(message);
  };
  connection.onclose = (event) => {
    if (connection !== socket) return;
    document.body.dataset.network = "gone";
    running.lose();
    if (!isWelcome && event.code === 1008) {
      put("network", "This address is not, or no longer, valid. Open the one that Barline printed.");
      find("network").className = "bad";
      pause = 5000;
    } else {
      const isOver = music && music.state.ended;
      put("network", isOver ? "the music is over" : music ? "no network: this page plays on by itself" : "no network");
      find("network").className = "bad";
    }
    setTimeout(connect, pause);
    pause = Math.min(pause * 1.6, 5000);
  };
}

function welcome(message) {
  document.body.dataset.network = "here";
  mayControl = message.welcome === "control";
  words = message.words;
  put("network", mayControl ? "" : "watching only");
  find("network").className = "";
  drawControls(message);
  exchange(4);
}

function receive(message) {
  if (message.timeline) {
    [timeline, bars] = [message.timeline, message.bars];
  } else if (message.state && timeline) {
    music = new Music(timeline, bars, message.state, message.beats);
    keepAwake();
  } else if (message.note !== undefined) {
    put("note", message.note);
  } else if (message.clock !== undefined) {
    player.take(message.clock / 1000, performance.now(), message.at);
    step();
  }
}

// The clock: bursts of exchanges, one after the other

let exchanges = 0;
let burstsSoon = 0;
let timer = 0;

function exchange(soon) {
  clearTimeout(timer);
  player.finish();
  burstsSoon = Math.max(burstsSoon, soon);
  exchanges = PlayerClock.burst;
  step();
}

function step() {
  clearTimeout(timer);
  if (exchanges > 0) {
    exchanges -= 1;
    send(`clock ${Math.round(performance.now() * 1000)}`);
    // An answer that is lost must not stop the next burst.
    timer = setTimeout(() => exchange(0), 3000);
  } else {
    burstsSoon = Math.max(burstsSoon - 1, 0);
    timer = setTimeout(() => exchange(0), burstsSoon > 0 ? 700 : 6000);
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    exchange(4);
    keepAwake();
  }
});

// The picture

let drawn = { n: null, line: null, kind: null };

function draw() {
  requestAnimationFrame(draw);
  if (!music || !player.isKnown) return;
  const now = player.at(performance.now());
  const moment = music.moment(now);
  put("state", words[moment.kind] ?? moment.kind);
  put("title", timeline.title || "Barline");
  put("settings", music.state.settings);
  if (music.state.trouble) put("note", music.state.trouble);
  if (moment.bar) drawBar(moment);
  else drawWait(moment);
  drawn.kind = moment.kind;
}

function drawBar(moment) {
  const { bar } = moment;
  put("left", leftText(moment.left));
  const isNew = drawn.n !== bar.n || drawn.music !== timeline;
  if (isNew) {
    const [number, of] = [document.createTextNode(`${bar.bar}`), document.createElement("small")];
    of.textContent = ` / ${bar.barsInLine}`;
    find("bar").replaceChildren(number, of);
    put("place", bar.place);
    put("texts", [bar.label, bar.cue].filter((text) => text).join("  "));
    drawLine(bar);
    // The bar in which the page was opened began earlier.
    if (moment.kind === "playing" && drawn.kind !== null) flash(bar);
    announce(bar);
    Object.assign(drawn, { n: bar.n, line: bar.line, music: timeline });
  }
  put("next", nextText(bar));
  const cursor = (moment.position - drawn.begin) / drawn.length;
  find("cursor").style.left = `${Math.min(Math.max(cursor, 0), 1) * 100}%`;
  put("elapsed", clockText(moment.elapsed) + (moment.total === null ? "" : ` of ${clockText(moment.total)}`));
  Object.assign(document.body.dataset, { bar: bar.n, kind: moment.kind });
}

function drawWait(moment) {
  const beats = music.beats.filter((beat) => beat < moment.left).length + 1;
  const isCounted = moment.kind === "countIn" && music.beats.length > 0;
  put("left", moment.kind === "end" ? "0" : isCounted ? `${Math.min(beats, music.beats.length)}` : leftText(moment.left));
  for (const id of ["bar", "texts", "next"]) put(id, "");
  document.body.dataset.kind = moment.kind;
}

function nextText(bar) {
  const next = music.bar(bar.n + 1);
  if (!next) return timeline.count === bar.n + 1 ? "then the end" : "";
  const place = next.bar === 1 || next.line !== bar.line ? next.place : `bar ${next.bar}`;
  return [`then ${place}, ${(next.duration / music.state.speed).toFixed(1)} s`, next.label, next.cue].filter((text) => text).join("  ");
}

/** Draws the line to scale: each bar as wide as it is long. */
function drawLine(bar) {
  const line = music.line(bar);
  drawn.begin = line[0].start;
  drawn.length = line.reduce((sum, each) => sum + each.duration, 0);
  find("bars").replaceChildren(
    ...line.map((each) => {
      const box = document.createElement("span");
      box.style.left = `${((each.start - drawn.begin) / drawn.length) * 100}%`;
      box.style.width = `calc(${(each.duration / drawn.length) * 100}% - 2px)`;
      box.textContent = line.length <= 40 ? `${each.bar}` : "";
      if (each.n === bar.n) box.className = "now";
      return box;
    }),
  );
}

function flash(bar) {
  const light = find("flash");
  light.className = `${find("flashes").value}${bar.bar === 1 ? " line" : ""} on`;
  window.dispatchEvent(new CustomEvent("barline", { detail: { boundary: bar.n, at: player.at(performance.now()) } }));
  setTimeout(() => light.classList.remove("on"), 120);
}

function announce(bar) {
  const wanted = find("announce").value;
  if (wanted === "nothing" || (wanted === "lines" && drawn.line === bar.line && !bar.label)) return;
  put("announcer", [wanted === "lines" ? `line ${bar.line}` : bar.place, bar.label].filter((text) => text).join(", "));
}

// The controls: the keys of the terminal's stand

const mainKeys = ["Space", "Enter", "←", "→", "↑", "↓", "l", "L", "o", "-", "+", "0", "d", "N", "M", "V", "B", "c", "z", "x", "i"];

function button(key) {
  const element = document.createElement("button");
  element.type = "button";
  element.dataset.key = key.name;
  const name = document.createElement("kbd");
  name.textContent = key.name;
  element.append(name, key.says);
  element.onclick = () => press(key.name);
  return element;
}

function drawControls(message) {
  document.body.classList.toggle("bare", !mayControl);
  find("lock").hidden = !mayControl;
  find("controls").hidden = !mayControl || isLocked;
  if (!mayControl || find("keys").children.length > 0) return;
  find("main-keys").replaceChildren(...message.keys.filter((key) => mainKeys.includes(key.name)).map(button));
  find("keys").replaceChildren(...message.keys.filter((key) => !mainKeys.includes(key.name)).map(button));
  const question = find("question");
  for (const name of Object.keys(message.questions)) question.append(new Option(name, name));
  const ask = () => put("ask", message.questions[question.value]);
  question.onchange = ask;
  ask();
}

function press(name) {
  if (isLocked || !mayControl) return;
  put("note", "");
  send(`key ${name}`);
}

find("go").onsubmit = (event) => {
  event.preventDefault();
  const answer = find("answer");
  put("note", "");
  if (!isLocked && answer.value.trim()) send(`${find("question").value} ${answer.value.trim()}`);
  answer.value = "";
};

// Foot pedals send Page Up and Page Down.
const names = { " ": "Space", PageDown: "Space", PageUp: "↑", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

document.addEventListener("keydown", (event) => {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.altKey || event.metaKey || tag === "INPUT" || tag === "SELECT") return;
  if (["BUTTON", "SUMMARY"].includes(tag) && [" ", "Enter"].includes(event.key)) return;
  const name = names[event.key] ?? event.key;
  if (!find("controls").querySelector(`[data-key="${CSS.escape(name)}"]`)) return;
  event.preventDefault();
  press(name);
});

// The lock: one touch locks, a touch of one second opens

let opening = 0;

function setLock(isSet) {
  isLocked = isSet;
  find("lock").setAttribute("aria-pressed", `${isSet}`);
  put("lock", isSet ? "Locked: hold for 1 s to unlock" : "Lock");
  find("controls").hidden = isSet || !mayControl;
}

function hold(event) {
  if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
  if (!isLocked || opening) return;
  opening = setTimeout(() => {
    opening = -1;
    setLock(false);
  }, 1000);
}

function release() {
  if (opening > 0) clearTimeout(opening);
  // The click that ends a long touch must not lock again.
  if (opening === -1) setTimeout(() => (opening = 0), 50);
  else opening = 0;
}

for (const kind of ["pointerdown", "keydown"]) find("lock").addEventListener(kind, hold);
for (const kind of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) find("lock").addEventListener(kind, release);
find("lock").onclick = () => {
  if (!isLocked && opening === 0) setLock(true);
};

// The screen stays on where browsers allow it: on secure addresses

let wakeLock = null;

async function keepAwake() {
  if (!navigator.wakeLock || wakeLock || document.visibilityState !== "visible") return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
    wakeLock.onrelease = () => (wakeLock = null);
  } catch {
    wakeLock = null;
  }
}

find("awake").hidden = Boolean(navigator.wakeLock);
find("awake").querySelector("p").textContent =
  "At an address without https, browsers do not let a page keep the screen on. Set the screen's timeout to “never” in the " +
  "settings of this device while you play, or serve the page through a proxy with TLS (see docs/serving.md).";

// What this device likes, remembered

for (const id of ["announce", "flashes"]) {
  const choice = find(id);
  choice.value = localStorage.getItem(id) ?? choice.value;
  choice.onchange = () => localStorage.setItem(id, choice.value);
}

running.start(send);
connect();
requestAnimationFrame(draw);
