// The display: what is heard now, drawn for every frame of the screen.

import { drawBrackets } from "/brackets.js";
import { live, player, say } from "/connection.js";
import { nameNext } from "/controls.js";
import { sight } from "/device.js";
import { find, put, putNumber, width } from "/elements.js";
import { flashAt } from "/flash.js";
import { showLamp } from "/lamp.js";
import { clock as clockText, digits, left as leftText, measures, whole } from "/music.js";
import { musicOf } from "/own.js";
import { beatsOf, drawBeats, drawLine, moveCursor } from "/strip.js";

const drawn = { n: null, line: null, kind: null };
let own = null;

/** Draws from now on. */
export function draw(time) {
  requestAnimationFrame(draw);
  const ahead = sight(time);
  if (!live.music || !player.isKnown) return;
  const now = player.at(performance.now() + ahead);
  const voice = live.sound?.choice.voice ?? 0;
  if (own?.music !== live.music || own.voice !== voice || own.sounds !== live.sounds) {
    own = Object.assign(musicOf(voice, live.music, live.sounds), { voice, sounds: live.sounds });
  }
  const leading = live.music.moment(now);
  const moment = own.moment(leading);
  const title = live.timeline.title || "Barline";
  put("title", title);
  if (document.title !== title) document.title = title;
  put("settings", live.music.state.settings);
  put("trouble", live.music.state.trouble);
  nameNext(leading.waits === true);
  showLamp(moment.kind, moment.hold ? 1 - moment.hold.left / moment.hold.length : null);
  if (leading.bar) {
    const elapsed = clockText(leading.elapsed);
    // With intervals until the lap button, both are the time of the others.
    const times = { time: elapsed, total: clockText(leading.total ?? 0) };
    put("elapsed", leading.total === null ? elapsed : live.timeline.isTimed ? say("elapsedTimed", times) : say("elapsed", times));
    // The distance and the pace of a run, or what the leading voice plays.
    put("lead", voice > 1 ? say("leading", { place: leading.bar.place, seconds: digits(leading, live.music.state.speed) }) : measures(leading, live.timeline));
    drawBrackets(leading);
  } else if (leading.isSilent) for (const id of ["elapsed", "lead", "brackets"]) put(id, "");
  if (moment.bar) drawBar(moment);
  else if (moment.isSilent) drawSilence(moment);
  else drawWait(moment);
  if (leading.bar) Object.assign(document.body.dataset, { bar: leading.bar.n, kind: leading.kind });
  drawn.kind = moment.kind;
}

function drawBar(moment) {
  const { bar } = moment;
  const next = own.next(bar);
  const isNew = drawn.n !== bar.n || drawn.timeline !== live.timeline || drawn.voice !== own.voice || drawn.music !== own.music;
  if (isNew) {
    showPlace(bar);
    showNext(bar, next);
    // The bar in which the page was opened began earlier, and so did one of another choice.
    const begins = drawn.n !== bar.n && drawn.voice === own.voice;
    if (begins && (moment.kind === "playing" || moment.hold) && drawn.kind !== null) begin(bar);
    if (drawn.n !== bar.n) announce(bar);
    drawLine(own.line(bar), bar);
    Object.assign(drawn, { n: bar.n, line: bar.line, timeline: live.timeline, voice: own.voice, music: own.music, beats: beatsOf(bar) });
  }
  const isMoving = moment.kind === "playing";
  tellBeat(moment, isMoving);
  moveCursor(moment.position, bar, next ? (own.next(next) ? "" : "last") : "end", isMoving);
  const isBeaten = find("beat").value === "on" && drawn.beats.length > 0 && moment.kind !== "holding";
  if (isBeaten) showBeat(moment);
  else {
    if (document.body.classList.contains("beats")) drawLine(own.line(bar), bar);
    putNumber("left", live.timeline.parts === "intervals" && moment.kind !== "untilLap" ? whole(Math.ceil(moment.left - 1e-9)) : digits(moment, live.music.state.speed));
  }
  find("arc").toggleAttribute("hidden", !isBeaten);
}

/** Tells of each beat but the first, which is the bar. */
function tellBeat({ bar, position }, isMoving) {
  const beat = drawn.beats.findLastIndex((offset) => offset <= position - bar.start + 1e-9);
  if (isMoving && beat > 0 && beat === drawn.beat + 1) window.dispatchEvent(new CustomEvent("beat"));
  drawn.beat = beat;
}

/** The beat in place of the seconds, and a ball that falls onto the next one, as a conductor's hand does. */
function showBeat({ bar, position }) {
  const at = position - bar.start;
  const beat = Math.max(drawn.beats.findLastIndex((offset) => offset <= at + 1e-9), 0);
  putNumber("left", `${beat + 1}`);
  drawBeats(drawn.beats.length, beat);
  const [from, to] = [drawn.beats[beat], drawn.beats[beat + 1] ?? bar.duration];
  const share = Math.min(Math.max((at - from) / (to - from || 1), 0), 1);
  const ball = find("arc").querySelector("circle");
  // Along the arc from one foot to the other; a ball lingers above and is fast at the beat.
  const [x, height] = [16 + 168 * share, 4 * share * (1 - share)];
  ball.setAttribute("cx", `${x}`);
  ball.setAttribute("cy", `${206 - 186 * height}`);
}

