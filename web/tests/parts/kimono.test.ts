import { IntlMessageFormat } from "intl-messageformat";
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { BoardProps, Choice, Seated } from "../../src/games/face";
import face from "../../src/games/kimono";
import { breakChoice, changedHeaps, heaps, pointsInFront, pointsWithout, unseen, worth } from "../../src/games/kimono/cards";
import de from "../../src/games/kimono/de.json";
import en from "../../src/games/kimono/en.json";
import { groupsNow, splits, standingOf, verdicts } from "../../src/games/kimono/splits";
import type { KimonoAction, KimonoView } from "../../src/lib/types/games";

/** How a message's syntax tree calls plain text. */
const LITERAL = 0;
const [BOWL, FAN, SWORD, LUTE, COIN, FIRE, APPRENTICE] = [0, 1, 2, 4, 8, 9, 13];

/** Four seats, the first round, nothing cut yet; seat 0 is master. */
function table(changes: Partial<KimonoView> = {}): KimonoView {
  const row = [SWORD, SWORD, FAN, BOWL, COIN, LUTE, LUTE, FIRE, FAN];
  return {
    seats: 4,
    phase: "cut",
    winners: 0,
    ending: "",
    round_number: 1,
    pile_size: 9,
    master: 0,
    apprentice: 6,
    row: [...row, -2, -2, -2, -2, -2],
    piece_from: 0,
    piece_to: 9,
    cut_after: 0,
    right_first: 0,
    voters: 0b1111,
    asked: 0,
    waiting: 0,
    waiting_from: Array(14).fill(0),
    waiting_to: Array(14).fill(0),
    waiting_for: Array(14).fill(0),
    shown_votes: Array(6).fill(0),
    shown_groups: [
      [0, 0],
      [0, 0],
    ],
    taker: -2,
    to_do: [0, 0, 0],
    front: Array.from({ length: 6 }, () => Array<number>(10).fill(0)),
    copies: Array.from({ length: 6 }, () => Array<number>(8).fill(0)),
    kimonos: 10,
    bin: Array(13).fill(0),
    bin_size: 0,
    box: Array(13).fill(0),
    sack_size: 29,
    last_apprentice: -2,
    votes: [0, 0, 0, 0, 0, 0],
    deck: Array(74).fill(null),
    ...changes,
  };
}

/** The same table with the apprentice in the fifth place, cut after it; the right part is group 1. */
function voting(changes: Partial<KimonoView> = {}): KimonoView {
  const row = [SWORD, SWORD, FAN, BOWL, APPRENTICE, COIN, LUTE, LUTE, FIRE, FAN, -2, -2, -2, -2];
  return table({ phase: "vote", apprentice: 7, row, piece_to: 10, cut_after: 5, right_first: 1, asked: 0b1111, ...changes });
}

const front = (...mine: [kind: number, count: number][]) =>
  Array.from({ length: 6 }, (_, seat) => Array.from({ length: 10 }, (_, kind) => (seat === 0 ? (mine.find(([one]) => one === kind)?.[1] ?? 0) : 0)));

const seats: Seated[] = ["You", "Aoi", "Ede", "Jonas"].map((name, seat) => ({ seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: false, present: true }));

const numbered = (...actions: KimonoAction[]): Choice<KimonoAction>[] => actions.map((action, i) => ({ number: 100 + i, action }));

let mounted: object | null = null;
function lay(view: KimonoView, choices: Choice<KimonoAction>[], changes: Partial<BoardProps<"kimono">> = {}) {
  const onaction = vi.fn();
  const onrefuse = vi.fn();
  const props: BoardProps<"kimono"> = {
    view, seat: 0, eyes: 0, seats, toAct: [0], choices, scores: Array.from({ length: 4 }, () => Array<number>(10).fill(0)), last: [], busy: false, onaction, onrefuse, ...changes,
  };
  document.body.innerHTML = "";
  mounted = mount(face.board as Component<BoardProps<"kimono">>, { target: document.body, props });
  flushSync();
  return { onaction, onrefuse };
}
function click(selector: string, place = 0): void {
  document.querySelectorAll<HTMLElement>(selector)[place]?.click();
  flushSync();
}
function key(name: string, ctrlKey = false): void {
  dispatchEvent(new KeyboardEvent("keydown", { key: name, ctrlKey, bubbles: true }));
  flushSync();
}
const seal = () => document.querySelector<HTMLButtonElement>(".prompt .seal");

