/** The rules pages, each in a file of its own that is loaded when it is read: `games/<game>/rules/<language>.md`. */

import type { GameId } from "../lib/types/games";
import type { Language } from "../lib/words";

const FILES = import.meta.glob<string>("../games/*/rules/*.md", { query: "?raw", import: "default" });

/** A text with the language it is in, which is English where nobody has translated it yet. */
export interface Written {
  text: string;
  language: Language;
}

export function rulesOf(game: GameId, language: Language): Promise<Written> {
  return written(`../games/${game}/rules`, "md", language);
}

export function summaryOf(game: GameId, language: Language): Promise<Written> {
  return written(`../games/${game}/rules`, "summary.md", language);
}

async function written(folder: string, ending: string, wanted: Language): Promise<Written> {
  const language = `${folder}/${wanted}.${ending}` in FILES ? wanted : "en";
  const file = FILES[`${folder}/${language}.${ending}`];
  if (file === undefined) throw new Error(`${folder} has no ${ending}`);
  return { text: await file(), language };
}
