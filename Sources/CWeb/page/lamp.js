// The lamp: dark while the music plays, lit for every other state, with its word and its picture.

import { live, say } from "/connection.js";
import { find, put, timeOfDay } from "/elements.js";

/** Shows a state; `share` is how much of a hold is over, and null for what has no end. */
export function showLamp(kind, share = null) {
  const isAlone = document.body.dataset.network === "gone" && kind !== "end";
  const lamp = isAlone ? "alone" : kind;
  const word = isAlone ? say("alone") : (live.words[kind] ?? kind);
  put("state", word);
  find("lamp").style.setProperty("--letters", `${word.length}`);
  const since = isAlone && live.aloneSince ? say("aloneSince", { time: timeOfDay(live.aloneSince) }) : "";
  // Alone, the page does not know whether a pause still lasts.
  put("lamp-more", isAlone && kind === "paused" ? [live.words.paused, since].filter((text) => text).join(", ") : since);
  find("lamp").style.setProperty("--done", `${share === null ? 0 : Math.min(Math.max(share, 0), 1)}`);
  if (document.body.dataset.lamp === lamp) return;
  document.body.dataset.lamp = lamp;
  const picture = { untilLap: "holding", playing: "play" }[lamp] ?? lamp;
  find("lamp-icon").setAttribute("href", `#icon-${picture}`);
}
