// The flash at bars: a ground and a border behind the digits, at most three times a second (WCAG 2.3.1).

import { live } from "/connection.js";
import { find } from "/elements.js";

/** How far apart flashes are at least, and how long one lasts, in ms. */
const [apart, length] = [334, 120];
let last = -Infinity;

/** Flashes at the start of a bar, as this device or else the player has chosen it. */
export function flashAt(bar) {
  const choice = find("flashes").value;
  const how = choice === "player" ? (live.look?.how ?? "off") : choice;
  light(how, bar.color ?? (bar.bar === 1 ? live.look?.line : live.look?.bar));
}

/** Lights the screen for a moment: `screen`, `border` or `off`. Returns whether it did. */
export function light(how, color) {
  if (how === "off" || performance.now() - last < apart) return false;
  const flash = find("flash");
  if (color) flash.style.setProperty("--colour", color);
  else flash.style.removeProperty("--colour");
  flash.className = `${how} on`;
  // Counted from here: on a busy device, a while may have passed since this function began.
  last = performance.now();
  setTimeout(() => flash.classList.remove("on"), length);
  return true;
}
