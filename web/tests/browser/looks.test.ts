/** Each board at a desk's and a phone's size looks, loosely, as it did: a saved match, halfway through, all cards open. `LOOK=write` keeps new pictures. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { House } from "./house";

const GAMES = ["hanamikoji", "kimono", "kasane", "kawaii", "kohoju"];
const MATCHES = resolve(import.meta.dirname, "matches");
const LOOKS = resolve(import.meta.dirname, "looks");
/** Pictures are compared at an eighth of their size, where the shape of letters does not matter. */
const SHRINK = 8;
/** The mean difference of a colour, of 255, that fonts and browsers may make. */
const LOOSE = 9;

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

async function halfway(page: Page, game: string): Promise<void> {
  await page.goto("/replay");
  await page.setInputFiles("input[type=file]", resolve(MATCHES, `${game}.json`));
  const ruler = page.locator("input[type=range]");
  await ruler.waitFor();
  await ruler.fill(String(Math.floor(Number(await ruler.getAttribute("max")) / 2)));
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
}

async function small(page: Page, picture: Buffer): Promise<Buffer> {
  const url = await page.evaluate(
    async ([data, shrink]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width / Number(shrink), height: image.height / Number(shrink) });
      const brush = canvas.getContext("2d") as CanvasRenderingContext2D;
      brush.imageSmoothingQuality = "high";
      brush.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/png");
    },
    [picture.toString("base64"), SHRINK] as const,
  );
  return Buffer.from(url.split(",")[1] as string, "base64");
}

async function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (data) => {
          const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
          const brush = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d") as CanvasRenderingContext2D;
          brush.drawImage(image, 0, 0);
          return brush.getImageData(0, 0, image.width, image.height).data;
        }),
      );
      if (a === undefined || b === undefined || a.length !== b.length) return 255;
      return a.reduce((sum, value, place) => sum + Math.abs(value - (b[place] ?? 0)), 0) / ((a.length / 4) * 3);
    },
    [one.toString("base64"), other.toString("base64")],
  );
}

test.each(GAMES.flatMap((game) => [[game, "desk"], [game, "phone"]]))("%s at the size of a %s", async (game, size) => {
  const page = await house.visitor({ phone: size === "phone" });
  const easel = await house.easel();
  await halfway(page, game as string);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), "it does not scroll sideways").toBeLessThanOrEqual(0);
  const now = await small(easel, await page.screenshot());
  const file = resolve(LOOKS, `${game}-${size}.png`);
  if (process.env["LOOK"] === "write") {
    mkdirSync(LOOKS, { recursive: true });
    writeFileSync(file, now);
  }
  expect(existsSync(file), "every board has a picture to compare with").toBe(true);
  expect(await difference(easel, now, readFileSync(file))).toBeLessThan(LOOSE);
  expect(house.faults).toEqual([]);
});

/** Words that stand on more than one line. */
async function broken(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
      for (const word of text.data.matchAll(/\p{L}{3,}/gu)) {
        const place = document.createRange();
        place.setStart(text, word.index);
        place.setEnd(text, word.index + word[0].length);
        if (new Set([...place.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word[0]);
      }
    }
    return found;
  });
}

test.each(["Hanamikoji", "Kimono", "Kasane", "Kawaii", "Kohoju"])("no word breaks on the board of %s, however wide the window", async (game) => {
  const page = await house.visitor();
  await page.goto("/");
  await page.getByRole("radio", { name: new RegExp(`^${game}`) }).click();
  await page.getByRole("button", { name: "Play now", exact: true }).click();
  await page.getByRole("tab", { name: "Log" }).waitFor();
  await page.waitForTimeout(2500);
  for (const width of [1440, 1280, 1100, 820, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await page.waitForTimeout(200);
    expect(await broken(page), `at ${width}`).toEqual([]);
  }
});
