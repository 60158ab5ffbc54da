// The clock of this device's sound card, as the browser tells it: which second of the page's sound is heard at a time.

import { ClockModel } from "./clock.js";

/** How many readings tell of a step, and how large it is at least: in s, and in median deviations of the readings. */
const [readingsKept, leastStep, stepDeviations] = [20, 2e-3, 5];

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * The third clock, after the player's and the page's own: it drifts from both, and what browsers tell of it
 * (`getOutputTimestamp`) is wrong by milliseconds, each time by others. The model is the one of clock.js: a frame is a
 * microsecond of sound. When the device has run dry, all sound after that is late: the readings of the last two seconds tell
 * it by their median, which a few wrong ones do not move.
 */
export class AudioClock {
  /** How far an observation may be wrong, from end to end, in s. */
  static blur = 0.02;

  constructor() {
    this.model = new ClockModel(1e6, 0.5e-3);
    this.readings = [];
  }

  /** The sound at `sound` (s of the audio context) is heard at the page's time `time` (ms). */
  observe(time, sound) {
    if (this.readings.length > 0 && time <= this.readings[this.readings.length - 1].time) return;
    this.model.observe(AudioClock.observation(time, sound));
    this.readings.push({ time, sound });
    if (this.readings.length <= readingsKept) return;
    this.readings.shift();
    const errors = this.readings.map((reading) => reading.sound - this.at(reading.time));
    const error = median(errors);
    const scatter = median(errors.map((each) => Math.abs(each - error)));
    if (Math.abs(error) <= Math.max(leastStep, stepDeviations * scatter)) return;
    this.model.anchor(AudioClock.observation(time, this.at(time) + error));
    this.readings = [];
  }

  static observation(time, sound) {
    return { time: Math.round(time * 1e6), frame: Math.round(sound * 1e6), blur: AudioClock.blur };
  }

  get isKnown() {
    return this.model.filter.count > 0;
  }

  /** The second of the audio context that is heard at the page's time `time` (ms). */
  at(time) {
    return this.model.filter.position(time * 1e6) / 1e6;
  }
}

/**
 * An observation of a running audio context: the page's time (ms), and the second of its sound that is heard then; null
 * before its device plays. Browsers that do not tell it leave the present second and the delay that they know.
 */
export function outputTime(context) {
  if (!context.getOutputTimestamp) {
    const delay = context.outputLatency || context.baseLatency || 0;
    return context.currentTime > delay ? { time: performance.now(), sound: context.currentTime - delay } : null;
  }
  const { contextTime, performanceTime } = context.getOutputTimestamp();
  return contextTime > 0 && performanceTime > 0 ? { time: performanceTime, sound: contextTime } : null;
}
