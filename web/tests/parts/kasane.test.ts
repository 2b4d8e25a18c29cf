/** Kasane's board: what it shows of a recorded table, what it sends, what it refuses. */

import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { BoardProps, Choice, Seated } from "../../src/games/face";
import face from "../../src/games/kasane";
import { lookAhead } from "../../src/games/kasane/ahead";
import Board from "../../src/games/kasane/Board.svelte";
import { combinationsIn, NOBODY, placeFor, placeNumber, pointsOf, styleOf } from "../../src/games/kasane/cards";
import de from "../../src/games/kasane/de.json";
import en from "../../src/games/kasane/en.json";
import type { KasaneAction, KasaneView } from "../../src/lib/types/games";

const EMPTY = -2;

function padded(cards: number[], length: number): number[] {
  return [...cards, ...Array<number>(length - cards.length).fill(EMPTY)];
}

/** Two seats; the first one, whose kimono ends with 4, holds 5 7 3 2 and sees a 1 at the end of the second row. */
function recorded(changes: Partial<KasaneView> = {}): KasaneView {
  return {
    seats: 2,
    phase: "take",
    winners: 0,
    ending: "",
    accessory_combo: 0,
    round_number: 2,
    starter: 1,
    turn_number: 2,
    active: 0,
    row_size: [4, 4, 3, 0],
    market: [padded([7, 0, 4, 9], 5), padded([2, 6, 8, 1], 5), padded([5, 7, 0], 5), padded([], 5)],
    hand_size: [4, 3, 0, 0],
    hands: [padded([5, 7, 3, 2], 12), padded([8, 3, 5], 12), padded([], 12), padded([], 12)],
    kimono_size: [2, 2, 0, 0],
    kimonos: [padded([6, 4], 12), padded([9, 9], 12), padded([], 12), padded([], 12)],
    accessories: [0, 2, 0, 0],
    places: Array<number>(30).fill(NOBODY).with(8, 1).with(20, 0),
    last_taken: [2, 0, EMPTY, EMPTY],
    last_place: [EMPTY, EMPTY, EMPTY, EMPTY],
    discard_size: 4,
    discards: padded([1, 2, 3, 4], 12),
    stack_size: 0,
    stack: Array<null>(52).fill(null),
    ...changes,
  };
}

function seated(seat: number, name: string): Seated {
  return { seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: false, present: true };
}

const SEATS = [seated(0, "You"), seated(1, "Aoi")];
const TAKES: Choice<KasaneAction>[] = [0, 1, 2].map((row) => ({ number: row, action: { type: "take", row } }));
const LAYS: Choice<KasaneAction>[] = [
  { number: 4, action: { type: "decline" } },
  { number: 18, action: { type: "combine", style: "Kagen no Tsuki", hand: 3, kimono: false } },
  { number: 46, action: { type: "combine", style: "Kagen no Tsuki", hand: 3, kimono: true } },
];

let shown: ReturnType<typeof mount> | null = null;

function show(changes: Partial<BoardProps<"kasane">> = {}): BoardProps<"kasane"> {
  const props: BoardProps<"kasane"> = {
    view: recorded(),
    seat: 0,
    eyes: 0,
    seats: SEATS,
    toAct: [0],
    choices: TAKES,
    scores: [
      [2, 0, 0, 0],
      [2, 2, 0, 0],
    ],
    last: [],
    busy: false,
    onaction: vi.fn(),
    onrefuse: vi.fn(),
    ...changes,
  };
  shown = mount(Board, { target: document.body, props });
  flushSync();
  return props;
}

function press(key: string, ctrlKey = false): void {
  window.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, cancelable: true }));
  flushSync();
}

function click(selector: string, order = 0): void {
  document.querySelectorAll<HTMLElement>(selector)[order]?.click();
  flushSync();
}

const seal = (): string => document.querySelector(".seal")?.textContent?.trim() ?? "";

vi.stubGlobal("matchMedia", () => ({ matches: true }));

afterEach(() => {
  if (shown !== null) void unmount(shown);
  shown = null;
  document.body.replaceChildren();
});

describe("the thirty places", () => {
  test("are counted as the view counts them", () => {
    expect(placeNumber("Kasane", 2)).toBe(8);
    expect(placeNumber("Juu", 5)).toBe(23);
    expect(placeNumber("Asanoha", 3)).toBe(26);
    expect(placeNumber("Asanoha", 3, true)).toBe(29);
    for (let place = 0; place < 30; place += 1) {
      const { style, size } = styleOf(place);
      expect(placeNumber(style, size, place > 26)).toBe(place);
    }
  });

  test("of a mark are used the dearer first", () => {
    const places = Array<number>(30).fill(NOBODY);
    expect(pointsOf(placeFor(places, "Chidori", 3))).toBe(4);
    expect(pointsOf(placeFor(places.with(24, 1), "Chidori", 3))).toBe(3);
  });
});

