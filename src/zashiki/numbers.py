"""The numbers that the rules pages for players name, taken from the rules themselves.

A page writes `{hand}` and never 12: a number that changes in the rules changes on every page, in every language. What begins with
`example` belongs to the worked examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from zashiki.games import GAMES

if TYPE_CHECKING:
    from zashiki.games.kasane.cards import Style

Numbers = dict[str, int | str]

PRINTED_ROUNDS = 3
"""Hanamikoji's optional length; a table may choose any other."""


def hanamikoji() -> Numbers:
    """Seven geisha, four actions."""
    from zashiki.games.hanamikoji.cards import CHARM, ITEMS
    from zashiki.games.hanamikoji.rules import (
        CARDS,
        CHARM_TO_WIN,
        DOUBLES,
        GEISHA,
        GEISHA_TO_WIN,
        HAND,
        PAIRS,
        TRIPLES,
        TURNS,
    )

    (rounds,) = GAMES["hanamikoji"].options
    charm = dict(zip(ITEMS, CHARM, strict=True))
    offers = TURNS // 2
    return {
        "players": GAMES["hanamikoji"].seats[0],
        **{_name(item): count for item, count in charm.items()},
        "geisha": GEISHA,
        "charm": sum(CHARM),
        "cards": CARDS,
        "hand": HAND,
        "stack": CARDS - 1 - 2 * HAND,
        "turns": TURNS,
        "decisions": TURNS + offers,
        "actions": TURNS // 2,
        "trade_off": len(PAIRS[0]),
        "gift": len(TRIPLES[0]),
        "competition": sum(map(len, DOUBLES[0])),
        "charm_to_win": CHARM_TO_WIN,
        "geisha_to_win": GEISHA_TO_WIN,
        "rounds": rounds.default,
        "rounds_printed": PRINTED_ROUNDS,
        "example_yours": charm["umbrella"] + charm["shamisen"] + charm["hair ornament"],
        "example_theirs": charm["flute"] + charm["fan"] + charm["scroll"] + charm["tea pot"],
        "example_their_geisha": len(("flute", "fan", "scroll", "tea pot")),
    }


def kimono() -> Numbers:
    """Eight sorts of curios with points and limits, and the cards that do something."""
    from zashiki.games.kimono.cards import COPIES, NO_LIMIT, NUMBERS, ROUNDS, TO_DO
    from zashiki.games.kimono.rules import KIMONOS, LARGE_FROM, LARGE_PILE, MARKET, SMALL_PILE

    actions = dict(zip(TO_DO, COPIES[len(NUMBERS) :], strict=False))
    fires, coins = NUMBERS["fire"].copies, NUMBERS["gold coin"].copies
    action_cards = fires + sum(actions.values())
    of_sorts: Numbers = {}
    for sort, number in NUMBERS.items():
        of_sorts |= {f"{_name(sort)}_copies": number.copies, f"{_name(sort)}_points": abs(number.points)}
        if number.limit != NO_LIMIT:
            of_sorts[f"{_name(sort)}_limit"] = number.limit
    return {
        **_seats("kimono"),
        **of_sorts,
        **{f"{_name(card)}_copies": count for card, count in actions.items()},
        "rounds": ROUNDS,
        "market": MARKET,
        "curios": MARKET - coins - action_cards,
        "action_cards": action_cards,
        "kimonos": KIMONOS,
        "few_most": LARGE_FROM - 1,
        "many_fewest": LARGE_FROM,
        "few_pile": SMALL_PILE,
        "many_pile": LARGE_PILE,
        "few_sack": MARKET - ROUNDS * SMALL_PILE,
        "many_sack": MARKET - ROUNDS * LARGE_PILE,
        "broken": 2,
        **_kimono_example(),
    }


def _kimono_example() -> Numbers:
    """Two swords, a tea bowl, a parasol more than its limit, two coins and a fire."""
    from zashiki.games.kimono.cards import NUMBERS

    swords, bowls, coins = 2 * NUMBERS["sword"].points, NUMBERS["tea bowl"].points, 2 * NUMBERS["gold coin"].points
    parasols, fire = NUMBERS["parasol"].limit + 1, -NUMBERS["fire"].points
    return {
        "example_swords": swords,
        "example_bowls": bowls,
        "example_parasols": parasols,
        "example_coins": coins,
        "example_fire": fire,
        "example_total": swords + bowls - parasols + coins - fire,
    }


