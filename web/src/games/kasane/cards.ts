/** The cloth and the board of Kasane, as the view counts them: a fabric is its number, an accessory 0. */

import type { Choice } from "../face";
import type { KasaneAction, KasaneCombine, KasaneView } from "../../lib/types/games";

export const ACCESSORY = 0;
export const NOBODY = 4;
export const DOZEN = 12;
export const LAID_FOR_VARIETY = 8;
/** The bonus for so many different fabrics. */
export const VARIETY = [0, 5, 4, 3, 2, 0, 2, 3, 4, 5] as const;

export type Style = KasaneCombine["style"];
export const SIZES = [2, 3, 4, 5] as const;
/** The six styles with a place for each size, in the order of the board. */
export const SIZED = ["Katchou Fuugetsu", "Setsu Getsu Fuuka", "Kasane", "Kagen no Tsuki", "Jougen no Tsuki", "Juu"] as const satisfies readonly Style[];
/** The draper's marks, each with two places of three cards. */
export const MARKS = ["Chidori", "Sakura Chirashi", "Asanoha"] as const satisfies readonly Style[];
export const STYLES: readonly Style[] = [...SIZED, ...MARKS];
export const MARK_SIZE = 3;

const FIRST_MARK = SIZED.length * SIZES.length;
const SIZED_POINTS: Record<(typeof SIZED)[number], readonly number[]> = {
  "Katchou Fuugetsu": [1, 2, 3, 4],
  "Setsu Getsu Fuuka": [1, 2, 3, 4],
  Kasane: [2, 4, 6, 9],
  "Kagen no Tsuki": [1, 3, 5, 8],
  "Jougen no Tsuki": [1, 3, 5, 8],
  Juu: [2, 3, 4, 5],
};
const MARK_POINTS = [4, 3] as const;

/** How a style is called in the sprite. */
export const SIGN: Record<Style, string> = {
  "Katchou Fuugetsu": "ka-animal",
  "Setsu Getsu Fuuka": "ka-plant",
  Kasane: "ka-style-kasane",
  "Kagen no Tsuki": "ka-style-kagen",
  "Jougen no Tsuki": "ka-style-jougen",
  Juu: "ka-style-juu",
  Chidori: "ka-mark-chidori",
  "Sakura Chirashi": "ka-mark-sakura",
  Asanoha: "ka-mark-asanoha",
};

export interface Cloth {
  dye: string;
  /** The wagara over the dye, and how strongly it shows. */
  wagara: string;
  strength: number;
}

/** The cloth of each card, the accessory's first. */
export const CLOTH: readonly Cloth[] = [
  { dye: "#C8932A", wagara: "wa-tatewaku", strength: 0.45 },
  { dye: "#244C78", wagara: "wa-waves", strength: 1 },
  { dye: "#33604A", wagara: "wa-matsukawa", strength: 0.6 },
  { dye: "#B8351F", wagara: "wa-uroko", strength: 0.34 },
  { dye: "#587A3A", wagara: "wa-asanoha", strength: 0.72 },
  { dye: "#6C8DA3", wagara: "wa-shippo", strength: 0.62 },
  { dye: "#9F8632", wagara: "wa-kagome", strength: 0.6 },
  { dye: "#6A3A5C", wagara: "wa-yagasuri", strength: 0.36 },
  { dye: "#C65C72", wagara: "wa-sakura", strength: 0.72 },
  { dye: "#5A3A1E", wagara: "wa-kikko", strength: 0.66 },
];

/** The draper's mark on each fabric; none on an accessory. */
export const MARK_OF: readonly ((typeof MARKS)[number] | null)[] = [
  null, "Chidori", "Chidori", "Sakura Chirashi", "Asanoha", "Asanoha", "Chidori", "Sakura Chirashi", "Sakura Chirashi", "Asanoha",
];

/** A card's name in the sprite, behind `card-ka-` and `wide-ka-`. */
export function symbolOf(card: number): string {
  return card === ACCESSORY ? "accessory" : String(card);
}

/** The cards of a row of the view, without the empty places after the last. */
export function cardsOf(row: readonly number[] | undefined): number[] {
  return (row ?? []).filter((card) => card >= 0);
}

/** The card of a market row that can be taken; null where the row is empty. */
export function endOf(view: KasaneView, row: number): number | null {
  return cardsOf(view.market[row]).at(-1) ?? null;
}

