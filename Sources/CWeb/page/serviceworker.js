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

// A network that is slower than the patience is still waited for where nothing is kept.
async function answer(request) {
  const network = fetch(request);
  const kept = () => caches.match(request, { ignoreSearch: true });
  let timer;
  const late = new Promise((done) => (timer = setTimeout(done, patience))).then(kept).then((found) => found ?? network);
  try {
    return await Promise.race([network, late]);
  } catch {
    return (await kept()) ?? Response.error();
  } finally {
    clearTimeout(timer);
  }
}
