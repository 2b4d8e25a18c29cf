/** Who sits where, as boards want to know it. */

import type { Seated } from "../games/face";
import type { SeatInfo } from "../lib/types/server";
import { t } from "../lib/words";

export function seated(seats: SeatInfo[], mine: number | null, present: number[]): Seated[] {
  const bots = seats.filter((info) => info.bot).length;
  let count = 0;
  return seats.map((info, seat) => {
    if (info.bot) count += 1;
    return {
      seat,
      name: seat === mine ? t("you") : nameOf(info, bots > 1 ? count : 0),
      you: seat === mine,
      bot: info.bot ?? null,
      program: info.program ?? false,
      away: info.away ?? false,
      resigned: info.resigned ?? false,
      present: present.includes(seat),
    };
  });
}

/** Bots of the house are called in the page's language, and counted where there are several. */
function nameOf(info: SeatInfo, count: number): string {
  const key = `bot.${info.bot}`;
  const name = info.bot && t.has(key) ? t(key) : (info.name ?? t("log.somebody"));
  return info.bot && count > 0 ? `${name} ${count}` : name;
}
