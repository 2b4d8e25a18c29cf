/** Hanamikoji's board sends what was chosen and says why something cannot be done. */

import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";

import type { BoardProps, Choice, Seated } from "../../src/games/face";
import face from "../../src/games/hanamikoji";
import Board from "../../src/games/hanamikoji/Board.svelte";
import { charmNow, choiceOf, type Item } from "../../src/games/hanamikoji/cards";
import type { HanamikojiAction, HanamikojiView } from "../../src/lib/types/games";

const NOBODY = [0, 0, 0, 0, 0, 0, 0];
const view: HanamikojiView = {
  seats: 2, phase: "turn", winners: 0, ending: "", rounds: 20, round_number: 1, starter: 0, turn_number: 1, active: 0,
  markers: [2, 2, 2, 2, 2, 2, 2], sides: [NOBODY, NOBODY], used: [[0, 0, 0, 0], [0, 0, 0, 0]], offer: [-2, -2, -2, -2],
  hand_size: [7, 6], stack_size: 7, scored_sides: [NOBODY, NOBODY], scored_secrets: [-2, -2],
  hands: [[1, 2, 0, 1, 1, 1, 1], [null, null, null, null, null, null, null]], secret: [-2, -2], trade_off: [[-2, -2], [-2, -2]], deck: [],
};
const seats: Seated[] = ["You", "Aoi"].map((name, seat) => ({ seat, name, you: seat === 0, bot: null, program: false, away: false, resigned: false, present: true }));
const choices: Choice<HanamikojiAction>[] = [
  { number: 3, action: { type: "secret", card: "fan" } },
  { number: 40, action: { type: "gift", cards: ["flute", "fan", "fan"] } },
  { number: 99, action: { type: "competition", pairs: [["flute", "umbrella"], ["fan", "shamisen"]] } },
];

let board: Record<string, unknown> | null = null;
function show(props: Partial<BoardProps<"hanamikoji">> = {}) {
  const [onaction, onrefuse] = [vi.fn(), vi.fn()];
  const all: BoardProps<"hanamikoji"> = { view, seat: 0, eyes: 0, seats, toAct: [0], choices, scores: [[0], [0]], last: [], busy: false, onaction, onrefuse, ...props };
  board = mount(Board, { target: document.body, props: all });
  flushSync();
  return { onaction, onrefuse };
}
const button = (name: RegExp): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>("button")].find((each) => name.test((each.getAttribute("aria-label") ?? each.textContent ?? "").trim()));
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};
const tap = (name: RegExp): void => {
  button(name).click();
  flushSync();
};

afterEach(() => {
  if (board !== null) void unmount(board);
  document.body.innerHTML = "";
});

test("a gift is sent once its three cards are chosen and the seal is pressed", () => {
  const { onaction } = show();
  tap(/^Gift/);
  tap(/Add fan/);
  tap(/Add fan/);
  expect(button(/2 of 3/)).toHaveProperty("disabled", true);
  tap(/Add flute/);
  tap(/Offer gift/);
  expect(onaction).toHaveBeenCalledExactlyOnceWith(40);
});

test("a competition's cards change pairs with a tap", () => {
  const { onaction } = show();
  tap(/Competition/);
  for (const card of [/Add flute/, /Add fan/, /Add umbrella/, /Add shamisen/]) tap(card);
  expect(button(/Offer competition/)).toHaveProperty("disabled", true);
  tap(/Move fan/);
  tap(/Offer competition/);
  expect(onaction).toHaveBeenCalledExactlyOnceWith(99);
});

test("a card without an action, and an action that was used, say why not", () => {
  const { onrefuse } = show({ view: { ...view, used: [[1, 0, 0, 0], [0, 0, 0, 0]] } });
  tap(/^fan$/);
  expect(onrefuse).toHaveBeenLastCalledWith("Choose an action first.");
  tap(/^Secret/);
  expect(onrefuse).toHaveBeenLastCalledWith("You have used Secret this round.");
});

test("an offer is answered by tapping a card and then the seal", () => {
  const { onaction } = show({
    view: { ...view, phase: "gift answer", active: 1, offer: [1, 1, 5, -2] },
    choices: [{ number: 7, action: { type: "take", card: "fan" } }, { number: 8, action: { type: "take", card: "tea pot" } }],
  });
  tap(/^tea pot$/);
  tap(/Take the tea pot/);
  expect(onaction).toHaveBeenCalledExactlyOnceWith(8);
});

test("keys do what taps do", () => {
  const { onaction } = show();
  for (const key of ["q", "2"]) {
    dispatchEvent(new KeyboardEvent("keydown", { key }));
    flushSync();
  }
  dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true }));
  expect(onaction).toHaveBeenCalledExactlyOnceWith(3);
});

test("whoever looks on can choose nothing", () => {
  const { onaction } = show({ seat: null, choices: [] });
  tap(/^Secret/);
  tap(/^fan$/);
  expect(onaction).not.toHaveBeenCalled();
  expect(document.querySelector(".seal")).toBeNull();
});

test("the order in which cards were chosen does not matter", () => {
  const pairs = (cards: Item[]) => choiceOf(choices, "competition", cards);
  expect(pairs(["shamisen", "fan", "umbrella", "flute"])).toBe(99);
  expect(pairs(["shamisen", "umbrella", "fan", "flute"])).toBeNull();
});

test("a tie leaves the favour where it was", () => {
  expect(charmNow([0, 1, 2, 2, 2, 2, 2], [[1, 1, 0, 2, 0, 0, 0], [1, 1, 0, 1, 0, 0, 1]])).toEqual([2 + 3, 2 + 5]);
});

test("the log tells what the seat may know", () => {
  const words = (action: HanamikojiAction, revealed = false) => face.tell({ seat: 1, action, revealed }, seats, view, []).map(String).join("");
  expect(words({ type: "secret", card: null })).toBe("Aoi set one card aside in secret.");
  expect(words({ type: "secret", card: "fan" }, true)).toBe("Aoi had fan in secret.");
  expect(words({ type: "gift", cards: ["fan", "fan", "scroll"] })).toBe("Aoi offered a gift: fan, fan and scroll.");
});
