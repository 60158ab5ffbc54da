// The bars of one voice in place of those of the leading one: what each player of an ensemble sees.

import { Music } from "./music.js";

/** Music whose bars are those of a voice: `bars` with `start`, `duration`, `holds`, `line`, `bar`, `barsInLine`, `place`, `label`, `cue`. */
export class OwnMusic {
  constructor(music, bars) {
    Object.assign(this, { music, bars });
  }

  /** What this voice plays at a moment of the whole music; unchanged where no bar of it is known. */
  moment(moment) {
    if (!moment.bar) return moment;
    const n = this.bars.findLastIndex((bar) => bar.start <= moment.position + 1e-9);
    const bar = this.bars[n];
    if (!bar || moment.position >= bar.start + bar.duration) return { ...moment, bar: null, isSilent: true };
    const left = (bar.start + bar.duration - moment.position) / this.music.state.speed;
    // All voices wait together for the player, but each has its own timed holds.
    const inBar = moment.position - bar.start;
    const held = moment.waits ? undefined : bar.holds.find(({ begin, length }) => begin <= inBar && inBar < begin + length);
    const hold = held ? { left: (held.begin + held.length - inBar) / this.music.state.speed, length: held.length / this.music.state.speed } : null;
    const isMoving = ["playing", "holding"].includes(moment.kind) && !moment.waits;
    const kind = isMoving ? (hold ? "holding" : "playing") : moment.kind;
    return { ...moment, kind, hold, bar: { ...bar, n: `own ${bar.start}`, at: n }, left };
  }

  next(bar) {
    return this.bars[bar.at + 1];
  }

  /** The bar in which this voice begins with a bar of the leading one; null for none. */
  from(bar) {
    return this.moment({ kind: "playing", bar, position: bar.start }).bar;
  }

  line(bar) {
    const first = bar.at - bar.bar + 1;
    return this.bars.slice(Math.max(first, 0), first + bar.barsInLine).filter((each) => each.line === bar.line)
      .map((each) => ({ ...each, n: `own ${each.start}` }));
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
