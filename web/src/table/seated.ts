/** Who sits where, as boards want to know it. */

import type { Seated } from "../games/face";
import type { SeatInfo } from "../lib/types/server";
import { t } from "../lib/words";

export function seated(seats: SeatInfo[], mine: number | null, present: number[]): Seated[] {
  const names = seats.map((info, seat) => (seat === mine ? t("you") : (info.name ?? t("log.somebody"))));
  return seats.map((info, seat) => ({
    seat,
    name: numbered(names, seat),
    you: seat === mine,
    bot: info.bot ?? null,
    program: info.program ?? false,
    away: info.away ?? false,
    resigned: info.resigned ?? false,
    present: present.includes(seat),
  }));
}

/** Whoever shares a name with others is counted. */
function numbered(names: string[], seat: number): string {
  const name = names[seat] ?? "";
  const alike = names.map((each, place) => (each === name ? place : -1)).filter((place) => place >= 0);
  return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name;
}
