/** How a person plays each game: one decision at a time, by pressing what the board offers. Each runs inside the page and tells whether it did something. */

import type { Page } from "playwright-core";

import { pause } from "./house";

type Play = () => Promise<boolean>;

async function hanamikoji(): Promise<boolean> {
  const press = async (selector: string): Promise<boolean> => {
    const found = document.querySelector<HTMLElement>(selector);
    found?.click();
    await new Promise((done) => setTimeout(done, 15));
    return found !== null;
  };
  if (await press("section.offer .group:not(.chosen)")) return press("section.offer .seal:enabled");
  if (document.querySelector("section.offer")) return press("section.offer .seal:enabled");
  if (!(await press('.marker[aria-disabled="false"]'))) return false;
  for (let card = 0; card < 4 && !document.querySelector(".tray .seal:enabled"); card++) await press(".near .hand button.legal");
  return press(".tray .seal:enabled");
}

async function kimono(): Promise<boolean> {
  const any = <Found>(all: ArrayLike<Found>): Found | undefined => all[Math.floor(Math.random() * all.length)];
  const press = async (found: HTMLElement | null | undefined): Promise<boolean> => {
    found?.click();
    await new Promise((done) => setTimeout(done, 15));
    return found !== null && found !== undefined;
  };
  if (!document.querySelector(".prompt .seal")) return false;
  for (const kind of ["[data-gap]", "button.group", ".stage button.card"]) {
    const offered = document.querySelectorAll<HTMLElement>(kind);
    if (offered.length > 0) {
      await press(any(offered));
      return press(document.querySelector<HTMLElement>(".prompt .seal:enabled"));
    }
  }
  for (let tries = 0; tries < 20 && !document.querySelector(".prompt .seal:enabled"); tries++) await press(any(document.querySelectorAll<HTMLElement>("button.column")));
  return press(document.querySelector<HTMLElement>(".prompt .seal:enabled"));
}

async function kasane(): Promise<boolean> {
  const any = <Found>(all: ArrayLike<Found>): Found | undefined => all[Math.floor(Math.random() * all.length)];
  if (!document.querySelector(".prompt .seal")) return false;
  any(document.querySelectorAll<HTMLElement>(".market .card.legal"))?.click();
  await new Promise((done) => setTimeout(done, 15));
  const seal = document.querySelector<HTMLElement>(".prompt .seal:enabled");
  seal?.click();
  return seal !== null;
}

async function kawaii(): Promise<boolean> {
  const press = async (selector: string): Promise<boolean> => {
    const all = document.querySelectorAll<HTMLElement>(selector);
    const found = all[Math.floor(Math.random() * all.length)];
    found?.click();
    await new Promise((done) => setTimeout(done, 10));
    return found !== undefined;
  };
  if (await press("section.round .seal")) return true;
  if (await press(".throws .hands button:enabled")) return true;
  if (await press("button.pad.flip:enabled")) return true;
  return press(".pad .seal:enabled");
}

async function kohoju(): Promise<boolean> {
  const press = async (found: HTMLElement | null | undefined): Promise<boolean> => {
    found?.click();
    await new Promise((done) => setTimeout(done, 15));
    return found !== null && found !== undefined;
  };
  if (await press(document.querySelector<HTMLElement>("dialog .btn.seal"))) return true;
  const beads = [...(document.querySelector(".step ol")?.children ?? [])];
  if (beads.length === 0 || document.querySelector(".step h2.muted")) return false;
  if (beads[0]?.classList.contains("now")) return press(document.querySelector<HTMLElement>(".piles .pile:nth-child(2) button"));
  if (await press(document.querySelector<HTMLElement>(".hand button.legal"))) return press(document.querySelector<HTMLElement>(".deeds .seal:enabled"));
  const cards = document.querySelectorAll<HTMLElement>(".hand button:not(.not-now)");
  await press(cards[Math.floor(Math.random() * cards.length)]);
  for (let taps = 0; taps < 2; taps++) await press([...document.querySelectorAll<HTMLElement>(".deeds .btn:enabled")].at(-1));
  return true;
}

const PLAYERS: Record<string, Play> = { hanamikoji, kimono, kasane, kawaii, kohoju };

/** One decision, if it is this person's turn. */
export function playOn(game: string, page: Page): Promise<boolean> {
  return page.evaluate(PLAYERS[game] as Play);
}

/** Plays on until everybody sees the result. */
export async function toTheEnd(game: string, pages: Page[], patience = 240_000): Promise<void> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    const over = await Promise.all(pages.map((page) => page.locator(".scroll[role=dialog]").count()));
    if (over.every((count) => count > 0)) return;
    const acted = await Promise.all(pages.map((page) => playOn(game, page)));
    if (!acted.some(Boolean)) await pause(40);
  }
  throw new Error(`${game} does not end`);
}
