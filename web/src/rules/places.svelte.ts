/** Where somebody was in the rules of a game, kept while the page is open: closing the tab loses no place. */

import { SvelteSet } from "svelte/reactivity";

import type { GameId } from "../lib/types/games";

export class Place {
  query = $state("");
  /** The sections that are unfolded. */
  readonly opened = new SvelteSet<string>();
  scroll = 0;

  fold(anchor: string, open: boolean): void {
    if (open) this.opened.add(anchor);
    else this.opened.delete(anchor);
  }
}

const places = new Map<GameId, Place>();

export function placeIn(game: GameId): Place {
  const place = places.get(game) ?? new Place();
  places.set(game, place);
  return place;
}
