/** Looking for words in the rules: capitals and accents do not matter, every word has to be there. */

import { said, type Section } from "./sections";

/** The words of a query as they are looked for. */
export function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/** Letter for letter without accents and capitals, so that places stay the same. */
export function fold(text: string): string {
  return [...text].map((letter) => letter.normalize("NFD").toLowerCase().slice(0, letter.length)).join("");
}

export function isIn(section: Section, words: readonly string[]): boolean {
  const text = fold([section.title, ...section.blocks.flatMap(said)].join("\n"));
  return words.every((word) => text.includes(word));
}

/** A text cut where words were found in it. */
export function cut(text: string, words: readonly string[]): { text: string; found: boolean }[] {
  if (words.length === 0) return [{ text, found: false }];
  const folded = fold(text);
  const pieces: { text: string; found: boolean }[] = [];
  let from = 0;
  for (let next = first(folded, words, 0); next !== null; next = first(folded, words, from)) {
    if (next.at > from) pieces.push({ text: text.slice(from, next.at), found: false });
    pieces.push({ text: text.slice(next.at, next.at + next.length), found: true });
    from = next.at + next.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), found: false });
  return pieces;
}

/** Where any of the words comes first, the longest of those that begin there. */
function first(folded: string, words: readonly string[], from: number): { at: number; length: number } | null {
  const found = words.map((word) => ({ at: folded.indexOf(word, from), length: word.length })).filter(({ at }) => at >= 0);
  return found.toSorted((one, other) => one.at - other.at || other.length - one.length)[0] ?? null;
}

/** The sentence of a section in which the words are, for a list of what was found. */
export function excerpt(section: Section, words: readonly string[]): string {
  const lines = section.blocks.flatMap(said).filter((line) => line !== "");
  return lines.find((line) => words.some((word) => fold(line).includes(word))) ?? lines[0] ?? "";
}
