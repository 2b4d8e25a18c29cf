import { expect, test } from "vitest";

import { blocks, marked } from "../../src/table/markdown";

test("a rules page is cut into headings, paragraphs, lists, steps and tables", () => {
  const page = "# Rules\nTwo lines\nof one paragraph.\n\n1. first\n   goes on\n2. second\n\n- third\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  expect(blocks(page)).toEqual([
    { kind: "heading", lines: ["Rules"], level: 1, anchor: "" },
    { kind: "paragraph", lines: ["Two lines of one paragraph."] },
    { kind: "steps", lines: ["first goes on", "second"] },
    { kind: "list", lines: ["third"] },
    { kind: "table", lines: [], rows: [["a", "b"], ["1", "2"]] },
  ]);
});

test("a heading has an anchor that is no part of its words", () => {
  expect(blocks("## Ein Zug {#turn}")).toEqual([{ kind: "heading", lines: ["Ein Zug"], level: 2, anchor: "turn" }]);
});

test("pieces that stand alone are a row, each with its caption", () => {
  expect(blocks(":card[flute](flute, 2) :card[fan]\n:card[scroll]")).toEqual([
    {
      kind: "pieces",
      lines: [],
      pieces: [
        { name: "flute", caption: "flute, 2" },
        { name: "fan", caption: "" },
        { name: "scroll", caption: "" },
      ],
    },
  ]);
});

test("an example has paragraphs and rows of pieces of its own", () => {
  expect(blocks("> **Example.** You take one.\n> :card[fan]\n> It counts.")).toEqual([
    {
      kind: "example",
      lines: [],
      blocks: [
        { kind: "paragraph", lines: ["**Example.** You take one."] },
        { kind: "pieces", lines: [], pieces: [{ name: "fan", caption: "" }] },
        { kind: "paragraph", lines: ["It counts."] },
      ],
    },
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

test("pieces and house marks stand between the words", () => {
  expect(marked("a :card[tea pot] b :house[Because.]")).toEqual([
    { mark: null, text: "a " },
    { mark: "card", text: "tea pot" },
    { mark: null, text: " b " },
    { mark: "house", text: "Because." },
  ]);
});
