/** What a game shows in the browser. A board holds no rules: it is told the choices and reports one. */

import type { Component } from "svelte";

import type { Said } from "../lib/words";
import type { Sound } from "../lib/sound";
import type { Actions, GameId, Views } from "../lib/types/games";
import type { LogLine, OutcomeInfo } from "../lib/types/server";

/** Somebody at the table. `you`: the one whose eyes these are, at this device. */
export interface Seated {
  seat: number;
  name: string;
  you: boolean;
  bot: string | null;
  program: boolean;
  away: boolean;
  resigned: boolean;
  present: boolean;
}

/** A legal action: its number, which is sent, and what it is. */
export interface Choice<Action> {
  number: number;
  action: Action;
}

/** An action as it was told: parts of it may be null. */
export interface Told<Action> {
  seat: number | null;
  action: Action;
  revealed: boolean;
}

export interface BoardProps<Id extends GameId = GameId> {
  /** What the eyes may know. */
  view: Views[Id];
  /** The seat that acts here; null for whoever only looks on (spectators, replays). */
  seat: number | null;
  /** The seat at the bottom of the board: the own one, or the first. */
  eyes: number;
  seats: Seated[];
  /** Who may act, as far as the eyes may know. */
  toAct: number[];
  /** What `seat` may do now; empty when it has to wait. */
  choices: Choice<Actions[Id]>[];
  /** Each seat's points now, by the game's parts. */
  scores: number[][];
  /** What happened last, to be marked in gold. */
  last: Told<Actions[Id]>[];
  /** Something was sent and is not answered: buttons wait. */
  busy: boolean;
  /** Sends a choice. */
  onaction: (number: number) => void;
  /** Says why something cannot be done, at the board and to screen readers. */
  onrefuse: (reason: string) => void;
}

/** A part of the score at the end: a row with a number for each seat. */
export interface ScoreRow {
  name: string;
  values: (number | string)[];
}

/** Everything a game brings to the browser. */
export interface Face<Id extends GameId = GameId> {
  board: Component<BoardProps<Id>>;
  /** The sprite with the game's pictures. */
  pictures: string;
  /** Resolves when its words are here in the page's language. */
  ready(): Promise<void>;
  /** Where the match stands, for the header: “Round 2 · turn 5 of 8”. */
  standing(view: Views[Id]): string;
  /** A line of the log, with the names and cards between the words; empty for what is not worth one. `before`: what was told before it, the latest last. */
  tell(told: Told<Actions[Id]>, seats: Seated[], view: Views[Id], before: Told<Actions[Id]>[]): Said;
  /** The table of score parts at the end. */
  scoring(view: Views[Id], scores: number[][]): ScoreRow[];
  /** Why the match ended, in one sentence. */
  why(outcome: OutcomeInfo, seats: Seated[], view: Views[Id]): string;
  /** How an action sounds. */
  sound?(told: Told<Actions[Id]>): Sound | null;
  /** Quick phrases for the talk. */
  phrases: () => string[];
  /** The keys of this game, for the list under `?`. */
  keys: () => [string, string][];
  /** A panel of the rail above the talk, if the game has one. */
  panel?: Component<BoardProps<Id>>;
}

/** A piece between words: a seat's name. */
export class Name {
  constructor(readonly seated: Seated | null) {}

  toString(): string {
    return this.seated?.name ?? "";
  }
}

/** A piece between words: a card's sign and its name. */
export class Sign {
  constructor(
    /** The symbol in the sprite. */
    readonly symbol: string,
    readonly text: string,
    /** Its ink, where the sign is drawn in one ink. */
    readonly ink: string | null = null,
    readonly viewBox = "0 0 24 24",
  ) {}

  toString(): string {
    return this.text;
  }
}

/** Every game with its face, loaded when it is played. */
export const FACES: Record<GameId, () => Promise<{ default: unknown }>> = {
  hanamikoji: () => import("./hanamikoji"),
  kimono: () => import("./kimono"),
  kasane: () => import("./kasane"),
  kawaii: () => import("./kawaii"),
  kohoju: () => import("./kohoju"),
};

/** The face of a game, with its words. */
export async function faceOf(game: GameId): Promise<Face<never>> {
  const face = (await FACES[game]()).default as Face<never>;
  await face.ready();
  return face;
}

/** The action that was told last, to be marked on the board. */
export function lastTold(lines: LogLine[]): Told<never>[] {
  const acts = lines.filter((line) => line.kind === "act" && line.action);
  return acts.slice(-1).map((line) => ({ seat: line.seat ?? null, action: line.action as never, revealed: line.revealed ?? false }));
}
