// The player's taps in a page that plays by itself, as Sources/Playback/LiveTold.swift has them: "now I begin
// a bar". From the first tap on, they are kept with all boundaries as rows of a timing log, which `barline report --taps` reads.

import { find, make } from "./elements.js";
import { filled } from "./told.js";

const near = 1e-9;
/** The most rows. */
const most = 100_000;
const head = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar";

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export class Taps {
  constructor(conductor) {
    // `next` is the boundary that is logged next, and `zero` the time of the first one.
    Object.assign(this, { conductor, rows: [], next: null, zero: 0, count: 0, said: "" });
  }

  due(n) {
    return this.conductor.timeOf(this.conductor.passage.position(n));
  }

  /** Logs the boundaries that are due until a time: before each change of the music, and now and then. */
  follow(now) {
    const { conductor } = this;
    const { passage, held } = conductor;
    if (this.next === null || conductor.isPaused) return;
    while (passage.has(this.next) && this.due(this.next) <= now + near && !(held && this.next > held.n)) {
      const due = this.due(this.next);
      this.add(this.next, due, due, conductor.anew ?? "");
      conductor.anew = null;
      this.next += 1;
    }
  }

  /** The music has changed at a time. */
  change(now) {
    if (this.next === null) return;
    const { passage } = this.conductor;
    const position = this.conductor.position(now);
    const n = passage.boundary(position);
    this.next = passage.position(n) >= position - near ? n : n + 1;
  }

  /** A tap at a time, set against the nearest boundary; none while the music stands still. Returns whether it is one. */
  tap(at) {
    const { conductor } = this;
    const { passage, music, piece } = conductor;
    if (conductor.isPaused || conductor.isOver(at) || conductor.isHolding(at)) return false;
    const here = passage.boundary(Math.max(conductor.position(at), 0));
    const n = passage.has(here + 1) && this.due(here + 1) - at < at - this.due(here) ? here + 1 : here;
    if (this.next === null) {
      Object.assign(this, { next: n, zero: this.due(n) });
      conductor.anew = null;
    }
    this.follow(at);
    this.add(n, this.due(n), at, "tap");
    const { line, bar, name } = piece.bars[passage.bar(n)];
    const late = Math.round((at - this.due(n)) * 1000);
    this.count += 1;
    this.said = filled(music.texts[late < 0 ? "tapEarly" : "tapLate"], {
      name: music.parts === "intervals" ? name : `${line}.${bar}`, milliseconds: Math.abs(late),
    });
    return true;
  }

  add(n, due, heard, flags) {
    if (this.rows.length >= most) return;
    const { passage, piece } = this.conductor;
    const index = passage.bar(n);
    const { line, bar, label } = piece.bars[index];
    const [nominal, when] = [due, heard].map((time) => (time - this.zero).toFixed(9));
    const error = ((heard - due) * 1e6).toFixed(3);
    this.rows.push([index + 1, quoted(label), nominal, when, error, "0.000000", "0.000", "0.000", flags, line, bar].join(","));
  }

  get log() {
    return [head, ...this.rows, ""].join("\n");
  }
}

/** A button that saves the log, once there are taps; returns what shows their number. */
export function tapsButton(taps, now) {
  const button = make("button", { type: "button", id: "save-taps", hidden: "" });
  find("tab-practice").append(make("div", { class: "acts" }, button));
  button.onclick = () => {
    // The last tap may have been early: its boundary belongs to the log.
    taps.follow(now());
    const address = URL.createObjectURL(new Blob([taps.log], { type: "text/csv" }));
    make("a", { href: address, download: "taps.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return () => {
    button.hidden = taps.count === 0;
    button.textContent = filled(taps.conductor.music.texts.saveTaps, { count: taps.count });
  };
}
