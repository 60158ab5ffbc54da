// The player's clock, as a page learns it: the model of Sources/Timing/Clock/ClockModel.swift, ClockFilter.swift and
// ClockSuspicion.swift, line by line. There the clock is a sound card's, in frames; here it is the player's, and a frame is
// a microsecond of it. Both pass the same test vectors.

const maximumDeviation = 1000e-6;
const wander = 3e-14;
const firstNoise = 100e-6;
const firstUncertainty = 1e-3;
const [leastSlip, mostSlip, slipDeviations] = [1.5e-3, 5e-3, 6];
const clip = 4;
const slipLooks = 3;
const [youth, ignorance] = [10e9, 300e-6];
const [turnVariance, unrest] = [150e-6 * 150e-6, 1];
const [slack, most, proof] = [1, 4, 8];

const between = (value, least, most) => Math.min(Math.max(value, least), most);

class ClockFilter {
  constructor(nominalRate, deviation, uncertainty, noise) {
    Object.assign(this, { nominalRate, leastNoise: noise, count: 0, time: 0, anchored: 0, frame: 0, offset: 0, p00: 0, p01: 0 });
    this.deviation = between(deviation, -maximumDeviation, maximumDeviation);
    this.p11 = uncertainty * uncertainty;
    this.sinceTurn = Infinity;
    this.noise = Math.max(firstNoise, noise) ** 2;
  }

  copy() {
    return Object.assign(Object.create(ClockFilter.prototype), this);
  }

  variance(time) {
    const dt = (time - this.time) * 1e-9;
    return this.p00 + 2 * dt * this.p01 + dt * dt * this.p11 + (this.restlessness * dt * dt * Math.abs(dt)) / 3;
  }

  get restlessness() {
    const since = this.sinceTurn + unrest;
    return wander + (turnVariance * unrest) / (since * since);
  }

  allowTurn(observation) {
    const error = this.error(observation);
    const usual = this.variance(observation.time) + this.varianceOf(observation);
    this.p00 += Math.max(error * error - clip * clip * usual, 0);
    if (this.time - this.anchored < youth) this.p11 += ignorance * ignorance;
    else this.sinceTurn = 0;
  }

  error(observation) {
    const dt = (observation.time - this.time) * 1e-9;
    return (observation.frame - this.frame) / this.nominalRate - this.offset - dt * (1 + this.deviation);
  }

  slip(observation) {
    const blur = observation.blur * 1.5;
    const usual = slipDeviations * Math.sqrt(this.variance(observation.time) + this.varianceOf(observation));
    return Math.min(Math.max(usual, leastSlip + blur), mostSlip + blur);
  }

  varianceOf(observation) {
    return this.noise + (observation.blur * observation.blur) / 12;
  }

  anchor(observation) {
    this.frame = observation.frame;
    this.offset = 0;
    this.time = this.anchored = observation.time;
    this.p00 = Math.max(firstUncertainty, observation.blur) ** 2;
    this.p01 = 0;
    this.count = 1;
  }

  observe(observation) {
    const dt = (observation.time - this.time) * 1e-9;
    const error = this.error(observation);
    const gained = this.restlessness;
    this.p00 += 2 * dt * this.p01 + dt * dt * this.p11 + (gained * dt * dt * dt) / 3;
    this.p01 += dt * this.p11 + (gained * dt * dt) / 2;
    this.p11 += gained * dt;
    this.sinceTurn += dt;
    const variance = this.p00 + this.varianceOf(observation);
    const limit = clip * Math.sqrt(variance);
    const clipped = between(error, -limit, limit);
    this.learnNoise(clipped, observation);
    const [positionGain, rateGain] = [this.p00 / variance, this.p01 / variance];
    this.p11 -= rateGain * this.p01;
    this.p01 *= 1 - positionGain;
    this.p00 *= 1 - positionGain;
    const step = Math.max(dt * (1 + this.deviation) + positionGain * clipped, 0);
    this.deviation = between(this.deviation + rateGain * clipped, -maximumDeviation, maximumDeviation);
    this.advance(observation.time, step);
    this.count += 1;
  }

  /** The frame, with its fraction, that belongs to `time`. */
  position(time) {
    const passed = (time - this.time) * 1e-9 * (1 + this.deviation) + this.offset;
    return this.frame + passed * this.nominalRate;
  }

  /** The time that belongs to a frame: the inverse of `position`. */
  timeOf(frame) {
    return this.time + (((frame - this.frame) / this.nominalRate - this.offset) / (1 + this.deviation)) * 1e9;
  }

