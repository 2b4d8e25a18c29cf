/** A replay as the server tells it, folded into the view at every step. */

import type { LogLine, Replay, ReplayStep } from "./types/server";

export interface Moment {
  view: Record<string, unknown>;
  scores: number[][];
  toAct: number[];
  /** What was told from the deal up to here. */
  lines: LogLine[];
  seat: number | null;
}

/** The match at every step. Later steps only tell what changed. */
export function moments(replay: Replay): Moment[] {
  const found: Moment[] = [];
  let view: Record<string, unknown> = {};
  let lines: LogLine[] = [];
  for (const step of replay.steps) {
    view = { ...view, ...(step.view as object | null | undefined), ...(step.changed as object | undefined) };
    const told = toldIn(step, replay.eyes === null);
    if (told.length > 0) lines = [...lines, ...told];
    found.push({ view, scores: step.scores, toAct: step.to_act ?? [], lines, seat: step.seat ?? null });
  }
  return found;
}

/** What is told at a step. To whom everything is open nothing is revealed later. */
function toldIn(step: ReplayStep, open: boolean): LogLine[] {
  const at = step.at ?? 0;
  const own: LogLine[] = step.action ? [{ kind: "act", at, seat: step.seat ?? null, action: step.action }] : [];
  if (open) return own;
  return [...own, ...(step.revealed ?? []).map((shown) => ({ kind: "act", at, seat: shown.seat, action: shown.action, revealed: true }))];
}

/** Whose eyes the address asks for: a seat, or everybody's. */
export function eyesIn(query: URLSearchParams, seats: number): string {
  const wanted = query.get("eyes") ?? "all";
  return wanted === "all" || (/^\d$/.test(wanted) && Number(wanted) < seats) ? wanted : "all";
}

/** Which step the address asks for, within the match. */
export function stepIn(query: URLSearchParams, steps: number): number {
  const wanted = Number(query.get("at") ?? "0");
  return Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), steps - 1) : 0;
}
