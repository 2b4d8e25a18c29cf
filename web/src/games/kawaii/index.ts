import type { Face, Seated, Told } from "../face";
import type { Said } from "../../lib/words";
import type { Sound } from "../../lib/sound";
import type { KawaiiAction } from "../../lib/types/games";
import pictures from "../../pictures/kawaii.svg?raw";
import Board from "./Board.svelte";
import { PARTS, sum } from "./cards";
import Panel from "./Panel.svelte";
import { parties, signOf, t } from "./words";

function tell({ seat, action }: Told<KawaiiAction>, seats: Seated[]): Said {
  switch (action.type) {
    case "answer":
      // That somebody has answered shows on the ring; the log tells what, once all have.
      if (action.pile === null) return [];
      if (action.pile === "none") return t.rich("log.answer.pass", parties(seats, seat, null));
      return t.rich("log.claim", parties(seats, seat, action.pile));
    case "claim":
      return t.rich(action.pile === null ? "log.claim.hidden" : "log.claim", parties(seats, seat, action.pile));
    case "throw":
      if (action.sign === null) return t.rich("log.throw.hidden", parties(seats, seat, null));
      return t.rich("log.throw", { ...parties(seats, seat, action.pile), sign: signOf(action.sign) });
    case "flip":
      return t.rich("log.flip", parties(seats, seat, null));
    case "done":
      return t.rich("log.done", parties(seats, seat, null));
    case "close photo finish":
      return t.rich("log.close", parties(seats, null, action.pile));
    case "throw for":
      return t.rich("log.throw.for", parties(seats, null, action.pile));
    case "flip for":
      return t.rich("log.flip.for");
    case "close round":
      return t.rich("log.close.round");
  }
}

function sound({ action, revealed }: Told<KawaiiAction>): Sound | null {
  switch (action.type) {
    case "flip":
    case "flip for":
      return "flip";
    case "claim":
    case "close photo finish":
      return "capture";
    case "answer":
      return revealed ? (action.pile === "none" ? "flip" : "capture") : null;
    case "throw":
      return revealed ? "votes" : "contested";
    case "throw for":
      return "votes";
    case "done":
    case "close round":
      return "wood";
  }
}

const face: Face<"kawaii"> = {
  board: Board,
  panel: Panel,
  pictures,
  ready: t.ready,
  standing: (view) => t("standing", { round: view.round_number, pace: view.pace, stacked: view.stacked ? "yes" : "no" }),
  tell,
  scoring: (view) => {
    const seats = Array.from({ length: view.seats }, (_, seat) => view.points[seat] ?? []);
    return [
      ...PARTS.map((part, place) => ({ name: t(`part.${part}`), values: seats.map((points) => points[place] ?? 0) })),
      { name: t("part.total"), values: seats.map((points) => sum(points)) },
    ];
  },
  why(outcome, seats, view) {
    const key = `why.${outcome.reason}`;
    if (!t.has(key)) return outcome.reason;
    const winner = seats[outcome.winners[0] ?? 0];
    return t(key, { winner: winner?.name ?? "", you: winner?.you ? "yes" : "no", total: sum(view.points[winner?.seat ?? 0] ?? []) });
  },
  sound,
  phrases: () => [t("phrase.1"), t("phrase.2"), t("phrase.3"), t("phrase.4")],
  keys: () => [
    ["1 – 5", t("key.lane")],
    ["Space", t("key.space")],
    ["R P S", t("key.signs")],
    ["D", t("key.done")],
    ["H", t("hints")],
    ["Esc", t("key.back")],
  ],
};

export default face;
