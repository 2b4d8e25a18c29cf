import { translator, words, type Values } from "../../lib/words/words.svelte";
import { Name, Sign, type Seated } from "../face";
import { CHERRY, flavourOf, shapeOf, type SignName } from "./cards";
import en from "./en.json";

export const t = translator(en, import.meta.glob(["./*.json", "!./en.json"], { import: "default" }));

export function cardName(kind: number | null): string {
  if (kind === null) return t("card.unknown");
  const [flavour, shape] = [flavourOf(kind), shapeOf(kind)];
  if (flavour === null || shape === null) return t(kind === CHERRY ? "card.cherry" : "card.shop");
  return t("card", { flavour: t(`flavour.${flavour}`), shape: t(`shape.${shape}`) });
}

/** A thrown sign between words. */
export function signOf(sign: SignName): Sign {
  return new Sign(`kw-hand-${sign}`, t(`sign.${sign}`), null, "0 0 80 80");
}

/** “your pile”, “Aoi’s pile” */
export function pileName(seated: Seated | undefined): string {
  return seated?.you ? t("pile.yours") : t("pile.of", { name: seated?.name ?? "" });
}

/** Names as a sentence counts them: “you, Aoi and Ede”. */
export function namesOf(seats: readonly Seated[], wanted: readonly number[]): string {
  const names = wanted.map((seat) => (seats[seat]?.you ? t("you") : (seats[seat]?.name ?? "")));
  return new Intl.ListFormat(words.language, { type: "conjunction" }).format(names);
}

/** Who does it to whose pile: values for sentences that speak to you, of you and of others. */
export function parties(seats: readonly Seated[], actor: number | null, owner: number | null): Values {
  const [who, other] = [actor === null ? undefined : seats[actor], owner === null ? undefined : seats[owner]];
  return {
    who: new Name(who ?? null),
    owner: new Name(other ?? null),
    actor: who?.you ? "you" : "other",
    whose: owner !== null && owner === actor ? "self" : other?.you ? "you" : "other",
  };
}
