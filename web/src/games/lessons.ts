/** What a game's tutorial brings to the browser: the coach's words, and where the parts of the board are. */

import type { Translator } from "../lib/words/words.svelte";
import type { GameId } from "../lib/types/games";

/** Where a part is, or a piece in it, as a selector; the piece is empty where the whole part is meant. */
export type Parts = Record<string, (piece: string) => string>;

export interface Lessons {
  t: Translator<string>;
  parts: Parts;
}

/** Every game that has a tutorial, loaded when it is learned. */
export const LESSONS: Partial<Record<GameId, () => Promise<{ default: Lessons }>>> = {
  hanamikoji: () => import("./hanamikoji/lessons"),
  kimono: () => import("./kimono/lessons"),
  kasane: () => import("./kasane/lessons"),
  kawaii: () => import("./kawaii/lessons"),
  kohoju: () => import("./kohoju/lessons"),
};

/** The lessons of a game, with their words; null where there are none. */
export async function lessonsOf(game: GameId): Promise<Lessons | null> {
  const found = await LESSONS[game]?.();
  await found?.default.t.ready();
  return found?.default ?? null;
}

/** The selectors of what a step is about: “hand:fan, pool”. */
export function selectors(parts: Parts, at: string): string[] {
  const named = at.split(", ").map((each) => each.split(":") as [string, string?]);
  return named.flatMap(([part, piece]) => parts[part]?.(piece ?? "") ?? []);
}

/** A part, or the pieces of one sort in it. */
export function within(part: string): (piece: string) => string {
  return (piece) => (piece === "" ? part : `${part} [data-piece="${piece}"]`);
}
