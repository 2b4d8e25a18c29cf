/** Nothing reaches the page that the seat may not know: every view that came over the network is the seat's own, as the saved match tells it. */

import { afterAll, beforeAll, expect, test } from "vitest";

import { House, lay } from "./house";
import { toTheEnd } from "./players";

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

interface Step {
  view?: Record<string, unknown>;
  changed?: Record<string, unknown>;
}

test("the views that the page receives during a match are those of its seat, and no other message bears cards", async () => {
  const page = await house.visitor();
  const frames: Record<string, unknown>[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => void frames.push(JSON.parse(String(payload)) as Record<string, unknown>)));
  const address = await lay(page, { game: "hanamikoji", seat: 0, bots: { 1: "beginner" }, start: true, settings: { options: { rounds: 1 } } });
  await page.goto(address);
  await toTheEnd("hanamikoji", [page]);

  const replay = await page.evaluate(async (id) => (await (await fetch(`/api/tables/${id}/replay?eyes=0`)).json()) as { steps: Step[] }, address.split("/")[2]);
  const allowed = new Set<string>();
  let view: Record<string, unknown> = {};
  for (const step of replay.steps) {
    view = { ...view, ...step.view, ...step.changed };
    allowed.add(canonical(view));
  }
  const received = frames.filter((frame) => frame["view"]).map((frame) => canonical(frame["view"] as Record<string, unknown>));
  expect(received.length).toBeGreaterThan(6);
  expect(received.filter((each) => !allowed.has(each))).toEqual([]);
  const plain = ["welcome", "done", "present", "lobby", "lobby change", "state"];
  const others = frames.filter((frame) => !frame["view"] && !plain.includes(String(frame["type"])));
  // If the bot has moved before the page has come to the table, the lobby is told that the table waits.
  expect(others.filter((frame) => !isCall(frame))).toEqual([]);
  // The bot's secret is told as hidden while the match runs.
  const secrets = frames.flatMap((frame) => (frame["events"] as { seat: number; revealed?: boolean; action?: { type: string; card: string | null } }[] | undefined) ?? []);
  const hidden = secrets.filter(({ seat, revealed, action }) => seat === 1 && !revealed && action?.type === "secret");
  expect(hidden).toHaveLength(1);
  expect(hidden.every(({ action }) => action?.card === null)).toBe(true);
});

/** Whether a message says that a table waits, and nothing else. */
function isCall({ type, ...rest }: Record<string, unknown>): boolean {
  return type === "your turn" && Object.keys(rest).sort().join() === "game,table";
}

function canonical(view: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(view).sort(([a], [b]) => (a < b ? -1 : 1))));
}
