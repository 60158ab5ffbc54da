// What a player types: places, pitches and waveforms, as Sources/Screens/Stand/Prompt.swift has them, and practice
// programs, as Sources/Timing/PracticeProgram.swift. Each function changes the music, or throws an error with a sentence for
// the player.

import { written } from "./passage.js";
import { shuffled } from "./random.js";
import { filled } from "./told.js";

/** What is wrong with a text that was typed. */
export class Mistake extends Error {}

/** The most stretches of a program, the most notes of a drone, and the softest of them in dB. */
const [mostStretches, mostNotes, faintest] = [100_000, 8, -120];

/** Carries out the answer to a question of the stand at a time. */
export function answer(conductor, question, text, now) {
  if (conductor.hasEnded) return;
  const { texts } = conductor.music;
  const wrong = (name, values = {}, hint = "") => {
    throw new Mistake([filled(texts[name], values), hint && texts[hint]].filter((part) => part).join("; "));
  };
  const answers = { place, pitch, waveform, program };
  // Blanks as the program has them: U+FEFF is none.
  answers[question]?.(conductor, text.replace(/^[^\S\uFEFF]+|[^\S\uFEFF]+$/g, ""), now, wrong);
}

/** The seconds that a text such as `2:30` or `1:02:03.5` means; null if it means none. */
function timeOf(text, wrong) {
  if (!/^[\d.]*:[\d:.]*$/.test(text)) return null;
  if (!/^\d+(:[0-5]\d){1,2}(\.\d+)?$/.test(text)) wrong("noClock", {}, "clocks");
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

function place(conductor, text, now, wrong) {
  const { music, piece } = conductor;
  const time = music.countsPasses === 1 && !Object.hasOwn(music.places, text) ? timeOf(text, wrong) : null;
  if (time !== null) return conductor.goToTime(Math.min(time, conductor.home.total ?? time), now);
  const bar = barOf(music, piece, text, wrong);
  const isPlayed = [conductor.passage, conductor.home].some((passage) => passage.boundaryOf(bar, 0) !== null);
  if (!isPlayed) wrong("notPlayed", { text });
  conductor.goTo(bar, now);
}

/** The bars with a number on the page, in the order in which they are played. */
function numbered({ numbers }, piece, number) {
  const whole = /^-?\d+$/.test(number) ? `${Number(number)}` : number;
  if (numbers !== null) return Object.hasOwn(numbers, whole) ? numbers[whole] : [];
  return /^[1-9]\d*$/.test(whole) && Number(whole) <= piece.count ? [Number(whole) - 1] : [];
}

/** The number of a bar on the page, as it is said. */
function saidOf({ numbers, numberWord }, bar) {
  const [number] = Object.entries(numbers ?? {}).find(([, bars]) => bars.includes(bar)) ?? [bar + 1];
  return `${numberWord} ${number}`;
}

/** The bar that a text such as `no. 57 (2)` or `57a` means; null if it means none. */
function barSaid(music, piece, text, wrong) {
  const prefix = [music.numberWord.toLowerCase(), "no.", "no "].find((word) => text.toLowerCase().startsWith(word));
  const rest = text.slice(prefix?.length ?? 0).trim();
  // A number may itself end with parentheses.
  const [, before, nth] = /^(.+?)\s*\(\s*0*([1-9]\d*)\s*\)$/.exec(rest) ?? [];
  const isWhole = (number) => /^-?\d+$/.test(number);
  const meant = [[rest, 1], [before, Number(nth)]].filter(([number]) => number && number.length <= 20 && (prefix || !isWhole(number)));
  for (const [number, pass] of meant) {
    const bar = numbered(music, piece, number)[pass - 1];
    if (bar !== undefined) return bar;
  }
  if (meant.length === 0) return null;
  const [number, pass] = meant.at(-1);
  const count = numbered(music, piece, number).length;
  if (count === 0 && !isWhole(number)) return null;
  const said = `${music.numberWord} ${number}`;
  if (count > 0) wrong(count === 1 ? "playedOnce" : "noPass", { pass, said, count });
  wrong("noNumber", { said, first: saidOf(music, 0), last: saidOf(music, piece.count - 1) });
}

function barOf(music, piece, text, wrong) {
  const [, line, number] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (line !== undefined && number === undefined) {
    const nth = Number(line);
    const printed = music.isNumbered === 1 ? numbered(music, piece, line) : [];
    const isPlayed = nth >= 1 && nth <= piece.count;
    if (printed.length > 0 && !isPlayed) return printed[0];
    if (printed.length > 0 && !printed.includes(nth - 1)) {
      const [here, other] = [nth - 1, printed[0]].map((bar) => `${piece.line(bar)}.${piece.bars[bar].bar}`);
      wrong("ambiguous", { bar: nth, nth: here, other, said: saidOf(music, printed[0]) });
    }
    if (!isPlayed && music.isNumbered === 1) barSaid(music, piece, `no. ${nth}`, wrong);
    if (!isPlayed) wrong("noBar", { bar: line, count: piece.count });
    return nth - 1;
  }
  if (line !== undefined) {
    const count = piece.line(piece.count - 1);
    if (Number(line) < 1 || Number(line) > count) wrong("noLine", { line, count });
    const [first, end] = piece.lineOf(piece.bars.findIndex((bar) => bar.line === Number(line)));
    const [begin, last] = [piece.bars[first].bar, piece.bars[end - 1].bar];
    if (Number(number) < begin || Number(number) > last) wrong("noBarInLine", { bar: number, line, first: begin, last });
    return first + Number(number) - begin;
  }
  if (Object.hasOwn(music.places, text)) return music.places[text];
  const said = barSaid(music, piece, text, wrong);
  if (said !== null) return said;
  const time = timeOf(text, wrong);
  if (time === null) wrong("noLabel", { text });
  if (time >= music.total) wrong("noTime", { text, count: `${Math.floor(music.total / 60)}:${(music.total % 60).toFixed(1).padStart(4, "0")}` });
  return piece.at(time);
}

// Programs

function program(conductor, text, now, wrong) {
  const words = text.split(/\s+/);
  if (words[0] === "off") {
    conductor.practice(null, now);
    return silent(conductor, null, now);
  }
  if (words[0] === "silent") {
    if (words.length === 2 && words[1] === "off") return silent(conductor, null, now);
    const [, percent, seed] = /^silent random (\d{1,2})%?(?: (\d{1,19}))?$/.exec(words.join(" ")) ?? [];
    if (Number(percent) >= 1) return silent(conductor, ["random", Number(percent), seed ?? `${newSeed()}`], now);
    const [, bars, of] = /^silent (\d+) of (\d+)$/.exec(words.join(" ")) ?? [];
    const isRight = bars !== undefined && Number(bars) >= 1 && Number(bars) < Number(of) && Number(of) <= 10_000;
    if (!isRight) wrong("badProgram", { text }, "silences");
    return silent(conductor, [Number(bars), Number(of)], now);
  }
  if (!Object.hasOwn(programs, words[0])) wrong("noProgram", { text }, "programs");
  const stretches = programs[words[0]](conductor, words.slice(1), wrong);
  if (!stretches || stretches.length > mostStretches) wrong("badProgram", { text }, "programs");
  conductor.practice(stretches, now, true);
}

function silent(conductor, silence, now) {
  conductor.change(now);
  conductor.sound.silence = silence;
}

/** The seed of a random order that has none: short enough to be typed again. */
const newSeed = () => 1 + Math.floor(Math.random() * 9999);

const speedOf = (word) => (/^\d+(\.\d{1,4})?%?$/.test(word ?? "") ? Math.round(parseFloat(word) * 10_000) : NaN);

/** The step of a ladder in millionths; null if it is none. */
function stepOf(word) {
  const step = /^\d+(\.\d+)?%?$/.test(word ?? "") ? Math.round(parseFloat(word) * 10_000) : 0;
  return step >= 1000 && step <= 5_000_000 ? step : null;
}

/** The speeds from one to another, both included. */
function speeds(from, step, to) {
  const found = [];
  for (let speed = from; speed < to; speed += step) found.push(speed);
  return [...found, to];
}

/** The lines of the passage of the start, cut to its bars. */
function lines({ piece, home }) {
  const [first, end] = home.bars;
  const found = [];
  for (let bar = first; bar < end; ) {
    const [begin, last] = piece.lineOf(bar);
    found.push([Math.max(begin, bar), Math.min(last, end), written]);
    bar = Math.max(Math.min(last, end), bar + 1);
  }
  return found;
}

const programs = {
  ladder(conductor, words) {
    const comesDown = words.at(-1) === "down";
    const [low, by, high, ...rest] = comesDown ? words.slice(0, -1) : words;
    const [from, step, to] = [speedOf(low), stepOf(by), high === undefined ? written : speedOf(high)];
    if (rest.length > 0 || !(step && from >= 50_000 && from < to && to <= 10_000_000)) return null;
    const up = speeds(from, step, to);
    const [first, end] = conductor.practicedBars ?? conductor.home.bars;
    return [...up, ...(comesDown ? up.slice(0, -1).reverse() : [])].map((speed) => [first, end, speed]);
  },
  faster(conductor, words, wrong) {
    const [, by, ...rest] = /^(\S+)(?: every (\d+))?(?: to (\S+))?$/.exec(words.join(" ").replace(/^(\S+) (to \S+) (every \d+)$/, "$1 $3 $2")) ?? [];
    const [step, every, to] = [stepOf(by), Number(rest[0] ?? 1), rest[1] === undefined ? written : speedOf(rest[1])];
    if (!(step && every >= 1 && every <= 1000 && to >= 50_000 && to <= 10_000_000)) return null;
    const { speed } = conductor.anchor;
    if (speed >= to) wrong("isFast", { text: `${speed / 10_000}%` });
    const [first, end] = conductor.practicedBars ?? conductor.home.bars;
    const factors = speeds(speed, step, to).map((each) => (each * written) / speed);
    if (factors.at(-1) > 10_000_000) wrong("tooFast");
    const stretches = factors.flatMap((factor) => Array.from({ length: every }, () => [first, end, factor]));
    return [...stretches.slice(0, -1), [first, end, factors.at(-1), 1]];
  },
  each(conductor, words) {
    const times = words.length === 1 && /^\d+$/.test(words[0]) ? Number(words[0]) : 0;
    if (times < 1 || times > 1000) return null;
    return lines(conductor).flatMap((line) => Array.from({ length: times }, () => line));
  },
  column(conductor, words, wrong) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(words.join("")) ?? [];
    if (!(Number(first) >= 1 && Number(first) <= Number(last))) return null;
    const missing = new Set([Number(first), Number(last)]);
    const stretches = lines(conductor).flatMap(([begin, end]) => {
      const number = conductor.piece.bars[begin].bar;
      const [least, most] = [Math.max(Number(first), number), Math.min(Number(last), number + end - begin - 1)];
      for (const each of [Number(first), Number(last)]) if (number <= each && each < number + end - begin) missing.delete(each);
      return least <= most ? [[begin + least - number, begin + most - number + 1, written]] : [];
    });
    if (missing.size > 0) wrong("noColumn", { text: Math.min(...missing) });
    return stretches;
  },
  random(conductor, words) {
    if (words.length > 1 || (words.length === 1 && !/^\d{1,19}$/.test(words[0]))) return null;
    const seed = words.length === 1 ? BigInt(words[0]) : BigInt(newSeed());
    return shuffled(lines(conductor), seed);
  },
};

