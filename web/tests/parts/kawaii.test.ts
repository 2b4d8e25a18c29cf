import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import type { BoardProps, Choice, Seated } from "../../src/games/face";
import Board from "../../src/games/kawaii/Board.svelte";
import { cardSymbol, claimOf, freeTokens, justTaken, laneOrder, meets, openCards, whyNot } from "../../src/games/kawaii/cards";
import de from "../../src/games/kawaii/de.json";
import en from "../../src/games/kawaii/en.json";
import face from "../../src/games/kawaii";
import type { KawaiiAction, KawaiiView } from "../../src/lib/types/games";

const five = <Value>(value: Value): Value[] => Array.from({ length: 5 }, () => value);
const table = (row: number): number[][] => five(five(row));
const pile = (...cards: number[]): number[] => [...cards, ...Array.from({ length: 19 - cards.length }, () => -2)];

/** Three at the table in turns: a mint cone before you, two cards before the next, nothing before the last. */
function aView(changes: Partial<KawaiiView> = {}): KawaiiView {
  return {
    seats: 3, phase: "window", winners: 0, ending: "", pace: "turns", stacked: 0, round_number: 1, starter: 0, turn: 2, flips: 5, captures: 1,
    asked: 0b111, done: 0, tokens: [2, 2, 2, 0, 0], tokens_out: 0, reserve_size: [17, 16, 17, 0, 0], pile_size: [1, 2, 0, 0, 0],
    pile_number: [1, 1, 2, 0, 0], captured_size: [1, 0, 0, 0, 0], contested: five(0), throw_count: five(0), shown_claims: [0, 0, 1, 0, 0], shown_passes: 0b110,
    shown_throws: table(-2), taker: [-2, -2, 0, -2, -2], points: table(0), scored: table(0), scored_flavours: five(-2), scored_shapes: five(-2),
    flavours: [3, null, null, -2, -2], shapes: [0, null, null, -2, -2], claims: [0, 0, 0, 0, 0], throws: table(-2), flip_waits: 0,
    deck: Array.from({ length: 55 }, () => null), piles: [pile(15), pile(0, 26), pile(), pile(), pile()], captured: five(Array.from({ length: 27 }, () => 0)),
    ...changes,
  };
}

const SEATS: Seated[] = ["You", "Aoi", "Ede"].map((name, seat) => ({
  seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: false, present: true,
}));
const ANSWERS: Choice<KawaiiAction>[] = [
  { number: 0, action: { type: "answer", pile: 0 } },
  { number: 1, action: { type: "answer", pile: 1 } },
  { number: 5, action: { type: "answer", pile: "none" } },
];
const LIVE: Choice<KawaiiAction>[] = [
  { number: 21, action: { type: "flip" } },
  { number: 43, action: { type: "claim", pile: 1, number: 1 } },
];
const THROWS: Choice<KawaiiAction>[] = (["rock", "paper", "scissors"] as const).map((sign, place) => ({
  number: 9 + place, action: { type: "throw", pile: 1, sign },
}));

let shown: object | null = null;

function lay(props: Partial<BoardProps<"kawaii">> = {}) {
  const [onaction, onrefuse] = [vi.fn(), vi.fn()];
  shown = mount(Board, {
    target: document.body,
    props: { view: aView(), seat: 0, eyes: 0, seats: SEATS, toAct: [0, 1, 2], choices: ANSWERS, scores: table(0), last: [], busy: false, onaction, onrefuse, ...props },
  });
  flushSync();
  return { onaction, onrefuse };
}

function lane(owner: number): HTMLElement {
  return document.querySelector(`[data-lane="${owner}"]`) as HTMLElement;
}

function tap(element: Element | null): void {
  (element as HTMLElement).click();
  flushSync();
}

function key(name: string): void {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  flushSync();
}

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => {
  if (shown !== null) void unmount(shown);
  shown = null;
  document.body.replaceChildren();
});

test("in turns the first tap chooses a pile and the second claims it", () => {
  const { onaction } = lay();
  tap(lane(1));
  expect(onaction).not.toHaveBeenCalled();
  expect(lane(1).getAttribute("aria-pressed")).toBe("true");
  tap(lane(1));
  expect(onaction).toHaveBeenCalledExactlyOnceWith(1);
});

test("the seal passes, and names the pile once one is chosen", () => {
  const { onaction } = lay();
  expect(document.querySelector(".seal")?.textContent).toBe("Pass");
  tap(lane(1));
  expect(document.querySelector(".seal")?.textContent).toBe("Claim Aoi’s pile");
  key("Escape");
  key(" ");
  expect(onaction).toHaveBeenCalledExactlyOnceWith(5);
});

