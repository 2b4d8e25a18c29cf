/** The words of records and leaderboards. */

import type { GameId } from "../lib/types/games";
import type { MatchInfo, MatchSeat } from "../lib/types/server";
import { t as room } from "../lib/words";
import { translator, words } from "../lib/words/words.svelte";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

/** So many deviations to either side hold about 95 of 100. */
export const REACH = 2;

export function gameName(game: GameId): string {
  return room(`game.${game}`);
}

/** “Club bot”, or the level as it is called where nobody has named it. */
export function botName(level: string): string {
  return room.has(`bot.${level}`) ? room(`bot.${level}` as "bot.club") : level;
}

/** A rating with the range that most likely holds it. */
export function ratingSaid(rating: number, deviation: number): string {
  return t("rating.value", { rating: Math.round(rating), reach: Math.round(REACH * deviation) });
}

/** A sort of opponents, as the server names it. */
export function opponentsSaid(sort: string): string {
  return t.has(`opponents.${sort}`) ? t(`opponents.${sort}` as "opponents.people") : botName(sort);
}

/** The others at a table, each level of bots once. */
export function others(match: MatchInfo): string {
  const found = match.seats.filter((_, seat) => seat !== match.seat).map((seat) => (seat.bot ? botName(seat.bot) : seat.name));
  return [...new Set(found)].join(", ");
}

/** How a match ended for a seat. */
export function endSaid(seat: MatchSeat, seats: number): string {
  if (seat.place === null || seat.place === undefined) return t("match.unknown");
  if ((seat.share ?? 0) > 0) return t(seat.share === 1 ? "match.won" : "match.shared");
  const place = seats === 2 ? t("match.lost") : t("match.place", { place: seat.place, seats });
  return seat.left ? `${place}, ${t(`match.${seat.left}`)}` : place;
}

/** What a match did to the rating, or why nothing. */
export function ratedSaid(match: MatchInfo): string {
  const before = match.seats[match.seat]?.rating;
  if (typeof match.rating === "number" && typeof before === "number") {
    const change = Math.round(match.rating) - Math.round(before);
    return t("match.rated", { change: change < 0 ? `−${-change}` : `+${change}`, rating: Math.round(match.rating) });
  }
  return t.has(`unrated.${match.unrated}`) ? t(`unrated.${match.unrated}` as "unrated.hints") : t("unrated");
}

export function day(moment: number): string {
  return new Intl.DateTimeFormat(words.language, { dateStyle: "medium" }).format(moment);
}
