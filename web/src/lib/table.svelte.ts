/** A table as this page knows it: the last state, the whole log, the talk. */

import { Refusal, type Request, type Socket } from "./socket.svelte";
import { ask } from "./api";
import type { GameId } from "./types/games";
import type { LogLine, SocketMessage, TableSettings, TableState, TalkLine } from "./types/server";

type AtTable = Extract<Request, { table: string }>;
type Wish<Asked> = Asked extends unknown ? Omit<Asked, "table"> : never;

export class Table {
  state = $state.raw<TableState | null>(null);
  lines = $state.raw<LogLine[]>([]);
  talk = $state.raw<TalkLine[]>([]);
  present = $state.raw<number[]>([]);
  game = $state<GameId | null>(null);
  settings = $state.raw<TableSettings>({});
  host = $state<number | null>(null);
  /** Why the table cannot be shown. */
  trouble = $state<string | null>(null);
  /** How many wishes are not answered yet; talk does not count. */
  #wishes = $state(0);
  #leave: (() => void)[] = [];

  constructor(
    readonly socket: Socket,
    readonly id: string,
  ) {
    this.#leave.push(socket.listen((message) => this.#take(message)));
    this.#leave.push(socket.onopen(() => void this.#watch()));
    void this.#hear();
  }

  /** Something was sent and is not answered yet. */
  get busy(): boolean {
    return this.#wishes > 0;
  }

  get mySeat(): number | null {
    return this.state?.seat ?? null;
  }

  get isHost(): boolean {
    return this.host !== null && this.host === this.socket.account;
  }

  /** Does something at the table; a refusal is thrown. */
  async wish(wish: Wish<AtTable>): Promise<void> {
    const counts = wish.type === "talk" ? 0 : 1;
    this.#wishes += counts;
    try {
      const answer = await this.socket.ask({ ...wish, table: this.id } as Request);
      // Whoever sat down or left looks from elsewhere now, and is told the log anew.
      if (wish.type === "sit" || wish.type === "stand") await this.#watch(true);
      else if (answer.type === "state") this.#fold(answer);
    } finally {
      this.#wishes -= counts;
    }
  }

  /** Acts for my seat, if the decision is still the one that is shown. In live play others act meanwhile, and an action names what it saw. */
  act(number: number): Promise<void> {
    const view = this.state?.view;
    const live = view !== null && view !== undefined && "pace" in view && view.pace === "live";
    return this.wish({ type: "act", action: number, version: live ? null : (this.state?.version ?? 0) });
  }

  /** Hears somebody no more, here and elsewhere; what was said is gone too. */
  async mute(account: number): Promise<void> {
    await ask("PUT /api/me/mutes/{muted}", { path: { muted: account } }).catch(() => undefined);
    this.talk = this.talk.filter((line) => line.account !== account);
  }

  /** Looks no more. */
  close(): void {
    for (const leave of this.#leave) leave();
    if (this.socket.connection === "open") void this.socket.ask({ type: "unwatch", table: this.id }).catch(() => undefined);
  }

  async #watch(anew = false): Promise<void> {
    const version = anew || this.state === null ? null : this.lines.length;
    try {
      const answer = await this.socket.ask({ type: "watch", table: this.id, version });
      if (answer.type === "state") this.#fold(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.said.retry_after_ms) setTimeout(() => void this.#watch(anew), error.said.retry_after_ms);
      else this.trouble = error.said.code;
    }
  }

  async #hear(): Promise<void> {
    const page = await ask("GET /api/tables/{table_id}/talk", { path: { table_id: this.id }, query: { limit: 100 } }).catch(() => null);
    if (page === null) return;
    const known = new Set(page.lines.map((line) => line.number));
    this.talk = [...page.lines.toReversed(), ...this.talk.filter((line) => !known.has(line.number))];
  }

  #take(message: SocketMessage): void {
    if (!("table" in message) || message.table !== this.id) return;
    if (message.type === "state" && (message.request === null || message.request === undefined)) this.#fold(message);
    // The match may not be watched: whoever waited without a seat is told so without having asked.
    if (message.type === "refused" && (message.request === null || message.request === undefined)) this.trouble = message.code;
    if (message.type === "present") this.present = message.seats;
    if (message.type === "talk") this.talk = [...this.talk.filter((line) => line.number !== message.number), message];
  }

  #fold(message: TableState): void {
    const events = message.events ?? [];
    if (message.since > this.lines.length) return void this.#watch();
    if (message.version < (this.state?.version ?? 0) && message.game === undefined) return;
    if (events.length > 0 || message.since < this.lines.length) this.lines = [...this.lines.slice(0, message.since), ...events];
    if (message.game) this.game = message.game;
    if (message.settings) this.settings = message.settings;
    if (message.host !== undefined) this.host = message.host;
    if (message.present !== undefined) this.present = message.present;
    this.trouble = null;
    this.state = message;
  }
}
