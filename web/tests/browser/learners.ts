/** How a learner carries out one given action at each board: by real presses, so that nothing may lie over what is pressed. */

import type { Page } from "playwright-core";

type Action = Record<string, unknown> & { type: string };
type View = Record<string, unknown>;
type Learner = (page: Page, action: Action, view: View) => Promise<void>;

const ACTIONS = ["secret", "trade-off", "gift", "competition"];
const SIGNS = ["rock", "paper", "scissors"];

async function press(page: Page, selector: string, place = 0): Promise<void> {
  await page.locator(selector).nth(place).click({ timeout: 10_000 });
}

async function hanamikoji(page: Page, action: Action): Promise<void> {
  if (action.type === "take") await press(page, `.offer .group:has([data-piece="${String(action["card"])}"])`);
  if (action.type === "take pair") await press(page, ".offer .group", action["pair"] as number);
  if (action.type.startsWith("take")) return press(page, ".offer .seal");
  await press(page, ".marker", ACTIONS.indexOf(action.type));
  const cards = [action["card"] ?? action["cards"] ?? action["pairs"]].flat(2) as string[];
  for (const card of cards) await press(page, `.near .hand [data-piece="${card}"]`);
  await press(page, ".tray .seal");
}

async function kimono(page: Page, action: Action, view: View): Promise<void> {
  if (action.type === "cut") {
    await press(page, `[data-gap="${(action["after"] as number) - (view["piece_from"] as number) - 1}"]`);
    const first = (await page.locator(".row .label b").first().textContent()) === "1" ? "left" : "right";
    if (action["first"] !== first) await press(page, ".row .label");
  }
  if (action.type === "apprentice") await press(page, `[data-gap="${action["place"] as number}"]`);
  if (action.type === "vote") await press(page, ".stage button.group", (action["group"] as number) - 1);
  if (action.type === "break") for (const curio of action["curios"] as string[]) await press(page, `button.column:has([data-piece="${curio}"])`);
  await press(page, ".prompt .seal");
}

async function kasane(page: Page, action: Action): Promise<void> {
  if (action.type === "take") {
    const row = page.locator(".market .row").nth(action["row"] as number);
    if ((await row.locator(".gap[aria-pressed=true]").count()) === 0) await row.locator(".card:not(.under)").click({ timeout: 10_000 });
  }
  if (action.type === "decline") await press(page, ".prompt .go .btn:not(.seal):not([aria-pressed=true])");
  if (action.type === "combine") {
    const size = (action["hand"] as number) + Number(action["kimono"]);
    const option = page.locator(".option").filter({ hasText: String(action["style"]) }).filter({ has: page.locator(`.run > :nth-child(${size}):last-child`) });
    if ((await option.first().getAttribute("aria-pressed")) !== "true") await option.first().click({ timeout: 10_000 });
  }
  await press(page, ".prompt .seal");
}

async function kawaii(page: Page, action: Action): Promise<void> {
  if (action.type === "throw") return press(page, ".throws .hands button", SIGNS.indexOf(action["sign"] as string));
  if (action["pile"] !== "none") await press(page, `[data-lane="${action["pile"] as number}"]`);
  await press(page, ".pad .seal");
}

async function kohoju(page: Page, action: Action): Promise<void> {
  if (action.type === "draw") return press(page, ".piles .pile button", action["source"] === "stock" ? 0 : 1);
  const card = `.hand [data-piece="${action["card"] as string}"]`;
  if ((await page.locator(card).getAttribute("aria-pressed")) !== "true") await press(page, card);
  if (action.type === "pool") return press(page, ".pool .cell.lit");
  if (action.type !== "discard") return press(page, ".kohojus .lit .whole");
  if ((await page.locator(".piles .card.chosen").count()) === 0) await press(page, ".piles .pile button", 1);
  await press(page, ".piles .pile button", 1);
}

const LEARNERS: Record<string, Learner> = { hanamikoji, kimono, kasane, kawaii, kohoju };

/** Plays this action. */
export function carryOut(game: string, page: Page, action: unknown, view: unknown): Promise<void> {
  return (LEARNERS[game] as Learner)(page, action as Action, view as View);
}
