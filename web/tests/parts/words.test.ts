/** Every language says everything, with the same values. */

import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";

const FILES = import.meta.glob<Record<string, string>>(["../../src/**/en.json", "../../src/**/de.json"], { eager: true, import: "default" });
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

describe.each(folders)("the words of %s", (folder) => {
  const english = FILES[`${folder}/en.json`] as Record<string, string>;
  const german = FILES[`${folder}/de.json`] as Record<string, string>;

  test("are complete in German", () => {
    expect(Object.keys(german ?? {}).sort()).toEqual(Object.keys(english).sort());
  });

  // Who acts changes the verb in one language and not in another.
  const GRAMMAR = ["actor", "you", "who", "whose"];

  test("take the same values in both languages", () => {
    for (const [key, message] of Object.entries(english)) {
      const [here, there] = [values(message), values(german[key] ?? "")].map((names) => names.filter((name) => !GRAMMAR.includes(name))) as [string[], string[]];
      expect(there, key).toEqual(here);
    }
  });
});
