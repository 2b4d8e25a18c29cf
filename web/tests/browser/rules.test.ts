/** The rules: beside a match without touching it, as pages of their own, found by searching, and printed on one page. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { serious } from "./obstacles";
import { toTheEnd } from "./players";

const GAMES = ["hanamikoji", "kimono", "kasane", "kawaii", "kohoju"];
const ALONE = { game: "hanamikoji", seat: 0, bots: { 1: "beginner" }, start: true, settings: { options: { rounds: 1 }, private: true } };

const LANGUAGES = ["en", "de", "fr", "it", "es", "nl", "hu", "ja"];
const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

async function openRules(page: Page, game: string): Promise<void> {
  await page.goto(`/rules/${game}`);
  await page.locator("#short").waitFor();
}

function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test("whoever waits for others reads the rules and keeps the seat", async () => {
  const page = await house.visitor({ phone: true });
  await page.goto(await lay(page, { game: "kasane", seat: 0, settings: { private: true } }));
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  await page.getByRole("dialog", { name: "The rules of Kasane" }).locator("article details").first().waitFor();
  expect(await serious(page), "rules in the waiting room").toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: "Get up" }).waitFor();
  expect(await tooWide(page)).toBe(0);
});

test("from a running match the rules are searched, opened as a page, and the match goes on", async () => {
  const page = await house.visitor();
  await page.goto(await lay(page, ALONE));
  await page.locator(".near .hand .card").first().waitFor();
  await page.getByRole("tab", { name: "Rules" }).click();
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.locator("article details").first().waitFor();
  const sections = await rules.locator("article details").count();
  await rules.getByRole("searchbox").fill("two pairs 4");
  await rules.getByText("In 1 section").waitFor();
  await expect.poll(() => rules.locator("article details").count()).toBe(1);
  expect(await rules.locator("mark").first().textContent()).toBe("4");

  const [tab] = await Promise.all([page.context().waitForEvent("page"), rules.getByRole("link", { name: "Open as a page" }).click()]);
  await tab.getByRole("heading", { level: 1, name: /Hanamikoji/ }).waitFor();
  expect(await tab.locator("section[id]").count()).toBe(sections + 1);
  expect(await tab.getByRole("link", { name: "Back to the table" }).getAttribute("href")).toBe(new URL(page.url()).pathname);
  await tab.close();

  await rules.getByRole("searchbox").fill("");
  await toTheEnd("hanamikoji", [page]);
  expect(await rules.locator("article details").count()).toBe(sections);
  expect(house.faults).toEqual([]);
});

test.each([false, true])("the rules beside the table are open where they were left, phone: %s", async (phone) => {
  const page = await house.visitor({ phone });
  await page.goto(await lay(page, ALONE));
  await page.locator(".mat .board").waitFor();
  const rail = page.locator("header button.rail");
  if (phone) await rail.click();
  await page.getByRole("tab", { name: "Rules" }).click();
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.locator("summary", { hasText: "The four actions" }).click();
  await rules.locator("summary", { hasText: "Options of the table" }).click();
  await rules.evaluate((area) => area.scrollTo(0, 300));
  await expect.poll(() => rules.evaluate((area) => area.scrollTop)).toBe(300);
  await page.getByRole("tab", { name: "Log" }).click();
  if (phone) {
    await page.keyboard.press("Escape");
    await rail.click();
  }
  await page.getByRole("tab", { name: "Rules" }).click();
  await expect.poll(() => rules.locator("details[open]").count()).toBe(2);
  await expect.poll(() => rules.evaluate((area) => area.scrollTop)).toBe(300);
  expect(house.faults).toEqual([]);
});

test.each(LANGUAGES)("every page of rules opens at a desk and on a phone and is as wide as its window, %s", async (language) => {
  for (const phone of [false, true]) {
    const page = await house.visitor({ phone, language });
    for (const game of GAMES) {
      await openRules(page, game);
      expect(await page.locator("article").getAttribute("lang"), game).toBe(language);
      expect(await tooWide(page), `${game} ${phone ? "phone" : "desk"}`).toBeLessThanOrEqual(0);
      expect(await page.locator("article").textContent(), game).not.toMatch(/[{}]/);
    }
    await page.goto("/rules");
    await page.getByRole("searchbox").waitFor();
    expect(await tooWide(page)).toBeLessThanOrEqual(0);
  }
  expect(house.faults).toEqual([]);
});

test.each(LANGUAGES)("a page is as wide as a phone also before its fonts have come, %s", async (language) => {
  const page = await house.visitor({ phone: true, language, routed: true });
  await page.route("**/*.woff2", (route) => route.abort());
  for (const game of GAMES) {
    await openRules(page, game);
    expect(await tooWide(page), game).toBeLessThanOrEqual(0);
  }
});

test.each(LANGUAGES)("the summary of every game is printed on one page, %s", async (language) => {
  const page = await house.visitor({ language });
  for (const game of GAMES) {
    await openRules(page, game);
    for (const format of ["A4", "Letter"]) {
      const margin = { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" };
      const printed = (await page.pdf({ format, margin })).toString("latin1");
      expect(printed.match(/\/Type\s*\/Page\b(?!s)/g)?.length, `${game} ${format}`).toBe(1);
    }
  }
});

test("a word is looked for in all games at once, and leads to its section", async () => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("link", { name: "Rules" }).first().click();
  await page.getByRole("searchbox").fill("photo finish");
  await page.getByRole("link", { name: /Pace/ }).click();
  await page.locator("#pace mark").first().waitFor();
  expect(new URL(page.url()).hash).toBe("#pace");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("link", { name: "Scoring", exact: true }).click();
  await expect.poll(() => page.locator("#scoring").evaluate((section) => Math.round(section.getBoundingClientRect().top))).toBeLessThan(100);
  await page.getByRole("link", { name: "All rules" }).first().click();
  await page.getByRole("link", { name: "Back to the lobby" }).click();
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
  expect(house.faults).toEqual([]);
});

test("the lobby leads to the rules of the game that is chosen, and they to the exact ones", async () => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("radio", { name: /Kohoju/ }).click();
  await page.getByRole("region", { name: "Kohoju" }).getByRole("link", { name: "Rules" }).click();
  await page.getByRole("heading", { level: 1, name: /Kohoju/ }).waitFor();
  await page.getByText("The exact rules").click();
  await page.getByText("Where a number or a reading comes from", { exact: false }).waitFor();
  expect(house.faults).toEqual([]);
});

test.each([
  ["at a desk, light", {}],
  ["on a phone, dark", { phone: true, dark: true }],
])("no page of rules has a serious obstacle %s", async (_, looks) => {
  const page = await house.visitor(looks);
  for (const game of GAMES) {
    await openRules(page, game);
    expect(await serious(page), game).toEqual([]);
  }
  await page.goto("/rules");
  await page.getByRole("searchbox").fill("score");
  await page.locator(".results").first().waitFor();
  expect(await serious(page), "all rules").toEqual([]);
});
