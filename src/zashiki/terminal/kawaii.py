"""The table of Kawaii in a terminal: everybody's pile in a row, own favourites and score pile at the bottom."""

from __future__ import annotations

import numpy as np
from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from zashiki.core.layout import EMPTY, UNKNOWN, Record
from zashiki.games.kawaii.cards import CHERRY, CLOSED_SHOP, FLAVOURS, KINDS, ROUNDS, SHAPES, SIGNS
from zashiki.games.kawaii.rules import scores, to_act
from zashiki.games.kawaii.scoring import PARTS
from zashiki.games.kawaii.table import AT_LIVE_PACE, LIVE, OVER, PASS, THROWS, WINDOW

WIDTH = 96
FLAVOUR_SIGNS = "SVCMB"
FLAVOUR_COLOURS = ("white on #c2455e", "black on #f0e2a8", "white on #6b4226", "black on #8fd6b0", "white on #4c5fb0")
SHAPE_SIGNS = "▼@▮♦∪"
SHOP_STYLE, CHERRY_STYLE, HIDDEN_STYLE = "white on #555555", "#ff3355 on #ffe3e8", "#888888 on #333333"


def board(view: Record, seat: int) -> RenderableType:
    """The whole table as this seat, or a spectator (-1), sees it."""
    parts: list[RenderableType] = [_piles(view, seat)]
    parts += [Padding.indent(line, 2) for line in _news(view, seat)]
    if view.scored_flavours[0] != EMPTY:
        parts.append(_last_round(view, seat))
    if seat >= 0 and view.phase != OVER:
        parts.append(_own(view, seat))
    parts.append(_legend())
    return Group(Text(_title(view), "dim"), *parts, Text(_to_act(view, seat), "bold yellow"))


def _title(view: Record) -> str:
    words = [f"Round {view.round_number} of {ROUNDS}", "live" if view.pace else "in turns"]
    return " · ".join(words + (["stacked"] if view.stacked else []))


def _to_act(view: Record, seat: int) -> str:
    if view.phase == OVER:
        winners = _seats(view, int(view.winners))
        return f"The match is over: {_they(winners, seat, 'win')}"
    waiting = _seats(view, int(to_act(view)))
    if view.phase == LIVE:
        return f"May act: {_listed(waiting, seat)}" if seat < 0 or seat in waiting else "You have nothing to do now."
    what = {WINDOW: "To answer", THROWS: "To throw"}[int(view.phase)]
    return f"{what}: {_listed(waiting, seat)}"


