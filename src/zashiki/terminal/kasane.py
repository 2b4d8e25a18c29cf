"""The table of Kasane in a terminal: market and board above, the seats below, one's own cards last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from zashiki.core.layout import EMPTY, SPECTATOR
from zashiki.core.masks import allowed, words_for
from zashiki.games.kasane import GAME
from zashiki.games.kasane.actions import Combine, Take
from zashiki.games.kasane.cards import FABRICS, MARK_STYLES, STYLES, VARIETY
from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KIND_STYLE, KINDS, PLACE_POINTS, SIZES
from zashiki.games.kasane.rules import (
    ACCESSORY,
    ACTIONS,
    COMBINATIONS,
    COMBINE,
    COMBINE_FROM,
    NOBODY,
    OVER,
    PARTS,
    ROWS,
    SECOND_PLACE,
    SHARED,
    STATE,
    TURNS,
    kimono_end,
)
from zashiki.games.kasane.scoring import LAID_FOR_VARIETY, cards_laid, variety
from zashiki.terminal.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from zashiki.core.actions import Action
    from zashiki.core.layout import Record

WIDTH = 96
BUTTONS = ("●", "◆", "■", "▲")
BUTTON_COLOURS = ("#5B8BC9", "#E0583C", "#5FA07A", "#D9A93B")
CLOTH = ("#A87B22", "#244C78", "#33604A", "#B8351F", "#587A3A", "#4F7389", "#84701F", "#6A3A5C", "#B04A62", "#5A3A1E")
MOTIFS = {"animal": "♦", "plant": "♣"}
MARKS = {"chidori": "≈", "sakura": "✿", "asanoha": "✳"}
WHAT = ("animals only", "plants only", "all alike", "1–5 in order", "5–9 in order", "sum of ten")


def board(view: Record, seat: int) -> RenderableType:
    """The whole table as that seat sees it; a spectator sees everybody alike."""
    table = Table.grid(padding=(0, 1))
    table.add_row(_market(view), _places(view, seat))
    seats = int(view.seats)
    others = [(max(seat, 0) + i) % seats for i in range(1 if seat >= 0 else 0, seats)]
    parts: list[RenderableType] = [_heading(view, seat), table, *(_other(view, other) for other in others)]
    if seat >= 0:
        parts.append(_own(view, seat))
    return Group(*parts)


def words(view: Record, action: Action) -> str | None:
    """An action with the cards it is about, and the points of the place it takes."""
    if isinstance(action, Take):
        card = int(view.market[action.row, int(view.row_size[action.row]) - 1])
        return f"takes the {_face(card)} that ends row {action.row + 1}"
    if isinstance(action, Combine):
        return f"lays {_combined(view, action)} as {action.style} for {_points(view, action)}"
    return None


def _face(card: int) -> str:
    if card == ACCESSORY:
        return "accessory"
    fabric = FABRICS[card - 1]
    return f"{card} {MOTIFS[fabric.motif]}{MARKS[fabric.mark]}"


def _combined(view: Record, action: Combine) -> str:
    seat = int(view.active)
    size = int(view.hand_size[seat])
    cards = " ".join(str(int(card)) for card in view.hands[seat, size - action.hand : size])
    return f"{cards} after the kimono's {kimono_end(view, seat)}" if action.kimono else cards


def _points(view: Record, action: Combine) -> int:
    size = action.hand + action.kimono
    kind = next(k for k in range(KINDS) if (KIND_STYLE[k], KIND_SIZE[k]) == (action.style, size))
    return int(PLACE_POINTS[kind if view.places[kind] == NOBODY else kind + SECOND_PLACE])


def _heading(view: Record, seat: int) -> Text:
    """Where the match stands, and who is to act or has won."""
    line = Text.assemble(("Kasane", "bold"), "   ")
    if view.phase == OVER:
        line.append(f"after {view.seats} rounds   ")
        winners = (_who(owner, seat) for owner in range(int(view.seats)) if int(view.winners) >> owner & 1)
        how = "share the victory" if view.ending == SHARED else f"won by {STATE.endings[int(view.ending)]}"
        return line + Text(" and ").join(winners) + Text(f" {how}", "bold")
    line.append(f"round {view.round_number} of {view.seats}, turn {view.turn_number} of {TURNS}")
    line.append(f"   stack {view.stack_size}   discarded {view.discard_size}   ")
    active = int(view.active)
    if view.phase == COMBINE:
        verb = "may play a combination"
    else:
        verb = "take a card" if active == seat else "takes a card"
    return line + _who(active, seat) + Text(f" {verb}", "bold")


def _who(owner: int, seat: int) -> Text:
    """The seat's button and name."""
    return _button(owner).append(" you" if owner == seat else f" seat {owner}", "bold")


def _button(owner: int) -> Text:
    return Text(BUTTONS[owner], BUTTON_COLOURS[owner])


def _market(view: Record) -> Panel:
    """The rows with their numbers; an arrow points at the card that can be taken."""
    lines: list[Text] = []
    for row in range(ROWS[int(view.seats) - 2]):
        cards = [int(card) for card in view.market[row, : int(view.row_size[row])]]
        upper, lower = _faces(cards)
        lines += [Text(f"{row + 1}  ", "bold") + upper + Text("◂" if cards else "–", "bold"), Text("   ") + lower, Text()]
    return Panel(Group(*lines[:-1]), title="Market", box=box.ROUNDED, width=38)


