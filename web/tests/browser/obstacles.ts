/** Whether everybody can use a page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** What the scanner finds serious on the page as it stands. */
export async function serious(page: Page): Promise<string[]> {
  // Read by the test, not by the page: its policy lets no foreign script in.
  await page.evaluate(`(() => { ${AXE} })()`);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } };
    // Cards and piles are buttons with numerals drawn on them, which are no labels.
    return (await axe.run({ rules: { "label-content-name-mismatch": { enabled: false } } })).violations;
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}
