/** Shortcuts of the page: a table of keys, quiet while somebody types or something lies over the table. */

export type Keys = Record<string, (event: KeyboardEvent) => void>;

/** Handles a key as it is written in the table: `q`, `Enter`, `Ctrl+Enter`, `?`. Gives whether it was one of them. */
export function press(keys: Keys, event: KeyboardEvent): boolean {
  if (event.altKey || event.metaKey || isTyping(event.target) || isCovered()) return false;
  const plain = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const handle = keys[(event.ctrlKey ? "Ctrl+" : "") + plain];
  if (handle === undefined) return false;
  event.preventDefault();
  handle(event);
  return true;
}

/** Whether something lies over the table that has keys of its own. */
function isCovered(): boolean {
  return document.querySelector("dialog[open], [role=dialog]") !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
