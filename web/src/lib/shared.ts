/** Which tables are shared at this device, so that they are opened again with their door. */

const KEY = "zashiki.shared";
const KEPT = 40;

function read(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

export function remember(table: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([table, ...read().filter((each) => each !== table)].slice(0, KEPT)));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Where a table of mine is opened. */
export function addressOf(table: string): string {
  return read().includes(table) ? `/share/${table}` : `/table/${table}`;
}
