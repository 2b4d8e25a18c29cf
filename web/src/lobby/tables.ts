/** How the lobby speaks of tables. */

import type { TableInfo } from "../lib/types/server";
import { t } from "../lib/words";

/** “ with Mika, Jonas”: the others at a table; nothing if nobody is there yet. */
export function names(table: TableInfo, me: number | null): string {
  const others = table.seats
    .filter((seat) => seat.name && (seat.account === undefined || seat.account !== me))
    .map((seat) => (seat.bot && t.has(`bot.${seat.bot}`) ? t(`bot.${seat.bot}` as "bot.club") : (seat.name ?? "")));
  return others.length === 0 ? "" : `, ${[...new Set(others)].join(", ")}`;
}

/** How long ago a moment was, in whole minutes, hours or days. */
export function ago(moment: number, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - moment) / 60_000));
  if (minutes < 60) return t("minutes.ago", { count: minutes });
  return minutes < 60 * 24 ? t("hours.ago", { count: Math.floor(minutes / 60) }) : t("days.ago", { count: Math.floor(minutes / 1440) });
}
