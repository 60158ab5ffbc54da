// The controls, which are the keys of the terminal's stand: five at the thumb, the others in the sheet.

import { ask, live, on, player, say } from "/connection.js";
import { find, icon, make, put } from "/elements.js";
import { onLock, startLock } from "/lock.js";

/** The key, the picture and the word of each control at the thumb. */
const thumb = [["←", "back", "backWord"], ["Space", "paused", "pauseWord"], ["→", "next", "nextWord"], ["l", "loop", "loopWord"]];
let says = new Map();
/** What was shown as a key was pressed, until the answer comes. */
let before = null;
/** The key that says that a bar begins. */
const tapKey = "j";

function build() {
  const keys = thumb.map(([key, picture, word]) => {
    const button = make("button", { type: "button", "data-key": key, "data-word": word });
    button.append(icon(picture), make("span"));
    button.onclick = () => press(key);
    return button;
  });
  keys[1].className = "wide";
  const lock = make("button", { type: "button", id: "lock", "aria-pressed": "false" });
  lock.append(icon("lock"), make("span"));
  find("thumb").append(...keys, lock);
  for (const row of document.querySelectorAll("[data-say-row]")) row.append(make("span"));
  startLock();
}

/** A button of the sheet: with the words of the key, or a sign for one of several. */
function keyButton(name, sign) {
  const button = make("button", { type: "button", "data-key": name }, ...(sign ? [sign] : [make("kbd", {}, name), says.get(name) ?? name]));
  if (sign) button.setAttribute("aria-label", says.get(name) ?? name);
  button.onclick = (event) => press(name, event);
  // A click comes when the finger leaves: for a tap, that is too late.
  if (name === tapKey) {
    button.onpointerdown = (event) => press(name, event);
    button.onclick = (event) => event.detail === 0 && press(name, event);
  }
  return button;
}

const signs = { 2: ["−", "+"], 4: ["−−", "−", "+", "++"] };

on("welcome", (message) => {
  document.body.classList.toggle("watching", !live.mayControl);
  says = new Map(message.keys.map(({ name, says }) => [name, says]));
  for (const button of find("thumb").querySelectorAll("[data-key]")) {
    button.setAttribute("aria-label", says.get(button.dataset.key) ?? "");
    button.querySelector("span").textContent = say(button.dataset.word);
  }
  const words = ["backWord", "nextWord", "leaveWord", "loopWord", "lock"].map((word) => say(word).length);
  find("thumb").style.setProperty("--letters", `${Math.max(...words, 5)}`);
  if (!live.mayControl) return;
  for (const place of document.querySelectorAll(".acts[data-keys]")) place.replaceChildren(...place.dataset.keys.split(" ").map((key) => keyButton(key)));
  for (const row of document.querySelectorAll("[data-say-row]")) {
    const names = (row.dataset.keys ?? "").split(" ").filter((name) => name);
    const buttons = names.map((name, n) => keyButton(name, signs[names.length][n]));
    const value = row.dataset.value && !row.dataset.toggle ? [make("b")] : [];
    if (row.dataset.toggle) {
      buttons.push(keyButton(row.dataset.toggle, " "));
      buttons[0].setAttribute("aria-pressed", "false");
    }
    const half = buttons.length / 2;
    row.replaceChildren(make("span", {}, say(`row${row.dataset.sayRow[0].toUpperCase()}${row.dataset.sayRow.slice(1)}`)), ...buttons.slice(0, half), ...value, ...buttons.slice(half));
  }
  // Keys for which no place is set.
  const rest = find("rest");
  rest.replaceChildren();
  const isPlaced = (name) => document.querySelector(`[data-key="${name}"]`);
  rest.append(...[...says.keys()].filter((name) => !isPlaced(name)).map((name) => keyButton(name)));
  const question = find("question");
  const kept = question.value;
  question.replaceChildren(...Object.entries(message.questions).map(([kind, { name }]) => new Option(name, kind)));
  if (kept) question.value = kept;
  const explain = () => put("ask", message.questions[question.value].asks);
  question.onchange = explain;
  explain();
});

