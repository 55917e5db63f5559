// Shows a page of its own while there is no network. Pages about a person are never kept: of what the server answers, only
// the files in the list and the page without a network are.

const cacheName = `shell ${[offline, ...files].join(" ")}`;

// Without the session: the page that is kept has nothing of the person who is signed in.
function fresh(path) {
  return new Request(path, { credentials: "omit", cache: "reload" });
}

addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName);
      await cache.addAll([offline, ...files].map(fresh));
      await skipWaiting();
    })(),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
      await clients.claim();
    })(),
  );
});

// What was kept of a path; an error of the network if nothing was.
async function kept(path) {
  return (await caches.match(path)) ?? Response.error();
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  const path = url.pathname + url.search;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(offline)));
  else if (url.origin === location.origin && files.includes(path))
    event.respondWith(fetch(request).catch(() => kept(path)));
});
