/** The five games as the lobby shows them. */

import type { GameId } from "../lib/types/games";
import type { TableSettings } from "../lib/types/server";
import { t } from "../lib/words";

/** A value of an option, as the server knows it. */
export type Choice = number | string | boolean;

export interface Leaf {
  id: GameId;
  kanji: string;
  seats: number[];
  minutes: number;
  /** What can be chosen before a match, the default first. */
  options: { name: string; values: { value: Choice; text: () => string }[] }[];
}

/** What somebody wants to play. */
export interface Wanted {
  game: GameId;
  seats: number;
  level: string;
  options: Record<string, unknown>;
  clock: NonNullable<TableSettings["clock"]>;
  private: boolean;
  spectators: boolean;
  hints: boolean;
}

const points = (value: number) => ({ value, text: () => t("option.target.points", { points: value }) });

export const GAMES: Leaf[] = [
  {
    id: "hanamikoji",
    kanji: "花見小路",
    seats: [2],
    minutes: 15,
    options: [
      {
        name: "rounds",
        values: [
          { value: 20, text: () => t("option.rounds.20") },
          { value: 3, text: () => t("option.rounds.3") },
          { value: 1, text: () => t("option.rounds.1") },
        ],
      },
    ],
  },
  { id: "kimono", kanji: "着物", seats: [3, 4, 5, 6], minutes: 30, options: [] },
  {
    id: "kasane",
    kanji: "襲",
    seats: [2, 3, 4],
    minutes: 25,
    options: [
      {
        name: "accessory_combo",
        values: [
          { value: false, text: () => t("option.accessory_combo.0") },
          { value: true, text: () => t("option.accessory_combo.1") },
        ],
      },
    ],
  },
  {
    id: "kawaii",
    kanji: "かわいい",
    seats: [3, 4, 5],
    minutes: 10,
    options: [
      {
        name: "pace",
        values: [
          { value: "turns", text: () => t("option.pace.turns") },
          { value: "live", text: () => t("option.pace.live") },
        ],
      },
      {
        name: "stacked",
        values: [
          { value: false, text: () => t("option.stacked.0") },
          { value: true, text: () => t("option.stacked.1") },
        ],
      },
    ],
  },
  { id: "kohoju", kanji: "コホジュ", seats: [2, 3, 4, 5, 6], minutes: 30, options: [{ name: "target", values: [points(100), points(50), points(30)] }] },
];

export function leaf(id: GameId): Leaf {
  const found = GAMES.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no leaf for ${id}`);
  return found;
}
