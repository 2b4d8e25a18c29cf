import { translator, type Translator } from "../../../lib/words/words.svelte";
import { within, type Lessons } from "../../lessons";
import { ACTIONS, ITEMS, type ActionName, type Item } from "../cards";
import en from "./en.json";

const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" })) as Translator<string>;

const lessons: Lessons = {
  t,
  parts: {
    geisha: (item) => (item === "" ? ".board .row" : `.board .row .column:nth-child(${ITEMS.indexOf(item as Item) + 1})`),
    action: (name) => `.marker:nth-child(${ACTIONS.indexOf(name as ActionName) + 1})`,
    hand: within(".near .hand"),
    offer: (item) => (item === "" ? ".offer .groups" : `.offer .group:has([data-piece="${item}"])`),
    charm: () => ".near .charm",
    far: () => ".board > :first-child",
  },
};
export default lessons;
