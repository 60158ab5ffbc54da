// The drone of a page: the notes and voices of Sources/CDrone/notes.c and tone.c, on the browser's oscillators.

/** Resonances of the instruments, and how their harmonics fall: as in Sources/CDrone/wavetable.c. */
const instruments = {
  "reed-organ": { fall: 0.9, even: 0.8, floor: 0.35, roof: 7000, formants: [[500, 300, 1], [1500, 500, 0.5]] },
  oboe: { fall: 0.5, even: 1, floor: 0.12, roof: 6500, formants: [[1050, 300, 1], [2900, 500, 0.45]] },
  strings: { fall: 1, even: 1, floor: 0.4, roof: 9000, formants: [[290, 80, 0.8], [500, 150, 0.8], [1000, 400, 0.5], [2700, 700, 0.5]] },
  shruti: { fall: 0.7, even: 1, floor: 0.3, roof: 8000, formants: [[450, 200, 1], [1250, 350, 0.8], [2500, 600, 0.5]] },
};

function harmonic(waveform, h, hertz) {
  const odd = h % 2;
  if (waveform === "sine") return h === 1 ? 1 : 0;
  if (waveform === "triangle") return (Math.floor(h / 2) % 2 === 0 ? odd : -odd) / (h * h);
  if (waveform === "sawtooth") return 1 / h;
  if (waveform === "square") return odd / h;
  const { fall, even, floor, roof, formants } = instruments[waveform] ?? instruments.strings;
  const f = h * hertz;
  const resonance = formants.reduce((sum, [center, width, gain]) => sum + gain / (1 + ((f - center) / width) ** 2), floor);
  return (h ** -fall * (odd === 1 ? 1 : even) * resonance) / (1 + (f / roof) ** 4);
}

/** The amplitudes of the harmonics of a note, from the first; none is above half the rate or 24 kHz. */
export function harmonics(waveform, brightness, hertz, rate) {
  if (waveform === "sine") return [1];
  const count = Math.max(Math.floor(Math.min(rate / 2, 24000) / hertz), 1);
  return Array.from({ length: count }, (_, n) => harmonic(waveform, n + 1, hertz) * (n + 1) ** brightness);
}

/** The sounds that make up a note: their frequencies in Hz and gains. Those beside the note beat with it. */
export function copies(waveform, hertz, beating) {
  const all = [hertz];
  if (beating > 0) all.push(hertz + beating);
  if (beating > 0 && waveform === "strings") all.push(hertz - beating * 0.6180339887);
  const own = 1 / (1 + 0.35 * (all.length - 1));
  return all.map((each, n) => ({ hertz: each, gain: n === 0 ? own : 0.35 * own }));
}

/** Whether a change is a glide instead of a new sound: each note moves by less than half a semitone. */
export function glides(from, to) {
  const isVoice = ["waveform", "brightness", "beating"].every((name) => from[name] === to[name]);
  return isVoice && from.notes.length === to.notes.length && from.notes.every(([hertz], n) => {
    const ratio = to.notes[n][0] / hertz;
    return ratio >= 0.9715 && ratio <= 1.0293;
  });
}

/** The curve of every fade, up: that of Sources/CDrone/fade.h. */
const rise = Float32Array.from({ length: 65 }, (_, n) => Math.sin((Math.PI / 2) * (n / 64)) ** 2);
const fall = Float32Array.from(rise, (value) => 1 - value);
/** The shortest fade in s. */
const shortest = 0.01;

/** How loud each side is: the nearer one has the whole level. */
const sides = (pan) => [pan, -pan].map((away) => (away > 0 ? Math.sin((Math.PI / 2) * (1 - away)) : 1));

