import { translator } from "../../lib/words/words.svelte";
import { Sign, type Seated } from "../face";
import { ACCESSORY, MARK_OF, SIGN, type Combination, type Style } from "./cards";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

const INK = "#26221D";

/** “9”, “an accessory”: the card as it is named in a sentence. */
export function cardName(card: number): string {
  return card === ACCESSORY ? t("an.accessory") : String(card);
}

/** Everything that is printed on the card. */
export function cardInFull(card: number): string {
  const mark = MARK_OF[card];
  if (!mark) return t("accessory.full");
  return t("fabric.full", { card, motif: t(`motif.${card}` as "motif.1"), kind: t(card % 2 === 1 ? "animal" : "plant"), mark });
}

export function styleRule(style: Style): string {
  return t(`rule.${style}`);
}

export function styleSign(style: Style): Sign {
  return new Sign(SIGN[style], style, INK);
}

/** “4 3 2 1” */
export function run(cards: readonly number[]): string {
  return cards.join(" ");
}

/** What is said of a combination to somebody who hears instead of seeing. */
export function combinationInFull({ cards, style, points, kimono }: Combination): string {
  return t(kimono ? "combination.kimono" : "combination", { cards: run(cards), style, size: cards.length, points });
}

/** For sentences that speak differently of you. */
export function isYou(seated: Seated | null | undefined): "yes" | "no" {
  return seated?.you ? "yes" : "no";
}
