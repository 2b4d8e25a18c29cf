"""Kohoju in a terminal: the middle of the table, the players with their kohojus, and the own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from zashiki.core.layout import EMPTY, UNKNOWN
from zashiki.games.kohoju.cards import (
    CARDS,
    COLOURS,
    KIND_NAMES,
    KINDS,
    LEAST_DEALS,
    POINTS,
    POINTS_A_DEAL,
    SYMBOLS,
    TURNS_A_DEAL,
)
from zashiki.games.kohoju.piles import KNOWN, LAID, POOLED
from zashiki.games.kohoju.rules import DEAL_ENDINGS, DRAW, FINISHED_BONUS, KOHOJUS, OVER, PARTS, STATE, scores
from zashiki.terminal.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from zashiki.core.layout import Record

SIGNS = ("●", "■", "▲", "★", "✚")
STYLES = ("bold white on blue", "bold white on red", "bold white on green", "bold black on yellow", "bold white on magenta")
SOCKETS = len(SYMBOLS)


def board(view: Record, seat: int) -> RenderableType:
    """The whole table as that seat, or a spectator, sees it."""
    hand = [_hand(view, seat)] if seat >= 0 else []
    return Group(_heading(view), Text(), _middle(view), _players(view, seat), *hand, Text(_prompt(view, seat), style="bold"))


def _heading(view: Record) -> Text:
    deals = LEAST_DEALS + int(view.target) // POINTS_A_DEAL
    words = f"Deal {view.deal_number} of {deals} · turn {view.turn_number} of {TURNS_A_DEAL} · {view.target} points win"
    return Text(words, style="dim")


def _middle(view: Record) -> RenderableType:
    return Columns([_piles(view), _pool(view)], padding=(0, 4))


def _piles(view: Record) -> RenderableType:
    guide = Text.assemble(_kind(int(view.guide)), f"  {KIND_NAMES[int(view.guide)]}", no_wrap=True)
    rows = Table.grid(padding=(0, 2))
    rows.add_row("Guide card", guide)
    rows.add_row("Guide pile", f"{int(view.guide_pile).bit_count()} left")
    rows.add_row("Stock", counted(int(view.stock_size), "card") + _shuffles(int(view.stock_number)))
    rows.add_row("Discard pile", _discard_pile(view))
    rows.add_row("", "")
    if view.last_ending > 0:
        rows.add_row("Last deal", f"ended with {_with_article(DEAL_ENDINGS[int(view.last_ending)])}")
    return rows


def _shuffles(times: int) -> str:
    return f", shuffled again {'once' if times == 1 else f'{times} times'}" if times else ""


def _discard_pile(view: Record) -> Text:
    size = int(view.discard_size)
    if size == 0:
        return Text("empty")
    return Text.assemble(f"{counted(size, 'card')}, top ", _card(int(view.discard[size - 1])))


def _with_article(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'the' if words.startswith('last') else 'a'} {words}"


def _pool(view: Record) -> RenderableType:
    """Rows are colours, columns symbols; + marks a place that takes a card."""
    points = {card // POINTS: card for card in range(CARDS) if view.place[card] == POOLED}
    grid = Table.grid(padding=(0, 1))
    grid.add_row("Pool", *(Text(f" {sign} ") for sign in SIGNS))
    for colour, name in enumerate(COLOURS):
        kinds = range(colour * len(SYMBOLS), (colour + 1) * len(SYMBOLS))
        grid.add_row(name, *(_card(points[kind]) if kind in points else _gap(int(view.pool_fits) >> kind & 1) for kind in kinds))
    return grid


def _gap(fits: int) -> Text:
    return Text(" + ") if fits else Text(" · ", style="dim")


def _players(view: Record, seat: int) -> RenderableType:
    points = np.zeros((int(view.seats), len(PARTS)), np.int32)
    scores(view, points)
    rows = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for heading in ("", "total", "last", "laid", "cards"):
        rows.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    rows.add_column("kohojus")
    rows.add_column("hand" if view.phase == OVER else "known in hand")
    for other in range(int(view.seats)):
        rows.add_row(
            Text(f"{'▶' if view.active == other and view.phase != OVER else ' '} {_name(other, seat)}"),
            _minus(str(view.totals[other])),
            _last(view, other),
            str(points[other, 1] + points[other, 2]),
            str(view.hand_size[other]),
            _kohojus(view, other),
            _known(view, other, seat),
            style="bold" if view.winners >> other & 1 else "",
        )
    return rows


def _name(other: int, seat: int) -> str:
    return "You" if other == seat else f"Seat {other}"


def _last(view: Record, seat: int) -> str:
    if view.last_ending == 0:
        return "–"
    points = int(view.last_laid[seat]) + FINISHED_BONUS * int(view.last_finished[seat]) - int(view.last_hand[seat])
    return _minus(f"{points:+d}")


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _kohojus(view: Record, seat: int) -> Text:
    lines = []
    for number in range(int(view.kohojus[seat])):
        cards = [card for card in range(CARDS) if view.place[card] == LAID + KOHOJUS * seat + number]
        line = _row(cards)
        missing = SOCKETS - len(cards)
        lines.append(line.append(" ___" * missing, style="dim") if missing else line.append(f" +{FINISHED_BONUS}"))
    return Text("\n").join(lines) if lines else Text("none", style="dim")


def _known(view: Record, other: int, seat: int) -> Text:
    """What everybody knows of a hand: the cards taken from the discard pile, or all when the match is over."""
    cards = [int(card) for card in view.hands[other] if card not in (EMPTY, UNKNOWN)]
    if view.phase != OVER:
        cards = [card for card in cards if view.place[card] == KNOWN + other]
    return _row(cards)


def _hand(view: Record, seat: int) -> RenderableType:
    """The own cards, a gap between the colours; the card just taken is underlined by a cord."""
    cards = [int(card) for card in view.hands[seat] if card >= 0]
    text, cord = Text("Your hand  "), Text(" " * 11)
    for before, card in zip([cards[0] if cards else 0, *cards], cards, strict=False):
        gap = "   " if card // (POINTS * len(SYMBOLS)) != before // (POINTS * len(SYMBOLS)) else " "
        text.append(gap).append_text(_card(card))
        cord.append(" " * len(gap)).append("‾‾‾" if card == view.taken else "   ")
    return Group(text, cord)


def _prompt(view: Record, seat: int) -> str:
    if view.phase == OVER:
        winners = [other for other in range(int(view.seats)) if view.winners >> other & 1]
        names = " and ".join(_name(other, seat) for other in winners)
        verb = "win" if len(winners) > 1 or winners[0] == seat else "wins"
        how = STATE.endings[int(view.ending)]
        points = _minus(counted(int(view.totals[winners[0]]), "point"))
        return f"{names} {verb} with {points} ({how})."
    if view.active != seat:
        return f"{_name(int(view.active), seat)} is to {'draw' if view.phase == DRAW else 'lay or discard'}."
    if view.phase == DRAW:
        return "Draw from the stock or take the top of the discard pile."
    return "Lay a card, or end your turn with a discard." if view.may_lay else "End your turn with a discard."


def _row(cards: list[int]) -> Text:
    return Text(" ").join(_card(card) for card in cards)


def _card(card: int) -> Text:
    return _kind(card // POINTS, str(card % POINTS + 1))


def _kind(kind: int, points: str = " ") -> Text:
    """A letter for the colour, a sign for the symbol, and the points of a point card."""
    colour, symbol = divmod(kind % KINDS, len(SYMBOLS))
    return Text(f"{COLOURS[colour][0].upper()}{SIGNS[symbol]}{points}", style=STYLES[colour])
