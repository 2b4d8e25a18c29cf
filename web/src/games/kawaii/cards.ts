/** Ice creams, favourites and signs as the view numbers them, and what a view says between its numbers. */

import type { Choice } from "../face";
import type { KawaiiAction, KawaiiView } from "../../lib/types/games";

export const FLAVOURS = ["strawberry", "vanilla", "chocolate", "mint", "blueberry"] as const;
export const SHAPES = ["cone", "soft-serve", "stick bar", "ice lolly", "cup"] as const;
export const SIGNS = ["rock", "paper", "scissors"] as const;
export const PARTS = ["flavour", "shape", "cherries", "shops", "tokens"] as const;
export type Flavour = (typeof FLAVOURS)[number];
export type Shape = (typeof SHAPES)[number];
export type SignName = (typeof SIGNS)[number];

/** Kinds from 0: flavour × 5 + shape; then these two. */
export const CLOSED_SHOP = 25;
export const CHERRY = 26;
const EMPTY = -2;
const PASS = 1 << 5;

/** How each shape is called in the sprite. */
const SYMBOL: Record<Shape, string> = { cone: "cone", "soft-serve": "soft", "stick bar": "stick", "ice lolly": "lolly", cup: "cup" };
export const INK: Record<Flavour, string> = {
  strawberry: "#B23A50",
  vanilla: "#9A7118",
  chocolate: "#5A3420",
  mint: "#2C6E55",
  blueberry: "#37477C",
};

export function flavourOf(kind: number): Flavour | null {
  return kind < CLOSED_SHOP ? (FLAVOURS[Math.floor(kind / 5)] ?? null) : null;
}

export function shapeOf(kind: number): Shape | null {
  return kind < CLOSED_SHOP ? (SHAPES[kind % 5] ?? null) : null;
}

/** The picture of a card; its back where the kind is not known. */
export function cardSymbol(kind: number | null): string {
  if (kind === null) return "back-kw";
  if (kind === CLOSED_SHOP) return "card-kw-closed";
  if (kind === CHERRY) return "card-kw-cherry";
  return `card-kw-${SYMBOL[shapeOf(kind) ?? "cone"]}-${flavourOf(kind)}`;
}

export function flavourMark(flavour: Flavour): string {
  return `kw-fl-${flavour}`;
}

export function shapeMark(shape: Shape): string {
  return `kw-sh-${SYMBOL[shape]}`;
}

/** A favourite flavour and shape. */
export interface Taste {
  flavour: Flavour;
  shape: Shape;
}

/** What a seat likes, if the eyes may know it. */
export function tasteOf(flavours: readonly (number | null)[], shapes: readonly (number | null)[], seat: number): Taste | null {
  const flavour = FLAVOURS[flavours[seat] ?? EMPTY];
  const shape = SHAPES[shapes[seat] ?? EMPTY];
  return flavour === undefined || shape === undefined ? null : { flavour, shape };
}

/** How often a card meets a taste: flavour, shape or both. */
export function meets(kind: number | null, taste: Taste | null): number {
  if (kind === null || taste === null) return 0;
  return Number(flavourOf(kind) === taste.flavour) + Number(shapeOf(kind) === taste.shape);
}

/** The seats from the near one on, clockwise: the order of the lanes. */
export function laneOrder(seats: number, eyes: number): number[] {
  return Array.from({ length: seats }, (_, step) => (eyes + step) % seats);
}

export function seatsIn(bits: number): number[] {
  return [0, 1, 2, 3, 4].filter((seat) => (bits >> seat) & 1);
}

/** The open cards of a pile, its top last. Of a stacked pile the top alone can be seen. */
export function openCards(view: KawaiiView, owner: number): (number | null)[] {
  const cards = (view.piles[owner] ?? []).slice(0, view.pile_size[owner] ?? 0);
  return view.stacked ? cards.slice(-1) : cards;
}

/** The piles a seat has claimed and nobody has been told of, as far as the eyes may know. */
export function openClaims(view: KawaiiView, seat: number): number[] {
  return seatsIn((view.claims[seat] ?? 0) & ~PASS);
}

export function hasPassed(view: KawaiiView, seat: number): boolean {
  return ((view.claims[seat] ?? 0) & PASS) !== 0;
}