describe("looking ahead", () => {
  test("finds what ends with the card, with and without the kimono's last one, best first", () => {
    const found = lookAhead(recorded(), 0, 1).map(({ style, cards, points }) => `${style} ${cards.join("")} ${points}`);
    expect(found[0]).toBe("Kagen no Tsuki 4321 5");
    expect(found).toContain("Juu 4321 4");
    expect(found).toContain("Kagen no Tsuki 321 3");
    expect(found).toContain("Kagen no Tsuki 21 1");
    expect(found.some((text) => text.includes("5321"))).toBe(false);
  });

  test("sees three styles in a pair of fives, and none whose place is used", () => {
    const hand = recorded({ hands: [padded([5], 12)], kimonos: [padded([], 12)], kimono_size: [0], places: Array<number>(30).fill(NOBODY) });
    expect(lookAhead(hand, 0, 5).map(({ style }) => style)).toEqual(["Kasane", "Juu", "Katchou Fuugetsu"]);
    expect(lookAhead({ ...hand, places: hand.places.with(8, 1) }, 0, 5).map(({ style }) => style)).toEqual(["Juu", "Katchou Fuugetsu"]);
  });

  test("lets nothing follow an accessory, unless it is so agreed", () => {
    expect(lookAhead(recorded(), 0, 0)).toEqual([]);
    const agreed = lookAhead(recorded({ accessory_combo: 1 }), 0, 0);
    expect(agreed.map(({ cards }) => cards.join(""))).toContain("32");
  });
});

describe("taking", () => {
  test("is chosen with the first tap, shown, and sent with the second", () => {
    const props = show();
    click(".market .row:nth-child(2) .legal");
    expect(props.onaction).not.toHaveBeenCalled();
    expect(seal()).toBe("Take 1");
    expect(document.querySelector(".option.on .points")?.textContent).toBe("+5");
    expect(document.querySelector(".cell.chosen")?.textContent).toBe("5");
    click(".market .row:nth-child(2) .gap");
    expect(props.onaction).toHaveBeenCalledExactlyOnceWith(1);
  });

  test("can be put back, and done by keys alone", () => {
    const props = show();
    press("3");
    expect(seal()).toBe("Take accessory, +1");
    press("Escape");
    expect(seal()).toBe("Choose a card");
    press("1");
    press("Enter", true);
    expect(props.onaction).toHaveBeenCalledExactlyOnceWith(0);
  });

  test("of a card under another one is refused with a reason", () => {
    const props = show();
    click(".market .under");
    expect(props.onrefuse).toHaveBeenCalledWith("Only the card at the right end of a row can be taken.");
    expect(props.onaction).not.toHaveBeenCalled();
  });
});

describe("laying", () => {
  const laying = { view: recorded({ phase: "combine", hands: [padded([5, 7, 3, 2, 1], 12), padded([8, 3, 5], 12)], hand_size: [5, 3], last_taken: [1, 0] }), choices: LAYS };

  test("offers the choices best first, and the seal names the result", () => {
    const props = show(laying);
    expect(combinationsIn(LAYS, laying.view, 0).map(({ points }) => points)).toEqual([5, 3]);
    expect(seal()).toBe("Lay 4 3 2 1 for 5");
    click(".seal");
    expect(props.onaction).toHaveBeenCalledExactlyOnceWith(46);
  });

  test("sends another combination after a second tap on it", () => {
    const props = show(laying);
    click(".option", 1);
    expect(seal()).toBe("Lay 3 2 1 for 3");
    expect(props.onaction).not.toHaveBeenCalled();
    click(".option", 1);
    expect(props.onaction).toHaveBeenCalledExactlyOnceWith(18);
  });

  test("can be declined", () => {
    const props = show(laying);
    press("k");
    expect(seal()).toBe("Lay nothing");
    press("k");
    expect(props.onaction).toHaveBeenCalledExactlyOnceWith(4);
  });

  test("on a used place says who has used it", () => {
    const props = show(laying);
    click(".cell.used");
    expect(props.onrefuse).toHaveBeenCalledWith("Aoi has used this place. Each can be used once.");
  });
});

test("whoever looks on sees both hands and nothing to press", () => {
  const props = show({ seat: null, choices: [], toAct: [1], view: recorded({ active: 1 }) });
  expect(document.querySelector(".seal")).toBeNull();
  expect(document.querySelector(".prompt h2")?.textContent).toBe("Aoi is choosing a card");
  click(".market .row:nth-child(2) .card:not(.under)");
  expect(props.onrefuse).toHaveBeenCalledWith("It is Aoi’s turn.");
});

test("the log tells takes and combinations in words", () => {
  const said = (action: KasaneAction, seat: number) => face.tell({ seat, action, revealed: false }, SEATS, recorded(), []).map(String).join("");
  expect(said({ type: "take", row: 1 }, 0)).toBe("You take the end of row\u00a02.");
  expect(said({ type: "combine", style: "Juu", hand: 2, kimono: false }, 1)).toBe("Aoi lays 2 cards as Juu of\u00a02 for\u00a02.");
  expect(said({ type: "combine", style: "Kagen no Tsuki", hand: 3, kimono: true }, 1)).toBe("Aoi lays 3 cards on the kimono as Kagen no Tsuki of\u00a04 for\u00a05.");
});

test("the score has every part, the total last", () => {
  const rows = face.scoring(recorded(), [
    [2, 0, 0, 0],
    [2, 2, 0, 0],
  ]);
  expect(rows.map(({ name }) => name)).toEqual(["Places", "Accessories", "All twelve laid", "Variety of the kimono", "Points"]);
  expect(rows.at(-1)?.values).toEqual([2, 4]);
});

test("German says everything that English says", () => {
  expect(Object.keys(de).toSorted()).toEqual(Object.keys(en).toSorted());
});
