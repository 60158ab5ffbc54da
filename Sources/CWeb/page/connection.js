// The connection to the server: its messages are passed on by kind, and its clock is learned.

import { PlayerClock } from "/clock.js";
import { find, parse, put } from "/elements.js";
import { live, on, say, tell } from "/live.js";

export { askedVoice, live, on, say } from "/live.js";

/** The player's clock. */
export const player = new PlayerClock();

let socket = null;

/** Sends a line to the server; returns whether there is a connection. */
export function send(text) {
  const isOpen = socket !== null && socket.readyState === WebSocket.OPEN;
  if (isOpen) socket.send(text);
  return isOpen && document.body.dataset.network === "here";
}

/** For so long, in ms, an order may be on its way: the server does not carry out an older one. */
const oldest = 2000;
/** The orders that the server has not answered yet, each by its time. */
const unanswered = new Set();
let ordered = 0;

/**
 * Sends what changes the music or the plan, with its time by the player's clock: an order that a bad network holds up must not
 * be carried out long after. `unheard` is called if no answer comes within two seconds. Returns whether there is a connection.
 */
export function order(text, unheard) {
  if (!player.isKnown) return send(text);
  const time = Math.max(Math.round(player.at(performance.now()) * 1e6), ordered + 1);
  if (!send(`at ${time} ${text}`)) return false;
  ordered = time;
  unanswered.add(time);
  setTimeout(() => unanswered.delete(time) && unheard(), oldest);
  return true;
}

/**
 * Sends what the player wants; says so if that is not possible: at once if that is known; else as soon as it is, with a call of
 * `unheard`. Returns whether there is a connection.
 */
export function ask(text, unheard = () => {}) {
  const refuse = () => put("note", say("notSentNow"));
  const isSent = order(text, () => (refuse(), unheard()));
  if (isSent) put("note", "");
  else refuse();
  return isSent;
}

/** With a network, nothing is said of keys that could not be sent without one. */
function clearRefusal() {
  if (find("note").textContent === say("notSentNow")) put("note", "");
}

on("arrived", (message) => {
  const isAwaited = unanswered.delete(message.arrived);
  if (!message.inTime) put("note", say("tooLate"));
  // It came in time after all.
  else if (!isAwaited) clearRefusal();
});
on("state", clearRefusal);

/** How often the page looks whether it has been answered, in ms. */
const look = 250;
/**
 * Without an answer for so long, in ms, the connection is lost, however open it looks: two looks later it is four seconds, as
 * followers have it.
 */
const [silence, opening] = [4000 - 2 * look, 1500];
/** After so much silence, in ms, the page asks whether somebody is there; the number is no time of its own. */
const [quiet, nobody] = [1000, -1];
/** How often the connection is tried again, in ms, and how often by an address that is not valid. */
const [again, invalid] = [500, 5000];

/** Connects, and again whenever the connection is lost. */
export function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const connection = new WebSocket(`${scheme}://${location.host}/live`);
  const begun = performance.now();
  let isWelcome = false;
  let isOver = false;
  let [heard, asked] = [begun, 0];
  socket = connection;
  // A network that swallows everything closes nothing: the page itself notices that nobody answers.
  const watch = setInterval(() => {
    const now = performance.now();
    if (isWelcome && !asked && now - heard > quiet) {
      asked = now;
      connection.send(`clock ${nobody}`);
    }
    // Only a question that was asked can remain unanswered: a hidden page is woken seldom.
    if (isWelcome ? asked && now - asked > silence - quiet : now - begun > opening) end(null);
  }, look);
  function end(event) {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    connection.close();
    lose(!isWelcome && event?.code === 1008);
  }
  connection.onopen = () => connection.send(`hello ${location.hash.slice(1).split("&")[0]}`);
  connection.onmessage = (event) => {
    if (isOver) return;
    [heard, asked] = [performance.now(), 0];
    const message = parse(event.data);
    if (message.welcome) isWelcome = true;
    tell(Object.keys(message)[0], message);
  };
  connection.onclose = end;
}

function lose(isInvalid) {
  if (document.body.dataset.network !== "gone") {
    document.body.dataset.network = "gone";
    live.aloneSince = new Date();
    tell("lost");
  }
  const isOver = live.music && live.music.state.ended;
  const says = isInvalid ? find("network").dataset.invalid : isOver ? say("isOver") : live.music ? say("noNetwork") : find("network").dataset.none;
  put("network", says);
  find("network").className = "bad";
  setTimeout(connect, isInvalid ? invalid : again);
}

on("welcome", () => exchange(4));

on("clock", (message) => {
  if (message.clock === nobody) return;
  player.take(message.clock / 1000, performance.now(), message.at);
  step();
});

// The clock: bursts of exchanges, one after the other

let exchanges = 0;
let burstsSoon = 0;
let timer = 0;

function exchange(soon) {
  clearTimeout(timer);
  player.finish();
  burstsSoon = Math.max(burstsSoon, soon);
  exchanges = PlayerClock.burst;
  step();
}

function step() {
  clearTimeout(timer);
  if (exchanges > 0) {
    exchanges -= 1;
    send(`clock ${Math.round(performance.now() * 1000)}`);
    // An answer that is lost must not stop the next burst.
    timer = setTimeout(() => exchange(0), 3000);
  } else {
    burstsSoon = Math.max(burstsSoon - 1, 0);
    tellOfThis();
    timer = setTimeout(() => exchange(0), burstsSoon > 0 ? 700 : 6000);
  }
}

/** Tells the leader how this page is: how well it knows the clock (µs), how many clicks it lost, and its voice. */
function tellOfThis() {
  if (!player.isKnown) return;
  const clock = Math.min(Math.round(player.uncertainty(performance.now()) * 1e6), 1e9);
  const voice = live.sounds?.voices[(live.sound?.choice.voice ?? 0) - 1] ?? "";
  send(`about ${clock} ${live.sound?.lost ?? 0} ${voice.replace(/\p{Cc}/gu, "").slice(0, 40)}`.trim());
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") exchange(4);
});
