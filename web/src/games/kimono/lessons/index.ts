import { translator, type Translator } from "../../../lib/words/words.svelte";
import type { Lessons } from "../../lessons";
import en from "./en.json";

const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" })) as Translator<string>;

const lessons: Lessons = {
  t,
  parts: {
    row: () => ".board .stage",
    prompt: () => ".prompt",
    gap: (place) => `[data-gap="${place}"]`,
    // Whoever teaches here numbers from the left.
    group: (number) => `.stage button.group:nth-of-type(${number})`,
    tree: () => ".tree",
    collection: () => ".collection",
    seat: (seat) => `.others > :nth-child(${seat})`,
  },
};
export default lessons;
