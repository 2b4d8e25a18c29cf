/** The one connection of this page. It comes back by itself, and what was asked and not answered is asked again. */

import type { Done, RefusedMessage, SocketMessage, SocketRequest } from "./types/server";

export type Connection = "connecting" | "open" | "lost" | "ended";
type Without<Request> = Request extends unknown ? Omit<Request, "request"> : never;
export type Request = Without<SocketRequest>;
export type Answer = Extract<SocketMessage, { request?: number | null }> | Done;

interface Pending {
  text: string;
  resolve(answer: Answer): void;
  reject(refusal: Refusal): void;
}

/** What the server would not do, and why. */
export class Refusal extends Error {
  constructor(readonly said: RefusedMessage) {
    super(said.reason);
  }
}

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5_000;
const SILENCE_MS = 20_000;
/** After so long without a word we ask whether anybody is there. */

export class Socket {
  connection = $state<Connection>("connecting");
  account = $state<number | null>(null);
  name = $state("");
  kind = $state("guest");
  /** Why the server ended it, where it did. */
  goodbye = $state<string | null>(null);
  /** How far the server's clock is ahead of ours. */
  ahead = 0;

  #socket: WebSocket | null = null;
  #number = 0;
  #pending = new Map<number, Pending>();
  #listeners = new Set<(message: SocketMessage) => void>();
  #openers = new Set<() => void>();
  #wait = FIRST_WAIT_MS;
  #timer = 0;
  #pulse = 0;
  #heard = 0;
  readonly #life = new AbortController();
  readonly #address: string;

  constructor(companion: number | null = null) {
    const client = crypto.getRandomValues(new Uint32Array(3)).join("").slice(0, 30);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#address = `${scheme}://${location.host}/socket?client=${client}${companion === null ? "" : `&companion=${companion}`}`;
    const { signal } = this.#life;
    addEventListener("online", () => this.#hurry(), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry(), { signal });
    this.#connect();
  }

  /** Asks something; the promise is kept across lost connections. */
  ask(request: Request): Promise<Answer> {
    const number = ++this.#number;
    const text = JSON.stringify({ ...request, request: number });
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { text, resolve, reject });
      if (this.connection === "open") this.#send(text);
    });
  }

  /** Hears every message; gives what to call to hear no more. */
  listen(listener: (message: SocketMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Is called whenever the connection opens, and now if it is open. */
  onopen(opener: () => void): () => void {
    this.#openers.add(opener);
    if (this.connection === "open") opener();
    return () => void this.#openers.delete(opener);
  }

  /** Ends it for good. */
  close(): void {
    this.connection = "ended";
    this.#life.abort();
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    this.#socket?.close();
  }

  #connect(): void {
    if (this.connection === "ended") return;
    clearTimeout(this.#timer);
    const [former, socket] = [this.#socket, new WebSocket(this.#address)];
    this.#socket = socket;
    former?.close();
    socket.onmessage = (event) => socket === this.#socket && this.#take(JSON.parse(String(event.data)) as SocketMessage);
    socket.onclose = () => this.#lost(socket);
  }

  /** What cannot be sent now is sent when the connection opens again. */
  #send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  #hurry(): void {
    if (this.connection !== "lost" || this.#socket?.readyState === WebSocket.CONNECTING) return;
    this.#wait = FIRST_WAIT_MS;
    this.#connect();
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.connection === "ended") return;
    clearInterval(this.#pulse);
    this.connection = "lost";
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.7 + 0.6 * Math.random())) as unknown as number;
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #take(message: SocketMessage): void {
    this.#heard = Date.now();
    if (message.type === "welcome") this.#welcome(message);
    if (message.type === "goodbye") this.#part(message.reason);
    this.#answer(message);
    for (const listener of this.#listeners) listener(message);
  }

  #welcome(message: Extract<SocketMessage, { type: "welcome" }>): void {
    this.account = message.account;
    this.name = message.name;
    this.kind = message.kind;
    this.ahead = message.now - Date.now();
    this.#wait = FIRST_WAIT_MS;
    this.connection = "open";
    // What openers ask is sent as it is asked; only what was asked before is sent again.
    for (const { text } of [...this.#pending.values()]) this.#send(text);
    for (const opener of this.#openers) opener();
    clearInterval(this.#pulse);
    this.#pulse = setInterval(() => this.#feel(), SILENCE_MS / 4) as unknown as number;
  }

  #feel(): void {
    const silent = Date.now() - this.#heard;
    if (silent > 2 * SILENCE_MS) this.#socket?.close();
    else if (silent > SILENCE_MS) void this.ask({ type: "ping" }).catch(() => undefined);
  }

  #part(reason: string): void {
    if (reason === "banned" || reason === "signed out") {
      this.goodbye = reason;
      this.close();
    }
  }

  #answer(message: SocketMessage): void {
    const number = "request" in message ? message.request : null;
    const pending = number === null || number === undefined ? undefined : this.#pending.get(number);
    if (pending === undefined) return;
    if (message.type === "refused" && message.code === "unavailable") {
      // Nobody knows whether it was done: the same request with the same number tells.
      setTimeout(() => this.connection === "open" && this.#send(pending.text), message.retry_after_ms ?? 1_000);
      return;
    }
    this.#pending.delete(number as number);
    if (message.type === "refused") pending.reject(new Refusal(message));
    else pending.resolve(message as Answer);
  }
}
