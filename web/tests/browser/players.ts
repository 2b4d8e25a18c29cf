/** How a person plays each game with the mouse: one decision at a time, whatever is offered first. */

import type { Page } from "playwright-core";

import { pause } from "./house";

/** Does something if it is this person's turn; gives whether it did. */
export type Play = (page: Page) => Promise<boolean>;

async function tap(page: Page, selector: string, place = 0): Promise<boolean> {
  const found = page.locator(selector);
  if ((await found.count()) <= place) return false;
  return found.nth(place).click({ timeout: 3_000 }).then(() => true, () => false);
}

async function hanamikoji(page: Page): Promise<boolean> {
  if (await tap(page, "section.offer .group")) return tap(page, "section.offer .seal:enabled");
  if (!(await tap(page, '.marker[aria-disabled="false"]'))) return false;
  for (let card = 0; card < 4 && (await page.locator(".tray .seal:enabled").count()) === 0; card++) await tap(page, ".near .hand button.legal");
  return tap(page, ".tray .seal:enabled");
}

export const PLAYERS: Record<string, Play> = { hanamikoji };

/** Plays on until everybody sees the result. */
export async function toTheEnd(game: string, pages: Page[], patience = 100_000): Promise<void> {
  const play = PLAYERS[game] as Play;
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    const over = await Promise.all(pages.map((page) => page.locator(".scroll[role=dialog]").count()));
    if (over.every((count) => count > 0)) return;
    const acted = await Promise.all(pages.map((page) => play(page)));
    if (!acted.some(Boolean)) await pause(50);
  }
  throw new Error(`${game} does not end`);
}
