// Lets the page open without a network, where browsers allow it: at secure addresses. It keeps the files of the page, the
// secret of the address, and what was shown last.

import { find, timeOfDay } from "/elements.js";

const shown = ["title", "place", "texts", "next", "settings"];
let isWelcome = false;

if (window.isSecureContext) {
  // An installed page is opened without its secret.
  if (location.hash.length > 1) localStorage.setItem("secret", location.hash);
  else if (localStorage.getItem("secret")) history.replaceState(null, "", localStorage.getItem("secret"));
}

/** Keeps the files of the page. */
async function keepFiles() {
  if (!window.isSecureContext || !navigator.serviceWorker || !window.caches) return;
  const address = window.trustedTypes
    ? trustedTypes.createPolicy("barline", { createScriptURL: () => "/serviceworker.js" }).createScriptURL("")
    : "/serviceworker.js";
  try {
    await navigator.serviceWorker.register(address);
    const loaded = performance.getEntriesByType("resource").map((entry) => new URL(entry.name));
    const own = loaded.filter((file) => file.origin === location.origin && /\.(js|css|svg|webmanifest)$/.test(file.pathname));
    const files = [...new Set(["/", "/icon.svg", "/manifest.webmanifest", ...own.map((file) => file.pathname)])];
    const box = await caches.open("barline");
    await box.addAll(files);
    document.body.dataset.offline = "ready";
  } catch {
    // Without room, or in a private window, the page needs its network.
  }
}

/** There is a connection; from now on, what is shown is kept. */
export function welcome() {
  if (isWelcome) return;
  isWelcome = true;
  keepFiles();
  const keep = () => {
    // A page that is alone only supposes where the music is.
    if (document.body.dataset.network !== "here") return;
    const texts = Object.fromEntries(shown.map((id) => [id, find(id).textContent]));
    if (texts.place) localStorage.setItem("shown", JSON.stringify({ texts, time: Date.now() }));
  };
  setInterval(keep, 5000);
  addEventListener("pagehide", keep);
}

/** There is no connection: shows what was known last, unless the page plays on by itself. */
export function lose(words) {
  const kept = JSON.parse(localStorage.getItem("shown") ?? "null");
  if (isWelcome || !kept || document.body.dataset.kind) return;
  for (const id of shown) find(id).textContent = kept.texts[id];
  document.body.dataset.lamp = "alone";
  find("lamp-icon").setAttribute("href", "#icon-alone");
  find("state").textContent = `${words?.lastKnown ?? ""} ${timeOfDay(new Date(kept.time), true)}`;
}