/** One chord that sounds, from its beginning to its end. */
class Chord {
  constructor(context, drone, output, when) {
    Object.assign(this, { context, drone, when });
    const merger = new ChannelMergerNode(context, { numberOfInputs: 2 });
    const [begin, end] = [new GainNode(context, { gain: 0 }), new GainNode(context)];
    merger.connect(begin).connect(end).connect(output);
    [this.begin, this.end] = [begin, end];
    begin.gain.setValueCurveAtTime(rise, when, Math.max(drone.fade, shortest));
    this.notes = drone.notes.map(([hertz, amplitude, pan]) => {
      const level = new GainNode(context, { gain: amplitude });
      const ears = sides(pan).map((gain, side) => {
        const ear = new GainNode(context, { gain });
        level.connect(ear).connect(merger, 0, side);
        return ear;
      });
      const imag = Float32Array.of(0, ...harmonics(drone.waveform, drone.brightness, hertz, context.sampleRate));
      const wave = new PeriodicWave(context, { real: new Float32Array(imag.length), imag });
      const sources = copies(drone.waveform, hertz, drone.beating).map((copy) => {
        const source = new OscillatorNode(context, { frequency: copy.hertz, periodicWave: wave });
        source.connect(new GainNode(context, { gain: copy.gain })).connect(level);
        source.start(when);
        return source;
      });
      return { level, ears, sources };
    });
  }

  /** Glides to other notes of the same voice; the change can be taken back before it begins. */
  glide(drone, when) {
    // After its fade it is there by all but a fiftieth.
    const move = (value, target) => value.setTargetAtTime(target, when, Math.max(drone.fade, shortest) / 4);
    drone.notes.forEach(([hertz, amplitude, pan], n) => {
      const note = this.notes[n];
      move(note.level.gain, amplitude);
      sides(pan).forEach((gain, side) => move(note.ears[side].gain, gain));
      copies(drone.waveform, hertz, drone.beating).forEach((copy, k) => move(note.sources[k].frequency, copy.hertz));
    });
  }

  /** Takes a glide back that has not begun. */
  stay(when) {
    for (const { level, ears, sources } of this.notes) {
      for (const value of [level.gain, ...ears.map((ear) => ear.gain), ...sources.map((source) => source.frequency)]) {
        value.cancelScheduledValues(when);
      }
    }
  }

  fade(when, seconds) {
    this.end.gain.setValueCurveAtTime(fall, when, Math.max(seconds, shortest));
    const silent = when + Math.max(seconds, shortest);
    for (const { sources } of this.notes) for (const source of sources) source.stop(silent + 0.05);
  }

  /** Takes a fade back that has not begun. */
  unfade() {
    this.end.gain.cancelScheduledValues(0);
    for (const { sources } of this.notes) for (const source of sources) source.stop(1e9);
  }

  remove() {
    for (const { sources } of this.notes) for (const source of sources) source.stop();
    this.end.disconnect();
  }
}

const name = (drone) => JSON.stringify(drone);

/** The drone that follows the music: at any time at most one chord, and the next change if it is known. */
export class Drone {
  constructor(context, output) {
    Object.assign(this, { context, output, chord: null, next: null });
  }

  get drone() {
    return this.chord ? this.chord.drone : null;
  }

  /** `now`: the drone that should sound (null for none); `next`: the next other one, and its second of the context. */
  follow(now, next) {
    const time = this.context.currentTime;
    if (this.next && this.next.when <= time) this.arrive();
    const isNear = this.next && this.next.when - time < 0.05 && name(this.next.drone) === name(now);
    if (name(now) !== name(this.drone) && !isNear) {
      this.cancel();
      this.next = this.change(now, time + 0.02);
      this.arrive();
    }
    if (this.next && (!next || name(next.drone) !== name(this.next.drone) || Math.abs(next.when - this.next.when) > 0.005)) {
      if (this.next.when > time + 0.01) this.cancel();
    }
    if (!this.next && next && next.when > time + 0.02) this.next = this.change(next.drone, next.when);
  }

  /** Prepares a change, which `arrive` completes and `undo` takes back. */
  change(drone, when) {
    const before = this.chord;
    if (drone && before && glides(before.drone, drone)) {
      before.glide(drone, when);
      return { drone, when, chord: before, undo: () => before.stay(this.context.currentTime) };
    }
    const chord = drone ? new Chord(this.context, drone, this.output, when) : null;
    before?.fade(when, (drone ?? before.drone).fade);
    const undo = () => {
      chord?.remove();
      before?.unfade();
    };
    return { drone, when, chord, undo };
  }

  arrive() {
    this.chord = this.next.chord;
    if (this.chord) this.chord.drone = this.next.drone;
    this.next = null;
  }

  cancel() {
    this.next?.undo();
    this.next = null;
  }

  end() {
    this.cancel();
    this.chord?.remove();
    this.chord = null;
  }
}
