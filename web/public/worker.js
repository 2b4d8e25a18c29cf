// Keeps the shell of the page, so that it opens when the server is away, and tells whose turn it is.

const SHELL = "shell-1";
/** What the page has left for us to say, in the language it was read in. */
const WORDS = "words";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add("/")).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL && name !== WORDS).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin || address.pathname.startsWith("/api")) return;
  if (request.mode === "navigate") event.respondWith(page());
  else if (address.pathname.startsWith("/assets/")) event.respondWith(asset(request));
});

/** The page of the server, else the one that was kept. */
async function page() {
  const cache = await caches.open(SHELL);
  try {
    const fresh = await fetch("/");
    if (fresh.ok) await keep(cache, fresh.clone());
    // A proxy answers for a server that is away.
    return fresh.status < 500 ? fresh : ((await cache.match("/")) ?? fresh);
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

/** Keeps the page; when it is another than before, the parts of the old one go. */
async function keep(cache, page) {
  const [now, before] = [await page.clone().text(), await cache.match("/").then((kept) => kept?.text())];
  if (before !== undefined && before !== now) await Promise.all((await cache.keys()).map((request) => cache.delete(request)));
  await cache.put("/", page);
}

/** Files with their digest in their name never change. */
async function asset(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  const name = String(said.game ?? "");
  const title = name === "" ? "Zashiki" : name[0].toUpperCase() + name.slice(1);
  event.waitUntil(tell(title, said.table));
});

async function tell(title, table) {
  const kept = await (await caches.open(WORDS)).match("/your-turn");
  const body = (await kept?.text()) ?? "It is your turn.";
  await self.registration.showNotification(title, { body, tag: table, icon: "/icon-192.png", data: { table } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.table ? `/table/${event.notification.data.table}` : "/"));
});

/** Shows the page at this address, the open one if there is one. */
async function open(address) {
  const pages = await self.clients.matchAll({ type: "window" });
  const found = pages.find((page) => new URL(page.url).pathname === address);
  return found ? found.focus() : self.clients.openWindow(address);
}