on("state", () => {
  const { state } = live.music;
  for (const row of document.querySelectorAll("[data-value]")) {
    const value = state.values?.[row.dataset.value] ?? "";
    const toggle = row.querySelector("[aria-pressed]");
    if (!toggle) {
      const shown = row.querySelector("b");
      if (shown) shown.textContent = value;
      continue;
    }
    toggle.setAttribute("aria-pressed", `${value !== ""}`);
    toggle.textContent = value === "" ? say("offWord") : row.dataset.value === "drone" ? value : say("onWord");
  }
  const pause = find("thumb").querySelector('[data-key="Space"]');
  const isPaused = state.pausedAt !== null;
  pause.querySelector("use").setAttribute("href", isPaused ? "#icon-play" : "#icon-paused");
  pause.querySelector("span").textContent = say(isPaused ? "resumeWord" : "pauseWord");
  const isLooped = live.bars.some(({ name }) => name.startsWith("["));
  find("thumb").querySelector('[data-key="l"]').setAttribute("aria-pressed", `${isLooped}`);
  confirm(state);
});

/** Tells what has changed by a key of this page, in the words of the screen. */
function confirm(state) {
  if (!before || performance.now() - before.time > 3000) return (before = null);
  const now = picture(state);
  const changed = Object.keys(now).filter((name) => now[name] !== before.shown[name]);
  if (changed.length === 0) return;
  before = null;
  put("confirmed", changed.map((name) => now[name]).filter((text) => text).join(", "));
}

function picture(state) {
  const settings = state.settings.split("   ");
  return { state: state.pausedAt !== null ? live.words.paused : "", ...Object.fromEntries(settings.map((text, n) => [`setting ${n}`, text])) };
}

/** Presses a key of the stand, by an event; the page says at once if that cannot be sent. */
export function press(name, event) {
  if (live.isLocked || !live.mayControl) return;
  if (name === tapKey) {
    // When the finger came down, by the player's clock: a network makes a key late, but not this.
    if (player.isKnown) ask(`tap ${Math.round(player.at(event?.timeStamp ?? performance.now()) * 1e6)}`);
    return;
  }
  // Music that ends for all is not ended by one touch of a phone.
  if (name === "q" && matchMedia("(any-pointer: coarse)").matches && !window.confirm(say("endAsked"))) return;
  if (live.music) before = { time: performance.now(), shown: picture(live.music.state) };
  // At a hold, the key that would go to the next bar leaves the hold.
  ask(`key ${name === "→" && waitsNow() ? "Enter" : name}`);
}

/** Whether the music waits for the player now: where it will wait is known long before. */
function waitsNow() {
  return live.music !== null && player.isKnown && live.music.moment(player.at(performance.now())).waits === true;
}

/** Calls the key after the bar by what it does: it leaves a hold, or goes on. */
export function nameNext(waits) {
  const word = say(waits ? "leaveWord" : "nextWord");
  const next = find("thumb").querySelector('[data-key="→"]');
  if (next.lastChild.textContent === word) return;
  next.lastChild.textContent = word;
  next.setAttribute("aria-label", waits ? word : (says.get("→") ?? word));
}

find("go").onsubmit = (event) => {
  event.preventDefault();
  const answer = find("answer");
  // A text that was pasted may have tabs.
  const text = answer.value.replace(/\p{Cc}/gu, " ").trim();
  if (!live.isLocked && text && !ask(`${find("question").value} ${text}`)) return;
  answer.value = "";
};

// Foot pedals send Page Up and Page Down.
const names = { " ": "Space", PageDown: "Space", PageUp: "↑", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

document.addEventListener("keydown", (event) => {
  document.body.classList.add("keyboard");
  const tag = event.target.tagName;
  if (event.ctrlKey || event.altKey || event.metaKey || tag === "INPUT" || tag === "SELECT") return;
  if (["BUTTON", "SUMMARY"].includes(tag) && [" ", "Enter"].includes(event.key)) return;
  const name = names[event.key] ?? event.key;
  if (!says.has(name)) return;
  event.preventDefault();
  if (name === tapKey && event.repeat) return;
  press(name, event);
});

// The buttons of media on keyboards, headphones and lock screens

if (navigator.mediaSession) {
  const act = (kind, name) => navigator.mediaSession.setActionHandler(kind, () => press(name));
  for (const kind of ["play", "pause"]) act(kind, "Space");
  act("previoustrack", "↑");
  act("nexttrack", "↓");
}

// Full screen, where browsers have it

const full = find("full");
full.hidden = !document.documentElement.requestFullscreen;
full.onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
document.addEventListener("fullscreenchange", () => full.setAttribute("aria-pressed", `${document.fullscreenElement !== null}`));

onLock(() => find("thumb").querySelectorAll("[data-key]").forEach((key) => (key.disabled = live.isLocked)));
build();
