// @ts-check

"use strict";

/*
 * The service worker: it keeps every file of files.json and answers from what it keeps.
 *
 * Its own address names the version, so a new version is a new worker. That one fetches its files beside the old
 * ones, which serve all open tabs until the last is closed: a tab never mixes two versions.
 */

const worker = /** @type {any} */ (self); // whose types are not those of a page
const VERSION = new URL(self.location.href).searchParams.get("version");
const PREFIX = `peg-solitaire ${worker.registration.scope} `; // several courses may share a host
const CACHE = PREFIX + VERSION;
const AT_ONCE = 6;

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(take()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = request.method === "GET" && request.url.startsWith(worker.registration.scope);
  if (isOurs) event.respondWith(answer(request));
});

/** Fetch all files; the browser's own cache, asked whether each is still right, spares what the page has loaded. */
async function keep() {
  const { version, files } = await (await fetch("files.json", { cache: "no-cache" })).json();
  if (version !== VERSION) throw new Error(`expected version ${VERSION}, found ${version}`);
  const cache = await caches.open(CACHE);
  const waiting = ["files.json", ...files];
  const next = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const path = file.split("/").map(encodeURIComponent).join("/");
      const response = await fetch(path, { cache: "no-cache" });
      if (!response.ok) throw new Error(`${file}: status ${response.status}`);
      await cache.put(path, response);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function take() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Return what is kept; the list of files comes from the server while it answers, to see new versions. */
async function answer(request) {
  const url = new URL(request.url);
  url.hash = "";
  url.search = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  const kept = await (await caches.open(CACHE)).match(url.href);
  if (url.pathname.endsWith("/files.json")) return fetch(request).catch(() => kept ?? Response.error());
  return kept ?? fetch(request);
}
