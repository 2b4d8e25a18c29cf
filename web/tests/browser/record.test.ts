/** My record after real matches, and leaderboards where the host has opened them. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { serious } from "./obstacles";
import { toTheEnd } from "./players";

const ALONE = { game: "hanamikoji", seat: 0, bots: { 1: "beginner" }, start: true, settings: { options: { rounds: 1 }, private: true } };

const plain = new House();
const ranked = new House("--leaderboards");
beforeAll(async () => void (await Promise.all([plain.open(), ranked.open()])));
afterAll(async () => void (await Promise.all([plain.close(), ranked.close()])));

/** Gives a match up at once, over HTTP. */
async function giveUp(page: Page): Promise<void> {
  const table = (await lay(page, ALONE)).replace("/table/", "");
  await page.evaluate((id) => fetch(`/api/tables/${id}/resign`, { method: "POST" }), table);
}

async function claim(page: Page, name: string): Promise<void> {
  await page.goto("/me");
  await page.getByLabel("Name", { exact: true }).first().fill(name);
  await page.getByLabel("Password", { exact: true }).first().fill("a long sentence");
  await page.getByRole("button", { name: "Keep this name", exact: true }).click();
  await page.getByText("You keep this name.").waitFor();
}

test("a match played to its end stands in the record, with its rating and the way to its replay", async () => {
  const page = await plain.visitor();
  await page.goto(await lay(page, ALONE));
  await toTheEnd("hanamikoji", [page]);
  await giveUp(page);
  await page.goto("/");
  await page.getByRole("link", { name: "Record" }).first().click();
  await page.getByRole("heading", { name: "Your record" }).waitFor();
  await page.getByText("after 2 rated matches").waitFor();
  await page.getByRole("img", { name: /Rating over time\. From .* in 2 matches\./ }).waitFor();
  await page.getByText("As a table", { exact: true }).click();
  expect(await page.locator("figure tbody tr").count()).toBe(2);
  await page.getByText("What is rated, and how").click();
  await page.getByText("a club bot has 1,500 in every game").waitFor();
  expect(await serious(page), "record").toEqual([]);
  const matches = page.locator("li", { has: page.getByRole("link", { name: "Replay" }) });
  expect(await matches.count()).toBe(2);
  await matches.first().getByText("Lost, given up").waitFor();
  await page.getByLabel("Against").selectOption("people");
  await page.getByText("No such match.").waitFor();
  await page.getByLabel("Against").selectOption("bots");
  await matches.first().getByRole("link", { name: "Replay" }).click();
  await page.getByRole("slider").waitFor();
  expect(plain.faults).toEqual([]);
});

test("the record is saved as a table and as a whole", async () => {
  const page = await plain.visitor({ phone: true, dark: true });
  await giveUp(page);
  await page.goto("/record");
  const [table] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save as a table (CSV)" }).click()]);
  expect(await serious(page), "record on a phone").toEqual([]);
  expect(table.suggestedFilename()).toBe("zashiki-record.csv");
  const [whole] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save everything (JSON)" }).click()]);
  expect(whole.suggestedFilename()).toBe("zashiki-record.json");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("too few reviews are said to be too few, and enough of them show how I decide", async () => {
  const page = await plain.visitor({ phone: true, dark: true, routed: true });
  await giveUp(page);
  await page.goto("/record");
  await page.getByText("No match of yours of this game was reviewed yet.").waitFor();
  // What reviews find depends on the cards: here it is told.
  await page.route("**/api/my/record", async (route) => {
    const told = (await (await route.fetch()).json()) as { games: object[] };
    const judgements = { matches: 4, decisions: 200, best: 120, blunders: 10, weighed: 150, risks: 3 };
    await route.fulfill({ json: { ...told, games: told.games.map((game) => ({ ...game, judgements })) } });
  });
  await page.reload();
  await page.getByText("200 decisions in 4 matches").waitFor();
  const line = (name: string) => page.locator(".bar", { hasText: name });
  expect(await line("As the strongest bot would choose").textContent()).toMatch(/60 %.*120 of 200/);
  expect(await line("Blunders").textContent()).toMatch(/5 %.*10 of 200/);
  expect(await line("Risks that strong players do not take").textContent()).toMatch(/2 %.*3 of 150/);
  await page.getByText("What this means").click();
  expect(await serious(page), "judged").toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("whoever has played nothing yet is told so", async () => {
  const page = await plain.visitor({ phone: true });
  await page.goto("/record");
  await page.getByText("No match of yours is over yet.").waitFor();
});

test("where the host has not opened leaderboards there are none", async () => {
  const page = await plain.visitor();
  await claim(page, "Aiko");
  expect(await page.getByText("Show me on leaderboards").count()).toBe(0);
  await page.goto("/boards");
  await page.getByText("There are no leaderboards here").waitFor();
});

test("where the host has, whoever agrees and has played enough is shown", async () => {
  const page = await ranked.visitor();
  await claim(page, "Botan");
  for (let match = 0; match < 10; match++) await giveUp(page);
  await page.goto("/boards");
  await page.getByText("Nobody is shown here yet.").waitFor();
  await page.goto("/me");
  await page.getByLabel("Show me on leaderboards").check();
  await page.getByText("Done.").waitFor();
  await page.getByRole("link", { name: "Leaderboards" }).click();
  await page.getByRole("row", { name: /1 Botan .* 10/ }).waitFor();
  expect(await serious(page), "leaderboard").toEqual([]);
  expect(ranked.faults).toEqual([]);
});
