import { Name, type Face, type Seated, type Told } from "../face";
import type { Said } from "../../lib/words";
import type { KimonoAction, KimonoView } from "../../lib/types/games";
import pictures from "../../pictures/kimono.svg?raw";
import Board from "./Board.svelte";
import { IN_FRONT, pointsInFront, pointsOf, PRINTED } from "./cards";
import Panel from "./Panel.svelte";
import { address, cardName, cardSign, figure, t } from "./words";

function tell({ seat, action, revealed }: Told<KimonoAction>, seats: Seated[]): Said {
  const seated = seat === null ? null : (seats[seat] ?? null);
  const who = { who: new Name(seated), you: address(seated) };
  switch (action.type) {
    case "cut":
      return t.rich("log.cut", { ...who, after: action.after, first: action.first });
    case "apprentice":
      return t.rich("log.apprentice", { ...who, place: action.place + 1 });
    case "vote":
      if (action.group === null) return t.rich("log.vote.hidden", who);
      return t.rich(revealed ? "log.vote.shown" : "log.vote", { ...who, group: action.group });
    case "carry out":
      return t.rich("log.carry.out", { ...who, card: cardSign(action.card) });
    case "break":
      return t.rich("log.break", { ...who, one: cardSign(action.curios[0]), other: cardSign(action.curios[1]) });
    case "copy":
      return t.rich("log.copy", { ...who, card: cardSign(action.curio) });
  }
}

function everySeat<Value>(view: KimonoView, read: (seat: number) => Value): Value[] {
  return Array.from({ length: view.seats }, (_, seat) => read(seat));
}

function cardsInFront(view: KimonoView, seat: number): number {
  return (view.front[seat] ?? []).reduce((sum, count) => sum + count, 0);
}

const face: Face<"kimono"> = {
  board: Board,
  panel: Panel,
  pictures,
  ready: t.ready,
  standing: (view) =>
    view.phase === "over" ? t("standing.over", { round: view.round_number }) : t("standing", { round: view.round_number, phase: String(view.phase).replace(" ", "-") }),
  tell,
  scoring: (view, scores) => [
    ...IN_FRONT.map((card, place) => {
      const { points, limit } = PRINTED[card] ?? { points: 0, limit: null };
      const values = { card: cardName(card), points: figure(points), limit: limit ?? "" };
      return {
        name: t(limit === null ? "score.of.free" : "score.of", values),
        values: everySeat(view, (seat) => {
          const count = view.front[seat]?.[place] ?? 0;
          return count === 0 ? "–" : t("score.value", { points: figure(scores[seat]?.[place] ?? 0), count });
        }),
      };
    }),
    { name: t("score.cards"), values: everySeat(view, (seat) => cardsInFront(view, seat)) },
    { name: t("score.total"), values: everySeat(view, (seat) => pointsOf(scores, seat)) },
  ],
  why(outcome, seats, view) {
    const seat = outcome.winners[0] ?? 0;
    const winner = seats[seat];
    const key = `why.${outcome.reason}`;
    if (!t.has(key)) return outcome.reason;
    return t(key, { winner: winner?.name ?? "", who: address(winner), points: pointsInFront(view, seat) });
  },
  sound({ action, revealed }) {
    if (action.type === "cut") return "cut";
    if (action.type === "vote") return revealed ? "votes" : "wood";
    return action.type === "break" ? "danger" : "lay";
  },
  phrases: () => [t("phrase.1"), t("phrase.2"), t("phrase.3"), t("phrase.4"), t("phrase.5")],
  keys: () => [
    ["← →", t("key.cut")],
    ["X", t("key.swap")],
    ["A", t("key.apprentice")],
    ["1 – 8", t("key.vote")],
    ["Ctrl Enter", t("key.confirm")],
    ["Esc", t("key.back")],
  ],
};

export default face;
