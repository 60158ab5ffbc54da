// Another score, chosen or dropped, and files of the music.

import { ask, live, on, say, send } from "/connection.js";
import { find, make, put } from "/elements.js";

/** The files to be sent, in order: the first is asked about or on its way. */
const waiting = [];
/** The file that is being made; null for none. */
let made = null;

function mayAsk() {
  return live.mayControl && !live.isLocked;
}

on("welcome", () => {
  if (live.mayControl) send("list scores");
  if (live.music) return;
  put("place", say(live.mayControl ? "chooseFirst" : "nothingYet"));
});

on("scores", (message) => {
  const options = message.scores.map(({ name, title }) => new Option(title === name ? name : `${title} (${name})`, name));
  find("scores").replaceChildren(...options);
  find("kinds").replaceChildren(...message.kinds.map((name) => new Option(name.toUpperCase(), name)));
});

find("open").onsubmit = (event) => {
  event.preventDefault();
  clear();
  if (mayAsk() && find("scores").value) ask(`open ${find("scores").value}`);
};

find("make").onsubmit = (event) => {
  event.preventDefault();
  clear();
  if (mayAsk()) ask(`make ${find("kinds").value}`);
};

find("cancel").onclick = () => {
  if (!mayAsk()) return;
  ask("cancel it");
  endMaking();
};

function endMaking() {
  made = null;
  find("making").hidden = true;
}

function clear() {
  for (const id of ["note", "problems", "told"]) put(id, "");
}

// A score that is dropped, or chosen from the files of the device: the page asks for a ticket, and sends it with that

function drop(file) {
  if (!file || !mayAsk()) return;
  clear();
  if (file.size === 0) return put("problems", say("emptyFile", { name: file.name }));
  // Another ticket would make the one before it void.
  if (waiting.length > 0 || askFor(file)) waiting.push(file);
}

/** Asks for a ticket. A message has little room, and the ending tells the format. */
function askFor(file) {
  return ask(`drop ${file.name.replace(/\p{Cc}/gu, " ").slice(-50)}`, () => {
    if (waiting[0] !== file) return;
    put("problems", say("notSent", { name: file.name }));
    askForNext();
  });
}

function askForNext() {
  waiting.shift();
  if (waiting.length > 0 && !askFor(waiting[0])) waiting.splice(0);
}

on("send", async (message) => {
  const [file] = waiting;
  if (!file) return;
  await sendFile(file, message);
  // With the connection, the files that waited may have been given up.
  if (waiting[0] === file) askForNext();
});

async function sendFile(file, message) {
  if (file.size > message.most) return put("problems", say("tooLarge", { name: file.name, most: message.most / 1e6 }));
  try {
    const body = await file.arrayBuffer();
    const headers = { Authorization: `Bearer ${message.send}`, "Content-Type": "application/octet-stream" };
    const answer = await fetch("/upload", { method: "POST", headers, body });
    if (!answer.ok) throw new Error(answer.statusText);
  } catch {
    put("problems", say("notSent", { name: file.name }));
  }
}

// What was lost with the connection is not sent in place of a later file, and nobody makes files for a page that has gone.
on("lost", () => {
  const lost = waiting.splice(0).map(({ name }) => say("notSent", { name }));
  if (made !== null) lost.push(say("notMade", { name: made }));
  endMaking();
  if (lost.length > 0) put("problems", lost.join("\n"));
});

on("problems", (message) => put("problems", message.problems));
on("opened", (message) => put("told", say("opened", { name: message.opened })));

find("own").onchange = () => {
  drop(find("own").files[0]);
  find("own").value = "";
};

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.toggle("dragged", mayAsk());
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dragged");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dragged");
  drop(event.dataTransfer.files[0]);
});

// Files of the music

on("making", (message) => {
  made = message.making;
  find("making").hidden = false;
  find("progress").value = message.percent;
  put("progress-text", say("making", { name: message.making, percent: message.percent }));
});

on("note", endMaking);

// Browsers fetch a file over a connection of its own: only Barline knows whether it begins to be fetched, and is fetched whole.

/** How long a file may wait until its browser fetches it, in ms. */
const patience = 10_000;
let fetchTimer = 0;

on("made", (message) => {
  endMaking();
  put("told", say("ready", { name: message.made }));
  make("a", { href: `/download/${message.ticket}`, download: message.made }).click();
  clearTimeout(fetchTimer);
  fetchTimer = setTimeout(() => endFetch(message.made, false), patience);
});
on("fetching", () => clearTimeout(fetchTimer));
on("fetched", (message) => endFetch(message.fetched, message.isWhole));

function endFetch(name, isWhole) {
  put("told", isWhole ? say("made", { name }) : "");
  put("problems", isWhole ? "" : say("notFetched", { name }));
}
