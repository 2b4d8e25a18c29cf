/** Every visible word: ICU messages by key, in the language of the page, English until the other file is here. */

import { IntlMessageFormat } from "intl-messageformat";

/** Those that say everything; whoever adds one adds its name here and a file beside each `en.json`. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  es: "Español",
  nl: "Nederlands",
  hu: "Magyar",
  ja: "日本語",
} as const;
export type Language = keyof typeof LANGUAGES;

/** What stands between words: a seat's name, a card's crest. */
export type Piece = object;
export type Value = string | number | Piece;
export type Values = Record<string, Value | readonly Value[]>;
export type Said = readonly (string | Piece)[];
type Messages<Key extends string> = Record<Key, string>;
/** Files by their name, `./de.json`, as Vite globs them. */
type Files = Record<string, () => Promise<unknown>>;

export interface Translator<Key extends string> {
  /** The message as plain text. */
  (key: Key, values?: Values): string;
  /** The message with pieces between its words. */
  rich(key: Key, values?: Values): Said;
  /** Resolves when the messages of the page's language are here. */
  ready(): Promise<void>;
  /** Whether there is such a message. */
  has(key: string): key is Key;
}

class Words {
  language = $state<Language>("en");

  /** Speaks another language from now on. */
  speak(language: Language): void {
    this.language = language;
    document.documentElement.lang = language;
  }
}

export const words = new Words();

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && text in LANGUAGES;
}

/** A translator of one part of the page. The English messages name the keys; the others are loaded when they are spoken. */
export function translator<Key extends string>(
  english: Messages<Key>,
  others: Files,
): Translator<Key> {
  const known = $state<Partial<Record<Language, Messages<Key>>>>({ en: english });
  const formats = new Map<string, IntlMessageFormat>();
  const loading = new Map<Language, Promise<void>>();

  function load(language: Language): Promise<void> {
    if (language === "en") return Promise.resolve();
    let coming = loading.get(language);
    if (coming === undefined) {
      const file = others[`./${language}.json`];
      coming = file === undefined ? Promise.resolve() : file().then((messages) => void (known[language] = messages as Messages<Key>));
      loading.set(language, coming);
    }
    return coming;
  }

  function format(key: Key): IntlMessageFormat {
    const language = words.language;
    const messages = known[language];
    if (messages === undefined) void load(language);
    const spoken = messages === undefined ? "en" : language;
    const name = `${spoken} ${key}`;
    let found = formats.get(name);
    if (found === undefined) {
      found = new IntlMessageFormat((messages ?? english)[key] ?? key, spoken);
      formats.set(name, found);
    }
    return found;
  }

  /** A message that lacks a value is a fault of ours, and no reason to show nobody the table. */
  function filled(key: Key, values: Values): unknown {
    try {
      return format(key).format<Piece>(values as never);
    } catch (fault) {
      console.error(`the message ${key} cannot be said`, fault);
      return english[key] ?? key;
    }
  }

  const translate = (key: Key, values: Values = {}): string => {
    const said = filled(key, values);
    return Array.isArray(said) ? said.map(String).join("") : String(said);
  };
  return Object.assign(translate, {
    rich(key: Key, values: Values = {}): Said {
      const said = filled(key, values);
      return (Array.isArray(said) ? said : [said]).flat(2) as Said;
    },
    ready: () => load(words.language),
    has: (key: string): key is Key => key in english,
  });
}
