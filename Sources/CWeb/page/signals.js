// The clicks between those of the bars: countdowns, the ends of holds, warnings of entries, half time, the last minute, the
// end, and words. The mathematics are those of Sources/Timing/Scheduling/SignalQueue.swift, SignalVoice.swift and HeldTime.swift.
// Times are in seconds of the page's clock.

import { isSilentBar } from "./conductedsound.js";
import { written } from "./passage.js";
import { wordOfSignal, wordsAt } from "./spoken.js";

/** No click warns of an entry that is farther away, in s; and how much softer such clicks are, in dB. */
const [farthest, softer] = [60, -6];
/** How long before its boundary a signal may begin, in s. */
const reach = { usual: 12, warning: 64 };
const near = 1e-9;
/** Barlines of voices that are nearer than this, in s, are at the same moment. */
export const same = 1e-8;

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
    this.voices = conductor.voices ??= voicesOf(conductor);
    this.isStill = conductor.isPaused || conductor.hasEnded;
    this.warns = this.music.warning[1] > 0 || this.music.signals.some(({ warning }) => warning !== null);
  }

  /** The clicks from one time to another: `at`, `sound`, `level` in dB, and the `voice`, which is 0 for those of all. */
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

  /** Adds a click of a voice, or of all (0); a tick of a countdown has the time to which that counts. */
  add(at, sound, level, countsTo = undefined, voice = 0) {
    this.found.push({ key: `signal ${at.toFixed(6)} ${sound} ${voice}`, at, sound, level, countsTo, voice });
  }

  /** Adds a signal: a click, and its word. */
  tell(name, at, level) {
    this.add(at, "section", level);
    const word = wordOfSignal(name, at, this.conductor);
    if (word) this.speak(word, name);
  }

  /** Adds the words about boundary `n`. */
  say(n, due) {
    for (const word of wordsAt(n, due, this.conductor)) this.speak(word, n);
  }

  /** Adds a word. One that needs the time of a countdown takes its place, and one that gives way makes room for others. */
  speak({ at, length, sound, gives }, name) {
    const covers = (other) => other.at < at + length && at < other.at + other.length;
    const covered = new Set(this.found.filter((tick) => tick.countsTo > at && tick.at < at + length).map((tick) => tick.countsTo));
    if (gives && (covered.size > 0 || this.found.some(covers))) return;
    this.found = this.found.filter((other) => !covered.has(other.countsTo) && !(other.gives && covers(other)));
    this.found.push({ key: `${sound} ${name} ${at.toFixed(6)}`, at, sound, level: this.music.speech.level, length, gives });
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
    const leading = this.leading();
    const held = n > 0 ? this.endHolds(n - 1, leading) : [];
    const { total } = passage;
    if (n > 0 && total !== null) {
      const [begin, end] = [passage.position(n - 1), passage.position(n)];
      const lastWait = this.lastWait();
      // A jump leaves out what was to come before its target, also while the target is counted in.
      const isHalfIn = begin <= total / 2 + near && total / 2 < end - near && total / 2 >= anchor.position - near;
      if (cues.halfTime && lastWait < 0 && isHalfIn) this.tell("halfTime", conductor.timeOf(total / 2), level);
      const left = conductor.timeOf(total) - 60;
      const isIn = conductor.timeOf(begin) <= left + near && left < due - near && left >= anchor.time - near;
      if (cues.minuteLeft && lastWait < n - 1 && left - conductor.zero > near && isIn) this.tell("minuteLeft", left, level);
    }
    if (!passage.has(n)) {
      this.countDown(held, due);
      if (cues.end) this.add(due, "end", level);
      this.drawUpCompanions(n, due);
      return;
    }
    const signal = this.signal(n);
    if (this.warn(n, leading) > 0) {
      this.lastCounted = due;
    } else if (signal.isPlan && isCountedIn) {
      // The count-in counts by itself.
    } else if (n > 0 && cues.countdown > 0 && counted[cues.to](signal.bar, signal.isSection)) {
      const room = due - (this.lastCounted ?? conductor.timeOf(cues.to === "bars" ? passage.position(n - 1) : 0));
      let ticks = 0;
      while (ticks < cues.countdown && ticks + 1 < room - near) ticks += 1;
      this.countDown([...Array(ticks).fill({ level, voice: 0 }), ...held.slice(ticks)], due);
      this.lastCounted = due;
    } else this.countDown(held, due);
    this.drawUpCompanions(n, due);
  }

  /** Adds ticks at the last seconds before a time, from the last to the first. */
  countDown(ticks, end, isHeard = () => true) {
    const heard = ticks.map((tick, index) => ({ ...tick, at: end - 1 - index })).filter(({ at }) => isHeard(at));
    for (const { at, level, voice } of heard) this.add(at, "warning", level, end, voice);
    if (heard.length > 0) this.lastCounted = end;
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

  /** The leading voice, by its boundaries. */
  leading() {
    const { conductor, music } = this;
    const { passage, anchor } = conductor;
    const time = (n, offset) => conductor.timeOf(passage.position(n) + (offset * written) / passage.stretch(n).speed);
    return {
      number: 1, clicks: music.clicks[0], from: anchor.time, time, begin: (n) => time(n, 0),
      signal: (n) => this.signal(n), isSilent: (n) => this.isSilent(n),
      at: (when) => passage.boundary(conductor.positionAt(when)),
    };
  }

  /** A voice beside the leading one during the bar of boundary `n`, by the numbers of its own bars. */
  companion({ number, bars }, n) {
    const { conductor, music } = this;
    const { passage, piece, anchor } = conductor;
    const [begin, factor] = [passage.position(n), written / passage.stretch(n).speed];
    const [start, end] = [piece.start(passage.bar(n)), piece.start(passage.bar(n) + 1)];
    const time = (bar, offset) => conductor.timeOf(begin + (bars[bar].start + offset - start) * factor);
    const last = (when) => Math.max(bars.findLastIndex((bar) => bar.start <= when), 0);
    const first = last(start + same);
    const isOver = bars[first].start + bars[first].duration <= start + same;
    // It goes on without a jump from the beginning of the stretch.
    const from = Math.max(anchor.time, conductor.timeOf(passage.position(passage.around(n)[0])));
    return {
      number, clicks: music.clicks[number - 1], from, time, begin: (bar) => time(bar, 0),
      signal: (bar) => music.signals[bars[bar]?.signal], isSilent: () => false,
      at: (when) => last((conductor.positionAt(when) - begin) / factor + start + near),
      bars: isOver ? [0, -1] : [first, last(end - same)],
      end: (bar) => time(bar, bars[bar].duration),
    };
  }

  /** Announces the holds and the entries of the other voices from the boundary before `n` to this one. */
  drawUpCompanions(n, due) {
    const { conductor } = this;
    const { passage } = conductor;
    const counted = this.lastCounted;
    // A tick that all hear is not doubled, and silent bars are those of the leading voice.
    const ticks = this.found.filter(({ sound, voice }) => sound === "warning" && voice === 0);
    const isTicked = (at) => ticks.some((tick) => Math.abs(tick.at - at) < same);
    const isHeard = (at) => !isTicked(at) && !this.isSilent(passage.boundary(conductor.positionAt(at)));
    for (const each of this.voices) {
      if (n > 0) {
        const voice = this.companion(each, n - 1);
        const begin = conductor.timeOf(passage.position(n - 1));
        for (let [bar, last] = voice.bars; bar <= last; bar += 1) {
          this.lastCounted = null;
          if (voice.begin(bar) >= begin + same) this.warn(bar, voice, isHeard);
          const isIn = (end, endsBar) => (endsBar ? end > begin + same && end <= due + same : end >= begin - same && end < due - same);
          const held = this.endHolds(bar, voice, isIn, isHeard);
          // Warnings take the place of a countdown here, too.
          if (this.warnings(bar + 1, voice).length === 0) this.countDown(held, voice.end(bar), isHeard);
        }
      }
      if (!passage.has(n)) continue;
      const voice = this.companion(each, n);
      const [bar, last] = voice.bars;
      if (bar <= last && voice.begin(bar) > due - same) this.warn(bar, voice, isHeard);
    }
    this.lastCounted = counted;
  }

  /**
   * Announces the ends of holds in bar `n` of a voice; returns the ticks before the next bar, from the last to the first, if a
   * hold ends there.
   */
  endHolds(n, voice, isIn = () => true, isHeard = () => true) {
    const { conductor, music } = this;
    const { isRest, decibels, holds } = voice.signal(n);
    const [louder, isMuted] = voice.clicks;
    if (music.cues.holdEnd === null || conductor.clicksAreOff || voice.isSilent(n) || isRest || isMuted) return [];
    const level = Math.min(conductor.sound.clickLevel + decibels + louder, 0);
    for (const { begin: from, end: to, endsBar, waits } of holds) {
      if (waits && conductor.waits) continue;
      const [begin, end] = [from, to].map((offset) => voice.time(n, offset));
      if (end < voice.from - near || !isIn(end, endsBar)) continue;
      const room = end - Math.max(begin, voice.from, this.lastCounted ?? begin);
      const ticks = [];
      while (ticks.length < music.cues.holdEnd && ticks.length + 1 <= room + near) ticks.push({ level, voice: voice.number });
      if (endsBar) return ticks;
      this.countDown(ticks, end, isHeard);
      if (isHeard(end)) this.add(end, "beat", level, undefined, voice.number);
    }
    return [];
  }

  /** Adds the clicks that warn of the entry of a voice with its bar `n`; returns how many there are. */
  warn(n, voice, isHeard = () => true) {
    const times = this.warnings(n, voice);
    const level = Math.min(this.conductor.sound.clickLevel + voice.clicks[0] + softer, 0);
    for (const at of times.filter(isHeard)) this.add(at, "warning", level, undefined, voice.number);
    return times.length;
  }

  /** The times of the clicks that warn of the entry of a voice with its bar `n`, from the last to the first. */
  warnings(n, voice) {
    const isMuted = voice.clicks[1];
    if (!this.warns || n === 0 || !voice.signal(n) || this.conductor.clicksAreOff || isMuted || voice.isSilent(n - 1)) return [];
    const [entry, due] = [voice.signal(n), voice.begin(n)];
    const isAfterRest = voice.signal(n - 1).isRest;
    const usual = isAfterRest && !entry.isRest ? this.music.warning : ["time", 0];
    const earliest = Math.max(due - farthest, voice.from);
    const canHave = (bar) => !isAfterRest || voice.signal(bar).isRest;
    const taken = (times, isMeant = () => true) => {
      const end = times.findIndex((time) => time < earliest - near || !isMeant(time));
      return end < 0 ? times : times.slice(0, end);
    };
    const seconds = (length) => {
      if (length <= 0) return [];
      const times = Array.from({ length: Math.max(Math.floor(length + near), 1) }, (_, index) => due - Math.min(index + 1, length));
      return taken(times, (time) => canHave(voice.at(time)));
    };
    const beats = (count, bars) => {
      const found = [];
      for (let bar = n - 1; bar >= Math.max(n - bars, 0); bar -= 1) {
        if (found.length >= count || (found.length > 0 && found[found.length - 1] < earliest - near) || !canHave(bar)) break;
        found.push(...this.beats(bar, voice).reverse());
      }
      return taken(found.slice(0, count));
    };
    const [kind, amount] = entry.warning ?? usual;
    if (kind === "time") return seconds(amount);
    if (kind === "bars") return beats(Infinity, amount);
    return voice.signal(n - 1).beats.length === 0 ? seconds(amount) : beats(amount, amount);
  }

  /** The times of the beats in bar `n` of a voice; of its beginning if it has none. */
  beats(n, voice) {
    const { beats } = voice.signal(n);
    return (beats.length === 0 ? [0] : beats).map((offset) => voice.time(n, offset));
  }
}

/** The voices beside the leading one, with their bars by the time of the piece. */
export function voicesOf({ music, piece }) {
  return music.voices.slice(1).map((_, index) => {
    const own = music.others.filter(({ voice }) => voice === index + 2);
    return { number: index + 2, bars: own.map((bar) => ({ ...bar, start: piece.start(bar.within) + bar.start })) };
  });
}
