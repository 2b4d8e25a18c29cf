import { picture, unknown, type Book, type Drawing } from "../../../rules/book";
import pictures from "../../../pictures/kawaii.svg?raw";
import { cardSymbol, CHERRY, CLOSED_SHOP, FLAVOURS, SHAPES, SIGNS, type SignName } from "../cards";
import { cardName, signOf, t } from "../words";

const KINDS = new Map<string, number>([
  ...FLAVOURS.flatMap((flavour, row) => SHAPES.map((shape, column) => [`${flavour} ${shape}`, 5 * row + column] as const)),
  ["closed shop", CLOSED_SHOP],
  ["cherry", CHERRY],
]);

/** `mint cone`, `cherry`, `closed shop`, `heart`, `rock`. */
function draw(name: string): Drawing {
  const kind = KINDS.get(name);
  if (kind !== undefined) return picture(cardSymbol(kind), cardName(kind));
  if (SIGNS.includes(name as SignName)) return picture(`kw-hand-${name}`, signOf(name as SignName).text, "token", "0 0 80 80");
  return name === "heart" ? picture("kw-heart", t("tokens", { count: 1 }), "token", "0 0 80 80") : unknown(name);
}

const book: Book = { pictures, ready: t.ready, draw };
export default book;
