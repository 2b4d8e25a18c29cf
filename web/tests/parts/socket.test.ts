/** The connection comes back by itself, and nothing that was asked is lost or asked twice under another number. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Refusal, Socket } from "../../src/lib/socket.svelte";
import { Table } from "../../src/lib/table.svelte";

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = FakeSocket.CONNECTING;
  closed = false;
  sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
    this.closed = true;
    this.onclose?.();
  }

  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  welcomes(): void {
    this.readyState = FakeSocket.OPEN;
    this.says({ type: "welcome", protocol: 1, account: 7, name: "Aiko", kind: "guest", now: Date.now() });
  }
}

const latest = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no network")));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what was asked while the connection was lost is asked again with the same number", async () => {
  const socket = new Socket();
  latest().welcomes();
  const answer = socket.ask({ type: "resign", table: "t" });
  const first = latest();
  first.close();
  expect(socket.connection).toBe("lost");
  vi.advanceTimersByTime(2_000);
  latest().welcomes();
  expect(latest()).not.toBe(first);
  expect(latest().sent).toEqual(first.sent);
  latest().says({ type: "done", request: 1, table: "t", version: 4 });
  expect(await answer).toMatchObject({ type: "done", version: 4 });
  socket.close();
});

test("hurrying twice opens one connection, and nobody listens to an earlier one", () => {
  const socket = new Socket();
  latest().welcomes();
  const first = latest();
  first.close();
  dispatchEvent(new Event("online"));
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
  first.welcomes();
  expect(socket.connection).toBe("lost");
  latest().welcomes();
  expect(socket.connection).toBe("open");
  socket.close();
});

test("what is asked when the connection opens is asked once", () => {
  const socket = new Socket();
  socket.onopen(() => void socket.ask({ type: "lobby" }));
  latest().welcomes();
  expect(latest().sent).toHaveLength(1);
  socket.close();
});

test("a refusal is thrown with its code", async () => {
  const socket = new Socket();
  latest().welcomes();
  const answer = socket.ask({ type: "start", table: "t" });
  latest().says({ type: "refused", request: 1, code: "not your turn", reason: "somebody else may act" });
  await expect(answer).rejects.toBeInstanceOf(Refusal);
  socket.close();
});

test("after a word that nobody knows the outcome the same request is sent again", () => {
  const socket = new Socket();
  latest().welcomes();
  void socket.ask({ type: "resign", table: "t" });
  latest().says({ type: "refused", request: 1, code: "unavailable", reason: "the store is away", retry_after_ms: 50 });
  vi.advanceTimersByTime(60);
  expect(latest().sent.map((request) => request["request"])).toEqual([1, 1]);
  socket.close();
});

test("whoever is banned does not come back", () => {
  const socket = new Socket();
  latest().welcomes();
  latest().says({ type: "goodbye", reason: "banned" });
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(socket.connection).toBe("ended");
});

const line = (kind: string) => ({ kind, at: 1 });
const state = (version: number, since: number, events: object[], more: object = {}) => ({
  type: "state", table: "t", version, since, status: "playing", seat: 0, seats: [], events, ...more,
});

test("a table folds what it is told, and asks for what it missed", async () => {
  const socket = new Socket();
  latest().welcomes();
  const table = new Table(socket, "t");
  latest().says(state(2, 0, [line("sit"), line("start")], { request: 1, game: "kohoju", host: 7, settings: {} }));
  await vi.advanceTimersByTimeAsync(1);
  expect(table.lines.map((each) => each.kind)).toEqual(["sit", "start"]);
  latest().says(state(3, 2, [line("act")]));
  expect(table.lines).toHaveLength(3);
  latest().says(state(6, 5, [line("act")]));
  expect(table.lines).toHaveLength(3);
  expect(latest().sent.at(-1)).toMatchObject({ type: "watch", table: "t", version: 3 });
  expect(table.state?.version).toBe(3);
  socket.close();
});
