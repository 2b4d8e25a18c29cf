/** The cards of Kohoju as the view numbers them: kind × 5 + points − 1, and a kind is colour × 5 + sign. */

import type { Choice } from "../face";
import type { KohojuAction, KohojuView } from "../../lib/types/games";

export const COLOURS = ["blue", "red", "green", "yellow", "purple"] as const;
export const SIGNS = ["circle", "square", "triangle", "star", "cross"] as const;
export type Colour = (typeof COLOURS)[number];
export type SignName = (typeof SIGNS)[number];

const EACH = 5;
const KINDS = COLOURS.length * SIGNS.length;
const FINISHED_BONUS = 5;
export const UNFINISHED = 2;

/** Where everybody knows a card to be, as `place` counts it. */
const KNOWN = 7;
const IN_POOL = 14;
const IN_KOHOJU = 15;
const KOHOJUS = 4;

/** Each colour's dye, its pale ground, and the ink in which it is text and lozenges. */
export const DYES: Record<Colour, { dye: string; pale: string; ink: string }> = {
  blue: { dye: "#1F5088", pale: "#C9D9EA", ink: "#1F5088" },
  red: { dye: "#B8351F", pale: "#F3CDBE", ink: "#B8351F" },
  green: { dye: "#2F7050", pale: "#C9E0D2", ink: "#2F7050" },
  yellow: { dye: "#D79B1E", pale: "#F6E3B0", ink: "#8A5F0C" },
  purple: { dye: "#9268AE", pale: "#DCD1E6", ink: "#9268AE" },
};

export function kindOf(card: number): number {
  return Math.floor(card / EACH);
}

export function pointsOf(card: number): number {
  return (card % EACH) + 1;
}

export function colourOf(kind: number): Colour {
  return COLOURS[Math.floor(kind / SIGNS.length)] ?? "blue";
}

export function signOf(kind: number): SignName {
  return SIGNS[kind % SIGNS.length] ?? "circle";
}

/** A card as actions name it: “blue circle 3”. */
export function nameOf(card: number): string {
  return `${colourOf(kindOf(card))} ${signOf(kindOf(card))} ${pointsOf(card)}`;
}

/** The number of a card that an action names. */
export function numberOf(name: string): number {
  const [colour, sign, points] = name.split(" ");
  const kind = COLOURS.indexOf(colour as Colour) * SIGNS.length + SIGNS.indexOf(sign as SignName);
  return kind * EACH + Number(points) - 1;
}

export function has(bits: number, kind: number): boolean {
  return ((bits >> kind) & 1) === 1;
}

/** The kinds that a set of bits stands for. */
export function kindsOf(bits: number): number[] {
  return Array.from({ length: KINDS }, (_, kind) => kind).filter((kind) => has(bits, kind));
}

export function sum(cards: readonly number[]): number {
  return cards.reduce((points, card) => points + pointsOf(card), 0);
}

/** The cards of the pool by their kind; null where none lies. */
export function poolOf(view: KohojuView): (number | null)[] {
  const pool: (number | null)[] = Array.from({ length: KINDS }, () => null);
  view.place.forEach((place, card) => {
    if (place === IN_POOL) pool[kindOf(card)] = card;
  });
  return pool;
}

/** What a kohoju collects: a colour, a sign, or either while it has one card. */
export type Line = { colour: Colour } | { sign: SignName } | null;

export interface Kohoju {
  /** Which of the seat's it is, in the order of opening. */
  number: number;
  cards: number[];
  finished: boolean;
  line: Line;
  /** The kinds it still takes. */
  missing: number[];
}

/** A seat's kohojus in the order of opening. */
export function kohojusOf(view: KohojuView, seat: number): Kohoju[] {
  let unfinished = 0;
  return Array.from({ length: view.kohojus[seat] ?? 0 }, (_, number) => {
    const place = IN_KOHOJU + KOHOJUS * seat + number;
    const cards = view.place.flatMap((each, card) => (each === place ? [card] : []));
    const finished = has(view.finished[seat] ?? 0, number);
    const missing = finished ? [] : kindsOf(view.fits[seat]?.[unfinished++] ?? 0);
    return { number, cards, finished, line: lineOf(cards), missing };
  });
}

