/** “Your turn” when the page is not open, for whoever wants it. */

import { ask } from "./api";

export function canNotify(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

const WORDS = "words";

/** Leaves with the worker what it is to say in this language: it speaks when no page is open. */
export async function teach(said: string): Promise<void> {
  if (!canNotify() || !("caches" in window)) return;
  const kept = await caches.open(WORDS);
  await kept.put("/your-turn", new Response(said));
}

/** Asks the browser, then the server; gives whether notifications will come. */
export async function notify(): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== "granted") return false;
  const registration = await navigator.serviceWorker.ready;
  const { public_key } = await ask("GET /api/push");
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }).catch(() => null);
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (endpoint === undefined || keys?.["p256dh"] === undefined || keys["auth"] === undefined) return false;
  await ask("POST /api/push/subscribe", { body: { endpoint, keys: { p256dh: keys["p256dh"], auth: keys["auth"] } } });
  return true;
}
