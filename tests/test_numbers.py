"""The worked examples of the rules pages come out as the rules count them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.position import Position
from zashiki import GAMES
from zashiki.numbers import NUMBERS_OF, numbers_of

WEB = Path(__file__).parents[1] / "web/src/games"
VALUE = re.compile(r"\{([a-z_0-9]+)\}")


def test_every_game_has_its_numbers() -> None:
    assert list(NUMBERS_OF) == list(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_named_by_the_english_page_or_its_summary(game: str) -> None:
    text = "".join((WEB / game / "rules" / file).read_text("utf-8") for file in ("en.md", "en.summary.md"))
    assert set(numbers_of(game)) == set(VALUE.findall(text))


def test_the_example_of_hanamikoji_is_won_by_charm_over_four_geisha() -> None:
    numbers = numbers_of("hanamikoji")
    assert numbers["example_yours"] == numbers["charm_to_win"]
    assert numbers["example_their_geisha"] == numbers["geisha_to_win"]


def test_the_example_of_kimono_is_counted_as_the_rules_count_it() -> None:
    from zashiki.games.kimono.cards import CARDS
    from zashiki.games.kimono.scoring import worth

    front = {"sword": 2, "tea bowl": 1, "parasol": 3, "gold coin": 2, "fire": 1}
    assert numbers_of("kimono")["example_parasols"] == front["parasol"]
    assert sum(worth(CARDS.index(card), count) for card, count in front.items()) == numbers_of("kimono")["example_total"]


def test_the_example_of_kasane_is_counted_as_the_rules_count_it() -> None:
    from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KIND_STYLE
    from zashiki.games.kasane.scoring import points_of

    position = Position("kasane", 2)
    kimono = (5, 4, 2, 1, 1, 2, 6, 7, 7, 7)
    position.state.kimonos[0, : len(kimono)] = kimono
    position.state.kimono_size[0] = len(kimono)
    position.state.accessories[0] = 2
    kinds = list(zip(KIND_STYLE, KIND_SIZE, strict=True))
    for place in (kinds.index(("Kagen no Tsuki", 4)), FIRST_MARK, kinds.index(("Kasane", 3))):
        position.state.places[place] = 0
    assert points_of(position.state, 0) == numbers_of("kasane")["example_total"]


def test_the_example_of_kawaii_is_counted_as_the_rules_count_it() -> None:
    from zashiki.games.kawaii.cards import CHERRY, CLOSED_SHOP, FLAVOURS, SHAPES
    from zashiki.games.kawaii.scoring import PARTS, count_points

    position = Position("kawaii", 3)
    mint, chocolate = FLAVOURS.index("mint"), FLAVOURS.index("chocolate")
    cone, cup = SHAPES.index("cone"), SHAPES.index("cup")
    position.state.flavours[0], position.state.shapes[0] = mint, cup
    for kind in (5 * mint + cone, 5 * mint + cup, 5 * chocolate + cup, CHERRY, CLOSED_SHOP):
        position.state.captured[0, kind] = 1
    position.state.tokens[0] = 1
    row = np.zeros(len(PARTS), np.int32)
    count_points(position.state, 0, row)
    assert row.sum() == numbers_of("kawaii")["example_total"]
