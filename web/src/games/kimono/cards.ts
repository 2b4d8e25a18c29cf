/** The cards of Kimono in the order of their numbers, and what is printed on them. */

import type { Choice } from "../face";
import type { KimonoAction, KimonoView } from "../../lib/types/games";

export const CURIOS = ["tea bowl", "fan", "sword", "parasol", "lute", "figurine", "chopsticks", "kimono"] as const;
export const TO_DO = ["lucky cat", "breakage", "copy"] as const;
export const CARDS = [...CURIOS, "gold coin", "fire", ...TO_DO, "apprentice"] as const;
export type Curio = (typeof CURIOS)[number];
export type ToDo = (typeof TO_DO)[number];
export type Card = (typeof CARDS)[number];

/** What can lie before a seat: the curios, coins and fire. */
export const IN_FRONT = CARDS.slice(0, 10);
/** Where the apprentice is, if no seat has it. */
export const WITH_MASTER = 6;
export const IN_ROW = 7;
export const ASIDE = 8;
export const ROUNDS = 5;

/** Points and limit as printed; coins and fire have no limit. */
export const PRINTED: Record<string, { points: number; limit: number | null; copies: number }> = {
  "tea bowl": { points: 8, limit: 1, copies: 5 },
  fan: { points: 7, limit: 1, copies: 6 },
  sword: { points: 6, limit: 2, copies: 7 },
  parasol: { points: 5, limit: 2, copies: 8 },
  lute: { points: 4, limit: 3, copies: 9 },
  figurine: { points: 3, limit: 3, copies: 10 },
  chopsticks: { points: 2, limit: 4, copies: 11 },
  kimono: { points: 5, limit: 2, copies: 10 },
  "gold coin": { points: 1, limit: null, copies: 9 },
  fire: { points: -4, limit: null, copies: 3 },
};

const SYMBOL: Record<Card, string> = {
  "tea bowl": "teabowl",
  fan: "fan",
  sword: "sword",
  parasol: "parasol",
  lute: "lute",
  figurine: "figurine",
  chopsticks: "chopsticks",
  kimono: "kimono",
  "gold coin": "coin",
  fire: "fire",
  "lucky cat": "cat",
  breakage: "breakage",
  copy: "copy",
  apprentice: "apprentice",
};

/** The whole card in the sprite. */
export function cardSymbol(card: Card): string {
  return `card-ki-${SYMBOL[card]}`;
}

/** Its picture alone, in its dye. */
export function signSymbol(card: Card): string {
  return `sign-ki-${SYMBOL[card]}`;
}

/** The seats that a number means as bits. */
export function seatsOf(bits: number, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => (bits >> seat) & 1);
}

/** The cards from one place of the row to before another; what is gone is left out. */
export function cardsBetween(row: readonly number[], from: number, to: number): Card[] {
  return row
    .slice(from, to)
    .filter((number) => number >= 0)
    .map((number) => CARDS[number] as Card);
}

/** A sort before a seat. */
export interface Heap {
  card: Card;
  count: number;
  /** How many of them are copy cards. */
  copies: number;
  limit: number | null;
  points: number;
  /** What one more of it would change. */
  next: number;
  state: "room" | "full" | "beyond";
}

/** What so many cards of a sort count, as it is printed on them. */
export function worth(card: Card, count: number): number {
  const { points, limit } = PRINTED[card] ?? { points: 0, limit: null };
  return limit !== null && count > limit ? -count : count * points;
}

/** The sorts before a seat, in the order of the cards. */
export function heaps(view: KimonoView, seat: number): Heap[] {
  return IN_FRONT.map((card, place): Heap => {
    const count = view.front[seat]?.[place] ?? 0;
    const limit = PRINTED[card]?.limit ?? null;
    return {
      card,
      count,
      limit,
      copies: view.copies[seat]?.[place] ?? 0,
      points: worth(card, count),
      next: worth(card, count + 1) - worth(card, count),
      state: limit === null || count < limit ? "room" : count === limit ? "full" : "beyond",
    };
  }).filter(({ count }) => count > 0);
}

/** A seat's points now. */
export function pointsOf(scores: readonly (readonly number[])[], seat: number): number {
  return (scores[seat] ?? []).reduce((sum, part) => sum + part, 0);
}

/** The points that lie before a seat, counted from its cards. */
export function pointsInFront(view: KimonoView, seat: number): number {
  return heaps(view, seat).reduce((sum, heap) => sum + heap.points, 0);
}

/** What a seat would have without these curios. */
export function pointsWithout(view: KimonoView, seat: number, curios: readonly Curio[]): number {
  return heaps(view, seat).reduce((sum, { card, count }) => sum + worth(card, count - curios.filter((curio) => curio === card).length), 0);
}

/** The heaps that have grown or shrunk between two looks at the table, as “seat card”. */
export function changedHeaps(before: KimonoView, now: KimonoView): string[] {
  return now.front.flatMap((front, seat) =>
    IN_FRONT.filter((_, place) => (front[place] ?? 0) !== (before.front[seat]?.[place] ?? 0)).map((card) => heapKey(seat, card)),
  );
}

export function heapKey(seat: number, card: Card): string {
  return `${seat} ${card}`;
}

/** How many market cards of each kind nobody has seen yet: they are in the round piles and in the sack. */
export function unseen(view: KimonoView): Map<Card, number> {
  const left = new Map<Card, number>();
  IN_FRONT.forEach((card, place) => {
    if (card === "kimono") return;
    const before = Array.from({ length: view.seats }, (_, seat) => (view.front[seat]?.[place] ?? 0) - (view.copies[seat]?.[place] ?? 0));
    const inRow = view.row.filter((number) => number === place).length;
    const gone = (view.bin[place] ?? 0) + (view.box[place] ?? 0) + inRow;
    left.set(card, (PRINTED[card]?.copies ?? 0) - gone - before.reduce((sum, count) => sum + count, 0));
  });
  return left;
}

type Choices = readonly Choice<KimonoAction>[];

/** The choice that cuts after that place of the row. */
export function cutChoice(choices: Choices, after: number, first: "left" | "right"): number | null {
  return choices.find(({ action }) => action.type === "cut" && action.after === after && action.first === first)?.number ?? null;
}

/** The choice that puts the apprentice there. */
export function placeChoice(choices: Choices, place: number | null): number | null {
  return choices.find(({ action }) => action.type === "apprentice" && action.place === place)?.number ?? null;
}

export function voteChoice(choices: Choices, group: number | null): number | null {
  return choices.find(({ action }) => action.type === "vote" && action.group === group)?.number ?? null;
}

export function carryOutChoice(choices: Choices, card: ToDo | null): number | null {
  return choices.find(({ action }) => action.type === "carry out" && action.card === card)?.number ?? null;
}

/** The choice that breaks these two; two curios have no order. */
export function breakChoice(choices: Choices, curios: readonly Curio[]): number | null {
  const wanted = key(curios);
  return choices.find(({ action }) => action.type === "break" && key(action.curios) === wanted)?.number ?? null;
}

export function copyChoice(choices: Choices, curio: Curio | undefined): number | null {
  return choices.find(({ action }) => action.type === "copy" && action.curio === curio)?.number ?? null;
}

function key(curios: readonly Curio[]): string {
  return curios.toSorted((one, other) => CURIOS.indexOf(one) - CURIOS.indexOf(other)).join("+");
}
