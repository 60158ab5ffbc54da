// The conductor of a page that plays by itself: it edits the same state that a server would send. The mathematics are those
// of Scheduler.swift and SchedulerCommands.swift in Sources/Timing/Scheduling, and Music.swift and Jump.swift in Sources/Playback;
// a test holds both to the same random commands. Times are in seconds of the page's clock, positions in seconds of the passage.

import { ConductedSound } from "./conductedsound.js";
import { Passage, Piece, written } from "./passage.js";

/** How long after the start of a bar or line a jump back still goes to the previous one, in s. */
const justBegun = 0.5;
/** How far after the place of a hold the music stands at it, in s. */
const afterHold = 1e-7;
/** The longest count-in, in s. */
const longestCount = 3600;
/** Times that are nearer than this, in s, are the same. */
const near = 1e-9;

export class Conductor extends ConductedSound {
  /** The music of the file; nothing sounds before the time `earliest`. */
  constructor(music, earliest = 0) {
    super(music);
    Object.assign(this, { piece: new Piece(music), waits: music.waits === 1 });
    this.home = new Passage(this.piece, music.stretches, music.passes);
    this.passage = this.home;
    this.leftHome = null;
    this.anchor = { time: 0, position: this.home.position(music.first), speed: music.sound.speed };
    this.countIn = this.countTo(music.first, this.anchor.speed);
    this.anchor.time = this.zero = earliest + this.countIn.length;
    this.phase = { kind: "waiting", earliest };
    // The boundary and the number of the hold in its bar that come next: those before have been left.
    this.cursor = { n: music.first, inner: 0 };
    // By what the music began anew at the next boundary, or `held` after a hold until a cue, for the log of taps.
    Object.assign(this, { loopStart: null, taps: [], anew: null });
  }

  // Count-ins

  /** The count-in to a boundary at a speed. Clicks more than an hour before its end are left out. */
  countTo(target, speed) {
    const { length, follows, beats, clicks } = this.music.counts[this.piece.bars[this.passage.bar(target)].count];
    const factor = follows ? written / this.passage.stretch(target).speed : 1;
    const fits = (lead) => (follows ? (lead * factor * written) / speed : lead) <= longestCount + near;
    const kept = clicks.filter(([lead]) => fits(lead)).map(([lead, sound]) => [lead * factor, sound]);
    const leads = beats.filter(fits).map((lead) => lead * factor);
    const whole = fits(length) ? length * factor : (leads[0] ?? kept[0]?.[0] ?? 0);
    return this.counted({ target, follows: follows === 1, whole, beats: leads, clicks: kept }, speed);
  }

  /** A count-in at another speed. */
  counted(count, speed) {
    const factor = count.follows ? written / speed : 1;
    const heard = count.clicks.map(([lead, sound]) => [lead * factor, sound]);
    return { ...count, length: count.whole * factor, leads: count.beats.map((lead) => lead * factor), heard };
  }

  none(target) {
    return { target, follows: false, whole: 0, beats: [], clicks: [], length: 0, leads: [], heard: [] };
  }

  // Where the music is

  /** When a position is heard. */
  timeOf(position) {
    return this.anchor.time + ((position - this.anchor.position) * written) / this.anchor.speed;
  }

  positionAt(time) {
    return this.anchor.position + ((time - this.anchor.time) * this.anchor.speed) / written;
  }

  get isPaused() {
    return this.phase.kind === "paused";
  }

  get hasEnded() {
    return this.phase.kind === "ending";
  }

  /** The time before which music that has not begun cannot begin; null once it has. */
  get earliest() {
    return this.phase.kind === "waiting" ? this.phase.earliest : (this.phase.notBegun ?? null);
  }

  /** The hold at which the music waits next; null if there is none. */
  get held() {
    if (!this.waits || this.hasEnded) return null;
    if (this.next !== undefined) return this.next;
    this.next = null;
    const { passage, music } = this;
    if (Object.keys(music.held).length === 0) return null;
    const end = passage.count ?? this.cursor.n + 2 * passage.barsInPass + 1;
    for (let n = this.cursor.n; n < end; n += 1) {
      const holds = music.held[passage.bar(n)] ?? [];
      const first = n === this.cursor.n ? this.cursor.inner : 0;
      if (first >= holds.length) continue;
      const factor = written / passage.stretch(n).speed;
      const [offset, length] = holds[first];
      this.next = { n, inner: first, position: passage.position(n) + offset * factor, length: length * factor };
      break;
    }
    return this.next;
  }

  /** The position at a time: never after a hold at which the music waits. */
  position(now) {
    const time = this.isPaused || this.hasEnded ? this.phase.time : now;
    const position = Math.max(this.positionAt(time), this.anchor.position);
    const { held } = this;
    return held && position >= held.position ? held.position : position;
  }