def _faces(cards: Sequence[int]) -> list[Text]:
    """Cards side by side, two lines high: the number, then motif and draper's mark."""
    upper, lower = Text(), Text()
    for card in cards:
        style = f"bold white on {CLOTH[card]}"
        if card == ACCESSORY:
            upper.append("  +1 ", style)
            lower.append("     ", style)
        else:
            fabric = FABRICS[card - 1]
            upper.append(f"  {card}  ", style)
            lower.append(f" {MOTIFS[fabric.motif]} {MARKS[fabric.mark]} ", style)
        upper.append(" ")
        lower.append(" ")
    return [upper, lower]


def _places(view: Record, seat: int) -> Panel:
    """The board: points of the free places, in brackets where they can be had now, and buttons on those used."""
    possible = _possible_places(view, seat)
    table = Table.grid(padding=(0, 1))
    table.add_row("", "", *(Text(f" {size} ", "dim") for size in range(2, 6)))
    for number, style in enumerate(STYLES):
        if style in MARK_STYLES:
            first = FIRST_MARK + list(MARK_STYLES).index(style)
            numbers = " ".join(str(fabric.number) for fabric in FABRICS if fabric.mark == MARK_STYLES[style])
            what = f"{numbers}  {MARKS[MARK_STYLES[style]]}"
            cells = [Text(), *(_place(view, place, possible) for place in (first, first + SECOND_PLACE))]
        else:
            what = WHAT[number]
            cells = [_place(view, SIZES * number + i, possible) for i in range(SIZES)]
        table.add_row(Text(style, "bold"), what, *cells)
    legend = Text("♦ animal  ♣ plant   marks have two places of 3 cards", "dim")
    return Panel(Group(table, legend), title="Styles by number of cards", box=box.ROUNDED, width=57)


def _possible_places(view: Record, seat: int) -> set[int]:
    """The places the seat could use now."""
    mask = np.zeros(words_for(ACTIONS), np.uint32)
    if seat >= 0:
        GAME.rules.legal(view, seat, mask)
    kinds = {number % KINDS for number in range(COMBINATIONS) if allowed(mask, COMBINE_FROM + number)}
    return {kind if view.places[kind] == NOBODY else kind + SECOND_PLACE for kind in kinds}


def _place(view: Record, place: int, possible: set[int]) -> Text:
    owner = int(view.places[place])
    if owner != NOBODY:
        return Text(" ") + _button(owner)
    if place in possible:
        return Text(f"[{PLACE_POINTS[place]}]", "bold reverse")
    return Text(f" {PLACE_POINTS[place]} ")


def _other(view: Record, owner: int) -> Panel:
    """Another seat on one line."""
    line = Text("kimono ") + _strip(view.kimonos[owner], int(view.kimono_size[owner]))
    line += Text("   hand ") + _strip(view.hands[owner], int(view.hand_size[owner]))
    return _seat(view, owner, SPECTATOR, line, box.ROUNDED)


def _strip(cards: Sequence[int], size: int) -> Text:
    strip = Text() if size else Text("–", "dim")
    for card in cards[:size]:
        strip.append(f" {int(card)} ", f"bold white on {CLOTH[int(card)]}")
    return strip


def _seat(view: Record, owner: int, seat: int, cards: RenderableType, frame: box.Box) -> Panel:
    """A seat's cards, framed by whose they are, the points so far with their parts, and what was done last."""
    points = np.zeros((int(view.seats), len(PARTS)), np.int32)
    GAME.rules.scores(view, points)
    title = _who(owner, seat).append(f"  {counted(int(points[owner].sum()), 'point')}", "bold")
    parts = ", ".join(f"{part} {value}" for part, value in zip(PARTS, points[owner], strict=True) if value)
    title.append(f" ({parts})" if parts else "").append(f"  {cards_laid(view, owner)} laid")
    last = _last_turn(view, owner)
    return Panel(cards, title=title, title_align="left", subtitle=last, subtitle_align="right", box=frame, width=WIDTH)


def _last_turn(view: Record, owner: int) -> str | None:
    taken, place = int(view.last_taken[owner]), int(view.last_place[owner])
    if taken == EMPTY:
        return None
    if place == EMPTY:
        return f"took {taken or 'an accessory'}"
    kind = place if place < KINDS else place - SECOND_PLACE
    return f"took {taken or 'an accessory'}, laid {KIND_STYLE[kind]} of {KIND_SIZE[kind]} for {PLACE_POINTS[place]}"


def _own(view: Record, seat: int) -> Panel:
    """One's own cards as they lie: accessories, kimono, then the hand in its order."""
    kimono = [int(card) for card in view.kimonos[seat, : int(view.kimono_size[seat])]]
    hand = [int(card) for card in view.hands[seat, : int(view.hand_size[seat])]]
    piles = {"accessories": [ACCESSORY] * int(view.accessories[seat]), "kimono": kimono, "hand": hand}
    cards = Table.grid(padding=(0, 3))
    cards.add_row(*(Group(Text(name, "dim"), *(_faces(pile) if pile else [Text("–", "dim")])) for name, pile in piles.items()))
    return _seat(view, seat, seat, Group(cards, _variety(view, seat)), box.HEAVY)


def _variety(view: Record, seat: int) -> Text:
    """The bonus by different fabrics, and where one stands."""
    line = Text(f"with {LAID_FOR_VARIETY} cards laid, 1 to {len(VARIETY) - 1} different fabrics earn", "dim")
    for different, bonus in enumerate(VARIETY[1:], start=1):
        here = different == variety(view, seat)
        line.append(f" [{bonus}]" if here else f" {bonus}", "bold not dim" if here else "")
    return line
