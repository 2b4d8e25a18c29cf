/** How I did at puzzles, on this device: the first try counts. */

import type { PuzzleName } from "./types/server";

const KEY = "zashiki.puzzles";

export type Tries = Record<string, boolean>;

export function tries(): Tries {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Tries;
  } catch {
    return {};
  }
}

/** Notes the first try at a puzzle; later ones change nothing. */
export function note(id: string, right: boolean): Tries {
  const kept = { [id]: right, ...tries() };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still plays.
  }
  return kept;
}

/** The next one that was never tried, of the same game first; when all were, simply the next. */
export function nextPuzzle(all: PuzzleName[], game: string, id: string, tried: Tries): PuzzleName | undefined {
  const at = all.findIndex((each) => each.id === id);
  const order = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
  const fresh = order.filter((each) => !(each.id in tried));
  return fresh.find((each) => each.game === game) ?? fresh[0] ?? order[0];
}

export function addressOf(puzzle: PuzzleName): string {
  return `/puzzles/${puzzle.game}/${puzzle.id}`;
}
