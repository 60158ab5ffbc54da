// Opens the page without a network. It is used at secure addresses only; browsers allow no others.

const patience = 3000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// The network comes first, so that the page is always that of the program that serves it.
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), patience);
  try {
    return await fetch(request, { signal: limit.signal });
  } catch {
    const kept = await caches.match(request, { ignoreSearch: true });
    return kept ?? Response.error();
  } finally {
    clearTimeout(timer);
  }
}
