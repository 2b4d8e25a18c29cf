import { Name, type Face, type Seated, type Told } from "../face";
import type { Said } from "../../lib/words";
import type { KasaneAction, KasaneCombine, KasaneView } from "../../lib/types/games";
import pictures from "../../pictures/kasane.svg?raw";
import Board from "./Board.svelte";
import { laidBy, MARKS, placeNumber, pointsOf, totalOf, VARIETY, varietyOf, DOZEN, LAID_FOR_VARIETY } from "./cards";
import Panel from "./Panel.svelte";
import { isYou, styleSign, t } from "./words";

function tell({ seat, action }: Told<KasaneAction>, seats: Seated[]): Said {
  const seated = seat === null ? null : (seats[seat] ?? null);
  const told = { who: new Name(seated), you: isYou(seated) };
  if (action.type === "take") return t.rich("log.take", { ...told, row: action.row + 1 });
  if (action.type === "decline") return t.rich("log.decline", told);
  return tellCombination(action, told);
}

/** Which of a mark's two places was used is not told with the action, so its points are left out. */
function tellCombination({ style, hand, kimono }: KasaneCombine, told: { who: Name; you: string }): Said {
  const values = { ...told, count: hand, style: styleSign(style) };
  if ((MARKS as readonly string[]).includes(style)) return t.rich(kimono ? "log.mark.kimono" : "log.mark", values);
  const size = hand + Number(kimono);
  return t.rich(kimono ? "log.combine.kimono" : "log.combine", { ...values, size, points: pointsOf(placeNumber(style, size)) });
}

function placePoints(view: KasaneView, seat: number): number {
  return view.places.reduce((sum, owner, place) => sum + (owner === seat ? pointsOf(place) : 0), 0);
}

/** Places, accessories, all twelve, variety: as the server counts them, where it has not said so itself. */
function partsOf(view: KasaneView, seat: number): number[] {
  const laid = laidBy(view, seat);
  const variety = laid >= LAID_FOR_VARIETY ? (VARIETY[varietyOf(view, seat)] ?? 0) : 0;
  return [placePoints(view, seat), view.accessories[seat] ?? 0, laid === DOZEN ? 2 : 0, variety];
}

const face: Face<"kasane"> = {
  board: Board,
  panel: Panel,
  pictures,
  ready: t.ready,
  standing: (view) =>
    view.phase === "over"
      ? t("standing.over", { rounds: view.seats })
      : t("standing", { round: view.round_number, rounds: view.seats, turn: view.turn_number }),
  tell,
  scoring: (view, scores) => {
    const parts = Array.from({ length: view.seats }, (_, seat) => scores[seat] ?? partsOf(view, seat));
    const names = ["score.places", "score.accessories", "score.dozen", "score.variety"] as const;
    return [
      ...names.map((name, part) => ({ name: t(name), values: parts.map((each) => each[part] ?? 0) })),
      { name: t("score.total"), values: parts.map(totalOf) },
    ];
  },
  why(outcome, seats, view) {
    const seat = outcome.winners[0] ?? 0;
    const key = `why.${outcome.reason}`;
    if (!t.has(key)) return outcome.reason;
    const winner = seats[seat];
    return t(key, { winner: winner?.name ?? "", you: isYou(winner), points: totalOf(partsOf(view, seat)), laid: laidBy(view, seat) });
  },
  sound: ({ action }) => (action.type === "take" ? "take" : action.type === "combine" ? "lay" : null),
  phrases: () => [t("phrase.1"), t("phrase.2"), t("phrase.3"), t("phrase.4")],
  keys: () => [
    ["1 – 4", t("key.rows")],
    ["↑ ↓", t("key.combinations")],
    ["K", t("key.keep")],
    ["Ctrl Enter", t("key.confirm")],
    ["Esc", t("key.back")],
  ],
};

export default face;
