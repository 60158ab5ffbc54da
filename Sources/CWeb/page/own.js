// The bars of one voice in place of those of the leading one: what each player of an ensemble sees.

import { Music } from "./music.js";

/** From where on a bar is heard: one that is under way where the music begins anew began before. */
const begin = ({ start, from }) => from ?? start;

const named = (bar) => ({ ...bar, n: `own ${begin(bar)}` });

/** Music whose bars are those of a voice: `bars` with `start`, `duration`, `holds`, `line`, `bar`, `barsInLine`, `place`, `label`, `cue`. */
export class OwnMusic {
  constructor(music, bars) {
    Object.assign(this, { music, bars });
  }

  /** What this voice plays at a moment of the whole music; unchanged where no bar of it is known. */
  moment(moment) {
    if (!moment.bar) return moment;
    const n = this.bars.findLastIndex((bar) => begin(bar) <= moment.position + 1e-9);
    const bar = this.bars[n];
    if (!bar || moment.position >= bar.start + bar.duration) return { ...moment, bar: null, isSilent: true };
    const left = (bar.start + bar.duration - moment.position) / this.music.state.speed;
    // All voices wait together for the player, but each has its own timed holds.
    const inBar = moment.position - bar.start;
    const held = moment.waits ? undefined : bar.holds.find((hold) => hold.begin <= inBar && inBar < hold.begin + hold.length);
    const hold = held ? { left: (held.begin + held.length - inBar) / this.music.state.speed, length: held.length / this.music.state.speed } : null;
    const isMoving = ["playing", "holding"].includes(moment.kind) && !moment.waits;
    const kind = isMoving ? (hold ? "holding" : "playing") : moment.kind;
    return { ...moment, kind, hold, bar: { ...named(bar), at: n }, left };
  }

  next(bar) {
    return this.bars[bar.at + 1];
  }

  /** The bar in which this voice begins with a bar of the leading one; null for none. */
  from(bar) {
    return this.moment({ kind: "playing", bar, position: bar.start }).bar;
  }

  line(bar) {
    const { bars } = this;
    // In a loop, the bars of a line come again, and those before it are unknown.
    const follows = (n) => n > 0 && n < bars.length && bars[n].line === bars[n - 1].line && bars[n].bar === bars[n - 1].bar + 1;
    let [first, end] = [bar.at, bar.at + 1];
    while (follows(first)) first -= 1;
    while (follows(end)) end += 1;
    return bars.slice(first, end).map(named);
  }
}

/** The music as the leading voice has it. */
export class LeadingMusic {
  constructor(music) {
    this.music = music;
  }

  moment(moment) {
    return moment;
  }

  next(bar) {
    return this.music.bar(bar.n + 1);
  }

  from(bar) {
    return bar;
  }

  line(bar) {
    return this.music.line(bar);
  }
}

/** The music as a voice has it, the first being the leading one; 0 for none in particular. */
export function musicOf(voice, music, sounds) {
  if (!(music instanceof Music) || !sounds || voice < 2) return new LeadingMusic(music);
  return new OwnMusic(music, sounds.barsOf(voice));
}