  /** The boundary whose bar sounds at a time; at a hold at the very end of a bar, the music has not left that bar. */
  here(now) {
    const position = Math.max(this.position(now), 0);
    const { held } = this;
    if (held && position >= held.position && this.passage.boundary(held.position) !== held.n) return held.n;
    return this.passage.boundary(position);
  }

  isHolding(now) {
    if (this.isPaused || this.hasEnded) return false;
    this.begin(now);
    if (this.phase.kind === "waiting") return false;
    if (this.countIn.length > 0 && now < this.anchor.time) return false;
    return this.held !== null && Math.max(this.positionAt(now), this.anchor.position) >= this.held.position;
  }

  /** When the music came to the hold at which it stands at a time, without pauses since then; null if it stands at none. */
  arrival(now) {
    const { held } = this;
    return held && this.position(now) >= held.position ? this.timeOf(Math.max(held.position, this.anchor.position)) : null;
  }

  /** How long the music has waited at the hold at which it stands; zero if it stands at none. */
  waited(now) {
    return Math.max(this.time(now) - (this.arrival(now) ?? Infinity), 0);
  }

  /** Whether the music is over at a time. */
  isOver(now) {
    const { total } = this.passage;
    return !this.isPaused && total !== null && !(this.held && this.held.position <= total + 1e-9) && this.positionAt(now) >= total;
  }

  // What changes it

  /** Music that began before a time is no longer waiting. */
  begin(now) {
    if (this.phase.kind !== "waiting") return;
    if (Math.max(this.anchor.time - this.countIn.length, this.phase.earliest) < now) this.phase = { kind: "going" };
  }

  /** A change at a time: from there, holds are looked for and signals prepared again. */
  change(now) {
    this.begin(now);
    this.next = undefined;
    this.changed = now;
  }

  /** The time at which a change takes effect. */
  time(now) {
    return this.isPaused ? this.phase.time : now;
  }

  pause(now) {
    this.change(now);
    this.phase = { kind: "paused", time: now, notBegun: this.earliest };
  }

  resume(now) {
    const { phase, anchor } = this;
    Object.assign(this, { changed: now, anew: "resumed" });
    if (phase.notBegun !== null) {
      this.phase = { kind: "waiting", earliest: now };
      anchor.time = Math.max(anchor.time, now + this.countIn.length);
      return;
    }
    this.phase = { kind: "going" };
    anchor.time += now - phase.time;
    this.resumed = now;
  }

  /** Goes on after a hold. */
  proceed(now) {
    const { held } = this;
    this.change(now);
    this.anew ??= "held";
    this.phase = { kind: "going" };
    Object.assign(this.anchor, { time: now, position: held.position + held.length });
    this.countIn = this.none(this.countIn.target);
    this.cursor = { n: held.n, inner: held.inner + 1 };
  }

  jump(n, now) {
    this.change(now);
    this.anew = "jump";
    if (this.earliest === null) {
      this.countIn = this.sound.countsInJumps ? this.countTo(n, this.anchor.speed) : this.none(n);
      this.anchor.time = this.time(now) + this.countIn.length;
    } else {
      this.replaceCount(this.countTo(n, this.anchor.speed));
    }
    this.anchor.position = this.passage.position(n);
    this.cursor = { n, inner: 0 };
    this.next = undefined;
  }

  /** Another count-in of music that has not begun: it begins later if a longer one needs that. */
  replaceCount(count) {
    const isLonger = count.length > this.countIn.length;
    this.countIn = count;
    if (isLonger && this.phase.kind === "waiting") this.anchor.time = Math.max(this.anchor.time, this.phase.earliest + count.length);
  }

  /**
   * The position at a time for a new anchor: at a hold, a little after its place, because what comes before it at that place
   * has been heard.
   */
  stand(now) {
    return this.position(now) + (this.isHolding(now) ? afterHold : 0);
  }

  /** Another passage: the bar that sounds goes on if it is there, near a boundary. */
  play(passage, now, near = 0) {
    const old = this.passage;
    const [position, n] = [Math.max(this.stand(now), 0), this.here(now)];
    const arrival = this.arrival(now);
    const target = passage.boundaryOf(old.bar(n), near);
    this.change(now);
    this.passage = passage;
    if (target === null) return this.jump(0, now);
    this.countIn.target = target;
    this.cursor = this.cursor.n < n ? { n: target, inner: 0 } : { n: target + this.cursor.n - n, inner: this.cursor.inner };
    const [from, to] = [old.stretch(n).speed, passage.stretch(target).speed];
    const [begin, there] = [old.position(n), passage.position(target)];
    if (from === to) {
      this.anchor.position += there - begin;
      return;
    }
    this.anchor.time = arrival ?? Math.max(this.anchor.time, this.time(now));
    this.anchor.position = there + ((position - begin) * from) / to;
  }

