// What is heard at a moment, from the timeline and the newest state: the mathematics of Sources/Playback/Status.swift.
// Times are in seconds of the player's clock, positions in seconds of the score.

export class Music {
  /** From the messages of the server; `bars` have what `PageMessage.bar` tells of each. */
  constructor(timeline, bars, state, beats, { brackets = [], counts = [], hits = [] } = {}) {
    Object.assign(this, { timeline, bars, state, beats, brackets, counts, hits });
  }

  /** A bar of the timeline; undefined for one that is not known. */
  bar(n) {
    const bar = this.bars[n - this.timeline.first];
    return bar && { n, ...bar };
  }

  /** The boundary whose bar a position lies in, among those that are known. */
  boundary(position) {
    let [low, high] = [0, this.bars.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.bars[middle].start <= position) low = middle;
      else high = middle;
    }
    return this.timeline.first + low;
  }

  /** When a position is heard, if the music goes on as at present. */
  time(position) {
    const { zero, time, position: begin, speed } = this.state;
    return zero + time + (position - begin) / speed;
  }

  /**
   * What is heard at `now`: `kind` is a state word; a bar has `bar`, `left`, `position` and `waits` (at a hold until a cue), and
   * in a hold that ends by itself `hold` with its `left` and `length`.
   */
  moment(now) {
    const { state, timeline } = this;
    if (state.ended) return { kind: "end" };
    const isPaused = state.pausedAt !== null;
    // From a command on until it takes effect, the music stands.
    let time = isPaused ? state.pausedAt : Math.max(now - state.zero, state.resumed ?? -Infinity);
    // In a pause, a start keeps its time of day; after that, the music stands at its beginning.
    if (isPaused && state.begins !== null && time < state.begins) time = Math.min(now - state.zero, state.begins);
    if (state.begins !== null && time < state.begins) return { kind: isPaused ? "paused" : "waiting", left: state.begins - time };
    if (state.countsTo !== null && time < state.countsTo) return { kind: isPaused ? "paused" : "countIn", left: state.countsTo - time, isCounting: true };
    let position = Math.max(state.position + (time - state.time) * state.speed, state.position);
    const isHolding = state.held !== null && position >= state.held;
    if (isHolding) position = state.held;
    if (!isHolding && timeline.total !== null && position >= timeline.total) return { kind: "end" };
    const n = isHolding ? state.heldBar : this.boundary(Math.max(position, 0));
    const bar = this.bar(n);
    if (!bar) return { kind: "waiting", left: 0 };
    // Without a network, the music may go on beyond the bars that are known.
    if (!isHolding && n + 1 === timeline.first + this.bars.length && n + 1 !== timeline.count && position >= bar.start + bar.duration) {
      return { kind: isPaused ? "paused" : "playing", isSilent: true };
    }
    const inBar = position - bar.start;
    const held = isHolding ? undefined : bar.holds.find(({ begin, length, waits }) => !waits && begin <= inBar && inBar < begin + length);
    return {
      kind: isPaused ? "paused" : bar.isOpen ? "untilLap" : isHolding || held ? "holding" : "playing",
      bar,
      position,
      waits: isHolding,
      hold: held ? { left: (held.begin + held.length - inBar) / state.speed, length: held.length / state.speed } : null,
      left: (bar.start + bar.duration - position) / state.speed,
      waited: isHolding && !isPaused ? Math.max(time - state.time - (position - state.position) / state.speed, 0) : 0,
      elapsed: timeline.countsPasses ? Math.max(position, 0) : written(bar, position),
      total: timeline.clockEnd,
    };
  }

  /** The bars of the line that a bar is in, as far as they are known. */
  line(bar) {
    const first = bar.n - bar.bar + 1;
    const bars = [];
    for (let n = first; n < first + bar.barsInLine; n += 1) {
      const other = this.bar(n);
      if (other && other.line === bar.line && other.bar === n - first + 1) bars.push(other);
    }
    return bars;
  }
}

/** The time of the score, as written, at a position in a bar. */
export function written(bar, position) {
  const share = bar.duration > 0 ? (position - bar.start) / bar.duration : 0;
  return bar.written + Math.max(share, 0) * bar.length;
}

/** How long a streamer runs to a hit, in s. */
const streaming = 3;

/**
 * The streamer at a position in a bar: how far it has come, and what it reaches: a hit less than three seconds ahead, or
 * else the next bar.
 */
export function streamer(music, position, bar) {
  const hit = music.hits.find((each) => each > position);
  const left = hit === undefined ? Infinity : (hit - position) / music.state.speed;
  if (left < streaming) return { share: 1 - left / streaming, isHit: true };
  return { share: Math.min(Math.max((position - bar.start) / (bar.duration || 1), 0), 1), isHit: false };
}

/** How many hits have been reached at a position. */
export function hitsUntil(music, position) {
  return music.hits.filter((each) => each <= position).length;
}

/** The brackets from a time of the score on that begin before another, with their edges and how they are then. */
export function brackets(music, here, end) {
  return music.brackets
    .filter(({ edges: [opens, , , closed] }) => closed > here && opens < end)
    .map(({ name, cue, edges }) => {
      const passed = edges.filter((edge) => edge <= here).length;
      const kind = ["opensIn", "opening", "open", "closing"][passed];
      return { name, cue, edges, kind, left: (edges[passed] - here) / music.state.speed };
    });
}

/**
 * A time left, rounded up so that it never shows zero too early: `3.0`. As lengths are rounded to the nearest tenth, a bar of
 * 1.62 s begins with 1.6 s left.
 */
export function left(seconds, length = Infinity) {
  const up = Math.ceil(Math.max(seconds, 0) * 10 - 1e-9);
  return (Math.min(up, Math.floor(length * 10 + 0.5 + 1e-9)) / 10).toFixed(1);
}

/** The large digits of a bar: the time left of it or of the hold in it, or how long the music has waited at a hold or for the lap. */
export function digits(moment, speed) {
  if (moment.kind === "untilLap") return `+${whole(moment.waited)}`;
  if (moment.waits) return `${Math.floor(moment.waited)}`;
  return moment.hold ? left(moment.hold.left, moment.hold.length) : left(moment.left, moment.bar.duration / speed);
}

/** A time as a clock: `4:53.8`. */
export function clock(seconds) {
  const tenths = Math.floor(Math.max(seconds, 0) * 10 + 1e-9);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  const tail = (rest / 10).toFixed(1).padStart(4, "0");
  return minutes < 60 ? `${minutes}:${tail}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${tail}`;
}

/** The whole seconds of a time that are over, as a clock: `1:05`. */
export function whole(seconds) {
  return clock(Math.floor(Math.max(seconds, 0))).slice(0, -2).replace(/:(\d)$/, ":0$1");
}

/** How far the runner is in an interval, and what it asks: `3.4 km, pace 5:30/km`; empty in bars. */
export function measures({ bar, position }, { unit }) {
  const { meters, asks = "" } = bar;
  if (!meters || !unit) return asks;
  const [[before, length], [size, name]] = [meters, unit];
  const soFar = before + length * Math.min(Math.max((position - bar.start) / (bar.duration || 1), 0), 1);
  // As the terminal has it.
  const tenths = Math.round(Math.min(soFar / size, 1e12) * 10);
  const text = name !== "mi" && soFar < 999.5 ? `${Math.round(soFar)} m` : `${Math.floor(tenths / 10)}.${tenths % 10} ${name}`;
  return [text, asks].filter((each) => each).join(", ");
}
