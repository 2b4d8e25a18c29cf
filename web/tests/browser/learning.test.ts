/** Newcomers learn every game at its board: by following the coach, after a wrong try, and after having left in the middle. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { IntlMessageFormat } from "intl-messageformat";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Tutorial, TutorialStep } from "../../src/lib/types/server";
import { House } from "./house";
import { carryOut } from "./learners";

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

/** Somebody who goes through a tutorial, and knows where it should be. */
class Newcomer {
  step = 0;
  #view: unknown;

  constructor(
    readonly page: Page,
    readonly tutorial: Tutorial,
    readonly actions: { type: string }[],
    readonly words: Record<string, string>,
    readonly language: string,
  ) {
    this.#view = tutorial.deal.view;
  }

  static async begin(page: Page, game: string, language: string): Promise<Newcomer> {
    const [tutorial, { actions }] = await Promise.all([
      fetch(`${house.address}/api/games/${game}/tutorial`).then((answer) => answer.json() as Promise<Tutorial>),
      fetch(`${house.address}/api/games/${game}/actions`).then((answer) => answer.json() as Promise<{ actions: { type: string }[] }>),
    ]);
    const file = resolve(import.meta.dirname, `../../src/games/${game}/lessons/${language}.json`);
    await page.goto(`/learn/${game}`);
    return new Newcomer(page, tutorial, actions, JSON.parse(readFileSync(file, "utf8")) as Record<string, string>, language);
  }

  get now(): TutorialStep {
    return this.tutorial.steps[this.step] as TutorialStep;
  }

  says(key: string): string {
    const names = Object.fromEntries(this.tutorial.names.map((name) => [name.toLowerCase(), name]));
    return String(new IntlMessageFormat(this.words[key] as string, this.language).format(names));
  }

  /** The coach says what belongs to this step and points at something; then it is done. False at the end. */
  async goOn(): Promise<boolean> {
    const { kind, at = "", brief = false, next = null } = this.now;
    const says = brief ? "" : (this.now.says ?? "");
    if (says) await expect.poll(() => this.page.locator(".coach .said").textContent(), { timeout: 20_000, message: says }).toBe(this.says(says));
    if (says && at) await expect.poll(() => this.page.locator("[data-pointed]").count(), { message: `${says}: ${at}` }).toBeGreaterThan(0);
    if (kind === "task") await this.play(Number(Object.keys(this.now.accepted ?? {})[0]));
    else if (says) await this.page.locator(".coach .seal").click();
    if (kind !== "task" && next === null) return false;
    this.#enter(kind === "task" ? (Object.values(this.now.accepted ?? {})[0] as number) : (next as number));
    return true;
  }

  play(number: number): Promise<void> {
    return carryOut(this.tutorial.game, this.page, this.actions[number], this.#view);
  }

  /** An action that is allowed here, of a kind that has an answer, and not what is asked for. */
  wrongTry(): number | undefined {
    const legal = this.tutorial.steps.slice(0, this.step).findLast((step) => step.moment)?.moment?.legal ?? this.tutorial.deal.legal;
    return legal.find((number) => this.now.accepted?.[number] === undefined);
  }

  #enter(step: number): void {
    this.step = step;
    this.#view = this.now.moment?.view ?? this.#view;
  }
}

const GAMES = ["hanamikoji", "kimono", "kasane", "kawaii", "kohoju"];
const people = [
  ...GAMES.map((game) => ({ game, language: "en", phone: false })),
  ...GAMES.map((game) => ({ game, language: "de", phone: true })),
];

test.each(people)("somebody learns $game in $language (phone: $phone) from the first word to the last", { timeout: 240_000 }, async ({ game, language, phone }) => {
  const page = await house.visitor({ phone, language, dark: phone });
  const learner = await Newcomer.begin(page, game, language);
  let [tried, left] = [false, false];
  do {
    const { kind, wrong = {}, number = 0 } = learner.now;
    if (kind === "task" && !tried) {
      const other = learner.wrongTry();
      if (other !== undefined) {
        tried = true;
        await learner.play(other);
        const kindOf = learner.actions[other]?.type ?? "";
        await expect.poll(() => page.locator(".coach .wrong").textContent()).toBe(learner.says(wrong[kindOf] as string));
      }
    }
    if (kind === "task" && number === 5 && !left) {
      left = true;
      await page.goto("/");
      await page.locator("h1").waitFor();
      await page.goto(`/learn/${game}`);
    }
  } while (await learner.goOn());
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  expect(await dialog.locator("li").allTextContents()).toEqual(learner.tutorial.learned.map((key) => learner.says(key)));
  expect([tried, left]).toEqual([true, true]);
  await dialog.locator(".btn.seal").click();
  await page.waitForURL(/\/table\//);
  expect(house.faults).toEqual([]);
});

test("the lobby offers to learn a game that was not played yet, and no more when it was", async () => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("link", { name: /Learn to play/ }).click();
  await page.waitForURL(/\/learn\/hanamikoji/);
  await page.goto("/");
  await page.getByRole("button", { name: "Play now", exact: true }).click();
  await page.waitForURL(/\/table\//);
  const answered = page.waitForResponse(/api\/my\/tables/);
  await page.goto("/");
  await answered;
  await expect.poll(() => page.getByRole("link", { name: /Learn to play/ }).count()).toBe(0);
  await page.getByRole("radio", { name: /Kasane/ }).click();
  await page.getByRole("link", { name: /Learn to play/ }).waitFor();
});

test("everything can be done with the keys alone: on, a wrong try, back, and again", async () => {
  const page = await house.visitor();
  const learner = await Newcomer.begin(page, "hanamikoji", "en");
  const said = (key: string) => expect.poll(() => page.locator(".coach .said").textContent()).toBe(learner.says(key));
  await said("geisha");
  await page.keyboard.press("Enter");
  await said("goal");
  await page.keyboard.press("Enter");
  await said("secret");
  for (const key of ["q", "1", "Control+Enter"]) await page.keyboard.press(key);
  await expect.poll(() => page.locator(".coach .wrong").textContent()).toBe(learner.says("wrong.secret"));
  await page.keyboard.press("Backspace");
  await said("goal");
  await page.keyboard.press("Enter");
  for (const key of ["q", "7", "Control+Enter"]) await page.keyboard.press(key);
  await said("secret.then");
  await expect.poll(() => page.getByRole("status").textContent()).toBe(learner.says("secret.then"));
  await page.getByRole("button", { name: "Start again" }).click();
  await said("geisha");
});
