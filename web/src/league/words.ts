/** The words of leagues. */

import type { GameId } from "../lib/types/games";
import type { LeagueState, Standing } from "../lib/types/server";
import { t as room } from "../lib/words";
import { translator, words } from "../lib/words/words.svelte";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

export function gameName(game: GameId): string {
  return room(`game.${game}`);
}

export function levelName(level: string): string {
  return room.has(`bot.${level}`) ? room(`bot.${level}` as "bot.club") : level;
}

/** “gathering”, “round 2 of 3” */
export function statusSaid({ status, round, rounds }: LeagueState): string {
  return t(`status.${status}`, { round, rounds });
}

/** A score with as many digits as it needs. */
export function scoreSaid(score: number): string {
  return new Intl.NumberFormat(words.language, { maximumFractionDigits: 2 }).format(score);
}

export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(words.language, { type: "conjunction" }).format(names);
}

export function nameOf(number: number, players: readonly Standing[]): string {
  return players.find((player) => player.number === number)?.name ?? "";
}
