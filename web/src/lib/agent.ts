/** What a browser calls itself, as people call it: “Firefox, Linux”. */

const BROWSERS = [
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Edge", /Edg/],
  ["Opera", /OPR\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
] as const;

function first(names: readonly (readonly [string, RegExp])[], agent: string): string | undefined {
  return names.find(([, sign]) => sign.test(agent))?.[0];
}

/** The browser and the system; what we do not know is shown as it is, shortened. */
export function browserOf(agent: string): string {
  return [first(BROWSERS, agent), first(SYSTEMS, agent)].filter(Boolean).join(", ") || agent.slice(0, 40);
}
