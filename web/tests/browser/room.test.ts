/** The room round the tables: switches, addresses, connections, keys, and whether everybody can use it. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { serious } from "./obstacles";
import { playOn, toTheEnd } from "./players";

const ALONE = { game: "hanamikoji", seat: 0, bots: { 1: "beginner" }, start: true, settings: { options: { rounds: 1 }, private: true } };

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

test.each(["Hanamikoji", "Kimono", "Kasane", "Kawaii", "Kohoju"])("two clicks from the lobby and one is playing %s", async (game) => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("radio", { name: new RegExp(`^${game}`) }).click();
  await page.getByRole("button", { name: "Play now", exact: true }).click();
  await page.waitForURL(/\/table\//);
  await page.getByRole("tab", { name: "Rules" }).or(page.getByRole("button", { name: /Rules|Help/ })).first().waitFor();
  expect(house.faults).toEqual([]);
});

test("theme and language are switched at once and kept", async () => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("button", { name: "Turn the lamp down" }).click();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 24, 28)");
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("heading", { name: "Nimm Platz." }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Nimm Platz." }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 24, 28)");
});

test("when the server dies and comes back the table goes on by itself where it was", async () => {
  const page = await house.visitor();
  await page.goto(await lay(page, ALONE));
  await page.locator(".near .hand .card").first().waitFor();
  await page.waitForTimeout(1_500);
  const standing = await page.locator("header .small").textContent();
  const hand = await page.locator(".near .hand .card").count();
  await house.kill();
  await page.getByText("Connection lost. Trying again…").waitFor();
  expect(await page.locator(".near .hand .card").count()).toBe(hand);
  await house.start();
  await page.getByText("Connection lost. Trying again…").waitFor({ state: "detached" });
  expect(await page.locator("header .small").textContent()).toBe(standing);
  await toTheEnd("hanamikoji", [page]);
});

test("while the server is away the page says so, and opens when it is back", async () => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await house.kill();
  await page.reload();
  await page.getByRole("heading", { name: "The server is away" }).waitFor();
  await house.start();
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
});

test("a second tab shows the same seat, and both see what either does", async () => {
  const page = await house.visitor();
  const address = await lay(page, ALONE);
  await page.goto(address);
  const other = await page.context().newPage();
  await other.goto(address);
  await other.locator(".near .hand .card").first().waitFor();
  const lines = await other.locator(".log li").count();
  await expect.poll(() => playOn("hanamikoji", page), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => other.locator(".log li").count()).toBeGreaterThan(lines);
});

test("a whole match by the keyboard alone", async () => {
  const page = await house.visitor();
  await page.goto(await lay(page, ALONE));
  const deadline = Date.now() + 90_000;
  while ((await page.locator(".scroll[role=dialog]").count()) === 0 && Date.now() < deadline) {
    if ((await page.locator("section.offer").count()) > 0) await page.keyboard.press("1");
    else for (const key of ["q", "w", "e", "r", "1", "1", "1", "1"]) await page.keyboard.press(key);
    await page.keyboard.press("Control+Enter");
    await page.waitForTimeout(60);
  }
  expect(await page.locator(".scroll[role=dialog]").count()).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("dialog");
});

test("a replay is opened at the moment and with the eyes of its link", async () => {
  const page = await house.visitor();
  const address = await lay(page, ALONE);
  await page.goto(address);
  await toTheEnd("hanamikoji", [page]);
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByRole("button", { name: "One step on" }).click();
  await page.keyboard.press("ArrowRight");
  await page.locator(".where", { hasText: "Step 2 of 12" }).waitFor();
  await page.getByRole("button", { name: /Haru.*eyes/ }).click();
  await expect.poll(() => page.url()).toMatch(/at=2&eyes=1$/);
  const friend = await house.visitor();
  await friend.goto(page.url());
  await friend.locator(".where", { hasText: "Step 2 of 12" }).waitFor();
  expect(await friend.getByRole("button", { name: /Haru.*eyes/ }).getAttribute("aria-pressed")).toBe("true");
});

test("several people share one device, with a door between them", async () => {
  const page = await house.visitor();
  await page.goto("/share?game=hanamikoji");
  await page.getByRole("textbox").nth(1).fill("Mika");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator(".near .hand .card").first().waitFor();
  const address = page.url();
  // Whoever opens the page again finds the door closed, and from the lobby one comes back to it.
  await page.reload();
  await page.locator("main.doors").waitFor();
  expect(await page.locator(".near").count()).toBe(0);
  await page.goto("/");
  await page.getByRole("link", { name: "Continue" }).click();
  await page.locator("main.doors").waitFor();
  expect(page.url()).toBe(address);
  for (let turn = 0; turn < 4; turn++) {
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator('section.offer, .marker[aria-disabled="false"]').first().waitFor();
    if ((await page.locator("section.offer").count()) > 0) {
      await page.locator("section.offer .group").first().click();
      await page.locator("section.offer .seal:enabled").click();
    } else {
      await page.locator('.marker[aria-disabled="false"]').last().click();
      for (let card = 0; card < 4 && (await page.locator(".tray .seal:enabled").count()) === 0; card++) await page.locator(".near .hand button.legal").first().click();
      await page.locator(".tray .seal:enabled").click();
    }
    // Whoever answers an offer may also be the next to act, and then keeps the device.
    await page.locator('main.doors, .marker[aria-disabled="false"]').first().waitFor();
    if ((await page.locator("main.doors").count()) === 0) break;
  }
  expect(house.faults).toEqual([]);
});

test.each(["light", "dark"])("no page has a serious obstacle, %s", async (theme) => {
  const page = await house.visitor({ dark: theme === "dark" });
  await page.goto("/");
  await page.getByRole("button", { name: "Play now" }).waitFor();
  expect(await serious(page), "lobby").toEqual([]);
  await page.goto("/me");
  await page.getByRole("heading", { name: "Account" }).waitFor();
  expect(await serious(page), "account").toEqual([]);
  await page.goto(await lay(page, { game: "kohoju", seats: 4, seat: 0 }));
  await page.getByRole("heading", { name: "The table is laid" }).waitFor();
  expect(await serious(page), "invitation").toEqual([]);
  await page.goto(await lay(page, ALONE));
  await page.locator(".near .hand .card").first().waitFor();
  expect(await serious(page), "table").toEqual([]);
  await toTheEnd("hanamikoji", [page]);
  expect(await serious(page), "result").toEqual([]);
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  expect(await serious(page), "replay").toEqual([]);
});

test.each([
  ["kimono", 4],
  ["kasane", 3],
  ["kawaii", 4],
  ["kohoju", 3],
])("the board of %s has no serious obstacle, neither at a desk nor on a phone", async (game, seats) => {
  for (const looks of [{}, { phone: true, dark: true }]) {
    const page = await house.visitor(looks);
    const bots = Object.fromEntries(Array.from({ length: seats - 1 }, (_, place) => [String(place + 1), "beginner"]));
    await page.goto(await lay(page, { game, seats, seat: 0, bots, start: true, settings: { private: true } }));
    await page.locator(".mat .board").waitFor();
    await page.waitForTimeout(1_000);
    expect(await serious(page), game).toEqual([]);
  }
});
