import { translator, words } from "../../lib/words/words.svelte";
import { Sign } from "../face";
import { colourOf, DYES, kindOf, pointsOf, signOf, type Kohoju } from "./cards";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

/** “blue circle” */
export function kindName(kind: number): string {
  return t("kind", { colour: colourOf(kind), sign: signOf(kind) });
}

/** “blue circle” where something is done to it, which some languages say differently. */
export function kindObject(kind: number): string {
  return t("kind.object", { colour: colourOf(kind), sign: signOf(kind) });
}

/** “blue circle 3” */
export function cardName(card: number): string {
  return t("card", { kind: kindName(kindOf(card)), points: pointsOf(card) });
}

export function cardObject(card: number): string {
  return t("card", { kind: kindObject(kindOf(card)), points: pointsOf(card) });
}

export function cardSign(card: number): Sign {
  const kind = kindOf(card);
  return new Sign(`ko-${colourOf(kind)}-${signOf(kind)}`, cardObject(card), DYES[colourOf(kind)].ink, "0 0 120 120");
}

/** “Red”, “Stars”, or the name of its only kind. */
export function kohojuName({ line, cards }: Kohoju): string {
  if (line === null) return t("kohoju.of", { kind: kindName(kindOf(cards[0] ?? 0)) });
  return "colour" in line ? t("line.colour", { colour: line.colour }) : t("line.sign", { sign: line.sign });
}

/** “your red kohoju” as the place a card goes to. */
export function toKohoju({ line, cards }: Kohoju): string {
  if (line === null) return t("to.kind", { kind: kindObject(kindOf(cards[0] ?? 0)) });
  return "colour" in line ? t("to.colour", { colour: line.colour }) : t("to.sign", { sign: line.sign });
}

export function listed(parts: string[]): string {
  return new Intl.ListFormat(words.language, { type: "disjunction" }).format(parts);
}

/** A number of points with a true minus. */
export function points(count: number): string {
  return count < 0 ? `−${-count}` : String(count);
}

/** A change of points with its sign. */
export function change(count: number): string {
  return count > 0 ? `+${count}` : points(count);
}
