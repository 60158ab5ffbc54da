// Three rows that belong together, distance, time and pace: two can be typed, the third is locked as their result.

import { make } from "/elements.js";

/** Makes a field for values, which browsers are not to complete or correct. */
export function makeField(attributes) {
  return make("input", { ...attributes, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
}

/** Writes a value that is shown, unless the reader is typing another one over it. */
export function fill(input, value) {
  const isTyping = document.activeElement === input && input.value !== input.dataset.shown;
  if (!isTyping) input.value = value;
  input.dataset.shown = value;
}

/** Calls `take` with what was typed, once Enter is pressed or the cursor leaves; Escape leaves the value as it was. */
export function onTyped(input, take) {
  const done = () => {
    const text = input.value.trim();
    if (text && text !== input.dataset.shown) take(text);
    else input.value = input.dataset.shown ?? "";
  };
  input.addEventListener("change", done);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = input.dataset.shown ?? "";
    input.removeAttribute("aria-invalid");
  });
}

export class QuantityRows {
  /** `on` has the functions `value(row, text)`, `lock(row)` and `unit(row)`; `name` makes the ids unique. */
  constructor(element, name, on) {
    [this.element, this.name, this.on, this.rows] = [element, name, on, new Map()];
  }

  /** Shows rows as the server sends them, in the words of the terminal. */
  show(rows, words) {
    for (const row of rows) {
      if (!this.rows.has(row.row)) this.add(row.row, words);
      const { input, unit, lock, others } = this.rows.get(row.row);
      fill(input, row.value);
      input.readOnly = Boolean(row.result);
      lock.checked = Boolean(row.result);
      unit.hidden = !row.unit;
      unit.textContent = row.unit;
      unit.setAttribute("aria-label", `${words[row.row]}: ${words.unit} ${row.unit}`);
      others.textContent = row.others;
    }
  }

  input(row) {
    return this.rows.get(row)?.input;
  }

  add(row, words) {
    const id = `${this.name}-${row}`;
    const input = makeField({ id, maxlength: 24, "aria-describedby": `${id}-others` });
    const lock = make("input", { type: "radio", name: `${this.name}-result`, "aria-label": `${words[row]}: ${words.lock}` });
    const unit = make("button", { type: "button", hidden: "" });
    const others = make("span", { id: `${id}-others`, class: "others" });
    this.element.append(
      make("div", { class: "quantity" }, make("label", { for: id }, words[row]), input, unit,
        make("label", { class: "lock", title: words.lock }, lock, make("span", { "aria-hidden": "true" }, "=")), others),
    );
    onTyped(input, (text) => this.on.value(row, text));
    lock.onchange = () => this.on.lock(row);
    unit.onclick = () => this.on.unit(row);
    this.rows.set(row, { input, unit, lock, others });
  }
}