function lineOf(cards: readonly number[]): Line {
  const [one, two] = cards;
  if (one === undefined || two === undefined) return null;
  const colour = colourOf(kindOf(one));
  return colour === colourOf(kindOf(two)) ? { colour } : { sign: signOf(kindOf(one)) };
}

/** A place of a kohoju: the card in it, or the kind it waits for, if that is settled. */
export interface Socket {
  card: number | null;
  kind: number | null;
}

/** The five sockets; once the line is settled every kind has its own. */
export function socketsOf(kohoju: Kohoju | null): Socket[] {
  const filled: Socket[] = (kohoju?.cards ?? []).map((card) => ({ card, kind: kindOf(card) }));
  const open: Socket[] = kohoju?.line ? kohoju.missing.map((kind) => ({ card: null, kind })) : [];
  const blank: Socket[] = Array.from({ length: EACH - filled.length - open.length }, () => ({ card: null, kind: null }));
  return [...[...filled, ...open].toSorted((a, b) => (a.kind ?? 0) - (b.kind ?? 0)), ...blank];
}

export function worthOf(kohoju: Kohoju): number {
  return sum(kohoju.cards) + (kohoju.finished ? FINISHED_BONUS : 0);
}

/** What may be done with a card: the numbers to send. */
export interface Uses {
  open: number | null;
  add: [number | null, number | null];
  pool: number | null;
  discard: number | null;
}

export function usesOf(choices: readonly Choice<KohojuAction>[], card: number): Uses {
  const uses: Uses = { open: null, add: [null, null], pool: null, discard: null };
  const name = nameOf(card);
  for (const { number, action } of choices) {
    if (action.type === "draw" || action.card !== name) continue;
    if (action.type === "add") uses.add[action.kohoju] = number;
    else uses[action.type] = number;
  }
  return uses;
}

/** Where a chosen card may be laid: one of the two places for kohojus, or the pool. */
export type Target = { to: "kohoju"; which: 0 | 1; opens: boolean; number: number } | { to: "pool"; number: number };

export function targetsOf(uses: Uses, unfinished: number): Target[] {
  const targets: Target[] = [];
  if (uses.open !== null && unfinished < UNFINISHED) targets.push({ to: "kohoju", which: unfinished === 0 ? 0 : 1, opens: true, number: uses.open });
  uses.add.forEach((number, which) => {
    if (number !== null) targets.push({ to: "kohoju", which: which === 0 ? 0 : 1, opens: false, number });
  });
  if (uses.pool !== null) targets.push({ to: "pool", number: uses.pool });
  return targets;
}

export const ORDERS = ["colour", "sign", "points"] as const;
export type Order = (typeof ORDERS)[number];

/** A hand as its owner likes it. */
export function sorted(hand: readonly number[], order: Order): number[] {
  const rank = {
    colour: (card: number) => card,
    sign: (card: number) => (kindOf(card) % SIGNS.length) * 1000 + card,
    points: (card: number) => -pointsOf(card) * 1000 + card,
  }[order];
  return hand.toSorted((a, b) => rank(a) - rank(b));
}

/** The cards of a hand that the eyes know, and how many more there are. */
export function handOf(view: KohojuView, seat: number): { cards: number[]; unknown: number } {
  const hand = (view.hands[seat] ?? []).slice(0, view.hand_size[seat] ?? 0);
  const cards = hand.filter((card) => card !== null && card >= 0) as number[];
  return { cards, unknown: hand.length - cards.length };
}

/** Whether everybody knows that a seat holds this card. */
export function isKnown(view: KohojuView, seat: number, card: number): boolean {
  return view.place[card] === KNOWN + seat;
}

/** What the deal would give a seat now; of a hidden hand only the known cards count. */
export function dealNow(parts: readonly number[]): number {
  return (parts[1] ?? 0) + (parts[2] ?? 0) + (parts[3] ?? 0);
}

/** What the last deal gave a seat. */
export function lastDeal(view: KohojuView, seat: number): { laid: number; bonus: number; hand: number; all: number } {
  const [laid, hand] = [view.last_laid[seat] ?? 0, view.last_hand[seat] ?? 0];
  const bonus = FINISHED_BONUS * (view.last_finished[seat] ?? 0);
  return { laid, bonus, hand: -hand, all: laid + bonus - hand };
}
