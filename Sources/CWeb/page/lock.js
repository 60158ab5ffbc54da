// The lock: one touch locks, a touch of one second opens. Locked, nothing else reacts, also after a reload.

import { live, on, say } from "/connection.js";
import { find } from "/elements.js";

const changes = [];
let opening = 0;

/** Calls `change` whenever the page is locked or opened. */
export function onLock(change) {
  changes.push(change);
}

export function startLock() {
  const lock = find("lock");
  for (const kind of ["pointerdown", "keydown"]) lock.addEventListener(kind, hold);
  for (const kind of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) lock.addEventListener(kind, release);
  lock.onclick = () => {
    if (!live.isLocked && opening === 0) setLock(true);
  };
  setLock(sessionStorage.getItem("locked") === "yes");
}

on("welcome", () => setLock(live.isLocked));

function setLock(isSet) {
  live.isLocked = isSet;
  sessionStorage.setItem("locked", isSet ? "yes" : "no");
  document.body.classList.toggle("locked", isSet);
  const lock = find("lock");
  lock.setAttribute("aria-pressed", `${isSet}`);
  lock.setAttribute("aria-label", say(isSet ? "locked" : "lock"));
  lock.querySelector("span").textContent = say(isSet ? "holdToUnlock" : "lock");
  // Not even a key or a screen reader reaches what is hidden.
  for (const id of ["sheet", "more"]) find(id).inert = isSet;
  find("cancel").disabled = isSet;
  for (const change of changes) change(isSet);
}

function hold(event) {
  if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
  if (!live.isLocked || opening) return;
  find("lock").classList.add("opening");
  opening = setTimeout(() => {
    opening = -1;
    setLock(false);
    find("lock").classList.remove("opening");
  }, 1000);
}

function release() {
  find("lock").classList.remove("opening");
  if (opening > 0) clearTimeout(opening);
  // The click that ends a long touch must not lock again.
  if (opening === -1) setTimeout(() => (opening = 0), 50);
  else opening = 0;
}
