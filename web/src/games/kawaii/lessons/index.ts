import { translator, type Translator } from "../../../lib/words/words.svelte";
import type { Lessons } from "../../lessons";
import en from "./en.json";

const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" })) as Translator<string>;

const lessons: Lessons = {
  t,
  parts: {
    lane: (seat) => `[data-lane="${seat}"]`,
    tokens: () => '[data-lane="0"] .tokens',
    favourites: () => ".favourites",
    pad: () => "[data-pad]",
    throws: () => ".throws",
    points: () => ".points",
    score: () => ".round table",
  },
};
export default lessons;
