/** How this visitor likes the room: language, theme, sound. Kept in the browser, never on the server. */

import { isLanguage, words, type Language } from "./words";

export type Theme = "system" | "light" | "dark";
/** How a strong player helps me, where that is allowed: not at all, by a warning before a blunder, or by showing the best. */
export type Help = "off" | "warn" | "show";
const KEY = "zashiki.room";

interface Kept {
  theme?: Theme;
  sound?: boolean;
  language?: Language;
  hints?: boolean;
  help?: Help;
}

class Room {
  theme = $state<Theme>("system");
  sound = $state(true);
  /** Kawaii's faint frames round what counts for you. */
  hints = $state(true);
  help = $state<Help>("off");

  constructor() {
    const kept = read();
    this.theme = kept.theme ?? "system";
    this.sound = kept.sound ?? true;
    this.hints = kept.hints ?? true;
    this.help = kept.help ?? "off";
    const wanted = navigator.languages?.map((each) => each.slice(0, 2)).find(isLanguage);
    words.speak(kept.language ?? wanted ?? "en");
    this.#paint();
  }

  get dark(): boolean {
    return this.theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : this.theme === "dark";
  }

  turnLamp(): void {
    this.theme = this.dark ? "light" : "dark";
    this.#paint();
    this.#keep();
  }

  turnSound(): void {
    this.sound = !this.sound;
    this.#keep();
  }

  turnHints(): void {
    this.hints = !this.hints;
    this.#keep();
  }

  wantHelp(help: Help): void {
    this.help = help;
    this.#keep();
  }

  speak(language: Language): void {
    words.speak(language);
    this.#keep();
  }

  #paint(): void {
    if (this.theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.theme;
  }

  #keep(): void {
    const kept: Kept = { theme: this.theme, sound: this.sound, language: words.language, hints: this.hints, help: this.help };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
}

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Kept;
  } catch {
    return {};
  }
}

export const room = new Room();
