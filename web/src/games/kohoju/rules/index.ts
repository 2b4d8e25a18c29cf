import type { Component } from "svelte";

import { unknown, type Book, type Drawing } from "../../../rules/book";
import pictures from "../../../pictures/kohoju.svg?raw";
import CardFace from "../CardFace.svelte";
import { kindOf, nameOf, numberOf, pointsOf } from "../cards";
import { cardName, kindName, t } from "../words";

/** `blue circle 3`, or `guide blue circle` for the guide card. */
function draw(name: string): Drawing {
  const guide = name.startsWith("guide ");
  const wanted = guide ? `${name.slice(6)} 1` : name;
  const card = numberOf(wanted);
  if (nameOf(card) !== wanted) return unknown(name);
  const kind = kindOf(card);
  const label = guide ? t("guide.label", { kind: kindName(kind) }) : cardName(card);
  return { component: CardFace as Component<never>, props: { kind, points: guide ? null : pointsOf(card) }, label, form: "card" };
}

const book: Book = { pictures, ready: t.ready, draw };
export default book;
