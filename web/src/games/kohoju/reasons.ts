/** Why a card does not go somewhere, in the words of the table. The server decides; this only explains. */

import type { KohojuView } from "../../lib/types/games";
import { has, kindOf, type Kohoju, type Target } from "./cards";
import { cardName, cardObject, kindName, kindObject, listed, t, toKohoju } from "./words";

/** Why a chosen card may not be laid in the pool, at the cell that was touched. */
export function whyNotPool(view: KohojuView, card: number, cell: number | null): string {
  const kind = kindOf(card);
  if (view.may_lay === 0) return t("refuse.laid");
  if (has(view.pool, kind)) return t("refuse.pool.there", { kind: kindName(kind) });
  if (!has(view.pool_fits, kind)) return t("refuse.pool.alone", { card: cardName(card) });
  return cell !== null && cell !== kind ? t("refuse.pool.other", { kind: kindName(kind) }) : t("refuse.other");
}

/** Why a chosen card may not go to a place for a kohoju, which may be empty. */
export function whyNotKohoju(view: KohojuView, card: number, kohoju: Kohoju | null): string {
  if (view.may_lay === 0) return t("refuse.laid");
  if (kohoju === null) return t("refuse.open", { kind: kindObject(view.guide) });
  if (kohoju.cards.some((each) => kindOf(each) === kindOf(card))) return t("refuse.twice", { kind: kindObject(kindOf(card)) });
  if (kohoju.line === null) return t("refuse.neither", { kind: kindName(kindOf(kohoju.cards[0] ?? 0)) });
  return t("refuse.line", { kinds: listed(kohoju.missing.map(kindName)) });
}

/** What a chosen card may do, or why it fits nowhere. */
export function whereItFits(view: KohojuView, card: number, targets: Target[], unfinished: Kohoju[], discardable: boolean): string {
  if (targets.length > 0) return t("fits", { places: listed(targets.map((target) => placeOf(target, unfinished))) });
  if (!discardable) return t("taken.stays");
  if (view.may_lay === 0) return t("discard.ends");
  return has(view.pool, kindOf(card)) ? t("nowhere.there") : t("nowhere.alone");
}

function placeOf(target: Target, unfinished: Kohoju[]): string {
  if (target.to === "pool") return t("place.pool");
  const kohoju = unfinished[target.which];
  return target.opens || kohoju === undefined ? t("place.new") : t("place.kohoju", { kohoju: toKohoju(kohoju) });
}

/** What laying a card there is called on the seal. */
export function deedOf(target: Target, unfinished: Kohoju[]): string {
  if (target.to === "pool") return t("deed.pool");
  const kohoju = unfinished[target.which];
  if (target.opens || kohoju === undefined) return t("deed.open");
  return kohoju.missing.length === 1 ? t("deed.finish", { kohoju: toKohoju(kohoju) }) : t("deed.add", { kohoju: toKohoju(kohoju) });
}

/** What ending the turn with a card is called. */
export function discardDeed(card: number, ending: boolean): string {
  return ending ? t("deed.discard.now", { card: cardObject(card) }) : t("deed.discard");
}
