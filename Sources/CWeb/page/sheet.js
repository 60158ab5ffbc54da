// The sheet from below: all controls, in groups, one of which is shown.

import { live, on, say } from "/connection.js";
import { find, icon, make } from "/elements.js";
import { onLock } from "/lock.js";

const panel = (group) => find(group === "running" ? "running" : `tab-${group}`);
// A page that plays by itself has neither files nor plans.
const groups = ["music", "tone", "practice", "device", "files", "running"].filter(panel);
let chosen = localStorage.getItem("group") ?? "music";

/** Which groups there are: watchers have this device alone, and running is there for plans, and before anything plays. */
function isThere(group) {
  if (!groups.includes(group)) return false;
  if (group === "running") return !live.music || live.timeline?.parts === "intervals";
  return live.mayControl || group === "device";
}

export function openSheet(isOpen, group = chosen) {
  const wasOpen = !find("sheet").hidden;
  const shown = isThere(group) ? group : groups.find(isThere);
  if (isOpen) chosen = shown;
  document.body.classList.toggle("open", isOpen);
  find("sheet").hidden = !isOpen;
  find("more").setAttribute("aria-expanded", `${isOpen}`);
  for (const each of groups) {
    panel(each).hidden = each !== shown;
    find(`choose-${each}`)?.setAttribute("aria-selected", `${each === shown}`);
    const tab = find(`choose-${each}`);
    if (tab) {
      tab.hidden = !isThere(each);
      tab.tabIndex = each === shown ? 0 : -1;
    }
  }
  if (isOpen && !wasOpen) find(`choose-${chosen}`)?.focus();
  if (!isOpen && wasOpen && find("sheet").contains(document.activeElement)) find("more").focus();
}

on("welcome", () => {
  const tabs = groups.map((group) => {
    const tab = make("button", { type: "button", role: "tab", id: `choose-${group}`, "aria-controls": panel(group).id }, say(`group${group[0].toUpperCase()}${group.slice(1)}`));
    tab.onclick = () => {
      localStorage.setItem("group", group);
      openSheet(true, group);
    };
    return tab;
  });
  const close = make("button", { type: "button", class: "close", "aria-label": say("close") });
  close.append(icon("up"));
  close.onclick = () => openSheet(false);
  find("tabs").replaceChildren(...tabs, close);
  openSheet(!find("sheet").hidden || (!live.music && live.mayControl && !live.isLocked), live.music ? chosen : "files");
  if (!live.music) chosen = localStorage.getItem("group") ?? "music";
});

// Without a network, the calculator works on.
on("lost", () => {
  if (!live.music && find("tabs").children.length === 0) {
    document.body.classList.add("open");
    find("sheet").hidden = false;
    for (const each of groups) panel(each).hidden = each !== "running";
  }
});

let wasRun = null;
on("state", () => {
  const isRun = live.timeline?.parts === "intervals";
  if (wasRun === isRun) return;
  // The sheet that was open for choosing makes room for the music.
  openSheet(wasRun !== null && !find("sheet").hidden);
  wasRun = isRun;
});

find("more").onclick = () => openSheet(find("sheet").hidden);
find("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const there = groups.filter(isThere);
  openSheet(true, there[(there.indexOf(chosen) + step + there.length) % there.length]);
  find(`choose-${chosen}`).focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !find("sheet").hidden && event.target.tagName !== "INPUT") openSheet(false);
});
onLock((isLocked) => {
  if (isLocked) openSheet(false);
});
