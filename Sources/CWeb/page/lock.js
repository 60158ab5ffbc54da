// The lock: one touch locks, a touch of one second opens.

import { live, on, say } from "/connection.js";
import { find, put } from "/elements.js";

let opening = 0;

function setLock(isSet) {
  live.isLocked = isSet;
  find("lock").setAttribute("aria-pressed", `${isSet}`);
  put("lock", say(isSet ? "locked" : "lock"));
  find("controls").hidden = isSet || !live.mayControl;
}

function hold(event) {
  if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
  if (!live.isLocked || opening) return;
  opening = setTimeout(() => {
    opening = -1;
    setLock(false);
  }, 1000);
}

function release() {
  if (opening > 0) clearTimeout(opening);
  // The click that ends a long touch must not lock again.
  if (opening === -1) setTimeout(() => (opening = 0), 50);
  else opening = 0;
}

for (const kind of ["pointerdown", "keydown"]) find("lock").addEventListener(kind, hold);
for (const kind of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) find("lock").addEventListener(kind, release);
find("lock").onclick = () => {
  if (!live.isLocked && opening === 0) setLock(true);
};

// A page that connects again is still locked.
on("welcome", () => setLock(live.isLocked));
