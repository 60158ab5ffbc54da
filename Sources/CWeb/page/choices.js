// What this device likes, and keeping its screen on.

import { on } from "/connection.js";
import { find } from "/elements.js";

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
find("awake").querySelector("p").textContent =
  "At an address without https, browsers do not let a page keep the screen on. Set the screen's timeout to “never” in the " +
  "settings of this device while you play, or serve the page through a proxy with TLS (see docs/serving.md).";

// What this device likes, remembered

for (const id of ["announce", "flashes"]) {
  const choice = find(id);
  choice.value = localStorage.getItem(id) ?? choice.value;
  choice.onchange = () => localStorage.setItem(id, choice.value);
}
