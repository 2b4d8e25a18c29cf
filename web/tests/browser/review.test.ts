/** After and beside the match: a review of a real one, a warning before a blunder, puzzles solved and failed. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { playOn, toTheEnd } from "./players";

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

test("a match is reviewed from its result, step by step on the real board", { timeout: 240_000 }, async () => {
  const anna = await house.visitor();
  const address = await lay(anna, { game: "hanamikoji", seat: 0, bots: { "1": "beginner" }, start: true, settings: { options: { rounds: 1 } } });
  await anna.goto(address);
  await toTheEnd("hanamikoji", [anna]);
  await anna.getByRole("dialog").getByRole("link", { name: "Review" }).click();
  await anna.getByRole("progressbar").or(anna.locator(".summary")).first().waitFor();
  await anna.locator(".summary").waitFor({ timeout: 120_000 });
  expect(await anna.locator(".summary").textContent()).toMatch(/luck and others/);
  const slider = anna.getByRole("slider", { name: "Chance to win over the match" });
  await slider.focus();
  await slider.press("End");
  expect(await anna.locator(".note .figure").textContent()).toMatch(/^Step (\d+) of \1$/);
  await slider.press("Home");
  expect(await anna.locator(".note .figure").textContent()).toMatch(/^Step 0 of/);
  await anna.locator("main .board").waitFor();
  expect(house.faults).toEqual([]);
});

test("whoever wants to be warned is asked once before a blunder, and may play it anyway", { timeout: 120_000 }, async () => {
  const ben = await house.visitor({ routed: true });
  await ben.goto(await lay(ben, { game: "hanamikoji", seat: 0, bots: { "1": "beginner" }, start: true }));
  await ben.getByRole("button", { name: "Menu" }).click();
  await ben.getByRole("radio", { name: "warn me" }).click();
  await ben.getByRole("button", { name: "Close" }).first().click();
  // What is a blunder depends on the cards: here everything is one.
  await ben.route("**/warning?*", (route) => route.fulfill({ json: { version: 1, lost: 0.31, best: { action: 0, chance: 0.6, points: null, why: { ahead: 0.31 } } } }));
  const lines = await ben.locator(".log li").count();
  await expect.poll(() => playOn("hanamikoji", ben), { timeout: 30_000 }).toBe(true);
  await ben.getByText(/gives away 31 %/).waitFor();
  // The same state comes again with the connection: it is still the same decision.
  await house.kill();
  await ben.getByText("Connection lost. Trying again…").waitFor();
  await house.start();
  await ben.getByText("Connection lost. Trying again…").waitFor({ state: "detached" });
  expect(await ben.getByText("It wins 31 % more often than the next best.").count()).toBe(1);
  await ben.getByRole("button", { name: "Think again" }).click();
  expect(await ben.getByText(/gives away/).count()).toBe(0);
  await expect.poll(() => playOn("hanamikoji", ben), { timeout: 30_000 }).toBe(true);
  await ben.getByRole("button", { name: "Play it anyway" }).click();
  await expect.poll(() => ben.locator(".log li").count(), { timeout: 30_000 }).toBeGreaterThan(lines);
  expect(house.faults).toEqual([]);
});

test("advice is shown with chances and reasons when it is wanted", { timeout: 120_000 }, async () => {
  const cleo = await house.visitor({ phone: true });
  await cleo.goto(await lay(cleo, { game: "hanamikoji", seat: 0, bots: { "1": "beginner" }, start: true }));
  await cleo.getByRole("button", { name: "Menu" }).click();
  await cleo.getByRole("radio", { name: "show", exact: true }).click();
  await cleo.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const advice = cleo.getByRole("complementary", { name: "Good moves" });
  await advice.getByText(/\d+ %/).first().waitFor({ timeout: 60_000 });
  // One line between header and table, over nothing of the board.
  const [line, mat] = [await advice.boundingBox(), await cleo.locator("#mat").boundingBox()];
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual((mat?.y ?? 0) + 1);
  expect(await advice.getByRole("listitem").count()).toBe(0);
  await advice.getByRole("button", { name: "More" }).click();
  expect(await advice.getByRole("listitem").first().textContent()).toMatch(/\d+ %.*\./);
  await advice.getByRole("button", { name: "Close" }).click();
  expect(await advice.count()).toBe(0);
});

test("a puzzle is failed, and the next one solved", { timeout: 120_000 }, async () => {
  const file = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../../src/zashiki/puzzles/hanamikoji.json"), "utf-8")) as { puzzles: { id: string; answers: { action: number }[] }[] };
  const dora = await house.visitor({ routed: true });
  let answer = 1;
  // Whatever is pressed, the answer sent is the one this test wants.
  await dora.route("**/api/puzzles/hanamikoji/*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const puzzle = file.puzzles.find(({ id }) => route.request().url().endsWith(id));
    await route.continue({ postData: JSON.stringify({ action: puzzle?.answers[answer]?.action }) });
  });
  await dora.goto(`/puzzles/hanamikoji/${file.puzzles[0]?.id}`);
  await expect.poll(() => playOn("hanamikoji", dora), { timeout: 30_000 }).toBe(true);
  await dora.getByText("There is better.").waitFor();
  answer = 0;
  await dora.getByRole("link", { name: "Next puzzle" }).click();
  await dora.getByText("What is best here?").waitFor();
  await expect.poll(() => playOn("hanamikoji", dora), { timeout: 30_000 }).toBe(true);
  await dora.getByText("That is the best.").waitFor();
  await dora.getByRole("link", { name: "All puzzles" }).last().click();
  await dora.getByText("1 right of 2 at the first try, on this device.").waitFor();
  expect(house.faults).toEqual([]);
});
