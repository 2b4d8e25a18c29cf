import { translator } from "../../lib/words/words.svelte";
import { Sign } from "../face";
import { INK, SYMBOL, type Item } from "./cards";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

export function itemName(item: Item): string {
  return t(`item.${item}`);
}

/** “the tea pot” */
export function theItem(item: Item): string {
  return t(`the.${item}`);
}

export function itemSign(item: Item): Sign {
  return new Sign(`hk-mon-${SYMBOL[item]}`, itemName(item), INK[item]);
}
