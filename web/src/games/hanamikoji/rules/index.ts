import { picture, unknown, type Book, type Drawing } from "../../../rules/book";
import pictures from "../../../pictures/hanamikoji.svg?raw";
import { ACTIONS, CHARM, ITEMS, SYMBOL, type ActionName, type Item } from "../cards";
import { itemName, t } from "../words";

/** `flute`, `geisha flute`, `gift`, `favour`. */
function draw(name: string): Drawing {
  const geisha = name.startsWith("geisha ");
  const item = name.replace("geisha ", "") as Item;
  const place = ITEMS.indexOf(item);
  if (geisha && place >= 0) return picture(`card-hk-geisha-${SYMBOL[item]}`, `${itemName(item)}, ${t("charm")} ${CHARM[place]}`);
  if (place >= 0) return picture(`card-hk-${SYMBOL[item]}`, itemName(item));
  if (ACTIONS.includes(name as ActionName)) return picture(`hk-act-${name.replace("-", "")}`, t(`action.${name as ActionName}`), "token", "0 0 96 104");
  return name === "favour" ? picture("hk-favour", t("favour.marker"), "token", "0 0 64 64") : unknown(name);
}

const book: Book = { pictures, ready: t.ready, draw };
export default book;