export function lengthOf(style: Style): readonly number[] {
  return isMark(style) ? [MARK_SIZE] : SIZES;
}

function isMark(style: Style): style is (typeof MARKS)[number] {
  return (MARKS as readonly Style[]).includes(style);
}

/** The number of a place on the board; of a mark's two, which one. */
export function placeNumber(style: Style, size: number, second = false): number {
  if (isMark(style)) return FIRST_MARK + MARKS.indexOf(style) + (second ? MARKS.length : 0);
  return SIZED.indexOf(style) * SIZES.length + size - SIZES[0];
}

export function pointsOf(place: number): number {
  if (place >= FIRST_MARK) return MARK_POINTS[place < FIRST_MARK + MARKS.length ? 0 : 1];
  const style = SIZED[Math.floor(place / SIZES.length)] as (typeof SIZED)[number];
  return SIZED_POINTS[style][place % SIZES.length] ?? 0;
}

/** What is played on a place. */
export function styleOf(place: number): { style: Style; size: number } {
  if (place >= FIRST_MARK) return { style: MARKS[(place - FIRST_MARK) % MARKS.length] as Style, size: MARK_SIZE };
  return { style: SIZED[Math.floor(place / SIZES.length)] as Style, size: SIZES[place % SIZES.length] as number };
}

/** The place a combination would use: the dearer one of a mark before the cheaper. */
export function placeFor(places: readonly number[], style: Style, size: number): number {
  const first = placeNumber(style, size);
  return isMark(style) && places[first] !== NOBODY ? placeNumber(style, size, true) : first;
}

/** A combination as the board shows it. */
export interface Combination {
  style: Style;
  /** How many cards of the hand are laid. */
  hand: number;
  /** Whether the kimono's last card stands in front. */
  kimono: boolean;
  /** All its cards in order. */
  cards: number[];
  place: number;
  points: number;
}

/** What tells two combinations of one turn apart. */
export function keyOf({ style, hand, kimono }: Pick<Combination, "style" | "hand" | "kimono">): string {
  return `${style} ${hand} ${kimono}`;
}

/** A combination laid from the right end of this hand. */
export function combinationOf(view: KasaneView, seat: number, hand: readonly number[], style: Style, count: number, kimono: boolean): Combination {
  const before = kimono ? cardsOf(view.kimonos[seat]).slice(-1) : [];
  const cards = [...before, ...hand.slice(-count)];
  const place = placeFor(view.places, style, cards.length);
  return { style, hand: count, kimono, cards, place, points: pointsOf(place) };
}

/** Best first: more points, then more cards laid. */
export function bestFirst(one: Combination, other: Combination): number {
  return other.points - one.points || other.hand - one.hand || one.place - other.place;
}

/** What may be laid now, best first. */
export function combinationsIn(choices: readonly Choice<KasaneAction>[], view: KasaneView, seat: number): Combination[] {
  const hand = cardsOf(view.hands[seat]);
  return choices
    .flatMap(({ action }) => (action.type === "combine" ? [combinationOf(view, seat, hand, action.style, action.hand, action.kimono)] : []))
    .toSorted(bestFirst);
}

/** The choice that takes from this row. */
export function takeFrom(choices: readonly Choice<KasaneAction>[], row: number): number | null {
  return choices.find(({ action }) => action.type === "take" && action.row === row)?.number ?? null;
}

/** The choice that lays this combination, or the one that lays none. */
export function layOf(choices: readonly Choice<KasaneAction>[], combination: Combination | null): number | null {
  const found = choices.find(({ action }) =>
    combination === null ? action.type === "decline" : action.type === "combine" && keyOf(action) === keyOf(combination),
  );
  return found?.number ?? null;
}

/** Fabrics and accessories a seat has laid. */
export function laidBy(view: KasaneView, seat: number): number {
  return (view.kimono_size[seat] ?? 0) + (view.accessories[seat] ?? 0);
}

/** How many different fabrics a kimono shows. */
export function varietyOf(view: KasaneView, seat: number): number {
  return new Set(cardsOf(view.kimonos[seat])).size;
}

export function totalOf(scores: readonly number[] | undefined): number {
  return (scores ?? []).reduce((sum, part) => sum + part, 0);
}
