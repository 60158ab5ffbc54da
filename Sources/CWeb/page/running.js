// The page for runners: the pace calculator, the table of the plan, and vibration at changes.

import { PaceCalculator } from "/pace.js";
import * as offline from "/offline.js";
import { PlanTable } from "/plan.js";
import { offerVibration } from "/vibration.js";

const find = (id) => document.getElementById(id);
let [pace, plan, texts, hello, isConnected] = [null, null, null, null, false];

/** Begins; `send` sends a message to Barline. */
export function start(send) {
  const sendNow = (message) => {
    if (isConnected) send(message);
    return isConnected;
  };
  [pace, plan] = [new PaceCalculator(sendNow), new PlanTable(sendNow)];
  hello = () => send("running show");
  texts = JSON.parse(localStorage.getItem("running") ?? "null");
  name();
  for (const id of ["calculator", "plan"]) {
    find(id).open = localStorage.getItem(`${id} is open`) === "yes";
    find(id).ontoggle = () => localStorage.setItem(`${id} is open`, find(id).open ? "yes" : "no");
  }
}

// A foot pedal works wherever the cursor is: one line has no pages.
find("running").addEventListener("keydown", (event) => {
  if (!["PageUp", "PageDown"].includes(event.key) || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  event.stopPropagation();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
});

/** Takes a message of Barline. */
export function receive(message) {
  if (message.welcome) {
    isConnected = true;
    offline.welcome();
    hello();
  } else if (message.running) {
    texts = message;
    localStorage.setItem("running", JSON.stringify(texts));
    name();
    pace.start(texts.words);
    plan.start(texts.words, texts.acts, texts.lines);
    offerVibration(texts.words);
  } else if (message.pace) pace.receive(message);
  else if (message.edited !== undefined) plan.finish(message);
  else if (message.plan) plan.receive(message);
}

/** The network is lost. */
export function lose() {
  isConnected = false;
  offline.lose(texts?.words);
  pace.lose(texts?.words);
  plan.lose();
}

function name() {
  if (!texts) return;
  for (const [id, word] of [["calculator", "calculator"], ["plan", "plan"]]) find(id).querySelector("summary").textContent = texts.words[word];
  find("totals").setAttribute("aria-label", texts.words.totals);
}
