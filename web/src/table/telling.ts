/** Lines of the log as sentences. */

import { Name, type Face, type Seated, type Told } from "../games/face";
import { t, type Said } from "../lib/words";
import type { LogLine, OutcomeInfo } from "../lib/types/server";

export interface Sentence {
  /** Which action of the match it tells of; null for what happens beside it. */
  number: number | null;
  said: Said;
}

export function toldOf(line: LogLine): Told<never> {
  return { seat: line.seat ?? null, action: line.action as never, revealed: line.revealed ?? false };
}

/** One line, in the words of the game or of the room; null or nothing where there is nothing to say. */
export function sentence(line: LogLine, seats: Seated[], face: Face<never>, view: unknown, before: Told<never>[] = []): Said | null {
  if (line.kind === "act") return line.action ? face.tell(toldOf(line), seats, view as never, before as never) : null;
  const key = `log.${line.kind}`;
  if (!t.has(key)) return null;
  const seated = line.seat === null || line.seat === undefined ? undefined : seats[line.seat];
  return t.rich(key, { who: seated ? new Name(seated) : t("log.somebody"), you: seated?.you ? "yes" : "no" });
}

/** The whole log. What a revealed choice shows has the number of no new action. */
export function sentences(lines: LogLine[], seats: Seated[], face: Face<never>, view: unknown): Sentence[] {
  const spoken: Sentence[] = [];
  const before: Told<never>[] = [];
  let number = 0;
  for (const line of lines) {
    const said = sentence(line, seats, face, view, before);
    const counts = line.kind === "act" && !line.revealed;
    if (counts) number += 1;
    if (said !== null && said.length > 0) spoken.push({ number: counts ? number : null, said });
    if (line.kind === "act" && line.action) before.push(toldOf(line));
  }
  return spoken;
}

/** Why a match ended before its end: who gave up, ran out of time or stayed away. Null where the game itself decided it. */
export function early({ reason, winners }: OutcomeInfo, seats: Seated[]): string | null {
  const key = `early.${reason}`;
  if (!t.has(key)) return null;
  const left = seats.filter((each) => each.resigned || each.away || !winners.includes(each.seat));
  const found = left.find((each) => each.resigned || each.away) ?? left[0];
  return t(key, { name: found?.name ?? "", you: found?.you ? "yes" : "no" });
}
