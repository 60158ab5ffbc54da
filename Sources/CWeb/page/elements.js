// The elements of the page.

export const find = (id) => document.getElementById(id);

/** Writes a text if it is new; the screen is drawn sixty times a second. */
export function put(id, text) {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}
