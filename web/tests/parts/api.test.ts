/** Asking the server, and what comes of it when the connection does not hold. */

import { afterEach, expect, test, vi } from "vitest";

import { ask } from "../../src/lib/api";

afterEach(() => vi.unstubAllGlobals());

/** Every question gets this answer. */
function answering(answer: () => Promise<Response>): void {
  vi.stubGlobal("fetch", vi.fn(answer));
}

/** An answer that begins, and is cut off. */
function cutOff(status = 200): Response {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("Failed to fetch")) });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

test("a server that cannot be reached is said so", async () => {
  answering(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(ask("GET /api/me")).rejects.toMatchObject({ code: "unreachable" });
});

test("an answer that is cut off is one that did not come", async () => {
  answering(() => Promise.resolve(cutOff()));
  await expect(ask("GET /api/me")).rejects.toMatchObject({ code: "unreachable" });
});

test("a refusal that is cut off is still a refusal", async () => {
  answering(() => Promise.resolve(cutOff(403)));
  await expect(ask("GET /api/me")).rejects.toMatchObject({ status: 403 });
});