test("in live one tap or the number of a lane captures, and space flips", () => {
  const view = aView({ phase: "live", pace: "live", turn: 0, asked: 0 });
  const { onaction } = lay({ view, choices: LIVE });
  tap(lane(1));
  key("2");
  key(" ");
  expect(onaction.mock.calls).toEqual([[43], [43], [21]]);
});

test("a pile that cannot be claimed says why", () => {
  const { onaction, onrefuse } = lay();
  tap(lane(2));
  expect(onaction).not.toHaveBeenCalled();
  expect(onrefuse).toHaveBeenCalledExactlyOnceWith("No card lies there yet.");
});

test("a contest is thrown for with three hands or their letters", () => {
  const view = aView({ phase: "throws", contested: [0, 0b101, 0, 0, 0], asked: 0b101 });
  const { onaction } = lay({ view, choices: THROWS });
  tap(document.querySelectorAll(".throws .hands button")[1] ?? null);
  key("s");
  expect(onaction.mock.calls).toEqual([[10], [11]]);
});

test("whoever looks on has no buttons to capture with", () => {
  lay({ seat: null, choices: [], seats: SEATS.map((seated) => ({ ...seated, you: false })) });
  expect(lane(1).tagName).toBe("DIV");
  expect(document.querySelector(".seal")).toBeNull();
});

test("the score of a round is shown when the next begins, until it is put away", () => {
  lay({ view: aView({ round_number: 2, captures: 0, flips: 1, scored_flavours: [1, 2, 3, -2, -2], scored_shapes: [1, 2, 3, -2, -2], scored: five([2, 1, 1, -1, 1]) }) });
  expect(document.querySelector(".round h2")?.textContent).toBe("Round 1 is scored");
  key("Escape");
  expect(document.querySelector(".round")).toBeNull();
});

test("lanes begin with the near seat and go on clockwise", () => {
  expect(laneOrder(4, 2)).toEqual([2, 3, 0, 1]);
});

test("a card meets a taste by flavour, by shape or by both", () => {
  const taste = { flavour: "mint", shape: "cone" } as const;
  expect([15, 16, 0, 26, 6].map((kind) => meets(kind, taste))).toEqual([2, 1, 1, 0, 0]);
  expect(cardSymbol(16)).toBe("card-kw-soft-mint");
});

test("of a stacked pile only the top is shown", () => {
  expect(openCards(aView({ stacked: 1 }), 1)).toEqual([26]);
  expect(openCards(aView(), 1)).toEqual([0, 26]);
});

test("a token on a pile does not lie before its owner any more", () => {
  expect(freeTokens(aView({ claims: [0b10, 0, 0, 0, 0] }), 0)).toBe(1);
  expect(freeTokens(aView({ contested: [0, 0b101, 0, 0, 0] }), 2)).toBe(1);
});

test("who took a pile is shown until its owner flips again, and not in the next round", () => {
  expect(justTaken(aView(), 2)).toBe(0);
  expect(justTaken(aView({ pile_size: [1, 2, 1, 0, 0] }), 2)).toBeNull();
  expect(justTaken(aView({ flips: 1 }), 2)).toBeNull();
});

test("claims are matched at either pace, and refusals name their reason", () => {
  expect(claimOf(ANSWERS, 0)).toBe(0);
  expect(claimOf(LIVE, 1)).toBe(43);
  expect(claimOf(LIVE, 0)).toBeNull();
  expect(whyNot(aView({ tokens: [0, 2, 2, 0, 0] }), 0, 1)).toBe("token");
  expect(whyNot(aView({ claims: [0b10, 0, 0, 0, 0] }), 0, 1)).toBe("claimed");
});

test("the log speaks of you, of others and of what is hidden", () => {
  const say = (seat: number, action: KawaiiAction) => face.tell({ seat, action, revealed: true }, SEATS, aView(), []).map(String).join("");
  expect(say(0, { type: "answer", pile: 0 })).toBe("You claimed your own pile.");
  expect(say(1, { type: "claim", pile: 0, number: 3 })).toBe("Aoi claimed your pile.");
  expect(say(1, { type: "throw", pile: 2, sign: "rock" })).toBe("Aoi threw rock for Ede’s pile.");
  expect(say(2, { type: "answer", pile: null })).toBe("");
  expect(say(7, { type: "close photo finish", pile: 1 })).toBe("The photo finish for Aoi’s pile is over.");
});

test("German says everything, with the same places for names and numbers", () => {
  expect(Object.keys(de)).toEqual(Object.keys(en));
  const places = (text: string) => [...new Set([...text.matchAll(/\{(\w+)(?=[,}])/g)].map((match) => match[1]))].toSorted();
  const select = /actor|whose|owner|select/;
  for (const [name, text] of Object.entries(en)) {
    const german = de[name as keyof typeof de];
    expect(german.trim(), name).not.toBe("");
    if (!select.test(text) && !select.test(german)) expect(places(german), name).toEqual(places(text));
  }
});
