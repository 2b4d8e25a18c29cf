"""The board of Lantern: who has laid what, who has lit how many streets, and the own hand."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from zashiki.core.layout import Record
from zashiki.games.lantern.cards import LANTERNS


def board(view: Record, seat: int) -> RenderableType:
    """The street, a line a seat, and the own hand."""
    table = Table(title=f"Street {int(view.street)}")
    for heading in ("seat", "lays", "has lit", "in hand"):
        table.add_column(heading)
    for each in range(int(view.seats)):
        table.add_row(str(each), _lantern(int(view.laid[each])), str(int(view.lit[each])), str(int(view.hand_size[each])))
    hand = " ".join(str(lantern + 1) for lantern in range(LANTERNS) if seat >= 0 and view.holders[lantern] == seat)
    return Group(table, Text(f"Your lanterns: {hand}" if hand else ""), Text(f"Laid so far: {_burnt(view)}"))


def _lantern(number: int) -> str:
    return str(number + 1) if number >= 0 else "·"


def _burnt(view: Record) -> str:
    return " ".join(str(lantern + 1) for lantern in range(LANTERNS) if view.burnt[lantern]) or "nothing"
