/** Laying a table as the lobby does: with the bots of a level, or for friends who are still to come. */

import { ask } from "../lib/api";
import type { GameId } from "../lib/types/games";
import { leaf, type Wanted } from "./games";

/** Lays the table; gives its address. */
export async function lay(wanted: Wanted, alone: boolean): Promise<string> {
  const seats = wanted.seats;
  const bots = alone ? Object.fromEntries(Array.from({ length: seats - 1 }, (_, place) => [String(place + 1), wanted.level])) : {};
  const { table } = await ask("POST /api/tables", {
    body: {
      game: wanted.game,
      seats,
      seat: 0,
      bots,
      start: alone,
      settings: { options: wanted.options, clock: wanted.clock, private: alone || wanted.private, spectators: wanted.spectators, hints: wanted.hints, stand_in: wanted.level },
    },
  });
  return `/table/${table}`;
}

/** A first match: as few as can play, against beginners, as the game is usually played. */
export function firstMatch(game: GameId): Wanted {
  return { game, seats: leaf(game).seats[0] ?? 2, level: "beginner", options: {}, clock: { type: "none" }, private: true, spectators: false, hints: false };
}