afterEach(() => {
  if (mounted !== null) void unmount(mounted);
  mounted = null;
});

describe("what is printed on the cards", () => {
  it("counts the rulebook's example", () => {
    expect(worth("lute", 1) + worth("sword", 2) + worth("figurine", 4) + worth("kimono", 4)).toBe(8);
  });
  it("tells full sorts from those over their limit, and what one more would cost", () => {
    const view = table({ front: front([SWORD, 2], [FAN, 2], [COIN, 3]) });
    expect(heaps(view, 0).map(({ card, state, next }) => [card, state, next])).toEqual([
      ["fan", "beyond", -1],
      ["sword", "full", -15],
      ["gold coin", "room", 1],
    ]);
  });
  it("knows the points after a breakage", () => {
    const view = table({ front: front([SWORD, 3], [LUTE, 1]) });
    expect(pointsInFront(view, 0)).toBe(1);
    expect(pointsWithout(view, 0, ["sword", "lute"])).toBe(12);
  });
  it("counts what nobody has seen yet without the copies", () => {
    const copies = Array.from({ length: 6 }, (_, seat) => Array.from({ length: 8 }, (_, sort) => (seat === 0 && sort === SWORD ? 1 : 0)));
    expect(unseen(table({ front: front([SWORD, 2]), copies })).get("sword")).toBe(7 - 2 - 1);
  });
  it("sees which heaps have changed", () => {
    expect(changedHeaps(table(), table({ front: front([COIN, 1]) }))).toEqual(["0 gold coin"]);
  });
  it("breaks two curios in any order", () => {
    const choices = numbered({ type: "break", curios: ["fan", "sword"] });
    expect(breakChoice(choices, ["sword", "fan"])).toBe(100);
    expect(breakChoice(choices, ["sword"])).toBeNull();
  });
});

describe("the splits", () => {
  it("numbers the groups as the master said", () => {
    expect(groupsNow(voting())?.map(({ group, from, to }) => [group, from, to])).toEqual([
      [2, 0, 5],
      [1, 5, 10],
    ]);
  });
  it("shows a group 2 that waits beside the group 1 that is cut again", () => {
    const view = voting({ phase: "cut", piece_from: 5, piece_to: 10, cut_after: 0, waiting: 1, waiting_to: [5], waiting_for: [0b0010] });
    expect(splits(view).map((level) => level.map(({ group, from, to, state, seats }) => [group, from, to, state, seats]))).toEqual([
      [
        [1, 5, 10, "path", []],
        [2, 0, 5, "waits", [1]],
      ],
    ]);
    expect(standingOf({ ...view, voters: 0b1101 }, 1)).toBe("waits");
  });
  it("shows a group 1 that is gone and who took it", () => {
    const view = voting({
      phase: "cut", piece_from: 0, piece_to: 5, cut_after: 0, voters: 0b0111,
      shown_votes: [2, 2, 2, 1, 0, 0], shown_groups: [[5, 10], [0, 5]],
    });
    expect(splits(view)).toEqual([
      [
        { group: 1, from: 5, to: 10, state: "gone", seats: [3] },
        { group: 2, from: 0, to: 5, state: "path", seats: [] },
      ],
    ]);
    expect(standingOf(view, 3)).toBe("out");
    expect(verdicts(view)?.map(({ fate, seats }) => [fate, seats])).toEqual([
      ["taken", [3]],
      ["cut", [0, 1, 2]],
    ]);
  });
});

