// The page for runners: the pace calculator and the table of the plan.

import { on, order, send } from "/connection.js";
import { find } from "/elements.js";
import * as offline from "/offline.js";
import { PaceCalculator } from "/pace.js";
import { PlanTable } from "/plan.js";

let [texts, isConnected] = [JSON.parse(localStorage.getItem("running") ?? "null"), false];

/** Sends a message to Barline; returns whether there is a connection. */
function sendNow(message) {
  if (isConnected) send(message);
  return isConnected;
}

const [pace, plan] = [new PaceCalculator(sendNow), new PlanTable((message, unheard) => isConnected && order(message, unheard))];
name();
for (const id of ["calculator", "plan"]) {
  find(id).open = localStorage.getItem(`${id} is open`) === "yes";
  find(id).ontoggle = () => localStorage.setItem(`${id} is open`, find(id).open ? "yes" : "no");
}

// A foot pedal works wherever the cursor is: one line has no pages.
find("running").addEventListener("keydown", (event) => {
  if (!["PageUp", "PageDown"].includes(event.key) || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  event.stopPropagation();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
});

on("welcome", () => {
  offline.welcome();
  send("running show");
});

// Only from here on are values sent as they are typed: until then they wait, as the calculator is not yet where it was.
on("running", (message) => {
  isConnected = true;
  texts = message;
  localStorage.setItem("running", JSON.stringify(texts));
  name();
  pace.start(texts.words);
  plan.start(texts.words, texts.acts, texts.lines);
});

on("pace", (message) => pace.receive(message));
on("edited", (message) => plan.finish(message));
on("plan", (message) => plan.receive(message));

on("lost", () => {
  isConnected = false;
  offline.lose(texts?.words);
  pace.lose(texts?.words);
  plan.lose();
});

function name() {
  if (!texts) return;
  for (const id of ["calculator", "plan"]) find(id).querySelector("summary").textContent = texts.words[id];
  find("totals").setAttribute("aria-label", texts.words.totals);
}
