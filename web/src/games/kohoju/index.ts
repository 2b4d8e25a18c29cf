import { Name, type Face, type Seated, type Told } from "../face";
import type { Said } from "../../lib/words";
import type { KohojuAction } from "../../lib/types/games";
import pictures from "../../pictures/kohoju.svg?raw";
import Board from "./Board.svelte";
import { dealNow, numberOf } from "./cards";
import Panel from "./Panel.svelte";
import { cardSign, listed, points, t } from "./words";

function tell({ seat, action }: Told<KohojuAction>, seats: Seated[]): Said {
  const seated = seat === null ? null : (seats[seat] ?? null);
  const told = { who: new Name(seated), you: seated?.you ? "yes" : "no" };
  if (action.type === "draw") return t.rich(action.source === "stock" ? "log.draw" : "log.take", told);
  return t.rich(`log.${action.type}`, { ...told, card: cardSign(numberOf(action.card)) });
}

const face: Face<"kohoju"> = {
  board: Board,
  panel: Panel,
  pictures,
  ready: t.ready,
  standing: (view) => t("standing", { deal: view.deal_number, target: view.target }),
  tell,
  scoring: (_, scores) => [
    { name: t("score.earlier"), values: scores.map((parts) => points(parts[0] ?? 0)) },
    { name: t("score.laid"), values: scores.map((parts) => points(parts[1] ?? 0)) },
    { name: t("score.finished"), values: scores.map((parts) => points(parts[2] ?? 0)) },
    { name: t("score.hand"), values: scores.map((parts) => points(parts[3] ?? 0)) },
    { name: t("score.total"), values: scores.map((parts) => points((parts[0] ?? 0) + dealNow(parts))) },
  ],
  why(outcome, seats, view) {
    const key = `why.${outcome.reason}`;
    if (!t.has(key)) return outcome.reason;
    const winner = outcome.winners[0] ?? 0;
    return t(key, {
      winner: seats[winner]?.name ?? "",
      winners: listed(outcome.winners.map((seat) => seats[seat]?.name ?? "")),
      total: view.totals[winner] ?? 0,
      target: view.target,
      deals: view.deal_number,
    });
  },
  sound: ({ action }) => (action.type === "draw" ? "take" : "lay"),
  phrases: () => [t("phrase.1"), t("phrase.2"), t("phrase.3"), t("phrase.4")],
  keys: () => [
    ["D F", t("key.draw")],
    ["← →", t("key.hand")],
    ["1 2 P", t("key.lay")],
    ["X", t("key.discard")],
    ["O", t("key.order")],
    ["Ctrl Enter", t("key.confirm")],
    ["Esc", t("key.back")],
  ],
};

export default face;
