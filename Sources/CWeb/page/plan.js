// The table of the plan. All pages with control edit the same plan, which is Barline's; one change is on its way at a time.

import { find, make } from "/elements.js";
import { QuantityRows, fill, makeField, onTyped } from "/quantities.js";

/** The longest message, in bytes, without the time that it is sent with. */
const longest = 375;
const columns = ["time", "distance", "pace"];

export class PlanTable {
  constructor(send) {
    this.send = send;
    [this.queue, this.busy, this.chosen, this.words, this.plan] = [[], null, 0, null, null];
    this.totals = new QuantityRows(find("totals"), "total", {
      value: (row, text) => this.edit(`total-${row}`, text, this.totals.input(row)),
      lock: (row) => this.edit("lock", row),
      unit: (row) => this.edit("unit", row),
    });
  }

  /** There is a connection; its server tells the words. */
  start(words, acts, lines) {
    [this.queue, this.busy, this.words] = [[], null, words];
    find("plan-edits").disabled = false;
    if (find("plan-message").textContent === words.offline) find("plan-message").textContent = "";
    if (find("acts").children.length > 0) return;
    for (const [name, says] of Object.entries(acts)) this.addButton("acts", name, says, () => this.edit(name));
    this.addButton("files", "save", words.save, () => this.edit("save"));
    this.addButton("files", "start", words.start, () => this.edit("start"));
    for (const name of ["add", "count", "pace", "length"]) this.addLine(name, lines[name]);
    const heads = { part: words.part, ...Object.fromEntries(columns.map((name) => [name, words[name]])) };
    Object.assign(heads, { totalTime: words.total, totalDistance: `${words.total} ${words.distance}` });
    for (const [name, says] of Object.entries(heads)) {
      find("plan-head").append(make("th", { scope: "col", class: name, "data-column": name }, says, make("small")));
    }
    find("acts").setAttribute("aria-label", words.part);
    find("files").setAttribute("aria-label", words.plan);
  }

  /** There is no connection: the table stays readable, and tells of changes that may not have been made. */
  lose() {
    const lost = [this.busy, ...this.queue].filter((change) => change && !change.isDone);
    [this.queue, this.busy] = [[], null];
    if (lost.length > 0) this.refuse(null, this.words.unsure);
    find("plan-edits").disabled = true;
  }

  addButton(place, name, says, onclick) {
    const button = make("button", { type: "button", "data-edit": name }, says);
    button.onclick = onclick;
    find(place).append(button);
  }

  addLine(name, { says, hint }) {
    const id = `line-${name}`;
    const input = makeField({ id, maxlength: 200, placeholder: hint });
    onTyped(input, (text) => this.edit(name, text, input));
    find("lines").append(make("div", {}, make("label", { for: id }, says), input));
  }

  /** Asks for a change of the chosen row, or of `row`. */
  edit(word, text = "", input = null, row = this.chosen) {
    this.queue.push({ word, text, input, row });
    this.next();
  }

  next() {
    if (this.busy || !this.queue.length || !this.plan) return;
    const change = (this.busy = this.queue.shift());
    const { word, text, input, row } = change;
    const message = `plan ${this.plan.version} ${row} ${word}${text ? ` ${text}` : ""}`;
    const fits = new TextEncoder().encode(message).length <= longest;
    if (fits && this.send(message, () => this.giveUp(change))) return;
    this.busy = null;
    this.refuse(input, fits ? this.words.offline : this.words.tooLong);
  }

  /** Nobody has answered a change: the next one may go. */
  giveUp(change) {
    if (this.busy !== change) return;
    this.busy = null;
    this.refuse(null, this.words.unsure);
    this.next();
  }

  refuse(input, message) {
    find("plan-message").textContent = message;
    find("plan-message").classList.add("bad");
    input?.setAttribute("aria-invalid", "true");
    input?.setAttribute("aria-errormessage", "plan-message");
  }

