// What a conductor tells the page: the messages that a server would send, as Sources/Serving/PageMessage.swift and
// PageSounds.swift have them.

import { isSilentBar } from "./conductedsound.js";
import { onTop, written } from "./passage.js";
import { same, voicesOf } from "./signals.js";

/** How many bars before and after the present one the page knows, and with how few ahead it gets more. */
const [before, after, least] = [128, 2048, 1024];

/** A text with values in its places. */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, key) => values[key] ?? place);

/** `80%`, `72.5%`. */
const percent = (speed) => `${Number((speed / 10_000).toFixed(4))}%`;

/** A frequency to a hundredth, rounded as the program does. */
const hundredths = (hertz) => (Math.round(hertz * 100) / 100).toFixed(2);

/** `-24 dB`, `-1.5 dB`. */
function decibels(level) {
  const tenths = Math.round(Math.abs(level) * 10);
  return `${level < 0 && tenths > 0 ? "-" : ""}${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} dB`;
}

export class Told {
  constructor(conductor) {
    Object.assign(this, { conductor, music: conductor.music, others: [], voices: voicesOf(conductor) });
    for (const other of this.music.others) (this.others[other.within] ??= []).push(other);
  }

  /** Whether the bars are the intervals of a plan. */
  get isRun() {
    return this.music.parts === "intervals";
  }

  /** The messages since the last time, at a time: those that the page does not have yet, the state at the end. */
  messages(now) {
    const { conductor, known } = this;
    const { passage, anchor } = conductor;
    const n = conductor.here(now);
    const { count } = passage;
    const ahead = count === null ? n + least : Math.min(n + least, count);
    const isKnown = known && known.passage === passage && known.first <= Math.max(n - before / 2, 0) && ahead <= known.end;
    const sound = JSON.stringify([conductor.sound, this.isRun && anchor.speed]);
    const messages = [];
    if (!isKnown) {
      const first = Math.max(n - before, 0);
      this.known = { passage, first, end: Math.max(count === null ? n + after : Math.min(n + after, count), first + 1) };
    }
    if (!isKnown || (this.isRun && sound !== this.told)) messages.push(this.timeline());
    if (!isKnown || sound !== this.told) messages.push(this.sounds());
    this.told = sound;
    messages.push(this.state(now));
    return messages;
  }

  /** The boundaries that the page knows. */
  window() {
    const { first, end } = this.known;
    return Array.from({ length: end - first }, (_, index) => first + index);
  }

  timeline() {
    const { conductor, music } = this;
    const { passage, piece, loop } = conductor;
    const bars = this.window().map((n) => {
      const index = passage.bar(n);
      const bar = piece.bars[index];
      const factor = written / passage.stretch(n).speed;
      return {
        ...bar, start: passage.position(n), duration: passage.duration(n),
        ...(this.isRun ? this.interval(bar, n) : {}),
        name: loop ? `${loop[0] === index ? "[" : ""}${bar.name}${loop[1] - 1 === index ? "]" : ""}` : bar.name,
        holds: bar.holds.map(({ begin, length, waits }) => ({ begin: begin * factor, length: length * factor, waits })),
      };
    });
    const { title, parts } = music;
    // What is practiced has the time of the score.
    const countsPasses = conductor.leftHome === null ? music.countsPasses : 0;
    const clockEnd = countsPasses === 1 ? passage.total : music.total;
    return {
      timeline: { title, first: this.known.first, count: passage.count, total: passage.total, parts, countsPasses, clockEnd, unit: music.unit, isTimed: music.isTimed },
      bars, brackets: music.brackets, hits: this.hits(),
    };
  }

  /** The positions of the hits in the bars that the page knows. */
  hits() {
    const { passage } = this.conductor;
    return this.window().flatMap((n) => {
      const offsets = this.music.hits[passage.bar(n)] ?? [];
      return offsets.map((offset) => passage.position(n) + (offset * written) / passage.stretch(n).speed);
    });
  }

  /** The texts of an interval of a run: its pace is that of the speed at which it sounds, and away from home nobody knows how far it is. */
  interval({ place, interval, pace, meters, asks, demands }, n) {
    const { conductor, music } = this;
    const speed = onTop(conductor.passage.stretch(n).speed, conductor.anchor.speed);
    const isHome = conductor.leftHome === null;
    if (speed === written && isHome) return { place, meters, asks };
    const asked = demands[speed === written ? 0 : 1];
    const all = [interval, asked, pace === null || !music.unit ? "" : this.pace(pace, speed)].filter((text) => text);
    return { meters: isHome ? meters : null, place: all.join(", "), asks: all.slice(1).join(", ") };
  }

  /** `pace 5:30/km`, as it sounds at a speed. */
  pace(metersPerSecond, speed) {
    const [length, unit] = this.music.unit;
    const seconds = Math.round((length * written) / (metersPerSecond * speed));
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return filled(this.music.texts.pace, { pace: `${clock}/${unit}` });
  }

  sounds() {
    const { conductor, music } = this;
    const { passage, sound } = conductor;
    const [patterns, drones, numbers] = [[], [], new Map()];
    /** The number of a value that is made once for its name. */
    const number = (list, name, make) => {
      if (!numbers.has(name)) numbers.set(name, list.push(make()) - 1);
      return numbers.get(name);
    };
    const others = this.window().flatMap((n) => this.othersDuring(n));
    const heard = this.window().map((n) => {
      const index = passage.bar(n);
      const { speed } = passage.stretch(n);
      const { pattern, change } = music.bars[index];
      const isSilent = isSilentBar(sound.silence, n);
      const factor = written / speed;
      return [
        number(patterns, `clicks ${pattern} ${speed} ${isSilent}`, () => this.pattern(pattern, factor, isSilent)),
        number(drones, `drone ${change}`, () => conductor.droneUnder(index)),
      ];
    });
    const level = conductor.clicksAreOff ? null : sound.clickLevel;
    return { sounds: { first: this.known.first, level }, patterns, voices: music.voices, others, drones, heard };
  }

