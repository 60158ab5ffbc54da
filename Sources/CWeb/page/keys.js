// The keys of the stand, and what they do to a conductor's music at a time; their words come from the program, whose keys
// they are: Sources/Screens/Stand/StandKeys.swift and Stand.swift.

import { between, silence } from "./conductedsound.js";
import { limited, written } from "./passage.js";

/** The level that silent clicks come back with; that from which silent ones become louder; and the softest, in dB. */
const [usualLevel, faintest, softest] = [-6, -60, -90];
/** The lowest and the highest A4, in Hz. */
const [lowestA4, highestA4] = [380, 480];

const louder = (level, decibels) => between((level <= silence ? faintest : level) + decibels, softest, 0);

/** Presses a key; one that the stand does not have does nothing. */
export function press(music, name, now) {
  if (name !== "t") music.taps = [];
  if (!music.hasEnded) keys[name]?.(music, now);
}

/** The speed that taps mean in a bar; null for fewer than two. */
function tappedSpeed(music, now) {
  music.taps = [...music.taps.filter((tap) => now - tap < 4), now].slice(-5);
  if (music.taps.length < 2) return null;
  const n = music.here(now);
  const gap = (now - music.taps[0]) / (music.taps.length - 1);
  const beats = music.piece.bars[music.passage.bar(n)].beats;
  const length = beats ? music.passage.duration(n) / beats : 1;
  return limited(Math.round((length / gap) * 100) * 10_000);
}

const jump = (kind) => (music, now) => {
  const target = music.target(kind, now);
  if (target !== null) music.jump(target, now);
};
const speed = (points) => (music, now) => music.setSpeed(limited(music.anchor.speed + points * 10_000), now);
/** A change of the sound alone. */
const sound = (edit) => (music, now) => {
  music.change(now);
  edit(music);
};
const a4 = (hertz) => sound((music) => (music.sound.a4 = between(Math.round((music.sound.a4 + hertz) * 10) / 10, lowestA4, highestA4)));
const droneLevel = (decibels) => sound((music) => music.changeDrone((drone) => ({ ...drone, level: louder(drone.level, decibels) }), false));
const clickLevel = (decibels) => sound((music) => (music.sound.clickLevel = louder(music.sound.clickLevel, decibels)));

function goOn(music, now) {
  if (music.isPaused) music.resume(now);
  else if (music.isHolding(now)) music.proceed(now);
}

/** What each key does. */
export const keys = {
  Space: (music, now) => (music.isPaused || music.isHolding(now) ? goOn(music, now) : music.pause(now)),
  Enter: (music, now) => {
    if (!music.isPaused && music.isHolding(now)) return music.proceed(now);
    const wasPaused = music.isPaused;
    music.jump(music.target("restart", now), now);
    if (wasPaused) music.resume(now);
  },
  "←": jump("previousBar"), "→": jump("nextBar"), "↑": jump("previousLine"), "↓": jump("nextLine"),
  Home: (music, now) => music.goTo(music.firstBar, now),
  l: (music, now) => {
    const bar = music.passage.bar(music.here(now));
    music.toggleLoop(bar, bar + 1, now);
  },
  L: (music, now) => music.toggleLoop(...music.piece.lineOf(music.passage.bar(music.here(now))), now),
  "[": (music, now) => (music.loopStart = music.passage.bar(music.here(now))),
  "]": (music, now) => {
    const bar = music.passage.bar(music.here(now));
    const start = music.loopStart ?? bar;
    music.loopStart = null;
    music.toggleLoop(Math.min(start, bar), Math.max(start, bar) + 1, now);
  },
  o: (music, now) => {
    music.loopStart = null;
    music.practice(null, now);
  },
  "+": speed(5), "-": speed(-5), ">": speed(1), "<": speed(-1),
  0: (music, now) => music.setSpeed(written, now),
  t: (music, now) => {
    const tapped = tappedSpeed(music, now);
    if (tapped !== null) music.setSpeed(tapped, now);
  },
  d: sound((music) => music.toggleDrone()),
  m: droneLevel(1), n: droneLevel(-1),
  M: sound((music) => music.moveDrone(1)), N: sound((music) => music.moveDrone(-1)),
  w: sound((music) => {
    const { waveforms } = music.music;
    const next = waveforms[(waveforms.indexOf(music.sound.drone?.waveform ?? "sine") + 1) % waveforms.length];
    music.changeDrone((drone) => ({ ...drone, waveform: next }), false);
  }),
  b: a4(0.1), v: a4(-0.1), B: a4(1), V: a4(-1),
  c: sound((music) => {
    if (music.sound.clickLevel <= silence) music.sound.clickLevel = usualLevel;
    else music.sound.isClickMuted = 1 - music.sound.isClickMuted;
  }),
  x: clickLevel(1), z: clickLevel(-1),
  i: sound((music) => (music.sound.countsInJumps = 1 - music.sound.countsInJumps)),
  ".": (music, now) => music.nudge(0.01, now), ",": (music, now) => music.nudge(-0.01, now),
  R: (music, now) => music.revert(now),
};
