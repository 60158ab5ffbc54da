// The order in which bars are played: the mathematics of Sources/Timing/Passage.swift. Positions are seconds of the score
// from the start of the passage, all passes laid end to end; speeds are millionths of the written one.

/** Positions that are nearer than this, in s, are the same. */
const near = 1e-8;
/** As written. */
export const written = 1_000_000;
/** The slowest and the fastest speed. */
const [slowest, fastest] = [50_000, 10_000_000];

/** A speed held within its limits. */
export const limited = (speed) => Math.min(Math.max(speed, slowest), fastest);
/** A speed on top of another one. */
export const onTop = (speed, other) => limited(Math.round((speed * other) / written));

/** The bars of a piece as they are written, played once. */
export class Piece {
  constructor(music) {
    this.music = music;
    this.bars = music.bars;
    this.count = music.bars.length;
  }

  /** The start of a bar in the piece; beyond the last, the end. */
  start(index) {
    return index < this.count ? this.bars[index].start : this.music.total;
  }

  /** The bar at a time of the piece. */
  at(time) {
    return last(this.count, (index) => this.bars[index].start <= time + near);
  }

  line(index) {
    return this.bars[index].line;
  }

  /** The bars of the line that a bar is in, as first and end. */
  lineOf(index) {
    let [first, end] = [index, index + 1];
    while (first > 0 && this.line(first - 1) === this.line(index)) first -= 1;
    while (end < this.count && this.line(end) === this.line(index)) end += 1;
    return [first, end];
  }
}

/** The last index below `count` of which something is true that is true of all before it; 0 if it is of none. */
function last(count, isTrue) {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) low = middle;
    else high = middle;
  }
  return low;
}

export class Passage {
  /**
   * `stretches` are lists of the first bar, the end, the speed, and whether the last one goes on; `passes` is null for ever.
   */
  constructor(piece, stretches, passes) {
    Object.assign(this, { piece, passes, begins: [] });
    let [boundary, position] = [0, 0];
    this.stretches = stretches.map(([first, end, speed]) => {
      this.begins.push({ boundary, position });
      const length = ((piece.start(end) - piece.start(first)) * written) / speed;
      boundary += end - first;
      position += length;
      return { first, end, speed };
    });
    [this.barsInPass, this.pass] = [boundary, position];
    // What is played again and again: the whole pass, or its last stretch if that goes on.
    this.round = { boundary, position };
    if (passes === null && stretches.at(-1)[3]) {
      const begin = this.begins.at(-1);
      this.round = { boundary: boundary - begin.boundary, position: position - begin.position };
    }
  }

  get count() {
    return this.passes === null ? null : this.passes * this.barsInPass;
  }

  get total() {
    return this.passes === null ? null : this.passes * this.pass;
  }

  has(n) {
    return n >= 0 && (this.passes === null || n < this.count);
  }

  /** In how many rounds boundary `n` comes after the first pass, and which boundary of that pass it is like. */
  split(n) {
    const rounds = Math.floor(Math.max(n - (this.barsInPass - this.round.boundary), 0) / this.round.boundary);
    return [rounds, n - rounds * this.round.boundary];
  }

  clamped(n) {
    return Math.max(this.passes === null ? n : Math.min(n, this.count), 0);
  }

  index(rest) {
    return last(this.begins.length, (each) => this.begins[each].boundary <= rest);
  }

  /** The position of boundary `n`; `count` and above give the end. */
  position(n) {
    const [whole, rest] = this.split(this.clamped(n));
    const index = this.index(rest);
    const [stretch, begin] = [this.stretches[index], this.begins[index]];
    const { piece } = this;
    const length = piece.start(stretch.first + rest - begin.boundary) - piece.start(stretch.first);
    return this.round.position * whole + begin.position + (length * written) / stretch.speed;
  }

  /** The bar of the piece that boundary `n` begins. */
  bar(n) {
    const [, rest] = this.split(Math.max(this.passes === null ? n : Math.min(n, this.count - 1), 0));
    const index = this.index(rest);
    return this.stretches[index].first + rest - this.begins[index].boundary;
  }

  /** How long the bar of boundary `n` lasts. */
  duration(n) {
    return this.position(n + 1) - this.position(n);
  }

  stretch(n) {
    return this.stretches[this.index(this.split(Math.max(n, 0))[1])];
  }

  /** The first boundary and the end of the stretch that boundary `n` belongs to. */
  around(n) {
    const [whole, rest] = this.split(this.clamped(n));
    const index = this.index(rest);
    const first = whole * this.round.boundary + this.begins[index].boundary;
    return [first, first + this.stretches[index].end - this.stretches[index].first];
  }

  /** The boundary whose bar a position lies in. */
  boundary(position) {
    if (position <= 0) return 0;
    const whole = Math.floor(Math.max(position + near - (this.pass - this.round.position), 0) / this.round.position);
    const rest = Math.max(position - whole * this.round.position, 0);
    const index = last(this.begins.length, (each) => this.begins[each].position <= rest + near);
    const [stretch, begin] = [this.stretches[index], this.begins[index]];
    const time = this.piece.start(stretch.first) + ((rest - begin.position) * stretch.speed) / written;
    const bar = Math.min(Math.max(this.piece.at(time), stretch.first), stretch.end - 1);
    let n = whole * this.round.boundary + begin.boundary + bar - stretch.first;
    while (n > 0 && this.position(n) > position + near) n -= 1;
    while (this.has(n + 1) && this.position(n + 1) <= position + near) n += 1;
    return this.passes === null ? n : Math.min(n, this.count - 1);
  }

  /** The boundary nearest to `n` in the same pass that begins a bar of the piece; null if there is none. */
  boundaryOf(bar, n) {
    const [rounds] = this.split(this.clamped(n));
    const first = rounds * this.round.boundary;
    // After the first pass, only what is played again.
    const from = rounds === 0 ? 0 : this.index(this.barsInPass - this.round.boundary);
    const found = this.stretches.flatMap(({ first: begin, end }, index) => {
      return index >= from && begin <= bar && bar < end ? [first + this.begins[index].boundary + bar - begin] : [];
    });
    const here = this.clamped(n);
    return found.reduce((best, each) => (best === null || Math.abs(each - here) < Math.abs(best - here) ? each : best), null);
  }

  /** The first bar of the piece that is played, and the end of the last. */
  get bars() {
    return [Math.min(...this.stretches.map(({ first }) => first)), Math.max(...this.stretches.map(({ end }) => end))];
  }
}
