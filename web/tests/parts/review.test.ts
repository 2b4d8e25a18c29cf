/** Reviews as the pages show them: curves, mistakes, reasons; and the score of puzzles on this device. */

import { beforeEach, expect, test } from "vitest";

import { nextPuzzle, note, tries } from "../../src/lib/puzzles";
import { chanceAt, curve, mistakes, nextMistake, reason, signed } from "../../src/lib/review";
import type { Decision, PuzzleName, Review } from "../../src/lib/types/server";

const decision = (move: number, chance: number, lost = 0, grade: Decision["grade"] = "best"): Decision => ({ move, seat: 0, played: 1, best: 2, chance, lost, grade });
const REVIEW: Review = {
  format: 1,
  game: "kasane",
  rules: 1,
  level: "expert",
  moves: 10,
  seats: [
    { start: 0.5, result: 1, luck: 0.7, lost: 0.2, decided: 0, grades: {}, turns: [] },
    { start: 0.5, result: 0, luck: -0.5, lost: 0, decided: 0, grades: {}, turns: [] },
  ],
  decisions: [decision(2, 0.5), decision(6, 0.8, 0.2, "blunder")],
};

test("a curve begins with the match, falls at decisions and ends with the result", () => {
  expect(curve(REVIEW, 0).map(({ step, chance }) => [step, Number(chance.toFixed(2))])).toEqual([[0, 0.5], [2, 0.5], [3, 0.5], [6, 0.8], [7, 0.6], [10, 1]]);
  expect(curve(REVIEW, 1)).toEqual([{ step: 0, chance: 0.5 }, { step: 10, chance: 0 }]);
});

test("between two known chances lies the line from one to the other", () => {
  const points = curve(REVIEW, 0);
  expect(chanceAt(points, 6)).toBe(0.8);
  expect(chanceAt(points, 4)).toBeCloseTo(0.6);
  expect(chanceAt(points, 99)).toBe(1);
});

test("the next mistake is looked for in both directions, and from the end anew", () => {
  const found = mistakes(REVIEW, 0);
  expect(found.map(({ move }) => move)).toEqual([6]);
  expect(nextMistake(found, 0, 1)?.move).toBe(6);
  expect(nextMistake(found, 8, -1)?.move).toBe(6);
  expect(nextMistake(found, 8, 1)?.move).toBe(6);
  expect(nextMistake([], 8, 1)).toBeUndefined();
});

test("changes bear their sign", () => {
  expect([signed(0.124), signed(-0.2), signed(0.001)]).toEqual(["+12", "−20", "±0"]);
});

test("what is certain is said before what is thought", () => {
  expect(reason({ wins: true, ahead: 0.5 })).toBe("It wins the match at once.");
  expect(reason({ parts: { places: 3 }, ahead: 0.1 })).toBe("It brings 3 points at once, and is 10 % ahead.");
  expect(reason({ parts: { places: 1 }, ahead: -0.06 })).toBe("It wins 6 % less often than the best.");
  expect(reason({ exact: true, ahead: 0.27 })).toBe("Worked out: it wins 27 % more often than the next best.");
  expect(reason({ ahead: 0.004, points: 1.2 })).toBe("It leads to about 1.2 more points than the next best.");
  expect(reason({ ahead: -0.2 })).toBe("It wins 20 % less often than the best.");
  expect(reason({})).toBe("There is hardly a difference to the best.");
});

const PUZZLES: PuzzleName[] = ["a", "b", "c"].map((id, place) => ({ id, game: place < 2 ? "kasane" : "kohoju", difficulty: "easy" }));

beforeEach(() => localStorage.clear());

test("only the first try at a puzzle counts", () => {
  note("a", false);
  note("a", true);
  note("b", true);
  expect(tries()).toEqual({ a: false, b: true });
});

test("the next puzzle is one of the same game that was never tried", () => {
  expect(nextPuzzle(PUZZLES, "kasane", "a", {})?.id).toBe("b");
  expect(nextPuzzle(PUZZLES, "kasane", "a", { b: true })?.id).toBe("c");
  expect(nextPuzzle(PUZZLES, "kasane", "a", { a: true, b: true, c: true })?.id).toBe("b");
});
