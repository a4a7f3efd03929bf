// The service worker (over HTTPS only): pages that were open can be seen again without a connection.
// /sw.js says VERSION and SHELL, and then takes this file in.
/* global VERSION, SHELL */
const CACHE = `companion ${VERSION}`;
const PATIENCE = 4000;
const OFFLINE = "/offline";
const KEPT = /^\/($|g\/[^/]+\/(throw|scores|rules|history|tv|end)?$|rules$)/;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL);
  await self.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(part(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (request.headers.has("X-Seen")) event.respondWith(fetchAndKeep(event, url)); // an open page follows the game
});

// What has its version in its address never changes.
async function part(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

// The network first; what is kept where it does not answer, or not soon.
async function page(event, url) {
  const cache = await caches.open(CACHE);
  const kept = url.search ? undefined : await cache.match(url.pathname, { ignoreVary: true });
  const fresh = fetchAndKeep(event, url);
  if (!kept) return fresh.catch(() => cache.match(OFFLINE, { ignoreVary: true }));
  return Promise.race([fresh.catch(() => kept), new Promise((resolve) => setTimeout(resolve, PATIENCE, kept))]);
}

async function fetchAndKeep(event, url) {
  const answer = await fetch(event.request);
  if (!url.search && KEPT.test(url.pathname)) event.waitUntil(keep(url.pathname, answer.clone()));
  return answer;
}

async function keep(path, answer) {
  const isGone = answer.status === 404 || answer.status === 403;
  const isPage = answer.ok && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html");
  if (!isGone && !isPage) return;
  const cache = await caches.open(CACHE);
  if (isPage) await cache.put(path, answer); // a body broken off leaves what was kept before
  else await cache.delete(path, { ignoreVary: true });
}
