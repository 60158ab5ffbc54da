// Which clicks are due, as Sources/Timing/Scheduling/Scheduler.swift and Sources/Timing/CountIn.swift have it: a closed form of
// the timeline and the newest state. All times are in seconds of the player's clock.

const [LINE, BAR, BEAT, SUBDIVISION] = [0, 1, 2, 3];
/** Positions are told in nanoseconds, and some are sums of several. */
const rounding = 1e-8;
/** The level of a page's clicks if the player's own are muted, in dB. */
const usualLevel = -6;

/** The clicks that a page may choose: which are left, and whether the player's settings count. The text of `lines` is `partLines`. */
export const parts = {
  player: { has: (click) => click.isHeard, followsMute: true },
  lines: { has: (click) => click.rank === LINE },
  bars: { has: (click) => click.rank <= BAR },
  beats: { has: (click) => click.rank <= BEAT },
  all: { has: (click) => click.rank <= SUBDIVISION },
  halves: { has: (click) => click.rank <= BEAT, parts: 2 },
  thirds: { has: (click) => click.rank <= BEAT, parts: 3 },
  quarters: { has: (click) => click.rank <= BEAT, parts: 4 },
};

const partOf = (choice) => parts[choice.part] ?? parts.player;

/** The sounds of bars, from the server's message. */
export class Sounds {
  constructor(message) {
    Object.assign(this, message.sounds, { patterns: message.patterns, drones: message.drones, heard: message.heard, voices: message.voices });
    this.others = message.others.map(({ word, number, ...bar }) => ({ ...bar, shown: { word, number } }));
  }

  /**
   * The clicks of a boundary's bar and its holds, which have no sound, in order: those at offsets from `from` to `to`, and one
   * more on each side. Undefined if they are not known.
   */
  clicks(n, from, to) {
    const pattern = this.patterns[this.heard[n - this.first]?.[0]];
    return pattern?.flatMap((run, index) => {
      const { offset, count, step } = run;
      if (count === 1 || step <= 0) return { ...run, key: `${index}` };
      const [first, last] = [Math.floor((from - offset) / step), Math.ceil((to - offset) / step)];
      const [begin, end] = [Math.min(Math.max(first, 0), count - 1), Math.min(Math.max(last, 0), count - 1)];
      return Array.from({ length: end - begin + 1 }, (_, n) => {
        return { ...run, offset: offset + step * (begin + n), key: `${index} ${begin + n}` };
      });
    });
  }

  /** The bars of a voice beside the leading one, in order. */
  barsOf(voice) {
    return this.others.filter((bar) => bar.voice === voice);
  }

  /** The drone under a boundary's bar; null for none, undefined if it is not known. */
  drone(n) {
    return this.drones[this.heard[n - this.first]?.[1]];
  }
}

/** The clicks of a bar as a page has chosen them; the holds stay. */
export function chosen(moments, length, choice) {
  const { has, parts: count } = partOf(choice);
  const isOfVoice = (click) => !choice.voice || click.voice === choice.voice || click.voice === 0;
  const left = moments.filter((moment) => moment.sound === null || (has(moment) && isOfVoice(moment)));
  if (!count) return left;
  // Each beat in equal parts: up to the next one, to the next hold or the end of the bar.
  return left.flatMap((moment, index) => {
    if (moment.sound === null) return [moment];
    const end = left.slice(index + 1).find((other) => other.offset > moment.offset)?.offset ?? length;
    const between = Array.from({ length: count - 1 }, (_, n) => ({
      ...moment,
      offset: moment.offset + ((end - moment.offset) * (n + 1)) / count,
      sound: "subdivision",
      rank: SUBDIVISION,
      key: `${moment.key} part ${n + 1}`,
    }));
    return [moment, ...between];
  });
}

export class ClickPlan {
  /** `choice` has the page's `part` and `voice` (0 for all); `floor` is the position before which everything was played. */
  constructor(music, sounds, choice, floor = -Infinity) {
    Object.assign(this, { music, sounds, choice, floor });
  }

  /** When the newest state begins to be true: what was due before stays right. */
  static begin(music, before) {
    const { state, counts } = music;
    if (state.paused !== null) return before && before.state.paused === null ? before.time(state.paused) : -Infinity;
    return state.zero + state.time - Math.max(0, ...(counts ?? []).map(([lead]) => lead));
  }

  amplitude(decibels) {
    const { level } = this.sounds;
    const base = level ?? (partOf(this.choice).followsMute ? -Infinity : usualLevel);
    return Math.min(10 ** ((base + decibels) / 20), 1);
  }

  /** The clicks from `from` to `to`, in order: each has `key`, `at`, `sound` and `amplitude`. */
  between(from, to) {
    const { music } = this;
    const { state } = music;
    if (state.ended || state.paused !== null) return [];
    const clicks = this.counted(from, to);
    const { position, speed } = state;
    const reached = position + (from - state.zero - state.time) * speed;
    const begin = Math.max(reached, position, this.floor) - rounding;
    // A hold at the very end of a bar belongs to that bar, wherever rounding puts it.
    for (let n = Math.min(music.boundary(Math.max(begin, 0)), state.heldBar ?? Infinity); ; n += 1) {
      const bar = music.bar(n);
      if (!bar || music.time(bar.start) > to) return clicks;
      const moments = this.sounds.clicks(n, begin - bar.start, reached + (to - from) * speed - bar.start);
      if (!moments) return clicks;
      for (const moment of chosen(moments, bar.duration, this.choice)) {
        const place = bar.start + moment.offset;
        // A hold lasts until the player goes on; then the music stands after it, or at it if the hold has no length.
        const isHeld = state.held !== null && n === state.heldBar && Math.abs(state.held - place) < rounding;
        if (moment.sound === null && (isHeld || place > position + rounding)) return clicks;
        // What comes before a hold at its place was heard before the hold, which the player has left.
        const isLeft = moment.sound === null && Math.abs(place - position) < rounding;
        const last = () => clicks[clicks.length - 1];
        while (isLeft && clicks.length > 0 && last().n === n && Math.abs(last().place - place) < rounding) clicks.pop();
        const at = music.time(place);
        const amplitude = this.amplitude(moment.decibels);
        if (moment.sound === null || place < begin || at < from || at > to || amplitude === 0) continue;
        clicks.push({ key: `${n} ${moment.key}`, n, place, at, sound: moment.sound, amplitude });
      }
    }
  }

  counted(from, to) {
    const { state, counts } = this.music;
    const amplitude = this.amplitude(0);
    if (state.countsTo === null || amplitude === 0) return [];
    const clicks = [];
    for (const [lead, step, count, sound] of counts ?? []) {
      for (let n = 0; n < count; n += 1) {
        const at = state.zero + state.countsTo - lead + step * n;
        if (at >= from && at <= to) clicks.push({ key: `count ${(lead - step * n).toFixed(6)}`, at, sound, amplitude });
      }
    }
    return clicks;
  }
}
