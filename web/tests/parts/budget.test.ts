/** The lobby stays light: what a first visit loads, compressed, as it was built. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

const BUILT = resolve(import.meta.dirname, "../../../src/zashiki/web");
const LOBBY_BYTES = 200_000;

/** A script and what it imports at once, not what it loads later. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(resolve(BUILT, "assets", file), "utf8");
  for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)) loaded(name as string, seen);
  return seen;
}

test("the lobby's scripts are at most 200 kB compressed, and no board is among them", () => {
  expect(existsSync(BUILT), "the page is built: npm run build").toBe(true);
  const page = readFileSync(resolve(BUILT, "index.html"), "utf8");
  const first = [...page.matchAll(/assets\/([\w-]+\.js)/g)].map(([, name]) => name as string);
  const files = new Set(first.flatMap((name) => [...loaded(name)]));
  expect(files.size).toBeGreaterThan(0);
  const bytes = [...files].reduce((sum, name) => sum + gzipSync(readFileSync(resolve(BUILT, "assets", name))).length, 0);
  expect(bytes).toBeLessThan(LOBBY_BYTES);
  for (const name of files) expect(readFileSync(resolve(BUILT, "assets", name), "utf8")).not.toContain("card-hk-geisha-flute");
});
