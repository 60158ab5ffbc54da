// The elements of the page.

export const find = (id) => document.getElementById(id);

/**
 * What a message says, without the characters that turn the direction of the text after them (U+202A to U+202E, U+2066 to
 * U+2069): a title must not turn what stands beside it. Terminals do not get them, either. A table, which has the names of
 * its `fields` once, becomes a list of objects, or of lists of them.
 */
export function parse(json) {
  return named(JSON.parse(json.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")));
}

function named(value) {
  // Lists of lists are long, and have no tables.
  if (value === null || typeof value !== "object" || Array.isArray(value[0])) return value;
  const { fields, rows, lists } = value;
  if (Array.isArray(fields)) {
    // Made at once: an object to which many fields were added one by one is ten times as slow to copy, and bars are copied often.
    const made = (row) => Object.fromEntries(fields.map((field, n) => [field, row[n]]));
    return rows?.map(made) ?? lists.map((list) => list.map(made));
  }
  for (const key of Object.keys(value)) value[key] = named(value[key]);
  return value;
}

/** Writes a text if it is new; the screen is drawn sixty times a second. */
export function put(id, text) {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}

/** A time of day as the program writes it: `20:15:03`; short without the seconds. */
export const timeOfDay = (date, isShort = false) => date.toLocaleTimeString([], { timeStyle: isShort ? "short" : "medium", hourCycle: "h23" });

/** Makes an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A picture of a name in the page. */
export function icon(name) {
  const picture = document.querySelector("#lamp svg").cloneNode(true);
  picture.querySelector("use").removeAttribute("id");
  picture.querySelector("use").setAttribute("href", `#icon-${name}`);
  return picture;
}

/** How wide a number is in bold digits, in em. */
export function width(text) {
  return [...text].reduce((sum, digit) => sum + (".:′ ".includes(digit) ? 0.4 : "+".includes(digit) ? 0.84 : 0.7), 0.04);
}

/** Writes a number that is as large as its width allows. */
export function putNumber(id, text) {
  const element = find(id);
  if (element.textContent === text) return;
  element.textContent = text;
  element.style.setProperty("--em", `${width(text)}`);
}
