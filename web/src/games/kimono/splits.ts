/** How the row has been split, read from what lies on the table. */

import type { KimonoView } from "../../lib/types/games";
import { seatsOf, WITH_MASTER } from "./cards";

export type Group = 1 | 2;

/** One of the two parts of a split. */
export interface Part {
  group: Group;
  from: number;
  to: number;
  /** gone: settled; path: what is split now is inside; waits: comes later; now: it is about this one. */
  state: "gone" | "path" | "waits" | "now";
  /** Who wants it, or who took it. */
  seats: number[];
}

interface Span {
  from: number;
  to: number;
}

/** How long the row was laid out, with the apprentice once it is in. */
export function rowLength(view: KimonoView): number {
  return view.pile_size + (view.apprentice === WITH_MASTER ? 0 : 1);
}

/** The piece that is split now; null while cards are carried out. */
export function currentPiece(view: KimonoView): Span | null {
  return view.piece_to > 0 ? { from: view.piece_from, to: view.piece_to } : null;
}

/** The two groups of the piece that is split now, from the left; null until it is cut. */
export function groupsNow(view: KimonoView): [Part, Part] | null {
  if (view.piece_to === 0 || view.cut_after === 0) return null;
  const left: Group = view.right_first === 1 ? 2 : 1;
  return [
    { group: left, from: view.piece_from, to: view.cut_after, state: "now", seats: [] },
    { group: left === 1 ? 2 : 1, from: view.cut_after, to: view.piece_to, state: "now", seats: [] },
  ];
}

/**
 * The splits from the whole row down to the piece of now, each as group 1 and group 2.
 *
 * Group 1 is settled completely before group 2. So a part that waits is a group 2, and its group 1 holds all that waits above it; a part that is
 * gone is a group 1. Neighbouring parts that are gone are shown as one.
 */
export function splits(view: KimonoView): [Part, Part][] {
  const found: [Part, Part][] = [];
  const current = currentPiece(view);
  const waiting = Array.from({ length: view.waiting }, (_, i) => ({ from: view.waiting_from[i] ?? 0, to: view.waiting_to[i] ?? 0, wanted: view.waiting_for[i] ?? 0 }));
  let inside: Span = { from: 0, to: rowLength(view) };
  waiting.forEach((piece, i) => {
    const deeper = waiting[i + 1] ?? current;
    const opensRight = deeper === null ? piece.from === inside.from : deeper.from >= piece.to;
    const settled = opensRight ? { from: inside.from, to: piece.from } : { from: piece.to, to: inside.to };
    if (settled.to > settled.from) {
      inside = opensRight ? { from: piece.from, to: inside.to } : { from: inside.from, to: piece.to };
      found.push([gone(view, settled), { group: 2, ...inside, state: "path", seats: [] }]);
    }
    const sibling = opensRight ? { from: piece.to, to: inside.to } : { from: inside.from, to: piece.from };
    const first: Part = deeper === null ? gone(view, sibling) : { group: 1, ...sibling, state: "path", seats: [] };
    found.push([first, { group: 2, from: piece.from, to: piece.to, state: "waits", seats: seatsOf(piece.wanted, view.seats) }]);
    inside = sibling;
  });
  const narrower = current !== null && (current.from !== inside.from || current.to !== inside.to);
  if (narrower) {
    const settled = current.from > inside.from ? { from: inside.from, to: current.from } : { from: current.to, to: inside.to };
    found.push([gone(view, settled), { group: 2, ...current, state: "path", seats: [] }]);
  }
  return found;
}

function gone(view: KimonoView, span: Span): Part {
  const [from, to] = view.shown_groups[0] ?? [];
  const known = from === span.from && to === span.to;
  const wanted = known ? votersFor(view, 1) : [];
  return { group: 1, ...span, state: "gone", seats: wanted.length === 1 ? wanted : [] };
}

function votersFor(view: KimonoView, group: Group): number[] {
  return Array.from({ length: view.seats }, (_, seat) => seat).filter((seat) => view.shown_votes[seat] === group);
}

/** What the last votes meant for a group. */
export interface Verdict {
  group: Group;
  seats: number[];
  size: number;
  fate: "bin" | "taken" | "kimonos" | "cut";
}

/** Both groups of the last vote; null before the first. */
export function verdicts(view: KimonoView): [Verdict, Verdict] | null {
  const read = (group: Group): Verdict => {
    const [from, to] = view.shown_groups[group - 1] ?? [0, 0];
    const size = (to ?? 0) - (from ?? 0);
    const seats = votersFor(view, group);
    const fate = seats.length === 0 ? "bin" : seats.length === 1 ? "taken" : size === 1 ? "kimonos" : "cut";
    return { group, seats, size, fate };
  };
  const both: [Verdict, Verdict] = [read(1), read(2)];
  return both[0].size === 0 ? null : both;
}

/** Where a seat stands in this round's votes. */
export type Standing = "votes" | "voted" | "wants" | "waits" | "out" | "over";

export function standingOf(view: KimonoView, seat: number): Standing {
  const bit = 1 << seat;
  if (view.phase === "over") return "over";
  if (view.voters & bit) {
    if (view.phase !== "vote") return "wants";
    return view.asked & bit ? "votes" : "voted";
  }
  return view.waiting_for.slice(0, view.waiting).some((wanted) => wanted & bit) ? "waits" : "out";
}
