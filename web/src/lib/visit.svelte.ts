/** This visit: who I am, the connection, the games of the house. */

import { ask, Problem } from "./api";
import { Socket } from "./socket.svelte";
import type { GameId } from "./types/games";
import type { ActionList, GameSummary, Level, MyAccount } from "./types/server";

const AGAIN_MS = 3_000;

class Visit {
  state = $state<"coming" | "here" | "away">("coming");
  me = $state.raw<MyAccount | null>(null);
  games = $state.raw<GameSummary[]>([]);
  levels = $state.raw<Level[]>([]);
  #socket: Socket | null = null;
  #actions = new Map<GameId, Promise<ActionList>>();
  #coming: Promise<void> | null = null;

  /** Comes in; while the server is away it is tried again and again. */
  begin(): Promise<void> {
    this.#coming ??= this.#begin().finally(() => (this.#coming = null));
    return this.#coming;
  }

  /** The connection of this page. */
  get socket(): Socket {
    this.#socket ??= new Socket();
    return this.#socket;
  }

  /** What the numbers of a game's actions mean. */
  actions(game: GameId): Promise<ActionList> {
    let coming = this.#actions.get(game);
    if (coming === undefined) {
      coming = ask("GET /api/games/{game_id}/actions", { path: { game_id: game } });
      coming.catch(() => this.#actions.delete(game));
      this.#actions.set(game, coming);
    }
    return coming;
  }

  /** How well bots can play a game, from the weakest. */
  levelsOf(game: string): string[] {
    return this.levels.filter((level) => level.games.includes(game)).map((level) => level.id);
  }

  /** I am somebody else now: everything begins anew. */
  changed(): void {
    location.assign("/");
  }

  async #begin(): Promise<void> {
    if (this.state === "here") return;
    try {
      const [me, games, levels] = await Promise.all([ask("GET /api/me"), ask("GET /api/games"), ask("GET /api/levels")]);
      this.me = me;
      this.games = games.games;
      this.levels = levels.levels;
      this.state = "here";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.state = "away";
      setTimeout(() => void this.begin(), (error.retryAfter ?? 0) * 1000 || AGAIN_MS);
    }
  }
}

export const visit = new Visit();
