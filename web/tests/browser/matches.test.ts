/** People play whole matches with each other, each in a browser of their own, through the real server. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { toTheEnd } from "./players";

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

test("an invited friend opens the link, takes a seat, and both play Hanamikoji to the result", async () => {
  const [host, friend] = [await house.visitor(), await house.visitor({ phone: true })];
  await host.goto("/");
  await host.getByRole("button", { name: "Invite friends" }).click();
  const link = await host.getByLabel("Link", { exact: true }).inputValue();
  expect(link).toContain(`${house.address}/table/`);
  await friend.goto(link);
  await friend.getByRole("button", { name: "Take this seat" }).click();
  await host.getByRole("button", { name: "Start", exact: true }).click();
  await toTheEnd("hanamikoji", [host, friend]);
  await expect.poll(() => host.locator(".scroll h2").textContent()).toMatch(/win/);
  expect(house.faults).toEqual([]);
});

test("a rematch begins when both want it", async () => {
  const [anna, ben] = [await house.visitor(), await house.visitor()];
  const address = await lay(anna, { game: "hanamikoji", seat: 0, settings: { options: { rounds: 1 } } });
  await anna.goto(address);
  await ben.goto(address);
  await ben.getByRole("button", { name: "Take this seat" }).click();
  await anna.getByRole("button", { name: "Start", exact: true }).click();
  await toTheEnd("hanamikoji", [anna, ben]);
  await anna.getByRole("button", { name: "Rematch" }).click();
  await ben.getByRole("dialog").getByText(/would like to play again/).waitFor();
  await ben.getByRole("button", { name: "Rematch" }).click();
  await expect.poll(() => anna.url(), { timeout: 30_000 }).not.toContain(address);
  await expect.poll(() => ben.url(), { timeout: 30_000 }).toBe(anna.url());
  await ben.getByText("Round 1 · turn 1 of 8").waitFor();
});

test.each([
  ["kimono", 3, {}],
  ["kasane", 2, {}],
  ["kawaii", 3, { pace: "turns" }],
  ["kohoju", 2, { target: 10 }],
])("two people play %s to the result", { timeout: 300_000 }, async (game, seats, options) => {
  const [anna, ben] = [await house.visitor(), await house.visitor({ phone: true, dark: true })];
  const bots = Object.fromEntries(Array.from({ length: seats - 2 }, (_, place) => [String(place + 2), "beginner"]));
  const address = await lay(anna, { game, seats, seat: 0, bots, settings: { options } });
  await anna.goto(address);
  await ben.goto(address);
  await ben.getByRole("button", { name: "Take this seat" }).click();
  await anna.getByRole("button", { name: "Start", exact: true }).click();
  await toTheEnd(game, [anna, ben]);
  expect(await ben.locator(".scroll tbody tr").count()).toBeGreaterThan(1);
  expect(await anna.locator(".scroll .why").textContent()).not.toBe("");
  expect(house.faults).toEqual([]);
});
