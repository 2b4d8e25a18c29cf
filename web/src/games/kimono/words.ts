import { translator, words } from "../../lib/words/words.svelte";
import { Sign, type Seated } from "../face";
import { signSymbol, type Card, type Curio, type Heap } from "./cards";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

export function cardName(card: Card): string {
  return t(`card.${card}`);
}

/** “the tea bowl” */
export function theCurio(curio: Curio): string {
  return t(`the.${curio}`);
}

export function cardSign(card: Card): Sign {
  return new Sign(signSymbol(card), cardName(card), null, "0 0 120 120");
}

/** “Aoi, Ede and Jonas” */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(words.language, { type: "conjunction" }).format(names);
}

export function namesOf(seats: readonly number[], seated: readonly Seated[]): string {
  return listed(seats.map((seat) => seated[seat]?.name ?? ""));
}

/** For messages that speak to you otherwise than of somebody. */
export function address(seated: Seated | null | undefined): "you" | "other" {
  return seated?.you ? "you" : "other";
}

/** A number with a true minus and, where it is a change, a plus. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}

export function figure(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** A sort before a seat, for whoever points at it or hears it. */
export function heapSaid({ card, count, limit, points, copies, state }: Heap): string {
  const values = { card: cardName(card), count, limit: limit ?? "", points: figure(points) };
  const parts = [t(limit === null ? "heap.free" : "heap", values)];
  if (copies > 0) parts.push(t("heap.copies", { count: copies }));
  if (state !== "room") parts.push(t(`heap.${state}`));
  return parts.join("; ");
}
