/**
 * What a card of the market would let a seat lay.
 *
 * The choices tell only what may be done now, and a card once taken stays taken: so that it can be weighed before, the board looks one step
 * ahead. What is laid in the end is always one of the choices.
 */

import type { KasaneView } from "../../lib/types/games";
import { ACCESSORY, bestFirst, cardsOf, combinationOf, MARK_OF, NOBODY, SIZES, STYLES, lengthOf, type Combination, type Style } from "./cards";

const TEN = 10;
const MOST = SIZES.at(-1) as number;

type Test = (cards: readonly number[]) => boolean;

function isInOrder(cards: readonly number[], least: number, most: number): boolean {
  const steps = cards.slice(1).map((card, index) => Math.sign(card - (cards[index] as number)));
  return cards.every((card) => least <= card && card <= most) && steps[0] !== 0 && steps.every((step) => step === steps[0]);
}

function isMarked(style: Style): Test {
  return (cards) => new Set(cards).size === cards.length && cards.every((card) => MARK_OF[card] === style);
}

const FITS: Record<Style, Test> = {
  "Katchou Fuugetsu": (cards) => cards.every((card) => card % 2 === 1),
  "Setsu Getsu Fuuka": (cards) => cards.every((card) => card % 2 === 0),
  Kasane: (cards) => cards.every((card) => card === cards[0]),
  "Kagen no Tsuki": (cards) => isInOrder(cards, 1, 5),
  "Jougen no Tsuki": (cards) => isInOrder(cards, 5, 9),
  Juu: (cards) => cards.reduce((sum, card) => sum + card, 0) === TEN,
  Chidori: isMarked("Chidori"),
  "Sakura Chirashi": isMarked("Sakura Chirashi"),
  Asanoha: isMarked("Asanoha"),
};

/** What the seat could lay after taking this card, best first. */
export function lookAhead(view: KasaneView, seat: number, card: number): Combination[] {
  if (card === ACCESSORY && view.accessory_combo === 0) return [];
  const held = cardsOf(view.hands[seat]);
  const hand = card === ACCESSORY ? held : [...held, card];
  const kimono = cardsOf(view.kimonos[seat]).slice(-1);
  const found: Combination[] = [];
  for (let count = 1; count <= Math.min(hand.length, MOST); count += 1)
    for (const before of kimono.length > 0 ? [[], kimono] : [[]]) {
      const cards = [...before, ...hand.slice(-count)];
      const styles = STYLES.filter((style) => lengthOf(style).includes(cards.length) && FITS[style](cards));
      found.push(...styles.map((style) => combinationOf(view, seat, hand, style, count, before.length > 0)));
    }
  return found.filter(({ place }) => view.places[place] === NOBODY).toSorted(bestFirst);
}
