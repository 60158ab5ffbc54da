// The clicks between those of the bars: countdowns, the ends of holds, warnings of entries, half time, the last minute, the
// end, and words. The mathematics are those of Sources/Timing/Scheduling/SignalQueue.swift and HeldTime.swift. Times are in seconds
// of the page's clock.

import { isSilentBar } from "./conductedsound.js";
import { written } from "./passage.js";
import { wordsAt } from "./spoken.js";

/** No click warns of an entry that is farther away, in s; and how much softer such clicks are, in dB. */
const [farthest, softer] = [60, -6];
/** How long before its boundary a signal may begin, in s. */
const reach = { usual: 12, warning: 64 };
const near = 1e-9;

/** Which boundaries have a countdown: `bar` is the number of the bar in its line. */
const counted = { sections: (bar, isSection) => isSection, lines: (bar) => bar === 1, bars: () => true };

export class Signals {
  /** The signals of a conductor's music as it goes on after its newest change. */
  constructor(conductor) {
    Object.assign(this, { conductor, music: conductor.music, found: [], lastCounted: null });
    const { passage, changed } = conductor;
    this.from = changed ?? -Infinity;
    if (changed === undefined) this.next = conductor.music.first;
    else {
      const position = conductor.position(changed);
      const boundary = passage.boundary(position);
      this.next = passage.position(boundary) >= position - near ? boundary : boundary + 1;
    }
    this.isStill = conductor.isPaused || conductor.hasEnded;
    this.warns = this.music.warning[1] > 0 || this.music.signals.some(({ warning }) => warning !== null);
  }

  /** The clicks from one time to another: `at`, `sound`, `level` in dB. */
  between(from, to) {
    if (this.isStill) return [];
    const { conductor } = this;
    const { passage, held } = conductor;
    const far = to + (this.warns ? reach.warning : reach.usual);
    for (; passage.count === null || this.next <= passage.count; this.next += 1) {
      const due = conductor.timeOf(passage.position(this.next));
      const begin = this.next > 0 ? conductor.timeOf(passage.position(this.next - 1)) : due;
      if (begin >= far) break;
      this.drawUp(this.next, due);
      this.say(this.next, due);
    }
    // Nothing is heard after a hold until the player goes on.
    const end = held ? conductor.timeOf(held.position) : Infinity;
    this.found = this.found.filter(({ at }) => at >= from - 60);
    return this.found.filter(({ at }) => at >= Math.max(from, this.from) - near && at <= to && at <= end + near);
  }

  /** Adds a click; a tick of a countdown has the time to which that counts. */
  add(at, sound, level, countsTo = undefined) {
    this.found.push({ key: `signal ${at.toFixed(6)} ${sound}`, at, sound, level, countsTo });
  }

  /** Adds the words about boundary `n`. One that needs the time of a countdown takes its place. */
  say(n, due) {
    for (const { at, length, sound } of wordsAt(n, due, this.conductor)) {
      const covered = new Set(this.found.filter((tick) => tick.countsTo > at && tick.at < at + length).map((tick) => tick.countsTo));
      this.found = this.found.filter((tick) => !covered.has(tick.countsTo));
      this.found.push({ key: `${sound} ${n} ${at.toFixed(6)}`, at, sound, level: this.music.speech.level });
    }
  }

  signal(n) {
    const { conductor, music } = this;
    const { bar, signal } = conductor.piece.bars[conductor.passage.bar(n)];
    return { bar, ...music.signals[signal] };
  }

  isSilent(n) {
    return isSilentBar(this.conductor.sound.silence, n);
  }

  /** The signals up to boundary `n`, from the one before it. */
  drawUp(n, due) {
    const { conductor, music } = this;
    const { passage, anchor, countIn, sound } = conductor;
    const { cues } = music;
    const level = sound.clickLevel;
    const isCountedIn = n === countIn.target && countIn.length > 0 && Math.abs(due - anchor.time) < near;
    const held = n > 0 && cues.holdEnd !== null ? this.endHolds(n - 1) : 0;
    const { total } = passage;
    if (n > 0 && total !== null) {
      const [begin, end] = [passage.position(n - 1), passage.position(n)];
      const lastWait = this.lastWait();
      if (cues.halfTime && lastWait < 0 && begin <= total / 2 + near && total / 2 < end - near) this.add(conductor.timeOf(total / 2), "section", level);
      const left = conductor.timeOf(total) - 60;
      const isIn = conductor.timeOf(begin) <= left + near && left < due - near;
      if (cues.minuteLeft && lastWait < n - 1 && left - conductor.zero > near && isIn) this.add(left, "section", level);
    }
    if (!passage.has(n)) {
      this.countDown(held, due, level);
      if (cues.end) this.add(due, "end", level);
      return;
    }
    const signal = this.signal(n);
    const warnings = this.warns ? this.warnings(n, due, signal) : [];
    if (warnings.length > 0) {
      for (const at of warnings) this.add(at, "warning", level + softer);
      this.lastCounted = due;
    } else if (signal.isPlan && isCountedIn) {
      // The count-in counts by itself.
    } else if (n > 0 && cues.countdown > 0 && counted[cues.to](signal.bar, signal.isSection)) {
      const room = due - (this.lastCounted ?? conductor.timeOf(cues.to === "bars" ? passage.position(n - 1) : 0));
      let ticks = 0;
      while (ticks < cues.countdown && ticks + 1 < room - near) ticks += 1;
      this.countDown(Math.max(ticks, held), due, level);
      this.lastCounted = due;
    } else this.countDown(held, due, level);
  }