  setSpeed(speed, now) {
    const [position, arrival] = [this.stand(now), this.arrival(now)];
    this.change(now);
    const { anchor } = this;
    const time = this.time(now);
    if (time > anchor.time) {
      Object.assign(anchor, { position, time: arrival ?? time });
      this.countIn = this.none(this.countIn.target);
    } else if (this.earliest !== null) {
      this.replaceCount(this.counted(this.countIn, speed));
    } else if (this.countIn.follows) {
      anchor.time = time + ((anchor.time - time) * anchor.speed) / speed;
      this.countIn = this.counted(this.countIn, speed);
    }
    anchor.speed = speed;
  }

  nudge(seconds, now) {
    this.change(now);
    this.anchor.time += seconds;
  }

  goTo(bar, now) {
    const there = this.passage.boundaryOf(bar, this.here(now));
    if (there !== null) return this.jump(there, now);
    const atHome = this.leftHome === null ? null : this.home.boundaryOf(bar, this.leftHome);
    if (atHome === null) return;
    this.goHome(now);
    this.jump(atHome, now);
  }

  revert(now) {
    this.setSpeed(this.start.speed, now);
    const { speed, ...sound } = this.start;
    Object.assign(this.sound, structuredClone(sound));
  }

  goToTime(time, now) {
    if (this.music.countsPasses !== 1) return this.goTo(this.piece.at(time), now);
    this.goHome(now);
    this.jump(this.home.boundary(time), now);
  }

  goHome(now) {
    if (this.leftHome === null) return;
    const left = this.leftHome;
    this.leftHome = null;
    this.play(this.home, now, left);
  }

  /** Plays the stretches of a loop or a program again and again; null for the passage of the start. */
  practice(stretches, now, isProgram = false) {
    if (stretches === null) return this.goHome(now);
    this.leftHome = this.leftHome ?? this.here(now);
    this.play(new Passage(this.piece, stretches, null), now);
    this.isProgram = isProgram;
  }

  /** The first bar of the program that is played, otherwise of the passage of the start. */
  get firstBar() {
    return (this.leftHome !== null && this.isProgram ? this.passage : this.home).bar(0);
  }

  /** The bars that are looped, as first and end; null if none are. */
  get loop() {
    const { stretches, passes } = this.passage;
    return this.leftHome !== null && stretches.length === 1 && passes === null ? [stretches[0].first, stretches[0].end] : null;
  }

  /** The bars that a loop repeats, or a program that plays the same bars in every step; null if neither is on. */
  get practicedBars() {
    const [{ first, end }, ...others] = this.passage.stretches;
    return this.leftHome !== null && others.every((each) => each.first === first && each.end === end) ? [first, end] : null;
  }

  toggleLoop(first, end, now) {
    const isLooped = this.loop !== null && this.loop[0] === first && this.loop[1] === end;
    this.practice(isLooped ? null : [[first, end, written]], now);
  }

  /** Begins anew after the end, with the count-in of the start. */
  again(now) {
    this.goHome(now);
    this.change(now);
    this.anew = "jump";
    const { first } = this.music;
    this.countIn = this.countTo(first, this.anchor.speed);
    Object.assign(this.anchor, { time: now + this.countIn.length, position: this.home.position(first) });
    Object.assign(this, { phase: { kind: "going" }, cursor: { n: first, inner: 0 } });
  }

  // What keys mean where the music is

  /** The boundary that a key goes to; null in the last bar or line for one that would go on. */
  target(kind, now) {
    const { passage } = this;
    const n = this.here(now);
    const position = this.position(now);
    const since = (boundary) => (position - passage.position(boundary)) * (written / this.anchor.speed);
    const begun = (boundary) => since(boundary) + this.waited(now) < justBegun;
    const { bar, barsInLine } = this.piece.bars[passage.bar(n)];
    const [first, end] = passage.around(n);
    const startOfLine = (boundary) => {
      return Math.max(boundary - this.piece.bars[passage.bar(boundary)].bar + 1, passage.around(boundary)[0]);
    };
    if (kind === "nextBar") return passage.has(n + 1) ? n + 1 : null;
    if (kind === "previousBar") return begun(n) ? Math.max(n - 1, 0) : n;
    if (kind === "nextLine") {
      const next = Math.min(n + barsInLine - bar + 1, end);
      return passage.has(next) ? next : null;
    }
    if (kind !== "previousLine") return n;
    const begin = startOfLine(n);
    return begin > 0 && begun(begin) ? startOfLine(begin - 1) : begin;
  }
}
