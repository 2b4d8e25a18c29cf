import { expect, test } from "vitest";

import { blocks, marked } from "../../src/table/markdown";

test("a rules page is cut into headings, paragraphs, lists and tables", () => {
  const page = "# Rules\nTwo lines\nof one paragraph.\n\n1. first\n   goes on\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  expect(blocks(page)).toEqual([
    { kind: "heading", lines: ["Rules"] },
    { kind: "paragraph", lines: ["Two lines of one paragraph."] },
    { kind: "list", lines: ["first goes on", "second"] },
    { kind: "table", lines: [], rows: [["a", "b"], ["1", "2"]] },
  ]);
});

test("bold and code are marked, the rest is plain", () => {
  expect(marked("a **b** `c` d")).toEqual([
    { mark: null, text: "a " },
    { mark: "bold", text: "b" },
    { mark: null, text: " " },
    { mark: "code", text: "c" },
    { mark: null, text: " d" },
  ]);
});
