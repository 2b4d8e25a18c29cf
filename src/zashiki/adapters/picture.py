"""The board of the terminal as text, and as a picture drawn with a small font of our own: what environments render."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import StringIO

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from rich.color import Color, ColorType
from rich.console import Console
from rich.segment import Segment
from rich.style import Style

from zashiki.core.checks import shown
from zashiki.core.errors import WrongOption
from zashiki.core.state import State
from zashiki.terminal import board

Picture = npt.NDArray[np.uint8]
Shape = npt.NDArray[np.bool_]
Rgb = tuple[int, int, int]

RENDER_MODES = ["human", "ansi", "rgb_array"]
COLUMNS, LINES = 100, 40
"""The room of the largest board. Every picture of every game has this size, so that pictures make a film."""
SCALE = 2
WIDE, HIGH = 6, 12
"""A letter's cell, in dots of SCALE by SCALE pixels."""
MARGIN = 10
GLYPH_WIDE, GLYPH_HIGH = 5, 9
ABOVE = 2
"""Dots between the top of the cell and the letter."""

PAPER: Rgb = (24, 27, 31)
INK: Rgb = (222, 216, 203)
WHITE: Rgb = (255, 255, 255)
WHITE_NUMBER = 7
"""A terminal's white, which is a light grey to most of them, and to rich."""
STRUCK_AT, UNDERLINED_AT = 5, 11

LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8
STROKES = {
    "─━": LEFT | RIGHT,
    "│┃": UP | DOWN,
    "┌┏╭": RIGHT | DOWN,
    "┐┓╮": LEFT | DOWN,
    "└┗╰": RIGHT | UP,
    "┘┛╯": LEFT | UP,
    "├┣": RIGHT | UP | DOWN,
    "┤┫": LEFT | UP | DOWN,
    "┬┳": LEFT | RIGHT | DOWN,
    "┴┻": LEFT | RIGHT | UP,
    "┼╋": LEFT | RIGHT | UP | DOWN,
}
"""Lines of frames run from the middle of their cell to its edges, so that they meet."""
HEAVY = "━┃┏┓┗┛┣┫┳┻╋"


def rendered(state: State, seat: int, mode: str | None) -> str | Picture | None:
    """The board as that seat, or a SPECTATOR, sees it: printed, as text or as a picture."""
    if mode not in RENDER_MODES:
        raise WrongOption(f"render_mode is {', '.join(RENDER_MODES)}, not {shown(mode)}: name it when the environment is made")
    view = state.view(seat)
    if mode == "human":
        Console().print(board(view, seat))
        return None
    return text(view, seat) if mode == "ansi" else picture(view, seat)


def text(view: State, seat: int) -> str:
    """The board with the colour codes of a terminal."""
    console = _console()
    console.print(board(view, seat))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def picture(view: State, seat: int) -> Picture:
    """The same as red, green and blue, a row of pixels after the other."""
    console = _console()
    framed = np.empty((LINES * HIGH + 2 * MARGIN, COLUMNS * WIDE + 2 * MARGIN, 3), np.uint8)
    framed[:] = PAPER
    drawn = framed[MARGIN:-MARGIN, MARGIN:-MARGIN]
    for line, segments in enumerate(console.render_lines(board(view, seat), pad=False)[:LINES]):
        column = 0
        for segment in segments:
            column = _draw(drawn, line, column, segment)
    return framed.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


def _console() -> Console:
    return Console(
        file=StringIO(),
        width=COLUMNS,
        height=LINES,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
        _environ={},
    )


def _draw(drawn: Picture, line: int, column: int, segment: Segment) -> int:
    """Draws a piece of a line; tells in which column the next one begins."""
    ink, paper = _colours(segment.style)
    for letter in segment.text:
        if column < COLUMNS and cell_len(letter):
            cell = drawn[line * HIGH : (line + 1) * HIGH, column * WIDE : (column + 1) * WIDE]
            cell[:] = paper
            cell[_shape(letter)] = ink
            _underscore(cell, segment.style, ink)
        column += cell_len(letter)
    return column


def _underscore(cell: Picture, style: Style | None, ink: Rgb) -> None:
    if style and style.strike:
        cell[STRUCK_AT] = ink
    if style and style.underline:
        cell[UNDERLINED_AT] = ink


def _colours(style: Style | None) -> tuple[Rgb, Rgb]:
    """Letters and ground. There are no bold letters: they are lighter instead, and dim ones fade into the ground."""
    if style is None:
        return INK, PAPER
    ink, paper = _rgb(style.color, INK), _rgb(style.bgcolor, PAPER)
    if style.reverse:
        ink, paper = paper, ink
    if style.dim:
        ink = _mixed(ink, paper, 0.5)
    elif style.bold and paper == PAPER:
        ink = _mixed(ink, WHITE, 0.35)
    return ink, paper


def _rgb(colour: Color | None, usual: Rgb) -> Rgb:
    if colour is None or colour.type is ColorType.DEFAULT:
        return usual
    red, green, blue = WHITE if colour.number == WHITE_NUMBER else colour.get_truecolor()
    return red, green, blue


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@cache
def _shape(letter: str) -> Shape:
    """The dots of a letter in its cell; an empty frame for one that the font has not."""
    shape = np.zeros((HIGH, WIDE), np.bool_)
    if letter == "░":
        shape[::3, ::2] = True
        return shape
    strokes = next((strokes for letters, strokes in STROKES.items() if letter in letters), 0)
    if strokes:
        return _strokes(shape, strokes, letter in HEAVY)
    glyph = _font().get(letter)
    if glyph is not None:
        shape[ABOVE : ABOVE + GLYPH_HIGH, :GLYPH_WIDE] = glyph
    elif letter.strip():
        shape[ABOVE : ABOVE + 7, :GLYPH_WIDE] = True
        shape[ABOVE + 1 : ABOVE + 6, 1 : GLYPH_WIDE - 1] = False
    return shape


def _strokes(shape: Shape, strokes: int, heavy: bool) -> Shape:
    across, along = slice(5, 7 if heavy else 6), slice(2, 4 if heavy else 3)
    if strokes & LEFT:
        shape[across, : along.stop] = True
    if strokes & RIGHT:
        shape[across, along.start :] = True
    if strokes & UP:
        shape[: across.stop, along] = True
    if strokes & DOWN:
        shape[across.start :, along] = True
    return shape


@cache
def _font() -> dict[str, Shape]:
    """The letters as `font.txt` draws them: a line that names some, then their rows side by side."""
    lines = files("zashiki.adapters").joinpath("font.txt").read_text("utf-8").splitlines()
    font: dict[str, Shape] = {}
    for top in range(0, len(lines), GLYPH_HIGH + 1):
        names, *rows = (line.split() for line in lines[top : top + GLYPH_HIGH + 1])
        for place, letter in enumerate(names):
            font[letter] = np.array([[dot == "#" for dot in row[place]] for row in rows])
    return font
