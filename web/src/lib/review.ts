/** A review as the pages show it: curves over the steps of a replay, mistakes, and reasons in words. */

import type { Decision, Review, Why } from "./types/server";
import { t } from "./words";

export interface Point {
  step: number;
  chance: number;
}

/** What a seat's chance was at the steps at which it was asked, down to the result. */
export function curve(review: Review, seat: number): Point[] {
  const found: Point[] = [];
  for (const decision of decisionsOf(review, seat)) {
    found.push({ step: decision.move, chance: decision.chance });
    found.push({ step: decision.move + 1, chance: decision.chance - (decision.lost ?? 0) });
  }
  const own = review.seats[seat];
  if (own === undefined) return found;
  if (found[0]?.step !== 0) found.unshift({ step: 0, chance: own.start });
  found.push({ step: review.moves, chance: own.result });
  return found;
}

/** The chance at a step: between two that are known, on the line from one to the other. */
export function chanceAt(points: Point[], step: number): number {
  const after = points.findIndex((point) => point.step >= step);
  const [next, last] = [points[after], points[after - 1]];
  if (next === undefined) return points.at(-1)?.chance ?? 0;
  if (last === undefined || next.step === step || next.step === last.step) return next.chance;
  return last.chance + ((next.chance - last.chance) * (step - last.step)) / (next.step - last.step);
}

export function decisionsOf(review: Review, seat: number): Decision[] {
  return review.decisions.filter((decision) => decision.seat === seat);
}

/** A seat's slips and blunders, in the order of the match. */
export function mistakes(review: Review, seat: number): Decision[] {
  return decisionsOf(review, seat).filter(({ grade }) => grade === "slip" || grade === "blunder");
}

/** The next mistake after a step, or the last before it; from the end it begins anew. */
export function nextMistake(found: Decision[], step: number, ahead: 1 | -1): Decision | undefined {
  const order = ahead === 1 ? found : found.toReversed();
  return order.find(({ move }) => (ahead === 1 ? move > step : move < step)) ?? order[0];
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A change in points of a hundred, with its sign. */
export function signed(change: number): string {
  const points = Math.round(100 * change);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "±0";
}

/** Why an action is good, in one sentence: what is certain first, then how far it is ahead. */
export function reason(why: Why): string {
  const brought = Object.values(why.parts ?? {}).reduce((sum, points) => sum + points, 0);
  const ahead = Math.round(100 * (why.ahead ?? 0));
  const points = Math.round(10 * (why.points ?? 0)) / 10;
  if (why.wins) return t("why.wins");
  if (brought > 0 && ahead >= -1) return t("why.parts", { points: brought, ahead: Math.max(ahead, 0) });
  if (why.ends && ahead > 1) return t("why.ends", { ahead });
  if (why.exact && ahead > 0) return t("why.exact", { ahead });
  if (ahead > 1) return t("why.ahead", { ahead });
  if (points >= 0.5) return t("why.points", { points });
  return ahead < -1 ? t("why.behind", { ahead: -ahead }) : t("why.alike");
}
