import { translator, type Translator } from "../../../lib/words/words.svelte";
import { within, type Lessons } from "../../lessons";
import en from "./en.json";

const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" })) as Translator<string>;

const lessons: Lessons = {
  t,
  parts: {
    guide: () => ".piles .guide",
    stock: () => ".piles .pile:nth-child(2) .stack",
    discard: () => ".piles .pile:nth-child(3) .stack",
    pool: () => ".pool",
    hand: within(".hand"),
    kohojus: () => ".kohojus .kohoju",
    kohoju: (which) => `.kohojus .kohoju[data-drop="kohoju ${which}"]`,
    seats: () => ".area.seats",
  },
};
export default lessons;