def _piles(view: Record, seat: int) -> Table:
    table = Table(box=None, padding=(0, 1), width=WIDTH)
    table.add_column("", no_wrap=True)
    for heading in ("points", "tokens", "reserve", "taken", "pile"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("top to the right", ratio=1)
    if seat >= 0:
        table.add_column("for you", justify="right", no_wrap=True)
    for owner in range(int(view.seats)):
        sizes = [_number(int(view.points[owner].sum())), _tokens(view, owner)]
        sizes += [str(int(size[owner])) for size in (view.reserve_size, view.captured_size, view.pile_size)]
        worth = [_worth(view, seat, owner)] if seat >= 0 else []
        table.add_row(_name(view, owner, seat), *sizes, _pile(view, owner), *worth)
    return table


def _name(view: Record, owner: int, seat: int) -> Text:
    flips = view.turn == owner and view.phase != OVER
    name = Text("▶ " if flips else "  ", "bold yellow")
    name.append(_called(owner, seat), "bold" if owner == seat else "")
    if view.done >> owner & 1:
        name.append(" done", "dim")
    return name


def _tokens(view: Record, owner: int) -> str:
    count = int(view.tokens[owner])
    return f"{count} ●" if count > 3 else "●" * count or "–"


def _pile(view: Record, owner: int) -> Text:
    line = Text()
    for kind in view.piles[owner, : view.pile_size[owner]]:
        line.append_text(_card(int(kind)))
    return line


def _card(kind: int) -> Text:
    if kind == UNKNOWN:
        return Text("░░", HIDDEN_STYLE).append(" ", "default on default")
    if kind == CLOSED_SHOP:
        sign, style = "✗✗", SHOP_STYLE
    elif kind == CHERRY:
        sign, style = "♥♥", CHERRY_STYLE
    else:
        sign, style = FLAVOUR_SIGNS[kind // 5] + SHAPE_SIGNS[kind % 5], FLAVOUR_COLOURS[kind // 5]
    return Text(sign, style).append(" ", "default on default")


def _worth(view: Record, seat: int, owner: int) -> Text:
    """What the cards of a pile that can be seen would bring, a closed shop as long as it costs one."""
    points = 0
    for kind in view.piles[owner, : view.pile_size[owner]]:
        if kind == CLOSED_SHOP:
            points -= 1
        elif kind == CHERRY:
            points += 1
        elif kind >= 0:
            points += int(kind // 5 == view.flavours[seat]) + int(kind % 5 == view.shapes[seat])
    if view.pile_size[owner] == 0:
        return Text("")
    return Text("+" * (points > 0) + _number(points), "bold green" if points > 0 else "red" if points < 0 else "dim")


def _news(view: Record, seat: int) -> list[Text]:
    """What claims and throws showed last, and the contests that go on."""
    lines = [_claimed(view, pile, seat) for pile in range(int(view.seats)) if view.shown_claims[pile] and not _is_old(view, pile)]
    passes = _seats(view, int(view.shown_passes))
    if passes:
        lines.append(Text("All pass." if not lines else f"{_they(passes, seat, 'pass', 'passes').capitalize()}.", "dim"))
    return lines


def _is_old(view: Record, pile: int) -> bool:
    """In live, whether the pile was taken so long ago that a new one lies there; in turns every window brings its own news."""
    return bool(view.pace == AT_LIVE_PACE and view.taker[pile] >= 0 and view.pile_size[pile] > 0)


def _claimed(view: Record, pile: int, seat: int) -> Text:
    claimants = _seats(view, int(view.shown_claims[pile]))
    what = _pile_of(pile, seat)
    if claimants == [view.taker[pile]]:
        own = "your own pile" if pile == seat else "its own pile"
        return Text(f"{_they(claimants, seat, 'take').capitalize()} {own if claimants == [pile] else what}.")
    line = Text(f"{_they(claimants, seat, 'claim').capitalize()} {what}")
    thrown = [each for each in claimants if view.shown_throws[pile, each] >= 0]
    if thrown:
        line.append(": " + ", ".join(f"{_they([each], seat, 'throw')} {SIGNS[view.shown_throws[pile, each]]}" for each in thrown))
    line.append(".")
    if view.taker[pile] >= 0:
        line.append(f" {_they([int(view.taker[pile])], seat, 'take').capitalize()} it.", "bold")
    if view.contested[pile]:
        throwers = _listed(_seats(view, int(view.contested[pile])), seat)
        line.append(f" Throw {int(view.throw_count[pile]) + 1}: {throwers}.", "bold yellow")
    return line


def _last_round(view: Record, seat: int) -> Table:
    last = int(view.round_number) - (0 if view.phase == OVER else 1)
    table = Table(title=f"Round {last} was scored", title_style="dim", box=box.SIMPLE_HEAD, padding=0)
    for heading in ("", "liked", *PARTS, "round", "total"):
        table.add_column(heading, justify="left" if heading in ("", "liked") else "right", no_wrap=True)
    for each in range(int(view.seats)):
        liked = f"{FLAVOURS[view.scored_flavours[each]]}, {SHAPES[view.scored_shapes[each]]}"
        points = [*map(int, view.scored[each]), int(view.scored[each].sum()), int(view.points[each].sum())]
        table.add_row(_called(each, seat), liked, *map(_number, points))
    return table


def _own(view: Record, seat: int) -> Panel:
    flavour, shape = int(view.flavours[seat]), int(view.shapes[seat])
    line = Text("You like ").append(f" {FLAVOUR_SIGNS[flavour]} {FLAVOURS[flavour]} ", FLAVOUR_COLOURS[flavour])
    line.append(" and ").append(f" {SHAPE_SIGNS[shape]} {SHAPES[shape]} ", "reverse")
    choices = _own_choices(view, seat)
    pile = Text(f"Your score pile, {int(view.captured_size[seat])}: ")
    if view.captured[seat, 0] == UNKNOWN:
        pile.append("face down", "dim")
    else:
        for kind in range(KINDS):
            for _ in range(int(view.captured[seat, kind])):
                pile.append_text(_card(kind))
    return Panel(Group(line, *choices, pile, *_so_far(view, seat)), border_style="dim", width=WIDTH)


def _so_far(view: Record, seat: int) -> list[Text]:
    """What the seat has in this round, if it may look at its cards."""
    if view.captured[seat, 0] == UNKNOWN:
        return []
    table = np.zeros((int(view.seats), len(PARTS)), np.int32)
    scores(view, table)
    points = [int(part) for part in table[seat] - view.points[seat]]
    parts = ", ".join(f"{name} {_number(part)}" for name, part in zip(PARTS, points, strict=True) if part)
    return [Text(f"This round so far: {_number(sum(points))}" + (f" ({parts})" if parts else ""))]


def _own_choices(view: Record, seat: int) -> list[Text]:
    lines = []
    claims = int(view.claims[seat])
    if claims == PASS:
        lines.append(Text("You pass.", "yellow"))
    elif claims > 0:
        piles = " and ".join(_pile_of(pile, seat) for pile in _seats(view, claims))
        lines.append(Text(f"You claim {piles}; the others do not know yet.", "yellow"))
    thrown = [(pile, int(view.throws[pile, seat])) for pile in range(int(view.seats)) if view.throws[pile, seat] >= 0]
    lines += [Text(f"You throw {SIGNS[sign]} for {_pile_of(pile, seat)}.", "yellow") for pile, sign in thrown]
    if view.turn == seat and view.flip_waits == 1:
        lines.append(Text("Your flip waits until a pile is settled.", "yellow"))
    return lines


def _legend() -> Text:
    line = Text("  ")
    for i, flavour in enumerate(FLAVOURS):
        line.append(FLAVOUR_SIGNS[i], FLAVOUR_COLOURS[i]).append(f" {flavour} ", "dim")
    line.append("\n  ")
    for i, shape in enumerate(SHAPES):
        line.append(SHAPE_SIGNS[i], "bold").append(f" {shape} ", "dim")
    line.append("✗✗", SHOP_STYLE).append(" closed shop ", "dim")
    return line.append("♥♥", CHERRY_STYLE).append(" cherry", "dim")


def _seats(view: Record, bits: int) -> list[int]:
    return [seat for seat in range(int(view.seats)) if bits >> seat & 1]


def _called(owner: int, seat: int) -> str:
    return "you" if owner == seat else f"seat {owner}"


def _pile_of(pile: int, seat: int) -> str:
    return "your pile" if pile == seat else f"the pile of seat {pile}"


def _number(points: int) -> str:
    return str(points).replace("-", "−")


def _they(seats: list[int], seat: int, verb: str, third_person: str = "") -> str:
    one = len(seats) == 1 and seats[0] != seat
    return f"{_listed(seats, seat)} {(third_person or verb + 's') if one else verb}"


def _listed(seats: list[int], seat: int) -> str:
    names = [_called(each, seat) for each in seats]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
