/** Every way in which a match can end is told, by the room or by the game. */

import { describe, expect, test } from "vitest";

import type { Seated } from "../../src/games/face";
import { early } from "../../src/table/telling";

const WORDS = import.meta.glob<Record<string, string>>("../../src/games/*/en.json", { eager: true, import: "default" });
const REASONS = [...new Set(Object.values(WORDS).flatMap(Object.keys).filter((key) => key.startsWith("why.")).map((key) => key.slice(4)))];

const seats: Seated[] = ["You", "Haru"].map((name, seat) => ({ seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: seat === 1, present: true }));

describe("a match that ended before its end", () => {
  test("is told with who left it", () => {
    expect(early({ reason: "resigned", winners: [0] }, seats)).toBe("Haru gave up.");
    expect(early({ reason: "time", winners: [1] }, seats.map((each) => ({ ...each, resigned: false })))).toBe("Your time is up.");
    expect(early({ reason: "absence", winners: [0] }, seats)).toBe("Haru was away too long.");
  });

  test.each(REASONS)("is not one that the game decided by “%s”", (reason) => {
    expect(early({ reason, winners: [0, 1] }, seats)).toBeNull();
  });
});
