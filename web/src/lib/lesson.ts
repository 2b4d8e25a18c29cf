/** A tutorial as the learner goes through it: a way through its steps, which can be gone back and is kept in the browser. */

import type { GameId } from "./types/games";
import type { LogLine, Tutorial, TutorialMoment, TutorialStep } from "./types/server";

/** The steps that were seen, the present one last. */
export type Way = readonly number[];

export const BEGINNING: Way = [0];

/** What came of a try: the way goes on, or it is said why not. */
export type Tried = { way: Way } | { wrong: string };

export function stepOf(tutorial: Tutorial, way: Way): TutorialStep {
  return tutorial.steps[way.at(-1) ?? 0] as TutorialStep;
}

/** What is on the table now. */
export function momentOf(tutorial: Tutorial, way: Way): TutorialMoment {
  const last = way.findLast((place) => tutorial.steps[place]?.moment);
  return (last === undefined ? null : tutorial.steps[last]?.moment) ?? tutorial.deal;
}

/** What was played so far, as lines of a log. */
export function linesOf(tutorial: Tutorial, way: Way): LogLine[] {
  const events = way.flatMap((place) => tutorial.steps[place]?.moment?.events ?? []);
  return events.map(({ seat, action, revealed }) => ({ kind: "act", at: 0, seat, action, revealed: revealed ?? false }));
}

/** Which task the learner is at, or was at last; counted from 1. */
export function taskAt(tutorial: Tutorial, way: Way): number {
  const last = way.findLast((place) => (tutorial.steps[place]?.number ?? 0) > 0);
  return Math.max(1, last === undefined ? 0 : (tutorial.steps[last]?.number ?? 0));
}

/** A move nobody says anything about, or nothing that must be read: it is shown for a moment. */
export function passes(step: TutorialStep): boolean {
  return step.kind === "move" && (!step.says || step.brief === true) && step.next !== null && step.next !== undefined;
}

/** Further by itself, where nothing is to be done; null at the end and at a task. */
export function onward(tutorial: Tutorial, way: Way): Way | null {
  const { next } = stepOf(tutorial, way);
  return next === null || next === undefined ? null : [...way, next];
}

/** Back to what was said before; null at the beginning. */
export function backward(tutorial: Tutorial, way: Way): Way | null {
  const place = way.findLastIndex((step, order) => order < way.length - 1 && !passes(tutorial.steps[step] as TutorialStep));
  return place < 0 ? null : way.slice(0, place + 1);
}

/** The learner plays an action: by its number, and its kind. */
export function tryOut(tutorial: Tutorial, way: Way, number: number, kind: string): Tried {
  const step = stepOf(tutorial, way);
  const next = step.accepted?.[number];
  return next === undefined ? { wrong: step.wrong?.[kind] ?? "" } : { way: [...way, next] };
}

/** Whether it can be gone like that: a script may have changed since. */
export function isWay(tutorial: Tutorial, way: unknown): way is Way {
  if (!Array.isArray(way) || way[0] !== 0) return false;
  return way.every((place, order) => order === 0 || leads(tutorial.steps[way[order - 1] as number], place as number));
}

function leads(step: TutorialStep | undefined, place: number): boolean {
  return step !== undefined && (step.next === place || Object.values(step.accepted ?? {}).includes(place));
}

/** What the browser keeps of a tutorial. */
export interface Kept {
  way: Way;
  done: boolean;
}

const key = (game: GameId) => `zashiki.learn.${game}`;

/** Where the learner left off. */
export function recall(game: GameId): Partial<Kept> {
  try {
    return (JSON.parse(localStorage.getItem(key(game)) ?? "{}") ?? {}) as Partial<Kept>;
  } catch {
    return {};
  }
}

export function keep(game: GameId, kept: Kept): void {
  try {
    localStorage.setItem(key(game), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still teaches.
  }
}
