/** What the pad says: what you do now, what it means, or who is awaited. */

import type { Choice, Seated } from "../face";
import type { KawaiiAction, KawaiiView } from "../../lib/types/games";
import { freeTokens, hasPassed, laneOrder, openClaims, seatsIn, thrown } from "./cards";
import { namesOf, pileName, t } from "./words";

export interface Prompt {
  headline: string;
  meaning: string;
  /** Whether it speaks of something you can do now. */
  yours: boolean;
}

export interface Moment {
  view: KawaiiView;
  seat: number | null;
  seats: Seated[];
  choices: readonly Choice<KawaiiAction>[];
  /** In turns: the pile that is chosen and not confirmed. */
  chosen: number | null;
}

export function prompt(moment: Moment): Prompt {
  if (moment.view.phase === "over") return { headline: t("over"), meaning: t("over.why"), yours: false };
  if (moment.view.phase === "window") return inWindow(moment);
  const throwing = contests(moment.view);
  if (throwing.length > 0 && (moment.view.phase === "throws" || thrownByMe(moment) !== null)) return inThrows(moment, throwing);
  return inLive(moment);
}

/** The piles that are thrown for. */
function contests(view: KawaiiView): number[] {
  return laneOrder(view.seats, 0).filter((owner) => view.contested[owner]);
}

function thrownByMe({ view, seat }: Moment): string | null {
  if (seat === null) return null;
  for (const owner of contests(view)) {
    const sign = thrown(view, owner, seat);
    if (sign) return sign;
  }
  return null;
}

function inThrows(moment: Moment, piles: number[]): Prompt {
  const { view, seats } = moment;
  const slow = [...new Set(piles.flatMap((owner) => seatsIn(view.contested[owner] ?? 0).filter((seat) => thrown(view, owner, seat) === undefined)))];
  const waiting = slow.length > 0 ? t("throw.waiting", { names: namesOf(seats, slow) }) : "";
  const sign = thrownByMe(moment);
  if (sign !== null) return { headline: t("throw.thrown", { sign: t(`sign.${sign as "rock"}`) }), meaning: waiting, yours: false };
  const owner = piles[0] ?? 0;
  const names = namesOf(seats, seatsIn(view.contested[owner] ?? 0));
  return { headline: t("throw"), meaning: t("throw.others", { names, pile: pileName(seats[owner]) }), yours: false };
}

function inWindow({ view, seat, seats, choices, chosen }: Moment): Prompt {
  const waiting = t("window.waiting", { names: namesOf(seats, seatsIn(view.asked)) });
  if (seat === null) return { headline: t("window.watch"), meaning: waiting, yours: false };
  if (choices.length > 0 && chosen === null) return { headline: t("window"), meaning: t("window.why"), yours: true };
  if (choices.length > 0) {
    const owner = seats[chosen ?? 0];
    const meaning = chosen === seat ? t("window.chosen.own") : t("window.chosen.why", { name: owner?.name ?? "" });
    return { headline: t("window.chosen"), meaning, yours: true };
  }
  const claimed = openClaims(view, seat)[0];
  if (claimed !== undefined) return { headline: t("window.claimed", { pile: pileName(seats[claimed]) }), meaning: waiting, yours: false };
  return { headline: t(hasPassed(view, seat) ? "window.passed" : "window.no.token"), meaning: waiting, yours: false };
}

function inLive({ view, seat, seats, choices }: Moment): Prompt {
  if (view.turn < 0) return atTheEnd({ view, seat, seats, choices, chosen: null });
  if (seat !== null && view.turn === seat && view.flip_waits === 1) return { headline: t("flip.waits"), meaning: t("flip.waits.why"), yours: false };
  const meaning = seat === null ? "wait.flip.watch" : freeTokens(view, seat) > 0 ? "wait.flip.anybody" : "wait.flip.no.token";
  return { headline: t("wait.flip", { name: seats[view.turn]?.name ?? "" }), meaning: t(meaning), yours: false };
}

function atTheEnd({ view, seat, seats, choices }: Moment): Prompt {
  if (choices.some(({ action }) => action.type === "done")) return { headline: t("end"), meaning: t("end.why"), yours: true };
  const open = laneOrder(view.seats, 0).filter((each) => (view.tokens[each] ?? 0) > 0 && !((view.done >> each) & 1));
  const meaning = open.length > 0 ? t("end.waiting", { names: namesOf(seats, open) }) : t("end.closing");
  const done = seat !== null && ((view.done >> seat) & 1) === 1;
  return { headline: t(done ? "end.done" : "end.watch"), meaning, yours: false };
}
