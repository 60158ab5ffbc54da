// The drone and the clicks of a page that plays by itself, as Sources/Timing/DroneSound.swift has them: a part of the state
// that a conductor edits.

import { nth } from "./random.js";

/** A level at or below this, in dB, is silence. */
export const silence = -900;
/** The lowest and highest frequency of a drone, in Hz. */
const [lowest, highest] = [16, 8000];

/** A value held within limits. */
export const between = (value, least, most) => Math.min(Math.max(value, least), most);

/** Whether the clicks of a boundary's bar are left out: `silence` is as in the file of the music. */
export function isSilentBar(silence, n) {
  if (silence === null) return false;
  if (silence.length === 2) return n % silence[1] >= silence[1] - silence[0];
  return (nth(BigInt(silence[2]), n) * 100n) >> 64n < BigInt(silence[1]);
}

/** The `sound` of the file of the music, and what commands have made of it. */
export class ConductedSound {
  constructor(music) {
    Object.assign(this, { music, start: { ...music.sound }, sound: structuredClone(music.sound) });
  }

  get clicksAreOff() {
    return this.sound.isClickMuted === 1 || this.sound.clickLevel <= silence;
  }

  /** The frequency of a pitch in Hz. */
  hertz(pitch) {
    if (pitch.hertz !== undefined) return pitch.hertz;
    const { tunings, lowest: first } = this.music;
    const tuning = tunings[between(pitch.note - first, 0, tunings.length - 1)];
    return ((tuning * this.sound.a4 * (pitch.over ?? 1)) / (pitch.under ?? 1)) * 2 ** ((pitch.cents ?? 0) / 1200);
  }

  /** The standard drone. */
  standardDrone() {
    return { notes: [{ note: 71, cents: 0, level: 0, pan: 0 }], level: -24, waveform: "sine", brightness: 0, beating: 0, fade: 0.05 };
  }

  changeDrone(edit, isPitch = true) {
    const drone = edit(structuredClone(this.sound.drone ?? this.standardDrone()));
    if (drone.notes.some((note) => this.hertz(note) < lowest || this.hertz(note) > highest)) return;
    Object.assign(this.sound, { drone, isDroneMuted: 0 });
    if (isPitch) this.sound.followsDroneChanges = 0;
  }

  toggleDrone() {
    if (this.sound.drone === null) Object.assign(this.sound, { drone: this.standardDrone(), isDroneMuted: 0 });
    else this.sound.isDroneMuted = 1 - this.sound.isDroneMuted;
  }

  moveDrone(semitones) {
    this.changeDrone((drone) => {
      const move = (note) => (note.hertz === undefined ? { ...note, note: note.note + semitones } : { ...note, hertz: note.hertz * 2 ** (semitones / 12) });
      return { ...drone, notes: drone.notes.map(move) };
    });
  }

  /** The drone in a bar of the piece, muted or not; null for none, or none that has a level. */
  droneIn(bar) {
    const { sound, music } = this;
    const change = sound.followsDroneChanges ? music.changes[music.bars[bar].change] : null;
    if (change?.isOff) return null;
    const own = sound.drone ?? (change ? this.standardDrone() : null);
    const { notes, level, fade } = change ?? {};
    const drone = own && { ...own, notes: notes ?? own.notes, level: level ?? own.level, fade: fade ?? own.fade };
    return drone && drone.level > silence ? drone : null;
  }

  /** The drone under a bar of the piece, as pages have it; null for none. */
  droneUnder(bar) {
    const drone = this.sound.isDroneMuted ? null : this.droneIn(bar);
    if (!drone) return null;
    const loud = (level) => (level <= silence ? 0 : 10 ** (level / 20));
    const { level, ...sound } = drone;
    return { ...sound, notes: drone.notes.map((note) => [this.hertz(note), loud(level) * loud(note.level), note.pan]) };
  }
}
