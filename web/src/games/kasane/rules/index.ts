import type { Component } from "svelte";

import { picture, unknown, type Book, type Drawing } from "../../../rules/book";
import pictures from "../../../pictures/kasane.svg?raw";
import { ACCESSORY, SIGN, STYLES, symbolOf, type Style } from "../cards";
import Robe from "../Robe.svelte";
import { cardInFull, styleRule, styleSign, t } from "../words";

/** `3`, `accessory`, `style Juu`, `robe 1 2 6`. */
function draw(name: string): Drawing {
  if (name.startsWith("style ")) return style(name.slice(6) as Style);
  if (name.startsWith("robe ")) return robe(name.slice(5).split(" ").map(Number));
  const card = name === "accessory" ? ACCESSORY : Number(name);
  return card >= ACCESSORY && card <= 9 ? picture(`card-ka-${symbolOf(card)}`, cardInFull(card)) : unknown(name);
}

function style(name: Style): Drawing {
  if (!STYLES.includes(name)) return unknown(name);
  return picture(SIGN[name], `${name}: ${styleRule(name)}`, "sign", "0 0 24 24", String(styleSign(name).ink));
}

/** The cards from the hem up; each 0 is an accessory. */
function robe(cards: number[]): Drawing {
  const fabrics = cards.filter((card) => card !== ACCESSORY);
  const label = t("kimono.of", { you: "no", name: t("kimono"), cards: fabrics.join(" ") });
  return { component: Robe as Component<never>, props: { fabrics, accessories: cards.length - fabrics.length, label }, label, form: "robe" };
}

const book: Book = { pictures, ready: t.ready, draw };
export default book;