  countDown(ticks, end, level) {
    if (ticks <= 0) return;
    for (let second = 1; second <= ticks; second += 1) this.add(end - second, "warning", level, end);
    this.lastCounted = end;
  }

  /** The last boundary whose bar waits for the player; -1 if none does. */
  lastWait() {
    const { conductor, music } = this;
    if (!conductor.waits || Object.keys(music.held).length === 0) return -1;
    const { passage } = conductor;
    let found = -1;
    passage.stretches.forEach(({ first, end }, index) => {
      for (let bar = end - 1; bar >= first; bar -= 1) {
        if (!music.held[bar]) continue;
        found = Math.max(found, passage.begins[index].boundary + bar - first);
        break;
      }
    });
    if (found < 0) return -1;
    return passage.passes === null ? Infinity : (passage.passes - 1) * passage.barsInPass + found;
  }

  /** Announces the ends of holds in the bar of boundary `n`; returns the ticks before the next bar if a hold ends there. */
  endHolds(n) {
    const { conductor, music } = this;
    const { passage, anchor, sound } = conductor;
    const { isRest, decibels, holds } = this.signal(n);
    if (conductor.clicksAreOff || this.isSilent(n) || isRest) return 0;
    const level = Math.min(sound.clickLevel + decibels, 0);
    const [start, factor] = [passage.position(n), written / passage.stretch(n).speed];
    for (const { begin: from, end: to, endsBar, waits } of holds) {
      if (waits && conductor.waits) continue;
      const [begin, end] = [from, to].map((offset) => conductor.timeOf(start + offset * factor));
      if (end < anchor.time - near) continue;
      const room = end - Math.max(begin, anchor.time, this.lastCounted ?? begin);
      let ticks = 0;
      while (ticks < music.cues.holdEnd && ticks + 1 <= room + near) ticks += 1;
      if (endsBar) return ticks;
      this.countDown(ticks, end, level);
      this.add(end, "beat", level);
    }
    return 0;
  }

  /** The times of the clicks that warn of boundary `n`, from the last to the first. */
  warnings(n, due, entry) {
    const { conductor, music } = this;
    const { passage, anchor } = conductor;
    if (n === 0 || conductor.clicksAreOff || this.isSilent(n - 1)) return [];
    const isAfterRest = this.signal(n - 1).isRest;
    const usual = isAfterRest && !entry.isRest ? music.warning : ["time", 0];
    const earliest = Math.max(due - farthest, anchor.time);
    const canHave = (bar) => !isAfterRest || this.signal(bar).isRest;
    const taken = (times, isMeant = () => true) => {
      const end = times.findIndex((time) => time < earliest - near || !isMeant(time));
      return end < 0 ? times : times.slice(0, end);
    };
    const seconds = (length) => {
      if (length <= 0) return [];
      const times = Array.from({ length: Math.max(Math.floor(length + near), 1) }, (_, index) => due - Math.min(index + 1, length));
      return taken(times, (time) => canHave(passage.boundary(conductor.positionAt(time))));
    };
    const beats = (count, bars) => {
      const found = [];
      for (let bar = n - 1; bar >= Math.max(n - bars, 0); bar -= 1) {
        if (found.length >= count || (found.length > 0 && found[found.length - 1] < earliest - near) || !canHave(bar)) break;
        found.push(...this.beats(bar).reverse());
      }
      return taken(found.slice(0, count));
    };
    const [kind, amount] = entry.warning ?? usual;
    if (kind === "time") return seconds(amount);
    if (kind === "bars") return beats(Infinity, amount);
    return this.signal(n - 1).beats.length === 0 ? seconds(amount) : beats(amount, amount);
  }

  /** The times of the beats in the bar of boundary `n`; of its beginning if it has none. */
  beats(n) {
    const { passage } = this.conductor;
    const [start, factor] = [passage.position(n), written / passage.stretch(n).speed];
    const { beats } = this.signal(n);
    return (beats.length === 0 ? [0] : beats).map((offset) => this.conductor.timeOf(start + offset * factor));
  }
}
