import { expect, test } from "vitest";

import { Problem } from "../../src/lib/api";
import { whyNot } from "../../src/lib/refused";
import en from "../../src/lib/words/en.json";
import type { Problem as Told } from "../../src/lib/types/server";

test("a refusal is told by its code, never in the words of the server", () => {
  expect(whyNot(new Problem(409, "seat taken", "seat 3 is taken", null))).toBe("Somebody sits there already.");
  expect(whyNot(new Problem(418, "teapot", "short and stout", null))).toBe("That did not work.");
});

test("what is no refusal is thrown on", () => {
  expect(() => whyNot(new TypeError("a fault"))).toThrow(TypeError);
});

test("every code that a person can meet has its words", () => {
  const people: Told["code"][] = ["stale", "seat taken", "table full", "not the host", "match over", "nothing to take back", "name taken", "wrong credentials", "too many"];
  for (const code of people) expect(Object.keys(en)).toContain(`refused.${code}`);
});