describe("the board", () => {
  const cuts = numbered(...Array.from({ length: 8 }, (_, i) => (["left", "right"] as const).map((first): KimonoAction => ({ type: "cut", after: i + 1, first }))).flat());

  it("cuts where the blade hangs, with the numbers as chosen", () => {
    const { onaction } = lay(table(), cuts);
    click('[data-gap="6"]');
    key("x");
    expect(seal()?.textContent).toBe("Cut 7 | 2, group 1 right");
    click(".prompt .seal");
    expect(onaction).toHaveBeenCalledWith(cuts.find(({ action }) => action.type === "cut" && action.after === 7 && action.first === "right")?.number);
  });
  it("moves the blade by keys", () => {
    const { onaction } = lay(table(), cuts);
    key("ArrowRight");
    key("Enter", true);
    expect(onaction).toHaveBeenCalledWith(cuts.find(({ action }) => action.type === "cut" && action.after === 5 && action.first === "left")?.number);
  });
  it("has two places for the apprentice at the cut", () => {
    const places = numbered(...Array.from({ length: 11 }, (_, place): KimonoAction => ({ type: "apprentice", place })));
    const { onaction } = lay(table({ phase: "apprentice", cut_after: 4 }), places);
    expect(document.querySelectorAll("[data-gap]")).toHaveLength(11);
    expect(seal()?.disabled).toBe(true);
    key("a");
    expect(seal()?.textContent).toBe("Put it into group 2");
    key("ArrowLeft");
    expect(seal()?.textContent).toBe("Put it into group 1");
    click(".prompt .seal");
    expect(onaction).toHaveBeenCalledWith(104);
  });
  it("votes with the second tap, never with the first", () => {
    const { onaction } = lay(voting(), numbered({ type: "vote", group: 1 }, { type: "vote", group: 2 }), { toAct: [0, 1, 2, 3] });
    click("button.group", 1);
    expect(onaction).not.toHaveBeenCalled();
    click("button.group", 1);
    expect(onaction).toHaveBeenCalledWith(100);
  });
  it("says why a group cannot be voted for once the vote is given", () => {
    const { onrefuse } = lay(voting({ asked: 0b1110, votes: [2, 0, 0, 0, 0, 0] }), [], { toAct: [1, 2, 3] });
    click("button.group");
    expect(onrefuse).toHaveBeenCalledWith(en["refuse.votes"]);
    expect(document.querySelector(".prompt")?.textContent).toContain("3 votes are still out.");
  });
  it("breaks two curios and keeps coins safe", () => {
    const view = table({ phase: "breakage", taker: 0, to_do: [0, 1, 0], piece_to: 0, voters: 0, front: front([FAN, 1], [SWORD, 2], [COIN, 1]) });
    const choices = numbered({ type: "break", curios: ["fan", "sword"] }, { type: "break", curios: ["sword", "sword"] });
    const { onaction, onrefuse } = lay(view, choices);
    click("button.column", 2);
    expect(onrefuse).toHaveBeenCalledWith(en["refuse.safe"]);
    click("button.column", 1);
    click("button.column", 1);
    expect(seal()?.textContent).toBe("Break two swords");
    click(".prompt .seal");
    expect(onaction).toHaveBeenCalledWith(101);
  });
  it("offers only tied sorts to a copy", () => {
    const view = table({ phase: "copy", taker: 0, to_do: [0, 0, 1], piece_to: 0, voters: 0, front: front([FAN, 1], [SWORD, 2], [LUTE, 2]) });
    const { onaction, onrefuse } = lay(view, numbered({ type: "copy", curio: "sword" }, { type: "copy", curio: "lute" }));
    click("button.column", 0);
    expect(onrefuse).toHaveBeenCalledWith(en["refuse.most"]);
    click("button.column", 2);
    click(".prompt .seal");
    expect(onaction).toHaveBeenCalledWith(101);
  });
  it("gives onlookers nothing to press on the table", () => {
    lay(voting(), [], { seat: null, toAct: [0, 1, 2, 3] });
    expect(document.querySelectorAll(".board button")).toHaveLength(0);
  });
});

describe("the words", () => {
  it("are complete in German, with the same values", () => {
    const named = (parts: ReturnType<IntlMessageFormat["getAst"]>): string[] =>
      parts.flatMap((part) => [
        ...("value" in part && part.type !== LITERAL ? [part.value] : []),
        ...("options" in part ? Object.values(part.options).flatMap((option) => named(option.value)) : []),
      ]);
    const values = (text: string) => [...new Set(named(new IntlMessageFormat(text).getAst()))].toSorted();
    expect(Object.keys(de)).toEqual(Object.keys(en));
    for (const [name, text] of Object.entries(en)) expect([name, values(de[name as keyof typeof de])]).toEqual([name, values(text)]);
  });
  it("tell a hidden vote without its group, and a shown one with it", () => {
    const said = (action: KimonoAction, revealed: boolean) => face.tell({ seat: 1, action, revealed }, seats, voting(), []).map(String).join("");
    expect(said({ type: "vote", group: null }, false)).toBe("Aoi voted.");
    expect(said({ type: "vote", group: 2 }, true)).toBe("Aoi voted for group 2.");
  });
});
