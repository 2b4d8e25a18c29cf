/** How fast the page is on this machine: figures, no verdicts. `npm --prefix web run measure` */

import { afterAll, beforeAll, test } from "vitest";

import { House, lay } from "./house";
import { playOn } from "./players";

const VISITS = 8;
const ACTIONS = 60;

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

function told(name: string, values: number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  console.log(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms, of ${values.length}`);
}

test("from an empty browser to a lobby that can be pressed", async () => {
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const page = await house.visitor();
    const began = performance.now();
    await page.goto("/", { waitUntil: "commit" });
    await page.getByRole("button", { name: "Play now" }).click({ trial: true });
    times.push(performance.now() - began);
    await page.context().close();
  }
  told("lobby interactive", times);
});

test("from one player's tap to the other's screen", async () => {
  const [anna, ben] = [await house.visitor(), await house.visitor()];
  const address = await lay(anna, { game: "hanamikoji", seat: 0 });
  await anna.goto(address);
  await ben.goto(address);
  await ben.getByRole("button", { name: "Take this seat" }).click();
  await anna.getByRole("button", { name: "Start", exact: true }).click();
  await ben.locator(".near .hand .card").first().waitFor();
  const times: number[] = [];
  for (let tries = 0; times.length < ACTIONS && tries < 10 * ACTIONS; tries++) {
    for (const [actor, other] of [[anna, ben], [ben, anna]] as const) {
      if ((await other.locator(".scroll[role=dialog]").count()) > 0) return told("action on the other screen", times);
      // Both pages run on one machine, so that their clocks are one clock.
      const seen = other.evaluate(
        () =>
          new Promise<number>((done) => {
            const log = document.querySelector(".log") as Element;
            const watcher = new MutationObserver(() => {
              watcher.disconnect();
              requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
            });
            watcher.observe(log, { childList: true, subtree: true });
            setTimeout(() => (watcher.disconnect(), done(0)), 2_000);
          }),
      );
      await actor.evaluate(() => addEventListener("click", (event) => ((window as unknown as { tapped: number }).tapped = performance.timeOrigin + event.timeStamp), { capture: true }));
      const acted = await playOn("hanamikoji", actor);
      const at = await seen;
      const tapped = await actor.evaluate(() => (window as unknown as { tapped: number }).tapped ?? 0);
      if (acted && at > 0) times.push(at - tapped);
    }
  }
  told("action on the other screen", times);
});