function drawSilence(moment) {
  putNumber("left", "–");
  for (const id of ["place", "line-word", "line-name", "bar", "bars-in-line", "number", "texts", "next", "next-bar", "then-word"]) put(id, "");
  putNumber("next-left", "");
  find("bars").replaceChildren();
  Object.assign(drawn, { n: null, kind: moment.kind });
}

function drawWait(moment) {
  const beats = live.music.beats.filter((beat) => beat < moment.left).length + 1;
  const isCounted = moment.isCounting && live.music.beats.length > 0;
  putNumber("left", moment.kind === "end" ? "0" : isCounted ? `${Math.min(beats, live.music.beats.length)}` : leftText(moment.left));
  for (const id of ["bar", "bars-in-line", "number", "line-word", "line-name", "texts", "lead", "next", "next-bar", "brackets", "then-word", "elapsed"]) put(id, "");
  putNumber("next-left", "");
  find("arc").setAttribute("hidden", "");
  const isOver = moment.kind === "end";
  if (!isOver) {
    const first = live.music.bar(live.music.boundary(Math.max(live.music.state.position, 0)));
    if (first) showNext(null, first);
    if (isCounted) drawBeats(live.music.beats.length, Math.min(beats, live.music.beats.length) - 1);
    else if (first) drawAhead(first);
  }
  const ending = isOver ? live.music.state.ended : "";
  put("place", ending);
  put("texts", ending);
  drawn.n = null;
  document.body.dataset.kind = moment.kind;
}

/** The line in which the music will begin, and where. */
function drawAhead(first) {
  if (drawn.n === null && drawn.ahead === own) return;
  drawn.ahead = own;
  const bar = own.from(first);
  if (!bar) return find("bars").replaceChildren();
  drawLine(own.line(bar), bar);
  moveCursor(bar.start, bar, "", false);
}

/** Where a bar is: its line and its number there, or the interval of a run. */
function showPlace(bar) {
  const { word = say("lineWord"), name = `${bar.line}`, box = `${bar.bar}`, of = bar.barsInLine ? `/${bar.barsInLine}` : "", number = "" } = bar.shown ?? {};
  put("place", bar.place);
  put("line-word", word);
  put("line-name", name);
  const isWord = !/^\d{1,4}$/.test(name);
  find("line-name").classList.toggle("word", isWord);
  // How wide the row is beside the box's height: the box, what stands behind it, and the line, which has smaller letters.
  const em = width(box) + 0.44 + 0.32 * width(of) + (isWord ? 0.8 : 0.42 * width(name));
  find("where").style.setProperty("--em", `${em}`);
  put("bar", box);
  put("bars-in-line", of);
  put("number", number);
  const texts = [bar.label, bar.cue].filter((text) => text).join("  ");
  put("texts", texts);
  find("texts").classList.toggle("long", texts.length > 30);
}

function showNext(bar, next) {
  const speed = live.music.state.speed;
  if (!next) {
    const isEnd = bar !== null && (own.voice > 1 || live.timeline.count === bar.n + 1);
    put("next", isEnd ? say("thenEnd") : "");
    put("then-word", isEnd ? say("then") : "");
    put("next-bar", isEnd ? say("endWord") : "");
    find("next-bar").classList.add("word");
    return putNumber("next-left", "");
  }
  const isOther = bar === null || next.bar === 1 || next.line !== bar.line;
  const isRun = live.timeline.parts === "intervals";
  const place = isOther || isRun ? next.place : say("bar", { n: next.bar });
  const seconds = (next.duration / speed).toFixed(1);
  const isOpen = Boolean(next.isOpen);
  const values = { place: isRun ? place.replace(/, .*/, "") : place, seconds };
  const then = isOpen ? say("thenOpen", values) : say("thenNext", values);
  put("next", [then, next.label, next.cue].filter((text) => text).join("  "));
  put("then-word", [say("then"), isOther && !next.shown?.name && bar ? say("line", { n: next.line }) : "", next.label].filter((text) => text).join("  "));
  const { name, box } = next.shown ?? {};
  const isWord = Boolean(name) && !/^\d{1,4}$/.test(name);
  put("next-bar", isWord ? name : (box ?? `${next.bar}`));
  find("next-bar").classList.toggle("word", isWord);
  putNumber("next-left", isOpen ? "" : isRun ? clockText(next.duration / speed).replace(/\.\d$/, "") : seconds);
}

function begin(bar) {
  flashAt(bar);
  window.dispatchEvent(new CustomEvent("barline", { detail: { boundary: bar.n, at: player.at(performance.now()), isLine: bar.bar === 1 } }));
}

function announce(bar) {
  const wanted = find("announce").value;
  if (wanted === "nothing" || (wanted === "lines" && drawn.line === bar.line && !bar.label)) return;
  put("announcer", [wanted === "lines" ? say("line", { n: bar.line }) : bar.place, bar.label].filter((text) => text).join(", "));
}
