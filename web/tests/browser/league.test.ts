/** A league of four, from the invitation to the winner: two people, and bots for the rest. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { House } from "./house";
import { serious } from "./obstacles";
import { toTheEnd } from "./players";

const house = new House("--leagues");
const plain = new House();
beforeAll(async () => void (await Promise.all([house.open(), plain.open()])));
afterAll(async () => void (await Promise.all([house.close(), plain.close()])));

/** Goes to the table where this person is expected, and gives up there. */
async function giveUp(page: Page): Promise<void> {
  const link = page.getByRole("link", { name: "To the table" });
  const table = ((await link.getAttribute("href")) ?? "").replace("/table/", "");
  await page.evaluate((id) => fetch(`/api/tables/${id}/resign`, { method: "POST" }), table);
}

test("four play everybody against everybody with the same cards, and the page says who has won", async () => {
  const anna = await house.visitor();
  await anna.goto("/");
  await anna.getByRole("link", { name: "Leagues" }).click();
  await anna.getByText("You play in none yet.").waitFor();
  expect(await serious(anna), "leagues").toEqual([]);
  await anna.getByLabel("Name", { exact: true }).fill("Friday");
  await anna.getByLabel("Length").selectOption({ label: "1 round" });
  await anna.getByLabel("Fill up with").selectOption({ label: "Beginner bot" });
  await anna.getByLabel("The same cards at every table").check();
  await anna.getByRole("button", { name: "Hold it" }).click();
  await anna.getByText("1 of 4 are there").waitFor();

  const ben = await house.visitor({ phone: true, dark: true });
  await ben.goto(await anna.getByLabel("Link").inputValue());
  await ben.getByRole("button", { name: "Join" }).click();
  await ben.getByText("2 of 4 are there").waitFor();
  await ben.getByText(/It begins when .* starts it\./).waitFor();
  expect(await ben.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await anna.getByRole("button", { name: "Begin" }).click();
  await anna.getByText("round 1 of 3").waitFor();
  await ben.getByText("You are expected at your table.").waitFor();
  const league = anna.url();
  await anna.getByRole("link", { name: "To the table" }).click();
  await anna.locator(".near .hand .card").first().waitFor();
  await anna.getByRole("banner").getByRole("link", { name: "Friday" }).waitFor();
  await anna.getByRole("button", { name: "Menu" }).click();
  const menu = anna.getByRole("dialog");
  await menu.getByRole("link", { name: "To the league" }).waitFor();
  // A league is strict: nothing is offered there that would be refused.
  expect(await menu.getByRole("button", { name: /take back|good move/i }).count()).toBe(0);
  await menu.getByRole("button", { name: "Close" }).click();
  await toTheEnd("hanamikoji", [anna]);
  await anna.getByRole("dialog").getByRole("link", { name: "To the league" }).click();
  await anna.getByRole("heading", { name: "Friday" }).waitFor();
  expect(anna.url()).toBe(league);
  await giveUp(ben);
  await anna.getByText("round 2 of 3").waitFor();
  expect(await anna.getByRole("link", { name: "Replay" }).count()).toBe(2);

  for (const round of [2, 3]) {
    await ben.getByText(`round ${round} of 3`).waitFor();
    await anna.getByText(`round ${round} of 3`).waitFor();
    await giveUp(anna);
    // In one of the rounds they meet, and it is over for both.
    if ((await ben.evaluate(async (id) => (await (await fetch(`/api/leagues/${id}`)).json()) as { my_table: string | null }, league.split("/").at(-1))).my_table !== null) await giveUp(ben);
  }
  await anna.getByText(/has won the league\./).first().waitFor();
  await ben.getByText(/has won the league\./).first().waitFor();
  for (const page of [anna, ben]) expect(await serious(page), "league").toEqual([]);
  expect(await anna.locator("tbody tr").count()).toBe(4);
  expect(await anna.getByRole("link", { name: "Replay" }).count()).toBe(6);
  expect(house.faults).toEqual([]);
});

test("where the host has not opened leagues there are none", async () => {
  const page = await plain.visitor();
  await page.goto("/leagues");
  await page.getByText("There are no leagues here").waitFor();
  await page.goto("/");
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
  expect(await page.getByRole("link", { name: "Leagues" }).count()).toBe(0);
});
