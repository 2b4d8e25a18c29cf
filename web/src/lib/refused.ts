/** Why something was not done, in the page's language: the server's code says it, its English reason is for programs. */

import { Problem } from "./api";
import { Refusal } from "./socket.svelte";
import { t } from "./words";

/** The sentence for a refusal over HTTP or the socket; anything else is a fault and is thrown on. */
export function whyNot(error: unknown): string {
  const code = error instanceof Problem ? error.code : error instanceof Refusal ? error.said.code : null;
  if (code === null) throw error;
  const key = `refused.${code}`;
  return t.has(key) ? t(key) : t("refused.other");
}
