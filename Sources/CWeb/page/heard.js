// What a microphone hears of the player: a needle for the last bar, and strobes for the pitch that stand still when it is right.

import { live, on, say } from "/connection.js";
import { find, put } from "/elements.js";

/** How late a bar is at the ends of the needle's scale, in seconds, and how long a stripe of a strobe is, in px. */
const [reach, stripe] = [0.1, 32];
/** The strobes: how many beats in a second each has with its target, and how far it has moved, in stripes. */
const strobes = { note: { beats: 0, turns: 0 }, interval: { beats: 0, turns: 0 } };
let drawn = null;

on("state", () => {
  const heard = live.music?.state.heard ?? null;
  for (const id of ["heard", "weak"]) find(id).hidden = heard === null;
  if (!heard) return;
  put("heard-bar", heard.bar);
  put("heard-late", heard.late === null ? "" : `${heard.late > 0 ? "+" : ""}${Math.round(heard.late * 1000)} ms`);
  const share = Math.max(-1, Math.min((heard.late ?? 0) / reach, 1)) * 50;
  const mark = find("needle-mark").style;
  mark.visibility = heard.bar === "" || heard.late === null ? "hidden" : "visible";
  [mark.left, mark.width] = [`${50 + Math.min(share, 0)}%`, `max(8px, ${Math.abs(share)}%)`];
});

on("pitch", ({ pitch }) => showPitch(pitch));
// Alone, the page hears of no pitch.
on("lost", () => showPitch(null));

function showPitch(pitch) {
  show("note", pitch && pitch.note, pitch?.beats);
  show("interval", pitch && pitch.interval, pitch?.intervalBeats);
  if (pitch && drawn === null && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    drawn = performance.now();
    requestAnimationFrame(turn);
  }
  if (!pitch) drawn = null;
}

function show(name, text, beats) {
  find(`strobe-${name}`).classList.toggle("empty", !text);
  put(`pitch-${name}`, text || "");
  strobes[name].beats = beats ?? 0;
}

function turn(time) {
  if (drawn === null) return;
  for (const [name, strobe] of Object.entries(strobes)) {
    // Faster, the eye sees nothing.
    strobe.turns = (strobe.turns + Math.max(-6, Math.min(strobe.beats, 6)) * Math.max(time - drawn, 0) / 1000) % 1;
    find(`strobe-${name}`).style.setProperty("--shift", `${strobe.turns * stripe}px`);
  }
  drawn = time;
  requestAnimationFrame(turn);
}

// It is told only to those who ask.
find("heard-ask").onclick = () => put("announcer", live.music?.state.heard?.says || say("heardNothing"));
