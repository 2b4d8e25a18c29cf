/** Which games this visitor knows: by having played them, or by their tutorial. */

import { ask } from "../lib/api";
import { recall } from "../lib/lesson";
import type { GameId } from "../lib/types/games";
import { GAMES } from "./games";

export async function knownGames(): Promise<Set<GameId>> {
  const learned = GAMES.map(({ id }) => id).filter((id) => recall(id).done);
  const page = await ask("GET /api/my/tables", { query: { limit: 100 } }).catch(() => null);
  const played = (page?.tables ?? []).filter(({ status }) => status === "playing" || status === "over").map(({ game }) => game);
  return new Set([...learned, ...played]);
}
