/**
 * Cards travel from where they were to where they go.
 *
 * A board marks what can move: `data-piece` says which card it is to whoever looks (its kind, or "back"), `data-place` where it lies. Between two
 * pictures of the board a piece that left one place and one of its kind that came to another are the same card. What comes from nowhere may name
 * the place it comes from with `data-from`, and what goes to nowhere just goes.
 */

interface Lying {
  piece: string;
  place: string;
  box: DOMRect;
}

const BASE_MS = 220;
const LONGEST_MS = 360;
const APART_MS = 40;
const ALL_MS = 900;
const NEAR_PX = 2;

export class Motion {
  #before: Lying[] = [];
  #anchors = new Map<string, DOMRect>();
  #running: Animation[] = [];

  /** Remembers where everything lies, before the board changes. */
  remember(board: HTMLElement | null): void {
    if (board === null) return;
    // A new action ends what still moves: input never waits.
    for (const animation of this.#running) animation.finish();
    this.#running = [];
    this.#before = lying(board).map(({ piece, place, element }) => ({ piece, place, box: element.getBoundingClientRect() }));
    this.#anchors = new Map();
    for (const element of board.querySelectorAll<HTMLElement>("[data-anchor]"))
      this.#anchors.set(element.dataset["anchor"] ?? "", element.getBoundingClientRect());
  }

  /** Moves what has changed its place since then; gives how many pieces went from one place to another. */
  play(board: HTMLElement | null): number {
    if (board === null || this.#before.length === 0 || still()) return 0;
    const after = lying(board);
    const left = this.#before.slice();
    const stays: [HTMLElement, DOMRect][] = [];
    const arrived = after.filter(({ piece, place, element }) => {
      const index = left.findIndex((old) => old.place === place && old.piece === piece);
      if (index < 0) return true;
      stays.push([element, (left.splice(index, 1)[0] as Lying).box]);
      return false;
    });
    for (const [element, box] of stays) this.#slide(element, box, 0, false);
    const apart = Math.min(APART_MS, ALL_MS / Math.max(1, arrived.length));
    arrived.forEach(({ piece, place, element }, order) => {
      const from = this.#origin(left, piece, place, element);
      if (from === null) this.#fade(element);
      else this.#slide(element, from, order * apart, true);
    });
    this.#before = [];
    return arrived.length;
  }

  #origin(left: Lying[], piece: string, place: string, element: HTMLElement): DOMRect | null {
    const source = element.dataset["from"];
    const named = source === undefined ? undefined : this.#anchors.get(source);
    const same = left.findIndex((old) => old.piece === piece);
    if (same >= 0) return (left.splice(same, 1)[0] as Lying).box;
    if (named !== undefined) return named;
    const turned = left.findIndex((old) => old.piece === "back" || (piece === "back" && old.place !== place));
    return turned >= 0 ? (left.splice(turned, 1)[0] as Lying).box : null;
  }

  #slide(element: HTMLElement, from: DOMRect, delay: number, travels: boolean): void {
    const to = element.getBoundingClientRect();
    if (to.width === 0 || from.width === 0) return;
    const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
    const far = Math.hypot(x, y);
    const scale = from.width / to.width;
    if (far < NEAR_PX && Math.abs(scale - 1) < 0.02) return;
    const tilt = travels ? (x >= 0 ? 3 : -3) : 0;
    const start = `translate(${x}px, ${y}px) scale(${scale})`;
    const middle = `translate(${x * 0.35}px, ${y * 0.35}px) rotate(${tilt}deg) scale(${1 + (scale - 1) * 0.35})`;
    const frames = travels ? [{ transform: start }, { transform: middle }, { transform: "none" }] : [{ transform: start }, { transform: "none" }];
    this.#run(element, frames, Math.min(LONGEST_MS, BASE_MS + far / 10), delay);
    if (travels) lift(element, Math.min(LONGEST_MS, BASE_MS + far / 10) + delay);
  }

  #fade(element: HTMLElement): void {
    this.#run(element, [{ opacity: 0 }, { opacity: 1 }], BASE_MS, 0);
  }

  #run(element: HTMLElement, frames: Keyframe[], duration: number, delay: number): void {
    if (typeof element.animate !== "function") return;
    this.#running.push(element.animate(frames, { duration, delay, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" }));
  }
}

function lying(board: HTMLElement): { piece: string; place: string; element: HTMLElement }[] {
  return [...board.querySelectorAll<HTMLElement>("[data-piece]")].map((element) => ({
    piece: element.dataset["piece"] ?? "",
    place: element.dataset["place"] ?? "",
    element,
  }));
}

function lift(element: HTMLElement, duration: number): void {
  element.classList.add("travelling");
  setTimeout(() => element.classList.remove("travelling"), duration);
}

function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
