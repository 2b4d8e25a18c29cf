import { expect, test } from "vitest";

import { eyesIn, moments, stepIn } from "../../src/lib/replay";
import type { Replay } from "../../src/lib/types/server";

const step = (more: object) => ({ scores: [[0], [0]], ...more });
const replay = (eyes: number | null) =>
  ({
    game: "hanamikoji", rules: 1, eyes, seats: ["Aoi", null], options: {}, scores: [[0], [0]], outcome: null,
    steps: [
      step({ view: { phase: "turn", turn_number: 1 }, to_act: [0] }),
      step({ seat: 0, action: { type: "secret", card: "fan" }, changed: { turn_number: 2 }, to_act: [1] }),
      step({ seat: 1, action: { type: "take", card: "fan" }, changed: { phase: "over" }, revealed: [{ seat: 0, action: { type: "secret", card: "fan" } }] }),
    ],
  }) as unknown as Replay;

test("each step folds what changed into the view before it", () => {
  expect(moments(replay(1)).map(({ view }) => view)).toEqual([
    { phase: "turn", turn_number: 1 },
    { phase: "turn", turn_number: 2 },
    { phase: "over", turn_number: 2 },
  ]);
});

test("what is revealed is told to a seat, and not again to whom everything is open", () => {
  expect(moments(replay(1)).at(-1)?.lines.map((line) => line.revealed ?? false)).toEqual([false, false, true]);
  expect(moments(replay(null)).at(-1)?.lines).toHaveLength(2);
});

test("an address that asks for too much is brought back into the match", () => {
  expect(stepIn(new URLSearchParams("at=99"), 12)).toBe(11);
  expect(stepIn(new URLSearchParams("at=-3"), 12)).toBe(0);
  expect(stepIn(new URLSearchParams("at=x"), 12)).toBe(0);
  expect(eyesIn(new URLSearchParams("eyes=1"), 2)).toBe("1");
  expect(eyesIn(new URLSearchParams("eyes=2"), 2)).toBe("all");
  expect(eyesIn(new URLSearchParams(""), 2)).toBe("all");
});
