/** The dot that says it is your turn: on the icon of the tab, and on the app's where it is installed. */

const REST = "/favicon.svg";
const TURN = "/favicon-turn.svg";

/** Shows the dot or takes it away; gives what to call to take it away for good. */
export function mark(turn: boolean): () => void {
  set(turn);
  return () => set(false);
}

function set(turn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) link.href = turn ? TURN : REST;
  // Only installed pages have a badge, and not every browser knows it.
  if (turn) void navigator.setAppBadge?.(1).catch(() => undefined);
  else void navigator.clearAppBadge?.().catch(() => undefined);
}
