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
// What this device likes, remembered

for (const id of ["announce", "flashes"]) {
  const choice = find(id);
  choice.value = localStorage.getItem(id) ?? choice.value;
  choice.onchange = () => localStorage.setItem(id, choice.value);
}