  /**
   * The bars of the other voices that begin in the bar of boundary `n`. Where the music does not come from the bar before, those
   * that are under way begin there, too.
   */
  othersDuring(n) {
    const { passage, piece } = this.conductor;
    const index = passage.bar(n);
    const [here, start, factor] = [piece.start(index), passage.position(n), written / passage.stretch(n).speed];
    const begins = n === this.known.first || n === passage.around(n)[0];
    const isUnderWay = (bar) => bar.start < here - same && bar.start + bar.duration > here + same;
    const earlier = begins ? this.voices.flatMap(({ bars }) => bars.filter(isUnderWay)) : [];
    const scaled = (other, offset, from = null) => {
      const holds = other.holds.map(({ begin, length }) => ({ begin: begin * factor, length: length * factor }));
      return { ...other, start: start + offset * factor, duration: other.duration * factor, holds, from };
    };
    return [
      ...earlier.map((other) => scaled(other, other.start - here, start)),
      ...(this.others[index] ?? []).map((other) => scaled(other, other.start)),
    ];
  }

  /** The clicks of a bar at the speed of its stretch; in a silent bar, only its holds are left. */
  pattern(number, factor, isSilent) {
    const runs = this.music.patterns[number].filter(({ sound }) => !isSilent || sound === null);
    return runs.map((run) => ({ ...run, offset: run.offset * factor, step: run.step * factor }));
  }

  state(now) {
    const { conductor } = this;
    const { anchor, countIn, held, isPaused, phase, sound } = conductor;
    const n = conductor.here(now);
    const counts = countIn.heard.map(([lead, name]) => [lead, 0, 1, name]);
    return {
      state: {
        zero: 0, time: anchor.time, position: anchor.position, speed: anchor.speed / written,
        paused: isPaused ? Math.max(conductor.position(now), 0) : null, pausedAt: isPaused ? phase.time : null, resumed: conductor.resumed ?? null,
        held: held?.position ?? null, heldBar: held?.n ?? null,
        countsTo: countIn.length > 0 ? anchor.time : null, begins: null,
        settings: this.settings(n), values: this.values(n), trouble: this.trouble ?? "", heard: null,
        ended: conductor.hasEnded || conductor.isOver(now) ? this.music.ending : "",
      },
      beats: countIn.leads, counts,
    };
  }

  // Texts

  speed(n) {
    return percent(onTop(this.conductor.passage.stretch(n).speed, this.conductor.anchor.speed));
  }

  settings(n) {
    const { conductor, music } = this;
    const { texts } = music;
    const { sound } = conductor;
    const words = [this.speed(n)];
    if (!this.isRun || sound.drone !== null) words.push(`A4 ${sound.a4.toFixed(1)}`, this.droneAndLevel(n));
    words.push(conductor.clicksAreOff ? texts.clicksMuted : filled(texts.clicksAt, { level: decibels(sound.clickLevel) }));
    if (sound.countsInJumps && music.countsIn === 1) words.push(texts.jumpsCounted);
    return words.join("   ");
  }

  values(n) {
    const { conductor, music } = this;
    const { sound, clicksAreOff } = conductor;
    const drone = sound.isDroneMuted ? null : conductor.droneIn(conductor.passage.bar(n));
    return {
      speed: this.speed(n), a4: sound.a4.toFixed(1), drone: drone ? this.droneName(drone) : "", droneLevel: drone ? decibels(drone.level) : "",
      clicks: clicksAreOff ? "" : music.texts.isOn, clickLevel: clicksAreOff ? "" : decibels(sound.clickLevel),
      jumps: sound.countsInJumps ? music.texts.isOn : "",
    };
  }

  droneAndLevel(n) {
    const { conductor, music } = this;
    const { texts } = music;
    if (conductor.sound.isDroneMuted) return texts.droneMuted;
    const drone = conductor.droneIn(conductor.passage.bar(n));
    if (drone === null) return texts.noDrone;
    const name = this.droneName(drone);
    const [first] = drone.notes;
    const isTone = drone.notes.length === 1 && first.hertz === undefined;
    const tone = isTone ? filled(texts.droneTone, { name, hertz: hundredths(conductor.hertz(first)) }) : filled(texts.droneChord, { name });
    return `${tone}${drone.waveform === "sine" ? "" : ` ${drone.waveform}`} ${decibels(drone.level)}`;
  }

  droneName(drone) {
    if (drone.notes.length === 1 && drone.notes[0].hertz !== undefined) return `${hundredths(drone.notes[0].hertz)} Hz`;
    return drone.notes.map((note) => this.pitch(note)).join(", ");
  }

  /** The name of a pitch: `B4`, `Bb3+14c`, `3/2 of E4`, `493.9 Hz`. */
  pitch({ hertz, note, over, under, cents }) {
    if (hertz !== undefined) return `${hertz} Hz`;
    const octave = Math.floor(note / 12);
    const name = `${this.music.keys[note - octave * 12]}${octave - 1}${cents ? `${cents > 0 ? "+" : ""}${cents}c` : ""}`;
    return over === undefined ? name : `${over}/${under} of ${name}`;
  }
}

