// A count-in of this device's own: clicks before an entry after a long silence, and before the line at which its sound joins
// the music. The music goes on as it was.

import { ClickPlan } from "./clickplan.js";

/** An entry follows at least so much silence, in s. */
const silence = 6;
/** How far ahead entries are looked for, in s: four beats of three seconds. */
const reach = 12;
/** If no line begins within so many seconds, the sound joins at a bar. */
const patience = 20;

/** The beat of the bar that a click begins, in s; a second if the bar has none. */
function beatOf(click, music, sounds, choice) {
  const n = parseInt(click.key, 10);
  const clicks = sounds.clicks(n, 0, music.bar(n).duration) ?? [];
  const isOwn = ({ sound, rank, voice }) => sound !== null && rank <= 2 && (!choice.voice || voice === choice.voice);
  const beats = [...new Set(clicks.filter(isOwn).map(({ offset }) => offset))].sort((one, other) => one - other);
  return beats.length > 1 ? Math.min((beats[1] - beats[0]) / music.state.speed, reach / 4) : 1;
}

/** The first line, or else the first bar, that begins after a time. */
function placeAfter(time, plans) {
  const [line] = plans.lines.between(time, time + patience);
  return line ?? plans.bars.between(time, time + patience)[0];
}

/** The music as if it had gone on since its beginning as it does now: what was before the newest change counts, too. */
function wholeMusic(music) {
  const { state } = music;
  const begin = music.bars[0]?.start ?? 0;
  const whole = Object.assign(Object.create(Object.getPrototypeOf(music)), music);
  whole.state = { ...state, position: begin, time: state.time + (begin - state.position) / state.speed, held: null, heldBar: null, countsTo: null };
  return whole;
}

/**
 * The clicks from `from` to `until` that count in this device: `choice` has how many `counts` and whose voice; its sound
 * joined at the time `joined`.
 */
export function ownCounts(music, sounds, choice, joined, from, until) {
  const { state } = music;
  if (!choice.counts || state.paused !== null) return [];
  const whole = wholeMusic(music);
  const plan = (part) => new ClickPlan(whole, sounds, { part, voice: choice.voice });
  const plans = { lines: plan("lines"), bars: plan("bars") };
  const bars = plans.bars.between(from - silence, until + reach);
  const hasSilence = (n) => n > 0 || plans.bars.between(bars[0].at - silence, bars[0].at - 1e-6).length === 0;
  const entries = bars.filter(({ at }, n) => at - (bars[n - 1]?.at ?? -Infinity) >= silence && at > from && hasSilence(n));
  // Whoever was there as the music began need not join it.
  const begins = state.zero + state.time;
  const isJoining = joined > from - patience - choice.counts && begins < joined - 0.5;
  const joint = isJoining ? placeAfter(joined + choice.counts, plans) : undefined;
  if (joint && !entries.some(({ key }) => key === joint.key)) entries.push(joint);
  // What the leader counts in needs no other count-in, and nobody knows when music goes on that waits.
  const counted = state.countsTo === null ? null : state.zero + state.countsTo;
  const end = state.held === null ? Infinity : whole.time(state.held);
  const isKnown = ({ at }) => at > begins - 1e-6 && at < end && (counted === null || Math.abs(at - counted) > 1e-6);
  return entries.filter(isKnown).flatMap((entry) => {
    const beat = beatOf(entry, music, sounds, choice);
    // The clicks of a join do not begin before it.
    const count = entry === joint ? Math.min(choice.counts, Math.floor((entry.at - joined) / beat)) : choice.counts;
    return Array.from({ length: count }, (_, n) => {
      return { key: `own ${entry.key} ${n}`, at: entry.at - (n + 1) * beat, sound: "count-in", amplitude: entry.amplitude };
    }).filter(({ at }) => at >= from && at <= until);
  });
}
