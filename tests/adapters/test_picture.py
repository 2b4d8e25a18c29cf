"""The board as a picture."""

from __future__ import annotations

import numpy as np
import pytest
from rich.text import Text

from tests.conformance.walks import SETTINGS, Setting, positions
from zashiki.adapters import picture as pictures
from zashiki.adapters.picture import COLUMNS, HIGH, LINES, MARGIN, PAPER, SCALE, WIDE, picture, text


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_board_fits_and_has_nothing_that_the_font_has_not(setting: Setting) -> None:
    for state in positions(setting, 1, 400, 6):
        for seat in (-1, setting.seats - 1):
            plain = Text.from_ansi(text(state.view(seat), seat)).plain
            assert len(plain.splitlines()) <= LINES
            unknown = {letter for letter in plain if letter.strip() and not known(letter)}
            assert unknown == set()


def known(letter: str) -> bool:
    return letter in pictures._font() or letter == "░" or any(letter in letters for letters in pictures.STROKES)


@pytest.mark.parametrize("game", ["hanamikoji", "kimono", "kasane", "kawaii", "kohoju"])
def test_all_pictures_have_one_size_and_show_something(game: str) -> None:
    setting = next(setting for setting in SETTINGS if setting.game == game)
    drawn = picture(setting.deal(1).view(0), 0)
    assert drawn.shape == (SCALE * (LINES * HIGH + 2 * MARGIN), SCALE * (COLUMNS * WIDE + 2 * MARGIN), 3)
    assert drawn.dtype == np.uint8
    inked = (drawn != PAPER).any(axis=2)
    assert 0.02 < inked.mean() < 0.5


def test_a_letter_that_the_font_has_not_is_an_empty_frame() -> None:
    frame = pictures._shape("漢")
    assert frame.any()
    assert not frame[4, 2]


def test_letters_are_told_apart() -> None:
    shapes = {letter: glyph.tobytes() for letter, glyph in pictures._font().items() if letter.isascii()}
    assert len(set(shapes.values())) == len(shapes) == 94
