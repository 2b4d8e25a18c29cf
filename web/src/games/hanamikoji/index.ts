import { Name, type Face, type Seated, type Told } from "../face";
import type { Said } from "../../lib/words";
import type { HanamikojiAction, HanamikojiView } from "../../lib/types/games";
import pictures from "../../pictures/hanamikoji.svg?raw";
import Board from "./Board.svelte";
import { CHARM, ITEMS } from "./cards";
import Panel from "./Panel.svelte";
import { itemName, itemSign, t } from "./words";

function tell({ seat, action, revealed }: Told<HanamikojiAction>, seats: Seated[], _: HanamikojiView, before: Told<HanamikojiAction>[]): Said {
  const seated = seat === null ? null : (seats[seat] ?? null);
  const [who, you] = [new Name(seated), seated?.you ? "yes" : "no"];
  switch (action.type) {
    case "secret":
      if (action.card === null) return t.rich("log.secret.hidden", { who, you });
      return t.rich(revealed ? "log.secret.shown" : "log.secret", { who, you, card: itemSign(action.card) });
    case "trade-off":
      if (action.cards === null) return t.rich("log.trade-off.hidden", { who, you });
      return t.rich("log.trade-off", { who, you, one: itemSign(action.cards[0]), two: itemSign(action.cards[1]) });
    case "gift": {
      const [one, two, three] = action.cards;
      return t.rich("log.gift", { who, you, one: itemSign(one), two: itemSign(two), three: itemSign(three) });
    }
    case "competition": {
      const [[one, two], [three, four]] = action.pairs;
      return t.rich("log.competition", { who, you, one: itemSign(one), two: itemSign(two), three: itemSign(three), four: itemSign(four) });
    }
    case "take":
      return t.rich("log.take", { who, you, card: itemSign(action.card) });
    case "take pair": {
      const offer = before.findLast((told) => told.action.type === "competition")?.action;
      if (offer?.type !== "competition") return t.rich("log.take.pair.unknown", { who, you });
      const [one, two] = offer.pairs[action.pair === 0 ? 0 : 1];
      return t.rich("log.take.pair", { who, you, one: itemSign(one), two: itemSign(two) });
    }
  }
}

function charmOf(view: HanamikojiView, seat: number): number {
  return view.markers.reduce((sum, owner, place) => sum + (owner === seat ? (CHARM[place] ?? 0) : 0), 0);
}

const face: Face<"hanamikoji"> = {
  board: Board,
  panel: Panel,
  pictures,
  ready: t.ready,
  standing: (view) =>
    view.phase === "over"
      ? t("standing.over", { round: view.round_number })
      : t("standing", { round: view.round_number, turn: view.turn_number }),
  tell,
  scoring: (view) => [
    ...ITEMS.map((item, place) => ({
      name: t("score.of", { item: itemName(item), charm: CHARM[place] ?? 0 }),
      values: [0, 1].map((seat) => (view.markers[place] === seat ? (CHARM[place] ?? 0) : "–")),
    })),
    { name: t("score.geisha"), values: [0, 1].map((seat) => view.markers.filter((owner) => owner === seat).length) },
    { name: t("score.charm"), values: [0, 1].map((seat) => charmOf(view, seat)) },
  ],
  why(outcome, seats, view) {
    const seat = outcome.winners[0] ?? 0;
    const key = `why.${outcome.reason}`;
    if (!t.has(key)) return outcome.reason;
    const count = view.markers.filter((owner) => owner === seat).length;
    return t(key, { winner: seats[seat]?.name ?? "", you: seats[seat]?.you ? "yes" : "no", charm: charmOf(view, seat), count });
  },
  sound: ({ action }) => (action.type === "take" || action.type === "take pair" ? "take" : "lay"),
  phrases: () => [t("phrase.1"), t("phrase.2"), t("phrase.3"), t("phrase.4")],
  keys: () => [
    ["Q W E R", t("key.action")],
    ["1 – 7", t("key.cards")],
    ["Ctrl Enter", t("key.confirm")],
    ["Esc", t("key.back")],
  ],
};

export default face;
