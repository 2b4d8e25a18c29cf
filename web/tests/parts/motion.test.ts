import { beforeEach, expect, test, vi } from "vitest";

import { Motion } from "../../src/lib/motion";

/** jsdom lays nothing out: boxes are where the test says. */
function board(html: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = html;
  for (const piece of element.querySelectorAll<HTMLElement>("[data-x]"))
    piece.getBoundingClientRect = () => new DOMRect(Number(piece.dataset["x"]), 0, 50, 70);
  return element;
}

const moves: { piece: string; from: string }[] = [];

beforeEach(() => {
  moves.length = 0;
  vi.stubGlobal("DOMRect", class {
    constructor(readonly left: number, readonly top: number, readonly width: number, readonly height: number) {}
  });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  HTMLElement.prototype.animate = function (this: HTMLElement, frames: unknown) {
    const first = (frames as { transform?: string }[])[0];
    moves.push({ piece: this.dataset["piece"] ?? "", from: first?.transform ?? "faded" });
    return { finish: () => undefined } as Animation;
  } as typeof HTMLElement.prototype.animate;
});

test("a card that left the hand and one of its kind that came to the table are the same card", () => {
  const motion = new Motion();
  motion.remember(board('<i data-piece="fan" data-place="hand" data-x="0"></i><i data-piece="fan" data-place="hand" data-x="100"></i>'));
  const came = motion.play(board('<i data-piece="fan" data-place="hand" data-x="0"></i><i data-piece="fan" data-place="side" data-x="400"></i>'));
  expect(came).toBe(1);
  expect(moves).toEqual([{ piece: "fan", from: "translate(-300px, 0px) scale(1)" }]);
});

test("a card that nobody saw before comes from where the board says", () => {
  const motion = new Motion();
  motion.remember(board('<b data-anchor="stack" data-x="500"></b><i data-piece="fan" data-place="hand" data-x="0"></i>'));
  motion.play(board('<b data-anchor="stack" data-x="500"></b><i data-piece="fan" data-place="hand" data-x="0"></i><i data-piece="flute" data-place="hand" data-from="stack" data-x="60"></i>'));
  expect(moves).toEqual([{ piece: "flute", from: "translate(440px, 0px) scale(1)" }]);
});

test("nothing moves for whoever wants no motion", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const motion = new Motion();
  motion.remember(board('<i data-piece="fan" data-place="hand" data-x="0"></i>'));
  expect(motion.play(board('<i data-piece="fan" data-place="side" data-x="400"></i>'))).toBe(0);
  expect(moves).toEqual([]);
});
