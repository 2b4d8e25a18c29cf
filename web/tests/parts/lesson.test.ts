/** The way through a tutorial: forward, back, wrong, left and found again. */

import { beforeEach, expect, test } from "vitest";

import { selectors, within } from "../../src/games/lessons";
import { BEGINNING, backward, isWay, keep, linesOf, momentOf, onward, passes, recall, stepOf, taskAt, tryOut, type Way } from "../../src/lib/lesson";
import type { Tutorial } from "../../src/lib/types/server";
import { point } from "../../src/table/pointing";

const moment = (name: string, seat: number) => ({ view: { name }, to_act: [0], legal: [3, 4], scores: [], events: [{ seat, action: { type: "take" } }] });
const tutorial = {
  game: "hanamikoji", rules: 1, names: ["Aoi"], options: {}, tasks: 2, learned: [],
  deal: { view: { name: "deal" }, to_act: [0], legal: [3, 4], scores: [] },
  steps: [
    { kind: "word", says: "hello", next: 1 },
    { kind: "task", says: "secret", number: 1, accepted: { 3: 2 }, wrong: { gift: "wrong.gift" } },
    { kind: "move", moment: moment("mine", 0), next: 3 },
    { kind: "move", says: "hers", moment: moment("hers", 1), next: 4 },
    { kind: "task", says: "take", number: 2, accepted: { 3: 5, 4: 6 }, wrong: {} },
    { kind: "move", says: "end", moment: moment("three", 0) },
    { kind: "move", says: "end", moment: moment("four", 0) },
  ],
} as unknown as Tutorial;
const whole: Way = [0, 1, 2, 3, 4];

beforeEach(() => localStorage.clear());

test("words go on by themselves, a task only by what it accepts", () => {
  expect(onward(tutorial, BEGINNING)).toEqual([0, 1]);
  expect(onward(tutorial, [0, 1])).toBeNull();
  expect(tryOut(tutorial, [0, 1], 3, "secret")).toEqual({ way: [0, 1, 2] });
  expect(tryOut(tutorial, whole, 4, "take")).toEqual({ way: [...whole, 6] });
});

test("a wrong try leads nowhere and is answered by its kind", () => {
  expect(tryOut(tutorial, [0, 1], 4, "gift")).toEqual({ wrong: "wrong.gift" });
});

test("only a move of which nothing is said passes by itself", () => {
  expect(whole.map((place) => passes(stepOf(tutorial, [place])))).toEqual([false, false, true, false, false]);
});

test("what is said of a brief move need not be read, but the end waits", () => {
  const said = { kind: "move", says: "idle", next: 4 } as const;
  expect([said, { ...said, brief: true }, { ...said, brief: true, next: null }].map(passes)).toEqual([false, true, false]);
});

test("going back leads to what was said before, and to nothing before the beginning", () => {
  expect(backward(tutorial, whole)).toEqual([0, 1, 2, 3]);
  expect(backward(tutorial, [0, 1, 2, 3])).toEqual([0, 1]);
  expect(backward(tutorial, BEGINNING)).toBeNull();
});

test("the table is as the last move left it, and the log has all of them", () => {
  expect(momentOf(tutorial, [0, 1]).view).toEqual({ name: "deal" });
  expect(momentOf(tutorial, whole).view).toEqual({ name: "hers" });
  expect(linesOf(tutorial, whole).map(({ seat }) => seat)).toEqual([0, 1]);
});

test("progress counts tasks", () => {
  expect([BEGINNING, [0, 1], whole].map((way) => taskAt(tutorial, way))).toEqual([1, 1, 2]);
});

test("whoever comes back goes on at the same step; a way that is none any more begins anew", () => {
  keep("hanamikoji", { way: whole, done: false });
  const { way } = recall("hanamikoji");
  expect(isWay(tutorial, way)).toBe(true);
  expect(way).toEqual(whole);
  expect(recall("kimono")).toEqual({});
  for (const other of [[0, 4], [1], [0, 1, 2, 99], "way", undefined]) expect(isWay(tutorial, other)).toBe(false);
  localStorage.setItem("zashiki.learn.hanamikoji", "no JSON");
  expect(recall("hanamikoji")).toEqual({});
});

test("what is meant is marked on the board, also when it is drawn later", async () => {
  document.body.innerHTML = '<main><div class="hand"><i data-piece="fan"></i><i data-piece="flute"></i></div></main>';
  const table = document.querySelector("main") as HTMLElement;
  const marked = () => [...table.querySelectorAll("[data-pointed]")].map((each) => each.getAttribute("data-piece") ?? each.className);
  const stop = point(table, selectors({ hand: within(".hand"), pool: () => ".pool" }, "hand:fan, pool"));
  expect(marked()).toEqual(["fan"]);
  table.insertAdjacentHTML("beforeend", '<div class="pool"></div>');
  await new Promise((done) => setTimeout(done));
  expect(marked()).toEqual(["fan", "pool"]);
  stop();
  expect(marked()).toEqual([]);
});
