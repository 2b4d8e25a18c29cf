/** As much of Markdown as the rules pages use: headings, lists, tables, paragraphs; bold and code inside a line. */

export type Block =
  | { kind: "heading" | "paragraph" | "list"; lines: string[] }
  | { kind: "table"; lines: string[]; rows: string[][] };

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    for (const part of parts(paragraph)) found.push(part);
  }
  return found;
}

function parts(paragraph: string): Block[] {
  const found: Block[] = [];
  for (const raw of paragraph.split("\n")) {
    const line = raw.trim();
    if (line === "") continue;
    const last = found.at(-1);
    if (/^#+ /.test(line)) found.push({ kind: "heading", lines: [line.replace(/^#+ /, "")] });
    else if (line.startsWith("|")) row(found, line);
    else if (/^([-*]|\d+\.) /.test(line)) item(found, line.replace(/^([-*]|\d+\.) /, ""));
    else if (last !== undefined && last.kind !== "heading" && last.kind !== "table") last.lines[last.lines.length - 1] += ` ${line}`;
    else found.push({ kind: "paragraph", lines: [line] });
  }
  return found;
}

function item(found: Block[], line: string): void {
  const last = found.at(-1);
  if (last?.kind === "list") last.lines.push(line);
  else found.push({ kind: "list", lines: [line] });
}

function row(found: Block[], line: string): void {
  const cells = line.slice(1, -1).split("|").map((cell) => cell.trim());
  if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
  const last = found.at(-1);
  if (last?.kind === "table") last.rows.push(cells);
  else found.push({ kind: "table", lines: [], rows: [cells] });
}

/** A line cut where its marks change: bold, code, plain. */
export function marked(text: string): { mark: "bold" | "code" | null; text: string }[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part.startsWith("**")) return { mark: "bold", text: part.slice(2, -2) };
      return part.startsWith("`") ? { mark: "code", text: part.slice(1, -1) } : { mark: null, text: part };
    });
}
