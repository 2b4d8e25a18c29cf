/** A rules page as its readers use it: numbers filled in, cut at its headings, with an address for each part. */

import { blocks, marked, type Block } from "../table/markdown";

export interface Section {
  /** The same in every language, so that a link holds. */
  anchor: string;
  title: string;
  blocks: Block[];
}

export type Numbers = Readonly<Record<string, number | string>>;

/** The text with `{hand}` and its like filled in; a name nobody knows stays, to be seen. */
export function filled(text: string, numbers: Numbers): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => String(numbers[name] ?? braces));
}

/** What stands before the first heading, and the sections after it. */
export function sectionsOf(text: string, numbers: Numbers): { lead: Block[]; sections: Section[] } {
  const lead: Block[] = [];
  const sections: Section[] = [];
  for (const block of blocks(filled(text, numbers))) {
    if (block.kind === "heading" && block.level === 2) sections.push({ anchor: block.anchor, title: block.lines[0] ?? "", blocks: [] });
    else (sections.at(-1)?.blocks ?? lead).push(block);
  }
  return { lead, sections };
}

/** Everything a block says in words, for whoever searches it. */
export function said(block: Block): string[] {
  if (block.kind === "table") return block.rows.map((row) => row.map(plain).join(" · "));
  if (block.kind === "example") return block.blocks.flatMap(said);
  if (block.kind === "pieces") return block.pieces.map(({ caption }) => plain(caption));
  return block.lines.map(plain);
}

/** A line without its marks; pieces are pictures and say nothing here. */
export function plain(line: string): string {
  return marked(line)
    .map(({ mark, text }) => (mark === "card" ? "" : mark === "house" ? ` ${text}` : text))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
