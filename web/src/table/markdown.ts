/**
 * As much of Markdown as rules pages use: headings with anchors, lists, steps, tables, examples, rows of pieces, paragraphs;
 * inside a line bold, code, a piece (`:card[flute]`) and a house mark (`:house[why]`).
 */

export interface Piece {
  name: string;
  /** What stands under it in a row of pieces. */
  caption: string;
}

export type Block =
  | { kind: "heading"; lines: string[]; level: number; anchor: string }
  | { kind: "paragraph" | "list" | "steps"; lines: string[] }
  | { kind: "example"; lines: string[]; blocks: Block[] }
  | { kind: "pieces"; lines: string[]; pieces: Piece[] }
  | { kind: "table"; lines: string[]; rows: string[][] };

export type Part = { mark: "bold" | "code" | "card" | "house" | null; text: string };

const PIECE = /:card\[([^\]]+)\](?:\(([^)]*)\))?/g;
const ITEM = /^[-*] /;
const STEP = /^\d+\. /;

export function blocks(text: string): Block[] {
  return text.split(/\n\s*\n/).flatMap(parts);
}

function parts(paragraph: string): Block[] {
  const found: Block[] = [];
  for (const raw of paragraph.split("\n")) {
    const line = raw.trim();
    if (line === "") continue;
    if (/^#+ /.test(line)) found.push(heading(line));
    else if (line.startsWith("|")) row(found, line);
    else if (ITEM.test(line)) begin(found, "list", line.replace(ITEM, ""));
    else if (STEP.test(line)) begin(found, "steps", line.replace(STEP, ""));
    else if (line.startsWith("> ")) example(found, line.slice(2));
    else if (line.replace(PIECE, "").trim() === "") pieces(found, line);
    else goOn(found, line);
  }
  return found;
}

/** `## A turn {#turn}` */
function heading(line: string): Block {
  const [, marks = "", title = "", anchor = ""] = /^(#+) (.*?)(?: \{#([\w-]+)\})?$/.exec(line) ?? [];
  return { kind: "heading", lines: [title], level: marks.length, anchor };
}

function begin(found: Block[], kind: "list" | "steps", line: string): void {
  const last = found.at(-1);
  // A list inside a step is told as part of the list it stands in.
  if (last?.kind === "list" || last?.kind === "steps") last.lines.push(line);
  else found.push({ kind, lines: [line] });
}

/** Each line of an example is a paragraph, or a row of pieces. */
function example(found: Block[], line: string): void {
  const last = found.at(-1);
  if (last?.kind === "example") last.blocks.push(...parts(line));
  else found.push({ kind: "example", lines: [], blocks: parts(line) });
}

function pieces(found: Block[], line: string): void {
  const more = [...line.matchAll(PIECE)].map(([, name = "", caption = ""]) => ({ name, caption }));
  const last = found.at(-1);
  if (last?.kind === "pieces") last.pieces.push(...more);
  else found.push({ kind: "pieces", lines: [], pieces: more });
}

function goOn(found: Block[], line: string): void {
  const last = found.at(-1);
  if (last !== undefined && last.lines.length > 0 && last.kind !== "heading") last.lines[last.lines.length - 1] += ` ${line}`;
  else found.push({ kind: "paragraph", lines: [line] });
}

function row(found: Block[], line: string): void {
  const cells = line.slice(1, -1).split("|").map((cell) => cell.trim());
  if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
  const last = found.at(-1);
  if (last?.kind === "table") last.rows.push(cells);
  else found.push({ kind: "table", lines: [], rows: [cells] });
}

/** A line cut where its marks change. */
export function marked(text: string): Part[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|:(?:card|house)\[[^\]]+\])/)
    .filter((part) => part !== "")
    .map(part);
}

function part(text: string): Part {
  if (text.startsWith("**")) return { mark: "bold", text: text.slice(2, -2) };
  if (text.startsWith("`")) return { mark: "code", text: text.slice(1, -1) };
  const [, mark, inside] = /^:(card|house)\[([^\]]+)\]$/.exec(text) ?? [];
  return mark === undefined ? { mark: null, text } : { mark: mark as "card" | "house", text: inside ?? "" };
}
