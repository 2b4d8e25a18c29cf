import en from "./en.json";
import { translator } from "./words.svelte";

/** The words of the room: lobby, frame of the table, replay, account. */
export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));
export { isLanguage, LANGUAGES, words, type Language, type Said } from "./words.svelte";
