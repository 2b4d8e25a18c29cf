/** The seven items in the order of the row, as the view counts them. */

import type { Choice } from "../face";
import type { HanamikojiAction } from "../../lib/types/games";

export const ITEMS = ["flute", "fan", "scroll", "umbrella", "shamisen", "tea pot", "hair ornament"] as const;
export type Item = (typeof ITEMS)[number];

export const CHARM = [2, 2, 2, 3, 3, 4, 5] as const;
export const ACTIONS = ["secret", "trade-off", "gift", "competition"] as const;
export type ActionName = (typeof ACTIONS)[number];
export const SIZE: Record<ActionName, number> = { secret: 1, "trade-off": 2, gift: 3, competition: 4 };

/** How each item is called in the sprite. */
export const SYMBOL: Record<Item, string> = {
  flute: "flute",
  fan: "fan",
  scroll: "scroll",
  umbrella: "umbrella",
  shamisen: "shamisen",
  "tea pot": "teapot",
  "hair ornament": "kanzashi",
};
export const INK: Record<Item, string> = {
  flute: "#554C80",
  fan: "#C65C72",
  scroll: "#7D5A3C",
  umbrella: "#B8351F",
  shamisen: "#244C78",
  "tea pot": "#33705A",
  "hair ornament": "#86590D",
};

/** The dye of each item with its deep and its pale tone. */
export const DYE: Record<Item, { c: string; d: string; l: string }> = {
  flute: { c: "#8A80B4", d: "#554C80", l: "#DDD8EA" },
  fan: { c: "#C65C72", d: "#8A3145", l: "#F3CFD3" },
  scroll: { c: "#7D5A3C", d: "#503722", l: "#E3D2BC" },
  umbrella: { c: "#B8351F", d: "#77200F", l: "#F1C4B2" },
  shamisen: { c: "#244C78", d: "#183452", l: "#C3D5E6" },
  "tea pot": { c: "#33705A", d: "#1D4738", l: "#C4DDCF" },
  "hair ornament": { c: "#D29C2C", d: "#86590D", l: "#F3DDA9" },
};

/** The cards that a set of counts stands for. */
export function spread(counts: readonly (number | null)[]): Item[] {
  return ITEMS.flatMap((item, place) => Array.from({ length: counts[place] ?? 0 }, () => item));
}

/** The cards of an action in an order in which equal actions are equal. */
function key(name: string, cards: readonly Item[]): string {
  const order = (some: readonly Item[]) => some.toSorted((a, b) => ITEMS.indexOf(a) - ITEMS.indexOf(b)).join("+");
  if (name !== "competition") return `${name}:${order(cards)}`;
  return `${name}:${[order(cards.slice(0, 2)), order(cards.slice(2))].toSorted().join("|")}`;
}

function cardsOf(action: HanamikojiAction): readonly Item[] {
  if (action.type === "secret") return action.card ? [action.card] : [];
  if (action.type === "trade-off") return action.cards ?? [];
  if (action.type === "gift") return action.cards;
  return action.type === "competition" ? action.pairs.flat() : [];
}

/** The choice that plays these cards so. In a competition the first two are one pair. */
export function choiceOf(choices: readonly Choice<HanamikojiAction>[], name: ActionName, cards: readonly Item[]): number | null {
  const wanted = key(name, cards);
  return choices.find(({ action }) => key(action.type, cardsOf(action)) === wanted)?.number ?? null;
}

/** Charm of each seat if the round ended now, with what can be seen. */
export function charmNow(markers: readonly number[], sides: readonly (readonly number[])[]): [number, number] {
  const charm: [number, number] = [0, 0];
  CHARM.forEach((worth, place) => {
    const [one, other] = [sides[0]?.[place] ?? 0, sides[1]?.[place] ?? 0];
    const owner = one > other ? 0 : other > one ? 1 : markers[place];
    if (owner === 0 || owner === 1) charm[owner] += worth;
  });
  return charm;
}