def kasane() -> Numbers:
    """Nine fabrics, thirty places, and a market by the number of players."""
    from zashiki.games.kasane.cards import FABRICS, MARK_STYLES, POINTS, STYLES, VARIETY
    from zashiki.games.kasane.combinations import HIGH, LEAST, LOW, MARK_SIZE, MOST, SIZED_STYLES, TEN
    from zashiki.games.kasane.rules import ACCESSORIES, COLUMNS, NUMBERS, ROWS, SETS, TURNS
    from zashiki.games.kasane.scoring import DOZEN, DOZEN_BONUS, LAID_FOR_VARIETY, PLACES

    by_seats: Numbers = {}
    for place, seats in enumerate(GAMES["kasane"].seats):
        market = ROWS[place] * COLUMNS[place]
        by_seats |= {
            f"sets_{seats}": SETS[place],
            f"fabrics_{seats}": NUMBERS * SETS[place],
            f"accessories_{seats}": ACCESSORIES[place],
            f"rows_{seats}": ROWS[place],
            f"columns_{seats}": COLUMNS[place],
            f"market_{seats}": market,
            f"left_{seats}": market - TURNS,
            f"takes_{seats}": TURNS // seats,
        }
    short = ("animals", "plants", "same", "low", "high", "ten")
    points = {
        f"{name}_{LEAST + size}": each
        for name, style in zip(short, STYLES[:SIZED_STYLES], strict=True)
        for size, each in enumerate(POINTS[style])
    }
    first_mark = POINTS[STYLES[SIZED_STYLES]]
    return {
        **_seats("kasane"),
        **by_seats,
        **points,
        **{f"variety_{count}": bonus for count, bonus in enumerate(VARIETY) if count > 0},
        **{mark: _listed(f.number for f in FABRICS if f.mark == mark) for mark in MARK_STYLES.values()},
        "animals": _listed(f.number for f in FABRICS if f.motif == "animal"),
        "plants": _listed(f.number for f in FABRICS if f.motif == "plant"),
        "numbers": NUMBERS,
        "copies": SETS[-1],
        "fabrics": NUMBERS * SETS[-1],
        "accessories": ACCESSORIES[-1],
        "styles": len(STYLES),
        "places": PLACES,
        "least": LEAST,
        "most": MOST,
        "mark_size": MARK_SIZE,
        "mark_first": first_mark[0],
        "mark_second": first_mark[1],
        "ten_sum": TEN,
        "low_from": LOW[0],
        "low_to": LOW[-1],
        "high_from": HIGH[0],
        "high_to": HIGH[-1],
        "dozen": DOZEN,
        "dozen_bonus": DOZEN_BONUS,
        "variety_from": LAID_FOR_VARIETY,
        **_kasane_example(POINTS, VARIETY, DOZEN_BONUS),
    }


def _kasane_example(points: dict[Style, tuple[int, ...]], variety: tuple[int, ...], dozen: int) -> Numbers:
    """5 4 2 1, then 1 2 6, then three sevens, and two accessories: a dozen cards of six different fabrics."""
    row, marks, same = points["Kagen no Tsuki"][2], points["Chidori"][0], points["Kasane"][1]
    different = len({5, 4, 2, 1} | {1, 2, 6} | {7})
    accessories = 2
    return {
        "example_different": different,
        "example_places": row + marks + same,
        "example_accessories": accessories,
        "example_variety": variety[different],
        "example_total": row + marks + same + accessories + dozen + variety[different],
    }


def kawaii() -> Numbers:
    """Ice creams, tokens, and the times of the live pace."""
    from zashiki.games.kawaii.cards import (
        ALL_SHOPS,
        CARDS,
        CHERRY,
        CLOSED_SHOP,
        COPIES,
        COUNTDOWN_MS,
        FLAVOURS,
        ICE_CREAMS,
        PHOTO_FINISH_MS,
        ROUNDS,
        SEATS,
        SHAPES,
        THROW_MS,
        THROWS_AT_MOST,
        TOKENS,
    )

    dealt = {seats: [len(range(seat, CARDS, seats)) for seat in range(seats)] for seats in GAMES["kawaii"].seats}
    reserves = {f"reserves_{seats}": " / ".join(map(str, sizes)) for seats, sizes in dealt.items()}
    return {
        **_seats("kawaii"),
        **reserves,
        "reserves_5": CARDS // SEATS,
        "cards": CARDS,
        "ice_creams": sum(COPIES[:ICE_CREAMS]),
        "flavours": len(FLAVOURS),
        "shapes": len(SHAPES),
        "each": COPIES[0],
        "shops": COPIES[CLOSED_SHOP],
        "cherries": COPIES[CHERRY],
        "all_shops": ALL_SHOPS,
        "tokens": TOKENS,
        "rounds": ROUNDS,
        "throws": THROWS_AT_MOST,
        "photo_finish": PHOTO_FINISH_MS,
        "throw_seconds": THROW_MS // 1000,
        "countdown": COUNTDOWN_MS // 1000,
        "example_total": 5,
    }


def kohoju() -> Numbers:
    """Twenty-five kinds, hands of twelve, kohojus of five."""
    from zashiki.games.kohoju.cards import CARDS, COLOURS, KINDS, LEAST_DEALS, POINTS, POINTS_A_DEAL, SYMBOLS, TURNS_A_DEAL
    from zashiki.games.kohoju.rules import FINISHED_BONUS, HAND, UNFINISHED

    (target,) = GAMES["kohoju"].options
    wanted = int(target.default)
    finished, begun, left = 3 + 4 + 2 + 5 + 1, 4 + 2, 3 + 1
    return {
        **_seats("kohoju"),
        "colours": len(COLOURS),
        "symbols": len(SYMBOLS),
        "kinds": KINDS,
        "point_cards": CARDS,
        "points": POINTS,
        "hand": HAND,
        "unfinished": UNFINISHED,
        "size": len(COLOURS),
        "bonus": FINISHED_BONUS,
        "turns": TURNS_A_DEAL,
        "target": wanted,
        "target_least": int(target.values[0]),
        "target_most": int(target.values[-1]),
        "deals": LEAST_DEALS + wanted // POINTS_A_DEAL,
        "deals_least": LEAST_DEALS,
        "points_a_deal": POINTS_A_DEAL,
        "example_finished": finished,
        "example_begun": begun,
        "example_left": left,
        "example_total": finished + FINISHED_BONUS + begun - left,
    }


NUMBERS_OF: dict[str, Callable[[], Numbers]] = {
    "hanamikoji": hanamikoji,
    "kimono": kimono,
    "kasane": kasane,
    "kawaii": kawaii,
    "kohoju": kohoju,
}


def numbers_of(game: str) -> Numbers:
    """Every number that the pages of a game may name; none of a game that has no pages yet."""
    return NUMBERS_OF.get(game, dict)()


def _seats(game: str) -> Numbers:
    seats = GAMES[game].seats
    return {"fewest": seats[0], "most_players": seats[-1]}


def _name(noun: str) -> str:
    return noun.replace(" ", "_")


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
