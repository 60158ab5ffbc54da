// The phone vibrates at changes, where it can and its owner wants it.

import { make } from "/quantities.js";

/** Adds the choice; `words` are the server's. */
export function offerVibration(words) {
  if (!navigator.vibrate || document.getElementById("vibrate")) return;
  const choice = make("select", { id: "vibrate" });
  const options = { plans: words.vibratePlans, lines: words.vibrateLines, bars: words.vibrateBars, off: words.vibrateOff };
  for (const [name, says] of Object.entries(options)) choice.append(new Option(says, name));
  choice.value = localStorage.getItem("vibrate") ?? "plans";
  choice.onchange = () => localStorage.setItem("vibrate", choice.value);
  document.getElementById("choices").append(make("label", {}, `${words.vibrate} `, choice));
  addEventListener("barline", () => vibrate(choice.value));
}

function vibrate(wanted) {
  // Browsers want a touch of the page first, and complain otherwise.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  const isLine = document.getElementById("flash").classList.contains("line");
  const isChange = document.body.dataset.plan === "1";
  if (wanted === "bars" || (wanted === "lines" && isLine) || (isChange && wanted !== "off")) {
    // A change of a plan is to be felt in a pocket.
    navigator.vibrate(isChange ? [200, 80, 200] : isLine ? 120 : 50);
  }
}
