// The pace calculator. Barline computes; the page remembers the run, and what was typed while there was no network.

import { find } from "/elements.js";
import { QuantityRows } from "/quantities.js";

export class PaceCalculator {
  /** `send` sends a message, and returns whether there is a connection. */
  constructor(send) {
    this.send = send;
    // Values that are on their way, and those that wait for a network, by row.
    [this.sent, this.waiting, this.words] = [[], new Map(), null];
    this.rows = new QuantityRows(find("pace"), "pace", {
      value: (row, text) => this.edit(`${row} ${text}`, row, text),
      lock: (row) => this.edit(`lock ${row}`),
      unit: (row) => this.edit(`unit ${row}`),
    });
    find("pace-reset").onclick = () => this.edit("reset now");
    this.known = JSON.parse(localStorage.getItem("pace") ?? "null");
  }

  edit(message, row = null, text = null) {
    if (this.send(`pace ${message}`)) this.sent.push({ row, text });
    else if (row) {
      this.waiting.set(row, text);
      find("pace-message").textContent = this.words?.waits ?? "";
    }
    if (!row && this.known) this.rows.show(this.known.rows, this.words);
  }

  /** There is a connection: goes on where the calculator was. */
  start(words) {
    this.words = words;
    find("pace-reset").textContent = words.reset;
    find("pace").setAttribute("aria-label", words.calculator);
    this.sent = [];
    this.edit(this.known ? `restore ${this.known.restore}` : "reset now");
    for (const [row, text] of this.waiting) this.edit(`${row} ${text}`, row, text);
    this.waiting.clear();
  }

  /** There is no connection: the values typed last may be lost, and are sent again. */
  lose(words) {
    this.words ??= words;
    for (const { row, text } of this.sent) if (row) this.waiting.set(row, text);
    this.sent = [];
    if (this.known && this.words) this.rows.show(this.known.rows, this.words);
  }

  receive({ pace, rows }) {
    const { row } = this.sent.shift() ?? {};
    const input = row && this.rows.input(row);
    find("pace-message").textContent = pace.message;
    this.known = { restore: pace.restore, rows };
    localStorage.setItem("pace", JSON.stringify(this.known));
    const typed = input?.value;
    // A value that was taken is shown as Barline understands it.
    if (input && !pace.message) input.value = input.dataset.shown;
    this.rows.show(rows, this.words);
    for (const each of rows) this.rows.input(each.row).removeAttribute("aria-invalid");
    if (!input || !pace.message) return;
    input.value = typed;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-errormessage", "pace-message");
  }
}