  advance(time, step) {
    this.time = time;
    if (step <= 0) return;
    const total = this.offset + step;
    const frames = Math.floor(total * this.nominalRate);
    this.frame += frames;
    this.offset = total - frames / this.nominalRate;
  }

  learnNoise(error, observation) {
    const weight = Math.max(1 / (this.count + 2), 0.02);
    const explained = Math.max(error * error - this.p00 - (observation.blur * observation.blur) / 12, 0);
    this.noise = Math.max(this.noise + weight * (explained - this.noise), this.leastNoise * this.leastNoise);
  }
}

class ClockSuspicion {
  constructor(side) {
    this.side = side;
    this.drop();
  }

  /** Takes in an observation, before the filter does. Returns whether a turn is proven. */
  observe(observation, filter) {
    const scatter = (this.rival ?? filter).varianceOf(observation);
    const variance = filter.variance(observation.time) + scatter;
    this.sum += Math.min((this.side * filter.error(observation)) / Math.sqrt(variance), most) - slack;
    if (this.sum <= 0) {
      this.drop();
      return false;
    }
    if (!this.rival) {
      this.rival = filter.copy();
      this.rival.allowTurn(observation);
    }
    this.rival.observe(observation);
    return this.sum > proof;
  }

  drop() {
    this.sum = 0;
    this.rival = null;
  }
}

/** A model of a clock: observations go in (`time` in ns, `frame`, `blur` in s), positions come out. */
export class ClockModel {
  constructor(nominalRate, noise) {
    this.nominalRate = nominalRate;
    this.reached = -Infinity;
    this.surprises = 0;
    this.filter = new ClockFilter(nominalRate, 0, 100e-6, noise);
    this.suspicions = [new ClockSuspicion(1), new ClockSuspicion(-1)];
  }

  observe(observation) {
    if (this.filter.count === 0) return this.anchor(observation);
    if (observation.time <= this.filter.time) return;
    const error = this.filter.error(observation);
    if (Math.abs(error) > this.filter.slip(observation)) {
      this.surprises = error > 0 ? Math.max(this.surprises, 0) + 1 : Math.min(this.surprises, 0) - 1;
      if (Math.abs(this.surprises) >= slipLooks) this.anchor(observation);
      return;
    }
    this.surprises = 0;
    for (const suspicion of this.suspicions) {
      if (suspicion.observe(observation, this.filter)) {
        this.filter = suspicion.rival;
        this.dropSuspicions();
        return;
      }
    }
    this.filter.observe(observation);
  }

  dropSuspicions() {
    for (const suspicion of this.suspicions) suspicion.drop();
  }

  /** The frame at `time`; never goes backwards. */
  position(time) {
    return Math.max(this.filter.position(time), this.reached);
  }

  anchor(observation) {
    if (this.filter.count > 0) this.reached = Math.max(this.reached, this.position(observation.time));
    this.filter.anchor(observation);
    this.dropSuspicions();
    this.surprises = 0;
  }
}

/**
 * The player's clock. Of a burst of exchanges the one with the shortest round trip is believed: the player's time was read
 * at some moment within it, so that the round trip is its blur.
 */
export class PlayerClock {
  static burst = 8;

  constructor() {
    this.model = new ClockModel(1e6, 50e-6);
    this.best = null;
    this.answers = 0;
  }

  /** An exchange: the page's times before and after it (ms), and the player's time in between (s). */
  take(sent, received, at) {
    const roundTrip = received - sent;
    if (roundTrip < 0) return;
    if (!this.best || roundTrip < this.best.roundTrip) this.best = { roundTrip, time: (sent + received) / 2, at };
    this.answers += 1;
    if (this.answers < PlayerClock.burst) return;
    this.finish();
  }

  /** Ends a burst, whole or not: its best exchange becomes an observation. */
  finish() {
    if (this.best) {
      const { roundTrip, time, at } = this.best;
      this.model.observe({ time: Math.round(time * 1e6), frame: Math.round(at * 1e6), blur: roundTrip / 1000 });
    }
    this.best = null;
    this.answers = 0;
  }

  get isKnown() {
    return this.model.filter.count > 0;
  }

  /** How well it is known at the page's time in ms: the standard deviation, in s. */
  uncertainty(time) {
    return Math.sqrt(this.model.filter.variance(time * 1e6));
  }

  /** The player's time in s at the page's time in ms. */
  at(time) {
    return this.model.position(time * 1e6) / 1e6;
  }

  /** The page's time in ms at the player's time in s. */
  when(at) {
    return this.model.filter.timeOf(at * 1e6) / 1e6;
  }
}
