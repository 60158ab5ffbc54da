// The choices of this device, and keeping its screen on.

import { on } from "/connection.js";
import { find, make } from "/elements.js";

// The screen stays on where browsers allow it: on secure addresses

let wakeLock = null;

async function keepAwake() {
  if (!navigator.wakeLock || wakeLock || document.visibilityState !== "visible") return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
    wakeLock.onrelease = () => (wakeLock = null);
  } catch {
    wakeLock = null;
  }
}

on("state", keepAwake);
document.addEventListener("visibilitychange", keepAwake);

find("awake").hidden = Boolean(navigator.wakeLock);

// Choices that this device remembers

function remember(choice) {
  choice.value = localStorage.getItem(choice.id) ?? choice.value;
  choice.onchange = () => localStorage.setItem(choice.id, choice.value);
}

for (const choice of document.querySelectorAll("[data-kept]")) remember(choice);

// The phone vibrates at changes, where it can and its owner wants it

on("running", ({ words }) => {
  if (!navigator.vibrate || find("vibrate")) return;
  const choice = make("select", { id: "vibrate" });
  const options = { plans: words.vibratePlans, lines: words.vibrateLines, bars: words.vibrateBars, beats: words.vibrateBeats, off: words.vibrateOff };
  for (const [name, says] of Object.entries(options)) choice.append(new Option(says, name));
  remember(choice);
  find("choices").append(make("label", {}, `${words.vibrate} `, choice));
  addEventListener("barline", (event) => vibrate(choice.value, event.detail.isLine));
  addEventListener("beat", () => choice.value === "beats" && isTouched() && navigator.vibrate(25));
});

/** Browsers want a touch of the page first, and complain otherwise. */
function isTouched() {
  return !navigator.userActivation || navigator.userActivation.hasBeenActive;
}

function vibrate(wanted, isLine) {
  if (!isTouched()) return;
  const isChange = document.body.dataset.plan === "1";
  if (["bars", "beats"].includes(wanted) || (wanted === "lines" && isLine) || (isChange && wanted !== "off")) {
    // A change of a plan is to be felt in a pocket.
    navigator.vibrate(isChange ? [200, 80, 200] : isLine ? 120 : 50);
  }
}
