// The controls: the keys of the terminal's stand.

import { live, on, send } from "/connection.js";
import { find, put } from "/elements.js";

const mainKeys = ["Space", "Enter", "←", "→", "↑", "↓", "l", "L", "o", "-", "+", "0", "d", "N", "M", "V", "B", "c", "z", "x", "i"];

function button(key) {
  const element = document.createElement("button");
  element.type = "button";
  element.dataset.key = key.name;
  const name = document.createElement("kbd");
  name.textContent = key.name;
  element.append(name, key.says);
  element.onclick = () => press(key.name);
  return element;
}

on("welcome", (message) => {
  document.body.classList.toggle("bare", !live.mayControl);
  find("lock").hidden = !live.mayControl;
  find("controls").hidden = !live.mayControl || live.isLocked;
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