/** The seats whose tokens can be seen on a pile. */
export function tokensOn(view: KawaiiView, owner: number): number[] {
  const contesting = seatsIn(view.contested[owner] ?? 0);
  const claiming = laneOrder(view.seats, 0).filter((seat) => openClaims(view, seat).includes(owner));
  return [...new Set([...contesting, ...claiming])];
}

/** Tokens that lie before their owner, not on a pile. */
export function freeTokens(view: KawaiiView, seat: number): number {
  const bound = laneOrder(view.seats, 0).filter((owner) => tokensOn(view, owner).includes(seat)).length;
  return Math.max(0, (view.tokens[seat] ?? 0) - bound);
}

export function lastFlipper(view: KawaiiView): number | null {
  return view.flips === 0 ? null : (view.starter + view.flips - 1) % view.seats;
}

/** Who took the pile that lay here, until its owner flips again. What was taken in an earlier round is over. */
export function justTaken(view: KawaiiView, owner: number): number | null {
  const flipped = view.flips > (owner - view.starter + view.seats) % view.seats;
  const taker = view.taker[owner] ?? EMPTY;
  return flipped && view.pile_size[owner] === 0 && taker >= 0 ? taker : null;
}

/** The next card of a reserve, where all is open. */
export function nextCard(view: KawaiiView, seat: number): number | null {
  if (view.turn < 0 || (view.reserve_size[seat] ?? 0) === 0) return null;
  const card = view.deck[view.flips + ((seat - view.turn + view.seats) % view.seats)];
  return card === undefined || card === null || card < 0 ? null : card;
}

/** How a seat stands in a contest: its sign, `null` when it has thrown in secret, `undefined` when it has yet to throw. */
export function thrown(view: KawaiiView, owner: number, seat: number): SignName | null | undefined {
  const sign = view.throws[owner]?.[seat];
  return sign === EMPTY || sign === undefined ? undefined : sign === null ? null : (SIGNS[sign] ?? null);
}

/** The sign a seat showed last for this pile. */
export function shownSign(view: KawaiiView, owner: number, seat: number): SignName | null {
  return SIGNS[view.shown_throws[owner]?.[seat] ?? EMPTY] ?? null;
}

/** A seat's points of the round that is played, by parts, as far as they are known. */
export function roundSoFar(view: KawaiiView, scores: readonly (readonly number[])[], seat: number): number[] {
  return PARTS.map((_, part) => (scores[seat]?.[part] ?? 0) - (view.points[seat]?.[part] ?? 0));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

type Choices = readonly Choice<KawaiiAction>[];

/** The choice that puts a token on this pile, at either pace. */
export function claimOf(choices: Choices, owner: number): number | null {
  return choices.find(({ action }) => (action.type === "answer" || action.type === "claim") && action.pile === owner)?.number ?? null;
}

export function passOf(choices: Choices): number | null {
  return choices.find(({ action }) => action.type === "answer" && action.pile === "none")?.number ?? null;
}

export function choiceOf(choices: Choices, type: "flip" | "done"): number | null {
  return choices.find(({ action }) => action.type === type)?.number ?? null;
}

/** The pile that is thrown for now: one contest at a time. */
export function pileToThrowFor(choices: Choices): number | null {
  for (const { action } of choices) if (action.type === "throw") return action.pile;
  return null;
}

export function throwOf(choices: Choices, owner: number, sign: SignName): number | null {
  return choices.find(({ action }) => action.type === "throw" && action.pile === owner && action.sign === sign)?.number ?? null;
}

/** Why a pile cannot be claimed: the key of the sentence. */
export function whyNot(view: KawaiiView, seat: number, owner: number): "over" | "empty" | "contested" | "claimed" | "throws" | "answered" | "token" {
  if (view.phase === "over") return "over";
  if (view.pile_size[owner] === 0) return "empty";
  if (view.contested[owner]) return "contested";
  if (openClaims(view, seat).includes(owner)) return "claimed";
  if (view.phase === "throws") return "throws";
  if (view.phase === "window" && (view.tokens[seat] ?? 0) > 0) return "answered";
  return "token";
}
