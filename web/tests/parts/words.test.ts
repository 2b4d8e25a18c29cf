/** Every language says everything, with the same values. */

import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";

import { LANGUAGES } from "../../src/lib/words";

const FILES = import.meta.glob<Record<string, string>>("../../src/**/*.json", { eager: true, import: "default" });
const folders = [...new Set(Object.keys(FILES).map((path) => path.replace(/\/\w+\.json$/, "")))];

function values(message: string): string[] {
  const found = new Set<string>();
  const visit = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type !== TYPE.literal && element.type !== TYPE.pound) found.add(element.value);
      if (element.type === TYPE.plural || element.type === TYPE.select) for (const option of Object.values(element.options)) visit(option.value);
      if (element.type === TYPE.tag) visit(element.children);
    }
  };
  visit(parse(message));
  return [...found].sort();
}

// Who acts, and to whom, changes the verb in one language and not in another.
const GRAMMAR = ["actor", "you", "who", "whose"];
const others = Object.keys(LANGUAGES).filter((language) => language !== "en");
const pairs = folders.flatMap((folder) => others.map((language) => [folder.replace("../../src/", ""), language] as const));

describe.each(pairs)("the words of %s in %s", (folder, language) => {
  const english = FILES[`../../src/${folder}/en.json`] as Record<string, string>;
  const there = FILES[`../../src/${folder}/${language}.json`] ?? {};

  test("are complete", () => {
    expect(Object.keys(there).sort()).toEqual(Object.keys(english).sort());
  });

  test("take the same values as in English", () => {
    for (const [key, message] of Object.entries(english)) {
      const [ours, theirs] = [values(message), values(there[key] ?? "")].map((names) => names.filter((name) => !GRAMMAR.includes(name))) as [string[], string[]];
      expect(theirs, key).toEqual(ours);
    }
  });
});
