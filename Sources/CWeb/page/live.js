// What the page knows, and who is told of what: the same for the page that is served and the one that plays by itself.

import { find, put } from "/elements.js";
import { Music } from "/music.js";

/** What the page knows; `music` is null before the first state, `sounds` before they are told. */
export const live = {
  music: null, timeline: null, bars: [], brackets: [], hits: [], sounds: null, sound: null,
  words: {}, texts: {}, look: null, mayControl: false, isLocked: false, aloneSince: null,
};

/** A text of the program, with values in its places. */
export function say(name, values = {}) {
  return (live.texts[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** The voice that the page's address asks for, as in `#secret&voice=oboe`; null for none. */
export function askedVoice() {
  return new URLSearchParams(location.hash.slice(1).split("&").slice(1).join("&")).get("voice");
}

const listeners = new Map();

/**
 * Calls `listener` with every message of a kind: its first key, such as "welcome", "state" or "note"; "lost" tells that
 * the connection is lost.
 */
export function on(kind, listener) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
}

/** Tells a message to those who take its kind. */
export function tell(kind, message) {
  if (!listeners.has(kind)) console.error(`nobody takes messages of the kind ${kind}`);
  for (const listener of listeners.get(kind) ?? []) listener(message);
}

on("welcome", (message) => {
  live.mayControl = message.welcome === "control";
  live.words = message.words;
  live.texts = message.texts;
  live.look = message.flash;
  document.documentElement.lang = message.language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
  // What is shown is old until the newest state has come.
  if (!live.music) arrive();
});

/** The page is not alone any more. */
function arrive() {
  if (document.body.dataset.network === "here") return;
  document.body.dataset.network = "here";
  put("network", live.mayControl ? "" : say("watching"));
  find("network").className = "";
  live.aloneSince = null;
}

on("timeline", (message) => Object.assign(live, { timeline: message.timeline, bars: message.bars, brackets: message.brackets, hits: message.hits }));

on("state", (message) => {
  if (!live.timeline) return;
  arrive();
  live.music = new Music(live.timeline, live.bars, message.state, message.beats, { brackets: live.brackets, counts: message.counts, hits: live.hits });
});

// Taps and messages of a player. Screen readers read a tap aloud, and the page does not show it.
let toldAt = null;
on("told", (message) => {
  // After a connection that was lost, the last one comes once more.
  if (message.at === toldAt) return;
  toldAt = message.at;
  put(message.aloud ? "confirmed" : "told", message.told);
});

on("note", (message) => put("note", message.note));
