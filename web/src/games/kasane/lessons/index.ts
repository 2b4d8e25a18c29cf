import { translator, type Translator } from "../../../lib/words/words.svelte";
import type { Lessons } from "../../lessons";
import en from "./en.json";

const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" })) as Translator<string>;

const lessons: Lessons = {
  t,
  parts: {
    market: (row) => (row === "" ? ".market" : `.market .row:nth-child(${Number(row) + 1}) .card:not(.under)`),
    places: () => ".places",
    prompt: () => ".prompt",
    near: () => ".near",
    others: () => ".others",
  },
};
export default lessons;
