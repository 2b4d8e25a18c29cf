"""Hanamikoji in a terminal: seven columns, theirs above, yours below."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from zashiki.core.actions import Action, listed
from zashiki.core.layout import EMPTY, UNKNOWN, Record
from zashiki.games.hanamikoji.actions import TakePair
from zashiki.games.hanamikoji.cards import CHARM, ITEMS
from zashiki.games.hanamikoji.rules import GEISHA, OVER
from zashiki.terminal.words import counted

COLOURS = ("#8A80B4", "#C65C72", "#A8805C", "#D8553F", "#5C8CC0", "#4FA583", "#D29C2C")
SIGNS = ("♪", "❀", "▤", "☂", "♬", "◉", "✿")
ACTIONS = ("secret", "trade-off", "gift", "competition")


def board(view: Record, seat: int) -> RenderableType:
    """The row of geisha with both sides, the actions left, the offer and the hand."""
    me = max(seat, 0)
    return Group(
        _heading(view),
        _actions("Theirs", view, 1 - me),
        _row(view, me),
        _actions("Yours", view, me),
        *_last_round(view, me),
        *_offer(view),
        *_hand(view, seat),
    )


def words(view: Record, action: Action) -> str | None:
    """Which cards a pair is made of."""
    if isinstance(action, TakePair):
        return f"takes {listed([ITEMS[int(card)] for card in view.offer[2 * action.pair :][:2]])}"
    return None


def _last_round(view: Record, me: int) -> list[RenderableType]:
    if view.round_number == 1 and view.phase != OVER:
        return []
    line = Text("\nLast scored  ", style="dim")
    for owner, whose in ((1 - me, "theirs "), (me, "  yours ")):
        line.append(whose, style="dim")
        for item in range(GEISHA):
            line.append(SIGNS[item] * int(view.scored_sides[owner, item]), style=COLOURS[item])
        line.append(f" with the secret {ITEMS[int(view.scored_secrets[owner])]}", style="dim")
    return [line]


def _heading(view: Record) -> Text:
    stack = counted(int(view.stack_size), "card")
    return Text(f"Round {view.round_number}, turn {view.turn_number} of 8 · {stack} in the stack", style="dim")


def _row(view: Record, me: int) -> Table:
    table = Table.grid(padding=(0, 1))
    for _ in range(GEISHA):
        table.add_column(justify="center", min_width=11)
    table.add_row(*(_stack(item, int(view.sides[1 - me, item])) for item in range(GEISHA)))
    table.add_row(*(_marker(view, item, 1 - me) for item in range(GEISHA)))
    table.add_row(*(Text(f" {CHARM[item]} {SIGNS[item]} ", style=f"bold white on {COLOURS[item]}") for item in range(GEISHA)))
    table.add_row(*(Text(ITEMS[item], style=COLOURS[item]) for item in range(GEISHA)))
    table.add_row(*(_marker(view, item, me) for item in range(GEISHA)))
    table.add_row(*(_stack(item, int(view.sides[me, item])) for item in range(GEISHA)))
    return table


def _stack(item: int, count: int) -> Text:
    return Text(" ".join(SIGNS[item] * count) or "·", style=COLOURS[item] if count else "dim")


def _marker(view: Record, item: int, owner: int) -> Text:
    return Text("⬤" if view.markers[item] == owner else " ", style="bold #E6B84E")


def _actions(whose: str, view: Record, owner: int) -> Text:
    line = Text(f"{whose:7}")
    for place, name in enumerate(ACTIONS):
        used = view.used[owner, place] > 0
        line.append(f" {name} ", style="dim strike" if used else "reverse")
        line.append(" ")
    charm = sum(CHARM[item] for item in range(GEISHA) if view.markers[item] == owner)
    line.append(f"  {int(view.hand_size[owner])} in hand · {charm} charm")
    kept = Text("\n       ")
    _append_kept(kept, "secret", [int(view.secret[owner])])
    _append_kept(kept, "discarded", [int(card) for card in view.trade_off[owner]])
    return line.append_text(kept) if kept.plain.strip() else line


def _append_kept(line: Text, what: str, cards: list[int]) -> None:
    if all(card not in (EMPTY, UNKNOWN) for card in cards):
        line.append(f" {what} ", style="dim")
        for card in cards:
            line.append_text(_card(card))


def _offer(view: Record) -> list[RenderableType]:
    cards = [int(card) for card in view.offer if card != EMPTY]
    if not cards or view.phase == OVER:
        return []
    line = Text("\nOffered  ", style="bold")
    for place, card in enumerate(cards):
        if len(cards) == 4 and place == 2:
            line.append(" or  ")
        line.append_text(_card(card))
        line.append(" ")
    return [line]


def _hand(view: Record, seat: int) -> list[RenderableType]:
    if seat < 0:
        return []
    line = Text("\nHand     ", style="bold")
    for item in range(GEISHA):
        for _ in range(int(view.hands[seat, item])):
            line.append_text(_card(item))
            line.append(" ")
    return [line]


def _card(item: int) -> Text:
    return Text(f" {SIGNS[item]} {ITEMS[item]} ", style=f"white on {COLOURS[item]}")
