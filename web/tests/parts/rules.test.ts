/** The rules pages: whole in every language, with the numbers and the pieces of the game, and found by whoever searches. */

import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, test } from "vitest";

import type { GameId } from "../../src/lib/types/games";
import { NUMBERS } from "../../src/lib/types/numbers";
import { LANGUAGES, words, type Language } from "../../src/lib/words";
import Blocks from "../../src/rules/Blocks.svelte";
import { bookOf } from "../../src/rules/book";
import { cut, excerpt, fold, isIn, wordsOf } from "../../src/rules/search";
import { filled, plain, sectionsOf, type Section } from "../../src/rules/sections";
import { rulesOf, summaryOf } from "../../src/rules/texts";
import { blocks } from "../../src/table/markdown";

const FILES = import.meta.glob<string>("../../src/games/*/rules/*.md", { query: "?raw", import: "default", eager: true });
const GAMES = Object.keys(NUMBERS) as GameId[];
const languages = Object.keys(LANGUAGES) as Language[];

const file = (game: string, language: string, ending: string): string | undefined => FILES[`../../src/games/${game}/rules/${language}.${ending}`];
const found = (text: string, pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ""))].sort();
const anchors = (text: string): (string | undefined)[] => [...text.matchAll(/\{#([\w-]+)\}/g)].map(([, name]) => name);
const values = (text: string): string[] => found(text, /\{(\w+)\}/g);
const pieces = (text: string): string[] => found(text, /:card\[([^\]]+)\]/g);
const houses = (text: string): number => [...text.matchAll(/:house\[/g)].length;

const written = GAMES.flatMap((game) => languages.flatMap((language) => ["md", "summary.md"].map((ending) => [game, language, ending] as const))).filter((each) => file(...each) !== undefined);

test("every game has its rules and their summary in every language", () => {
  const missing = GAMES.flatMap((game) => languages.filter((language) => file(game, language, "md") === undefined || file(game, language, "summary.md") === undefined).map((language) => `${game} ${language}`));
  expect(missing).toEqual([]);
});

describe.each(written)("the rules of %s in %s, %s", (game, language, ending) => {
  const text = file(game, language, ending) ?? "";
  const english = file(game, "en", ending) ?? "";

  test("name only numbers that the rules have", () => {
    expect(values(text).filter((name) => !(name in NUMBERS[game]))).toEqual([]);
  });

  test("write no number of the rules as a figure", () => {
    const bare = text.replace(/\{\w+\}|:card\[[^\]]+\]|^\d+\. /gm, "");
    expect(bare.match(/[0-9０-９].*/g) ?? []).toEqual([]);
  });

  test("have the same sections, numbers, pieces and house marks as in English", () => {
    expect(anchors(text)).toEqual(anchors(english));
    expect(values(text)).toEqual(values(english));
    expect(pieces(text)).toEqual(pieces(english));
    expect(houses(text)).toBe(houses(english));
  });

  test("show only pieces that the game has, each with words for it", async () => {
    const book = await bookOf(game);
    for (const name of pieces(text)) expect(book.draw(name).label, name).not.toBe("");
  });
});

test.each(GAMES)("every section of %s has a title and an anchor of its own", (game) => {
  const { lead, sections } = sectionsOf(file(game, "en", "md") ?? "", NUMBERS[game]);
  expect(lead.length).toBeGreaterThan(0);
  expect(sections.every(({ title, anchor, blocks: parts }) => title !== "" && anchor !== "" && parts.length > 0)).toBe(true);
  expect(new Set(sections.map(({ anchor }) => anchor)).size).toBe(sections.length);
});

test("a language that is not written is read in English, and says so", async () => {
  expect((await rulesOf("kimono", "tlh" as Language)).language).toBe("en");
  expect((await rulesOf("kimono", "de")).language).toBe("de");
  expect((await summaryOf("kimono", "de")).text).toContain("**Ziel.**");
});

test("numbers are filled in, and a name nobody knows stays to be seen", () => {
  expect(filled("deal {hand}, then {wonder}", { hand: 12 })).toBe("deal 12, then {wonder}");
});

const [turn, scoring] = sectionsOf(
  "Lead.\n\n## A turn {#turn}\n\nDraw a **card** of the *Café*.\n\n## Scoring {#scoring}\n\n| sort | points |\n|---|---|\n| fan | {fan} |\n\n> An example.\n\nTwo readings. :house[The second is ours.]",
  { fan: 7 },
).sections as [Section, Section];

test("a section is found by all words together, wherever they stand, without capitals and accents", () => {
  expect(isIn(turn, wordsOf("DRAW cafe"))).toBe(true);
  expect(isIn(turn, wordsOf("draw points"))).toBe(false);
  expect(isIn(scoring, wordsOf("scoring fan 7"))).toBe(true);
  expect(isIn(scoring, wordsOf("example"))).toBe(true);
  expect(isIn(scoring, wordsOf("ours"))).toBe(true);
  expect(isIn(turn, wordsOf("  "))).toBe(true);
});

test("folding keeps every letter in its place", () => {
  expect(fold("Fächer ÉTÉ Öde")).toBe("facher ete ode");
  for (const text of ["Ǆ İ ß ﬁ 😀 が", "Schläft"]) expect(fold(text).length).toBe(text.length);
});

test("what was found is cut out of its text as it is written", () => {
  expect(cut("Der Fächer, der fällt", wordsOf("facher fa"))).toEqual([
    { text: "Der ", found: false },
    { text: "Fächer", found: true },
    { text: ", der ", found: false },
    { text: "fä", found: true },
    { text: "llt", found: false },
  ]);
  expect(cut("nothing", [])).toEqual([{ text: "nothing", found: false }]);
});

test("the list of what was found shows the sentence it was found in", () => {
  expect(excerpt(scoring, wordsOf("ours"))).toBe("Two readings. The second is ours.");
  expect(excerpt(scoring, wordsOf("scoring"))).toBe("sort · points");
});

test("a line without its marks says only its words", () => {
  expect(plain("**Gift** – :card[gift] take `one`")).toBe("Gift – take one");
});

let page: Record<string, unknown> | null = null;
afterEach(() => {
  if (page) void unmount(page);
  page = null;
  document.body.innerHTML = "";
  words.speak("en");
});

async function shown(text: string, seek: readonly string[] = []): Promise<HTMLElement> {
  page = mount(Blocks, { target: document.body, props: { blocks: blocks(text), book: await bookOf("hanamikoji"), seek } });
  flushSync();
  return document.body;
}

test("a piece is drawn from the game's own pictures and has words for whoever does not see it", async () => {
  const body = await shown("- :card[gift] **Gift** – three cards.");
  const drawn = body.querySelector(".gallery [role=img]");
  expect(drawn?.getAttribute("aria-label")).toBe("Gift");
  expect(drawn?.querySelector("use")?.getAttribute("href")).toBe("#hk-act-gift");
});

test("a house mark tells why when it is pressed, and hides it again", async () => {
  const body = await shown("Twenty rounds. :house[The printed game has no limit.]");
  const mark = body.querySelector<HTMLButtonElement>("button[aria-label='house rule']");
  expect(body.textContent).not.toContain("printed");
  mark?.click();
  flushSync();
  expect(mark?.getAttribute("aria-expanded")).toBe("true");
  expect(body.querySelector("[role=note]")?.textContent).toContain("The printed game has no limit.");
  mark?.click();
  flushSync();
  expect(body.querySelector("[role=note]")).toBeNull();
});

test("what is looked for is lit, and a house mark that has it stands open", async () => {
  const body = await shown("A **round** ends. :house[Every round.]", ["round"]);
  expect([...body.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["round", "round"]);
  expect(body.querySelector("[role=note]")).not.toBeNull();
});