// The drone

function waveform(conductor, text, now, wrong) {
  const { waveforms } = conductor.music;
  const found = waveforms.find((each) => each.toLowerCase() === text.toLowerCase());
  if (!found) wrong("waveformList", { list: waveforms.join(", ") });
  conductor.change(now);
  conductor.changeDrone((drone) => ({ ...drone, waveform: found }), false);
}

function pitch(conductor, text, now, wrong) {
  const { sound } = conductor;
  if (text.toLowerCase() === "off") {
    conductor.change(now);
    if (sound.drone !== null && !sound.isDroneMuted) conductor.toggleDrone();
    return;
  }
  const notes = text.split(",").map((part) => noteOf(part.trim()));
  const isHeard = (note) => note !== null && conductor.hertz(note) >= 16 && conductor.hertz(note) <= 8000;
  if (notes.length > mostNotes || !notes.every(isHeard)) wrong("notAPitch", { text }, "pitches");
  conductor.change(now);
  conductor.changeDrone((drone) => ({ ...drone, notes }));
}

const naturals = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const pattern = /^(?:(\d+(?:\.\d+)?) ?hz|(?:(\d+)\/(\d+) *of *)?([A-G])([#♯b♭]?)(-?\d)(?: ?([+-]\d+(?:\.\d+)?)(?:c| ?cents))?)((?: +(?:-?\d+(?:\.\d+)?db|[LR]\d{1,3}|C))*)$/i;

/** A note such as `B4`, `Bb3+14c`, `3/2 of E4`, `493.9 Hz`, with `-6dB` and `L50`; null if it is none. */
function noteOf(text) {
  const [, hertz, over, under, letter, accidental, octave, cents, rest] = pattern.exec(text) ?? [];
  if (rest === undefined) return null;
  const note = { level: 0, pan: 0 };
  for (const word of rest.trim().split(/ +/).filter((each) => each)) {
    if (/db$/i.test(word)) note.level = parseFloat(word);
    else note.pan = { L: -1, R: 1, C: 0 }[word[0].toUpperCase()] * (Number(word.slice(1)) / 100);
  }
  if (Math.abs(note.pan) > 1 || note.level > 0 || note.level < faintest) return null;
  if (hertz !== undefined) return { ...note, hertz: Number(hertz) };
  const sign = { "": 0, "#": 1, "♯": 1, b: -1, "♭": -1 }[accidental.toLowerCase()];
  const number = (Number(octave) + 1) * 12 + naturals[letter.toUpperCase()] + sign;
  if (cents !== undefined && Math.abs(Number(cents)) > 100) return null;
  Object.assign(note, { note: number, cents: Number(cents ?? 0) });
  if (over === undefined) return note;
  const isRatio = [over, under].every((part) => Number(part) >= 1 && Number(part) <= 10_000);
  return isRatio ? { ...note, over: Number(over), under: Number(under) } : null;
}
