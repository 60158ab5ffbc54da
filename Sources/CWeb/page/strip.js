// The line of the bar to scale, or its beats.

import { live } from "/connection.js";
import { find, make } from "/elements.js";
import { light } from "/flash.js";
import { hitsUntil, streamer as streamerAt } from "/music.js";

/** The stretch of the score that the strip shows. */
export const strip = { begin: 0, length: 1 };

/** Draws the bars of a line, each as wide as it is long. */
export function drawLine(line, bar) {
  strip.begin = line[0]?.start ?? bar.start;
  strip.length = line.reduce((sum, each) => sum + each.duration, 0) || 1;
  find("bars").replaceChildren(...line.map((each) => box(each, bar, (each.start - strip.begin) / strip.length, each.duration / strip.length)));
  document.body.classList.remove("beats");
}

/** Draws the beats of a bar, which is at beat `now`, counted from 0. */
export function drawBeats(count, now) {
  document.body.classList.add("beats");
  const bars = find("bars");
  if (bars.dataset.beat === `${count} ${now}` && bars.children.length === count) return;
  bars.dataset.beat = `${count} ${now}`;
  bars.replaceChildren(...Array.from({ length: count }, (_, beat) => {
    const span = make("span", { class: beat < now ? "gone" : beat === now ? "now" : "" });
    place(span, beat / count, 1 / count);
    return span;
  }));
}

function place(element, begin, share) {
  element.style.left = `${begin * 100}%`;
  element.style.width = `calc(${share * 100}% - 2px)`;
}

function box(each, bar, begin, share) {
  const span = make("span", { "data-name": each.name ?? "" });
  place(span, begin, share);
  const kinds = [each.start < bar.start ? "gone" : each.n === bar.n ? "now" : each.start <= bar.start + bar.duration + 1e-9 ? "soon" : ""];
  if (each.shown?.isLow) kinds.push("low");
  // A loop is marked in the names of its bars: `[5`, `8]`.
  if (each.name?.startsWith("[")) kinds.push("first");
  if (each.name?.endsWith("]")) kinds.push("last");
  span.className = kinds.filter((kind) => kind).join(" ");
  for (const { begin: start, length } of each.holds) {
    const hold = make("i");
    place(hold, start / each.duration, length / each.duration);
    span.append(hold);
  }
  return span;
}

/** A share in steps as fine as the pixels of a screen: between them, nothing is drawn again, which spares a battery. */
const stepped = (share) => Math.round(share * 2000) / 2000;

/** Moves the cursor to a position, and the streamer, which reaches the right edge at the next bar. */
export function moveCursor(position, bar, isLast, isMoving) {
  const share = Math.min(Math.max((position - strip.begin) / strip.length, 0), 1);
  find("cursor").style.left = `${stepped(share) * 100}%`;
  find("bars").style.setProperty("--done", `${stepped(Math.min(Math.max((position - bar.start) / (bar.duration || 1), 0), 1))}`);
  const streamer = find("streamer");
  streamer.hidden = find("beat").value !== "streamer" || !isMoving;
  if (streamer.hidden) return;
  const run = streamerAt(live.music, position, bar);
  streamer.style.width = `${run.share * 100}%`;
  // As in film music: green into a bar, yellow into the last one, red at the end; white to a hit, with a punch at it.
  streamer.style.setProperty("--streamer", run.isHit ? "var(--ink)" : isLast === "end" ? "#ff5a4f" : isLast === "last" ? "#ffd84d" : "#4be06a");
  const count = hitsUntil(live.music, position);
  if (punched.music === live.music && count > punched.count) light("punch");
  Object.assign(punched, { music: live.music, count });
}

/** How many hits the music had reached when the streamer was last moved. */
const punched = { music: null, count: 0 };

/** The beats of a bar by their offsets, if it has a meter; fewer than two are none. */
export function beatsOf(bar) {
  const clicks = typeof bar.n === "number" ? (live.sounds?.clicks(bar.n, 0, bar.duration) ?? []) : [];
  const offsets = [...new Set(clicks.filter((click) => click.sound !== null && click.rank <= 2 && click.offset < bar.duration - 1e-6).map((click) => click.offset))];
  return offsets.length > 1 && offsets.length <= 32 ? offsets.sort((one, other) => one - other) : [];
}
