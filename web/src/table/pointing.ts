/** Shows on the board what is meant, also when the board is drawn anew meanwhile. */

const MARK = "data-pointed";

/** Marks what the selectors find under a table until it is called off. */
export function point(table: HTMLElement, selectors: string[]): () => void {
  const wanted = selectors.join(", ");
  const mark = (): void => {
    const found = new Set(wanted === "" ? [] : table.querySelectorAll(wanted));
    for (const old of table.querySelectorAll(`[${MARK}]`)) if (!found.has(old)) old.removeAttribute(MARK);
    for (const each of found) if (!each.hasAttribute(MARK)) each.setAttribute(MARK, "");
  };
  const watcher = new MutationObserver(mark);
  watcher.observe(table, { childList: true, subtree: true });
  mark();
  return () => {
    watcher.disconnect();
    for (const old of table.querySelectorAll(`[${MARK}]`)) old.removeAttribute(MARK);
  };
}

/** Brings the first thing that is meant into sight, below what stands over the table. */
export function reveal(table: HTMLElement, covered: number): void {
  const found = table.querySelector(`[${MARK}]`);
  if (found === null) return;
  const { top, bottom } = found.getBoundingClientRect();
  if (top >= covered && bottom <= innerHeight) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollBy({ top: top - covered - 16, behavior: calm ? "auto" : "smooth" });
}
