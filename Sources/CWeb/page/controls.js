// The controls, which are the keys of the terminal's stand, and their lock.

import { live, on, say, send } from "/connection.js";
import { find, make, put } from "/elements.js";

const mainKeys = ["Space", "Enter", "←", "→", "↑", "↓", "l", "L", "o", "-", "+", "0", "d", "N", "M", "V", "B", "c", "z", "x", "i"];

function button({ name, says }) {
  const element = make("button", { type: "button", "data-key": name }, make("kbd", {}, name), says);
  element.onclick = () => press(name);
  return element;
}

on("welcome", (message) => {
  document.body.classList.toggle("bare", !live.mayControl);
  find("lock").hidden = !live.mayControl;
  // A page that connects again is still locked.
  setLock(live.isLocked);
  if (!live.mayControl || find("keys").children.length > 0) return;
  find("main-keys").replaceChildren(...message.keys.filter((key) => mainKeys.includes(key.name)).map(button));
  find("keys").replaceChildren(...message.keys.filter((key) => !mainKeys.includes(key.name)).map(button));
  const question = find("question");
  for (const [kind, { name }] of Object.entries(message.questions)) question.append(new Option(name, kind));
  const ask = () => put("ask", message.questions[question.value].asks);
  question.onchange = ask;
  ask();
});

function press(name) {
  if (live.isLocked || !live.mayControl) return;
  put("note", "");
  send(`key ${name}`);
}

find("go").onsubmit = (event) => {
  event.preventDefault();
  const answer = find("answer");
  put("note", "");
  if (!live.isLocked && answer.value.trim()) send(`${find("question").value} ${answer.value.trim()}`);
  answer.value = "";
};

// Foot pedals send Page Up and Page Down.
const names = { " ": "Space", PageDown: "Space", PageUp: "↑", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

document.addEventListener("keydown", (event) => {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.altKey || event.metaKey || tag === "INPUT" || tag === "SELECT") return;
  if (["BUTTON", "SUMMARY"].includes(tag) && [" ", "Enter"].includes(event.key)) return;
  const name = names[event.key] ?? event.key;
  if (!find("controls").querySelector(`[data-key="${CSS.escape(name)}"]`)) return;
  event.preventDefault();
  press(name);
});

// The lock: one touch locks, a touch of one second opens

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
