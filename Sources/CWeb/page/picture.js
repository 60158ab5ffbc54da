// The picture: what is heard now, drawn for every frame of the screen.

import { live, player, say } from "/connection.js";
import { sight } from "/device.js";
import { find, light, make, put } from "/elements.js";
import { brackets, clock as clockText, digits, left as leftText, written } from "/music.js";

const drawn = { n: null, line: null, kind: null };

/** Draws from now on. */
export function draw(time) {
  requestAnimationFrame(draw);
  const ahead = sight(time);
  if (!live.music || !player.isKnown) return;
  const now = player.at(performance.now() + ahead);
  const moment = live.music.moment(now);
  put("state", live.words[moment.kind] ?? moment.kind);
  put("title", live.timeline.title || "Barline");
  put("settings", live.music.state.settings);
  if (live.music.state.trouble) put("note", live.music.state.trouble);
  if (moment.bar) drawBar(moment);
  else drawWait(moment);
  drawn.kind = moment.kind;
}

function drawBar(moment) {
  const { bar } = moment;
  put("left", digits(moment, live.music.state.speed));
  const isNew = drawn.n !== bar.n || drawn.timeline !== live.timeline;
  if (isNew) {
    find("bar").replaceChildren(`${bar.bar}`, make("small", {}, ` / ${bar.barsInLine}`));
    put("place", bar.place);
    put("texts", [bar.label, bar.cue].filter((text) => text).join("  "));
    drawLine(bar);
    // The bar in which the page was opened began earlier.
    if ((moment.kind === "playing" || moment.hold) && moment.kind !== "paused" && drawn.kind !== null) flash(bar);
    announce(bar);
    Object.assign(drawn, { n: bar.n, line: bar.line, timeline: live.timeline });
  }
  put("next", nextText(bar));
  const voice = live.sound?.choice.voice ?? 0;
  put("own-voice", live.sounds && voice > 1 ? live.sounds.textOf(voice, moment.position) : "");
  const cursor = (moment.position - drawn.begin) / drawn.length;
  find("cursor").style.left = `${Math.min(Math.max(cursor, 0), 1) * 100}%`;
  const elapsed = clockText(moment.elapsed);
  put("elapsed", moment.total === null ? elapsed : say("elapsed", { time: elapsed, total: clockText(moment.total) }));
  drawBrackets(moment);
  Object.assign(document.body.dataset, { bar: bar.n, kind: moment.kind });
}

function drawWait(moment) {
  const beats = live.music.beats.filter((beat) => beat < moment.left).length + 1;
  const isCounted = moment.isCounting && live.music.beats.length > 0;
  put("left", moment.kind === "end" ? "0" : isCounted ? `${Math.min(beats, live.music.beats.length)}` : leftText(moment.left));
  for (const id of ["bar", "texts", "next", "brackets"]) put(id, "");
  if (moment.kind === "end" && live.music.state.ended) put("place", live.music.state.ended);
  document.body.dataset.kind = moment.kind;
}

function nextText(bar) {
  const next = live.music.bar(bar.n + 1);
  if (!next) return live.timeline.count === bar.n + 1 ? say("thenEnd") : "";
  const place = next.bar === 1 || next.line !== bar.line ? next.place : say("bar", { n: next.bar });
  const then = say("thenNext", { place, seconds: (next.duration / live.music.state.speed).toFixed(1) });
  return [then, next.label, next.cue].filter((text) => text).join("  ");
}

/** Draws the line to scale: each bar as wide as it is long. */
function drawLine(bar) {
  const line = live.music.line(bar);
  drawn.begin = line[0].start;
  drawn.length = line.reduce((sum, each) => sum + each.duration, 0);
  find("bars").replaceChildren(
    ...line.map((each) => {
      const box = make("span", {}, line.length <= 40 ? each.name : "");
      box.style.left = `${((each.start - drawn.begin) / drawn.length) * 100}%`;
      box.style.width = `calc(${(each.duration / drawn.length) * 100}% - 2px)`;
      if (each.n === bar.n) box.className = "now";
      for (const [begin, length] of each.holds) {
        const hold = make("i");
        hold.style.left = `${(begin / each.duration) * 100}%`;
        hold.style.width = `${(length / each.duration) * 100}%`;
        box.append(hold);
      }
      return box;
    }),
  );
}

/** Draws the brackets that are open or come next in the line, each to scale, with its name and how it stands. */
function drawBrackets(moment) {
  if (live.brackets.length === 0) return put("brackets", "");
  const line = live.music.line(moment.bar);
  const [begin, last] = [line[0].written, line[line.length - 1]];
  const length = last.written + last.length - begin;
  const here = written(moment.bar, Math.min(moment.position, moment.bar.start + moment.bar.duration));
  const shown = brackets(live.music, here, begin + length).slice(0, 6);
  const rows = find("brackets");
  while (rows.children.length > shown.length) rows.lastChild.remove();
  while (rows.children.length < shown.length) {
    rows.append(make("div", {}, ...["may", "sounds", "ends"].map((name) => make("i", { class: name })), make("span")));
  }
  const share = (time) => Math.min(Math.max((time - begin) / length, 0), 1) * 100;
  shown.forEach((bracket, index) => {
    const row = rows.children[index];
    row.className = bracket.kind;
    bracket.edges.slice(0, 3).forEach((edge, part) => {
      const [from, to] = [share(edge), share(bracket.edges[part + 1])];
      row.children[part].style.left = `${from}%`;
      row.children[part].style.width = `${Math.max(to - from, 0)}%`;
    });
    const text = [say(bracket.kind, { name: bracket.name, seconds: leftText(bracket.left) }), bracket.cue].filter((word) => word).join("  ");
    if (row.lastChild.textContent !== text) row.lastChild.textContent = text;
  });
}

function flash(bar) {
  light(`${find("flashes").value}${bar.bar === 1 ? " line" : ""}`);
  window.dispatchEvent(new CustomEvent("barline", { detail: { boundary: bar.n, at: player.at(performance.now()) } }));
}

function announce(bar) {
  const wanted = find("announce").value;
  if (wanted === "nothing" || (wanted === "lines" && drawn.line === bar.line && !bar.label)) return;
  put("announcer", [wanted === "lines" ? say("line", { n: bar.line }) : bar.place, bar.label].filter((text) => text).join(", "));
}
