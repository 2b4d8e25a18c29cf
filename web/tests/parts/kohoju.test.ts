/** Kohoju's board sends what was chosen, asks twice before a discard, and says why something cannot be done. */

import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";

import type { BoardProps, Choice, Seated } from "../../src/games/face";
import face from "../../src/games/kohoju";
import Board from "../../src/games/kohoju/Board.svelte";
import { kohojusOf, lastDeal, nameOf, numberOf, socketsOf, sorted } from "../../src/games/kohoju/cards";
import { cardName, cardObject } from "../../src/games/kohoju/words";
import { words } from "../../src/lib/words";
import type { KohojuAction, KohojuView } from "../../src/lib/types/games";

const kind = (name: string): number => Math.floor(numberOf(`${name} 1`) / 5);
const bits = (...names: string[]): number => names.reduce((all, name) => all | (1 << kind(name)), 0);
const HAND = ["blue cross 4", "red circle 1", "red triangle 2", "purple star 3", "yellow square 5"].map(numberOf);
const POOL = ["blue circle 3", "red square 1"];
const FIRST = ["red star 3", "red square 4"];

/** A turn after the draw: one red kohoju of two cards, purple star is the guide card, yellow square was just taken. */
function turn(): KohojuView {
  const place = Array.from({ length: 125 }, () => 0);
  for (const card of POOL) place[numberOf(card)] = 14;
  for (const card of FIRST) place[numberOf(card)] = 15;
  place[numberOf("green star 2")] = 13;
  place[numberOf("yellow square 5")] = 7;
  const none = [0, 0, 0, 0, 0, 0];
  return {
    seats: 3, phase: "play", winners: 0, ending: "", target: 100, totals: [57, 61, 48, 0, 0, 0], deal_number: 4, turn_number: 3, starter: 0, active: 0,
    may_lay: 1, taken: numberOf("yellow square 5"), guide: kind("purple star"), guide_pile: 0b111, pool: bits("blue circle", "red square"),
    pool_fits: bits("blue cross", "blue square", "red circle", "red triangle", "yellow square"),
    fits: [[bits("red circle", "red triangle", "red cross"), 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
    kohojus: [1, 0, 0, 0, 0, 0], finished: none, laid: [7, 0, 0, 0, 0, 0], hand_size: [5, 9, 11, 0, 0, 0], stock_size: 67, stock_number: 0,
    discard_size: 1, discard: [numberOf("green star 2"), -2], place, drawn: [], last_ending: "empty hand", last_laid: [19, 4, 0, 0, 0, 0],
    last_finished: [1, 0, 0, 0, 0, 0], last_hand: [7, 0, 12, 0, 0, 0],
    hands: [[...HAND, -2], Array.from({ length: 9 }, () => null), Array.from({ length: 11 }, () => null), [], [], []], stock: [null, null, null, null, null],
  };
}
const seats: Seated[] = ["You", "Aoi", "Jonas"].map((name, seat) => ({ seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: false, present: true }));
const choices: Choice<KohojuAction>[] = [
  { number: 10, action: { type: "open", card: "purple star 3" } },
  { number: 20, action: { type: "add", card: "red circle 1", kohoju: 0 } },
  { number: 21, action: { type: "add", card: "red triangle 2", kohoju: 0 } },
  { number: 30, action: { type: "pool", card: "blue cross 4" } },
  { number: 31, action: { type: "pool", card: "red circle 1" } },
  { number: 40, action: { type: "discard", card: "blue cross 4" } },
  { number: 41, action: { type: "discard", card: "red circle 1" } },
  { number: 42, action: { type: "discard", card: "purple star 3" } },
];

let board: Record<string, unknown> | null = null;
function show(props: Partial<BoardProps<"kohoju">> = {}) {
  const [onaction, onrefuse] = [vi.fn(), vi.fn()];
  const scores = [[57, 7, 0, -15], [61, 0, 0, 0], [48, 0, 0, 0]];
  const all: BoardProps<"kohoju"> = { view: turn(), seat: 0, eyes: 0, seats, toAct: [0], choices, scores, last: [], busy: false, onaction, onrefuse, ...props };
  board = mount(Board, { target: document.body, props: all });
  flushSync();
  return { onaction, onrefuse };
}
function tap(name: RegExp): void {
  const found = [...document.querySelectorAll<HTMLElement>("button")].find((each) => name.test((each.getAttribute("aria-label") ?? each.textContent ?? "").trim()));
  if (found === undefined) throw new Error(`no button ${name}`);
  found.click();
  flushSync();
}
function key(name: string): void {
  dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  flushSync();
}

afterEach(() => {
  if (board !== null) void unmount(board);
  board = null;
  document.body.innerHTML = "";
  words.speak("en");
});

test("a chosen card lights its places and goes where it is tapped", () => {
  const { onaction } = show();
  tap(/^red circle 1/);
  expect(document.querySelectorAll(".kohoju.lit")).toHaveLength(1);
  expect(document.querySelectorAll(".cell.lit")).toHaveLength(1);
  tap(/^Lay red circle 1 on red$/);
  expect(onaction).toHaveBeenLastCalledWith(20);
  tap(/^Lay red circle 1 in the pool$/);
  expect(onaction).toHaveBeenLastCalledWith(31);
});

test("a card of the guide card's kind opens a kohoju in the empty place", () => {
  const { onaction } = show();
  tap(/^purple star 3/);
  tap(/^Open a kohoju with/);
  expect(onaction).toHaveBeenCalledExactlyOnceWith(10);
});

test("a discard is sent by the second tap only", () => {
  const { onaction } = show();
  tap(/^blue cross 4/);
  tap(/^End with this card/);
  expect(onaction).not.toHaveBeenCalled();
  tap(/^Discard blue cross 4/);
  expect(onaction).toHaveBeenCalledExactlyOnceWith(40);
});

test("once the card is laid, choosing is the first tap of the discard", () => {
  const { onaction } = show({ view: { ...turn(), may_lay: 0 }, choices: choices.filter(({ action }) => action.type === "discard") });
  tap(/^red circle 1/);
  key("x");
  expect(onaction).toHaveBeenCalledExactlyOnceWith(41);
});

test("what cannot be done says why", () => {
  const { onrefuse } = show();
  tap(/^blue square: free/);
  expect(onrefuse).toHaveBeenLastCalledWith("Choose a card from your hand first.");
  tap(/^purple star 3/);
  key("p");
  expect(onrefuse).toHaveBeenLastCalledWith("purple star 3: its row and its column are empty.");
  key("1");
  expect(onrefuse).toHaveBeenLastCalledWith("This kohoju waits for red circle, red triangle, or red cross.");
  tap(/^blue cross 4/);
  key("2");
  expect(onrefuse).toHaveBeenLastCalledWith("Only a card of the guide card’s kind opens a kohoju: purple star.");
  tap(/^yellow square 5, taken/);
  key("x");
  expect(onrefuse).toHaveBeenLastCalledWith("You took this card this turn: it may not go straight back.");
  key("d");
  expect(onrefuse).toHaveBeenLastCalledWith("You have drawn already.");
});

test("keys draw, lay and sort", () => {
  const draws: Choice<KohojuAction>[] = [
    { number: 0, action: { type: "draw", source: "stock" } },
    { number: 1, action: { type: "draw", source: "discard pile" } },
  ];
  const { onaction } = show({ view: { ...turn(), phase: "draw", may_lay: 0, taken: -2 }, choices: draws });
  key("f");
  expect(onaction).toHaveBeenCalledExactlyOnceWith(1);
  const first = (): string => document.querySelector(".hand button")?.getAttribute("aria-label") ?? "";
  expect(first()).toMatch(/^blue cross/);
  key("o");
  expect(first()).toMatch(/^red circle/);
});

test("whoever looks on can choose nothing, and sees the hands that are open", () => {
  const open = { ...turn(), hands: [HAND, HAND.slice(0, 2), [], [], [], []], hand_size: [5, 2, 0, 0, 0, 0] };
  const { onaction, onrefuse } = show({ view: open, seat: null, choices: [] });
  tap(/^blue cross 4/);
  key("d");
  expect(onaction).not.toHaveBeenCalled();
  expect(onrefuse).not.toHaveBeenCalled();
  expect(document.querySelectorAll(".known .mini")).toHaveLength(2);
  expect(document.querySelector(".seal")).toBeNull();
});

test("a settled kohoju has a socket for every kind, in their order", () => {
  const [kohoju] = kohojusOf(turn(), 0);
  expect(socketsOf(kohoju ?? null).map(({ card, kind }) => (card === null ? `? ${kind}` : nameOf(card)))).toEqual(["? 5", "red square 4", "? 7", "red star 3", "? 9"]);
});

test("a deal gives the points laid, five for each finished kohoju, less the hand", () => {
  expect(lastDeal(turn(), 0)).toEqual({ laid: 19, bonus: 5, hand: -7, all: 17 });
});

test("a hand is sorted by colour, by sign or by points", () => {
  expect(sorted(HAND, "sign").map(nameOf)[0]).toBe("red circle 1");
  expect(sorted(HAND, "points").map(nameOf)[0]).toBe("yellow square 5");
});

test("the log and the end are told in words", async () => {
  const told = (action: KohojuAction) => face.tell({ seat: 1, action, revealed: false }, seats, turn(), []).map(String).join("");
  expect(told({ type: "draw", source: "stock" })).toBe("Aoi drew from the stock.");
  expect(told({ type: "pool", card: "red circle 1" })).toBe("Aoi laid red circle 1 in the pool.");
  expect(face.scoring(turn(), [[57, 7, 5, -15], [61, 0, 0, -2]]).at(-1)?.values).toEqual(["54", "59"]);
  words.speak("de");
  await face.ready();
  expect(cardName(numberOf("blue star 4"))).toBe("blauer Stern 4");
  expect(cardObject(numberOf("blue star 4"))).toBe("blauen Stern 4");
});
