// The words of the voice in a page that plays by itself: their sound, and when they are said.

import { onTop } from "./passage.js";

/** How each size of a difference changes the number of the step, and the steps: as Sources/Serving/ADPCM.swift has them. */
const changes = [-1, -1, -1, -1, 2, 4, 6, 8];
const steps = [7];
while (steps[steps.length - 1] < 30_000) steps.push(steps[steps.length - 1] + Math.max(Math.floor(steps[steps.length - 1] / 10), 1));

/** The samples of a word, from text of base 64. */
export function samplesOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const samples = new Float32Array(bytes.length * 2);
  let [predicted, index] = [0, 0];
  for (let n = 0; n < samples.length; n += 1) {
    const code = n % 2 === 0 ? bytes[n >> 1] & 15 : bytes[n >> 1] >> 4;
    const step = steps[index];
    let change = step >> 3;
    if (code & 4) change += step;
    if (code & 2) change += step >> 1;
    if (code & 1) change += step >> 2;
    predicted = Math.max(Math.min(code & 8 ? predicted - change : predicted + change, 32767), -32768);
    index = Math.max(Math.min(index + changes[code & 7], steps.length - 1), 0);
    samples[n] = predicted / 32768;
  }
  return samples;
}

/** The words as sounds with a name: their samples and their rate. */
export function clipsOf(speech) {
  return (speech?.clips ?? []).map((text, n) => ({ name: `word ${n}`, samples: samplesOf(text), rate: speech.rate }));
}

/** How long after the player goes on a word that leads to that bar begins, in s: after its click. */
const late = 0.2;

/**
 * The words that lead to boundary `n`, which is due at a time, or begin after it: `at`, `length` and the name of their sound.
 * They are those of music that is played from its beginning. Those that would be wrong at another speed have another sound then,
 * or none.
 */
export function wordsAt(n, due, conductor) {
  const { speech, sound, held, first } = conductor.music;
  if (!speech) return [];
  const { passage, home, leftHome, anchor } = conductor;
  // In a loop or a practice program, a bar has the words that it has in the piece.
  const own = leftHome === null ? n : passage.has(n) ? home.boundaryOf(passage.bar(n), leftHome) : null;
  const rows = own === null ? [] : (speech.said[own] ?? []);
  if (rows.length === 0) return [];
  const [speed, usual] = [passage.stretch(n).speed, home.stretch(own).speed];
  const isWritten = onTop(speed, anchor.speed) === onTop(usual, sound.speed);
  return rows.flatMap(([kind, seconds, clip, more]) => {
    if (kind === 1) {
      const moment = passage.has(n) ? conductor.timeOf(passage.position(n) + (seconds * usual) / speed) : due;
      return [{ ...wordOf(clip, speech), at: moment + more, gives: !isWritten }];
    }
    const isCountedIn = n === conductor.countIn.target && conductor.countIn.length > 0;
    if (kind === 3) {
      // It counts a beat; before the first bar, only of a count-in.
      if (own === first && !isCountedIn) return [];
      const lead = more === 1 ? (seconds * sound.speed * usual) / (anchor.speed * speed) : seconds;
      return [{ ...wordOf(clip, speech), at: due - lead, gives: !isWritten }];
    }
    const word = wordOf(isWritten ? clip : more, speech);
    if (!word) return [];
    if (kind === 2) return [{ ...word, at: due + late }];
    const at = due - seconds + speech.lengths[clip] - word.length;
    // Before the player goes on, nobody knew when that would be: the word comes after it.
    const isAwaited = n > 0 && held[passage.bar(n - 1)] !== undefined && at < (conductor.changed ?? -Infinity);
    if (isAwaited && due >= conductor.changed) return [{ ...word, at: due + late }];
    const begin = n > 0 ? conductor.timeOf(passage.position(n - 1)) : -Infinity;
    return isWritten || isCountedIn || at >= begin ? [{ ...word, at }] : [];
  });
}

/** The word of a signal that is heard at a time; null if the voice does not say it. */
export function wordOfSignal(name, time, { music: { speech, sound }, anchor }) {
  const [clip, delay] = speech?.signals[name] ?? [];
  return clip === undefined ? null : { ...wordOf(clip, speech), at: time + delay, gives: anchor.speed !== sound.speed };
}

const wordOf = (clip, speech) => (clip < 0 ? null : { length: speech.lengths[clip], sound: `word ${clip}` });