  /** Takes the answer to the change that was on its way. */
  finish({ edited, message, file }) {
    const { input } = this.busy ?? {};
    find("plan-message").textContent = message;
    find("plan-message").classList.remove("bad");
    if (file) download(`${this.plan.title.replaceAll(/[\/\\:]/g, "-") || "plan"}.plan`, file);
    if (!edited) {
      this.refuse(input, message);
      this.busy = null;
      return this.next();
    }
    input?.removeAttribute("aria-invalid");
    // The table that comes next shows what was understood.
    if (input) input.value = input.dataset.shown ?? "";
    this.busy &&= { isDone: true };
  }

  receive({ plan, totals, parts }) {
    this.plan = plan;
    if (this.busy?.isDone) [this.busy, this.chosen] = [null, plan.row];
    this.chosen = Math.max(Math.min(this.chosen, parts.length - 1), 0);
    for (const id of ["acts", "lines", "files"]) find(id).hidden = !plan.editable;
    find("plan-title").textContent = [plan.title, plan.changed ? this.words.changed : ""].filter((text) => text).join(", ");
    find("plan-says").textContent = plan.says;
    find("plan-empty").textContent = parts.length ? "" : this.words.noPlan;
    find("plan-table").hidden = !parts.length;
    this.totals.show(totals, this.words);
    for (const each of totals) {
      const { input, lock, unit } = this.totals.rows.get(each.row);
      if (!plan.editable) input.readOnly = true;
      lock.parentElement.hidden = !plan.editable;
      unit.disabled = !plan.editable;
      const head = document.querySelector(`#plan-head [data-column=${each.row}] small`);
      if (head) head.textContent = ` ${each.unit}`;
    }
    this.draw(parts);
    document.body.dataset.plan = plan.playing;
    this.next();
  }

  // The rows are kept, so that the cursor stays where it is.
  draw(parts) {
    const body = find("parts");
    while (body.children.length > parts.length) body.lastChild.remove();
    parts.forEach((part, index) => {
      const kind = `${part.group}${this.plan.editable}`;
      let line = body.children[index];
      if (line?.dataset.kind !== kind) {
        const fresh = this.row(part, index, kind);
        if (line) line.replaceWith(fresh);
        else body.append(fresh);
        line = fresh;
      }
      line.querySelector("th").style.paddingLeft = `${Math.min(part.depth, 6) * 0.8}em`;
      const says = `${this.words.row} ${index + 1}: ${part.says}`;
      line.querySelector("input[type=radio]")?.setAttribute("aria-label", says);
      for (const cell of line.querySelectorAll("[data-cell]")) {
        const name = cell.dataset.cell;
        if (cell.tagName === "INPUT") {
          fill(cell, part[name]);
          const column = name === "name" ? (part.group ? this.words.times : this.words.part) : this.words[name];
          cell.setAttribute("aria-label", `${column}, ${this.words.row} ${index + 1}`);
        } else cell.textContent = name === "name" ? part.says : part[name] ?? "";
      }
    });
    this.choose(this.chosen);
  }

  row(part, index, kind) {
    const cell = (name) => {
      if (!this.plan.editable) return make("span", { "data-cell": name });
      const input = makeField({ "data-cell": name, maxlength: 100 });
      onTyped(input, (text) => this.edit(`cell-${name}`, text, input, index));
      return input;
    };
    const box = make("div");
    const head = make("th", { scope: "row" }, box);
    const line = make("tr", { "data-kind": kind }, head);
    if (this.plan.editable) {
      const radio = make("input", { type: "radio", name: "part", value: index });
      radio.onchange = () => this.choose(index);
      box.append(radio);
      line.addEventListener("focusin", () => this.choose(index));
    }
    box.append(cell("name"));
    if (part.group) {
      if (this.plan.editable) box.append(` ${this.words.times}`);
      head.colSpan = 5;
      line.append(make("td", { class: "totalDistance" }));
      return line;
    }
    for (const name of columns) line.append(make("td", {}, cell(name)));
    for (const name of ["totalTime", "totalDistance"]) line.append(make("td", { "data-cell": name, class: name }));
    return line;
  }

  choose(index) {
    this.chosen = index;
    [...find("parts").children].forEach((line, each) => {
      line.classList.toggle("chosen", this.plan.editable && each === index);
      const radio = line.querySelector("input[type=radio]");
      if (radio) radio.checked = each === index;
    });
  }
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
