// The elements of the page.

export const find = (id) => document.getElementById(id);

/** Writes a text if it is new; the screen is drawn sixty times a second. */
export function put(id, text) {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}

/** Makes an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Lights the whole screen for a moment; `look` are the classes that say how. */
export function light(look) {
  const flash = find("flash");
  flash.className = `${look} on`;
  setTimeout(() => flash.classList.remove("on"), 120);
}
