// The connection to the server: its messages are passed on by kind, and its clock is learned.

import { PlayerClock } from "/clock.js";
import { put, find } from "/elements.js";
import { Music } from "/music.js";

/** The player's clock. */
export const player = new PlayerClock();

/** What the page knows; `music` is null before the first state, `sounds` before they are told. */
export const live = {
  music: null, timeline: null, bars: [], brackets: [], sounds: null, sound: null,
  words: {}, texts: {}, mayControl: false, isLocked: false,
};

/** A text of the program, with values in its places. */
export function say(name, values = {}) {
  return (live.texts[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

const listeners = new Map();

/**
 * Calls `listener` with every message of a kind: its first key, such as "welcome", "state" or "note"; "lost" tells that
 * the connection is lost.
 */
export function on(kind, listener) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
}

function tell(kind, message) {
  if (!listeners.has(kind)) console.error(`nobody takes messages of the kind ${kind}`);
  for (const listener of listeners.get(kind) ?? []) listener(message);
}

let socket = null;
let pause = 500;

/** Sends a line to the server; nothing without a connection. */
export function send(text) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(text);
}

/** Connects, and again whenever the connection is lost. */
export function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const connection = new WebSocket(`${scheme}://${location.host}/live`);
  socket = connection;
  let isWelcome = false;
  connection.onopen = () => send(`hello ${location.hash.slice(1)}`);
  connection.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.welcome) {
      isWelcome = true;
      pause = 500;
    }
    tell(Object.keys(message)[0], message);
  };
  connection.onclose = (event) => {
    if (connection !== socket) return;
    document.body.dataset.network = "gone";
    tell("lost");
    if (!isWelcome && event.code === 1008) {
      put("network", find("network").dataset.invalid);
      pause = 5000;
    } else {
      const isOver = live.music && live.music.state.ended;
      put("network", isOver ? say("isOver") : live.music ? say("noNetwork") : find("network").dataset.none);
    }
    find("network").className = "bad";
    setTimeout(connect, pause);
    pause = Math.min(pause * 1.6, 5000);
  };
}

on("welcome", (message) => {
  document.body.dataset.network = "here";
  live.mayControl = message.welcome === "control";
  live.words = message.words;
  live.texts = message.texts;
  document.documentElement.lang = message.language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
  put("network", live.mayControl ? "" : say("watching"));
  find("network").className = "";
  exchange(4);
});

on("timeline", (message) => Object.assign(live, { timeline: message.timeline, bars: message.bars, brackets: message.brackets }));

on("state", (message) => {
  if (!live.timeline) return;
  live.music = new Music(live.timeline, live.bars, message.state, message.beats, { brackets: live.brackets, counts: message.counts });
});

on("note", (message) => put("note", message.note));

on("clock", (message) => {
  player.take(message.clock / 1000, performance.now(), message.at);
  step();
});

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
  if (document.visibilityState === "visible") exchange(4);
});
