/** How a game's own cards and tokens stand in its rules: drawn by what draws them on the board. */

import type { Component } from "svelte";

import type { GameId } from "../lib/types/games";
import Picture from "../parts/Picture.svelte";

export interface Drawing {
  component: Component<never>;
  props: Record<string, unknown>;
  /** What it shows, for whoever does not see it. */
  label: string;
  form: "card" | "token" | "sign" | "robe";
}

export interface Book {
  /** The sprite with the game's pictures. */
  pictures: string;
  /** Resolves when the names of the cards are here in the page's language. */
  ready(): Promise<void>;
  /** The piece that `:card[name]` asks for. */
  draw(name: string): Drawing;
}

const BOOKS: Record<GameId, () => Promise<{ default: Book }>> = {
  hanamikoji: () => import("../games/hanamikoji/rules"),
  kimono: () => import("../games/kimono/rules"),
  kasane: () => import("../games/kasane/rules"),
  kawaii: () => import("../games/kawaii/rules"),
  kohoju: () => import("../games/kohoju/rules"),
};

export async function bookOf(game: GameId): Promise<Book> {
  const book = (await BOOKS[game]()).default;
  await book.ready();
  return book;
}

/** A drawing of the sprite. */
export function picture(symbol: string, label: string, form: Drawing["form"] = "card", viewBox = "0 0 200 280", ink: string | null = null): Drawing {
  return { component: Picture as Component<never>, props: { symbol, viewBox, ink }, label, form };
}

/** A piece that no game has: a fault of the text, which its test names. */
export function unknown(name: string): never {
  throw new Error(`there is no piece ${name}`);
}
