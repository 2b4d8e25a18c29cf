import { picture, unknown, type Book, type Drawing } from "../../../rules/book";
import pictures from "../../../pictures/kimono.svg?raw";
import { CARDS, cardSymbol, signSymbol, type Card } from "../cards";
import { cardName, t } from "../words";

/** `tea bowl`, or `sign tea bowl` for its picture alone. */
function draw(name: string): Drawing {
  const sign = name.startsWith("sign ");
  const card = name.replace("sign ", "") as Card;
  if (!CARDS.includes(card)) return unknown(name);
  return sign ? picture(signSymbol(card), cardName(card), "sign", "0 0 120 120") : picture(cardSymbol(card), cardName(card));
}

const book: Book = { pictures, ready: t.ready, draw };
export default book;
