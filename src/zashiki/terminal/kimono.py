"""The table of Kimono in a terminal: piles, the row with its groups, the votes, then everybody's collection, one's own last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from zashiki.core.layout import EMPTY
from zashiki.games.kimono.cards import APPRENTICE, CAT, NO_LIMIT, NUMBERS, ROUNDS, TO_DO
from zashiki.games.kimono.rules import (
    ASIDE,
    BREAKING,
    CHOOSING,
    CUTTING,
    OVER,
    PARTS,
    PLACING,
    ROW,
    SEATS,
    STATE,
    VOTING,
    WITH_MASTER,
    scores,
    to_act,
)
from zashiki.games.kimono.scoring import IN_FRONT
from zashiki.terminal.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from zashiki.core.layout import Record

CELL = 6
BUTTONS = ("●", "◆", "■", "▲", "✿", "○")
BUTTON_COLOURS = ("#5B8BC9", "#E0583C", "#5FA07A", "#D9A93B", "#B07AA8", "#9AA0A6")
MASTER = "♛"
DANGER = "bold #EE7A5C"
DYES = (
    *("#3E4E57", "#2F7391", "#6C5C94", "#B8351F", "#8F6327", "#B04A62", "#7A2F22", "#2C6348"),
    *("#8A6D12", "#C2410C", "#1F2428", "#1F2428", "#1F2428", "#54616B"),
)
SIGNS = ("◡", "◢", "†", "☂", "♪", "♟", "‖", "¥", "◎", "✹", "ω", "↯", "⧉", "♙")
LABELS = (
    *("tea bowl", "fan", "sword", "para- sol", "lute", "figu- rine", "chop- stick", "kimono"),
    *("gold coin", "fire", "lucky cat", "break", "copy", "appr."),
)
"""Names in two lines; those that can lie in the row are no wider than a card there."""


def board(view: Record, seat: int) -> RenderableType:
    """The whole table as that seat sees it; a spectator sees everybody alike."""
    return Group(
        _piles(view, seat),
        Text(),
        *_row(view),
        Text(),
        *_votes(view, seat),
        _now(view, seat),
        Text(),
        _collections(view, seat),
    )


def _piles(view: Record, seat: int) -> Text:
    left = ROUNDS - int(view.round_number)
    piles = f"{counted(left, 'pile')} of {view.pile_size}" if left else "no pile left"
    line = Text.assemble((f"Round {view.round_number}/{ROUNDS}", "bold"), f"   {MASTER} master ", _who(int(view.master), seat))
    line.append(f"   {piles} · sack {view.sack_size} · bin {view.bin_size} · kimonos {view.kimonos}")
    if view.apprentice < SEATS:
        line.append(f" · {SIGNS[APPRENTICE]} with ").append_text(_who(int(view.apprentice), seat))
    elif view.apprentice == ASIDE:
        line.append(f" · {SIGNS[APPRENTICE]} set aside")
    return line


def _who(owner: int, seat: int) -> Text:
    """The seat's button and name."""
    return Text.assemble(_buttons(1 << owner), (" you" if owner == seat else f" seat {owner}", "bold"))


def _buttons(seats: int) -> Text:
    return Text.assemble(*((BUTTONS[owner], BUTTON_COLOURS[owner]) for owner in range(SEATS) if seats >> owner & 1))


def _row(view: Record) -> list[Text]:
    """The cards over the pieces they belong to, a blade where the master has cut."""
    places = [place for place in range(ROW) if view.row[place] != EMPTY]
    if not places:
        return [Text("The row is empty.", "dim")]
    lines = [Text() for _ in range(5)]
    for place in range(max(places) + 1):
        if place == view.cut_after > 0:
            _append_blade(lines, view.phase == PLACING, place + 1)
        shift = 1 + int(0 < view.cut_after <= place)
        above = f"{place + shift:<{CELL}}" if view.phase == PLACING else f"{place + 1:^{CELL}}"
        _append_card(lines, int(view.row[place]), above)
    if view.phase == PLACING:
        lines[0].append(str(int(view.piece_to) + 2))
    lines[4] = _pieces(view, max(places) + 1)
    return lines


def _append_blade(lines: list[Text], numbered: bool, place: int) -> None:
    """The cut; while the apprentice is placed, the place at its left side has its number there."""
    lines[0].append(f"{place:<3}" if numbered else " ┃ ", "dim" if numbered else DANGER)
    for line in lines[1:4]:
        line.append(" ┃ ", DANGER)


def _append_card(lines: list[Text], card: int, above: str) -> None:
    if card == EMPTY:
        for line in lines[:4]:
            line.append(" " * CELL)
        return
    lines[0].append(above, "dim")
    number = NUMBERS.get(PARTS[card]) if card < IN_FRONT else None
    face = f"{SIGNS[card]} {_minus(number.points)}" if number else SIGNS[card]
    lines[1].append(f"{face:^{CELL - 1}}", f"bold white on {DYES[card]}").append(" ")
    first, _, second = LABELS[card].partition(" ")
    for line, name in ((lines[2], first), (lines[3], second)):
        line.append(f"{name:^{CELL - 1}.{CELL - 1}} ")


def _pieces(view: Record, end: int) -> Text:
    """Under each piece its group, or who waits for it."""
    labels: dict[int, tuple[int, Text]] = {}
    for i in range(int(view.waiting)):
        labels[int(view.waiting_from[i])] = (int(view.waiting_to[i]), _buttons(int(view.waiting_for[i])) or Text("none"))
    start, cut, to = int(view.piece_from), int(view.cut_after), int(view.piece_to)
    if cut > 0:
        labels[start] = (cut, _group(1 + int(view.right_first), cut - start))
        labels[cut] = (to, _group(2 - int(view.right_first), to - cut))
    elif to > 0:
        labels[start] = (to, _buttons(int(view.voters)))
    line, place = Text(), 0
    while place < end:
        if place == cut > 0:
            line.append("   ")
        stop, label = labels.get(place, (place + 1, Text()))
        line.append_text(_bracket(label, CELL * (stop - place)))
        place = stop
    return line


def _group(number: int, cards: int) -> Text:
    return Text(f" group {number} " if cards > 1 else str(number), "bold")


def _bracket(label: Text, width: int) -> Text:
    """A label in the middle of a bracket, or alone where there is no room for one."""
    room = width - 1 - len(label)
    if not label or room < 2:
        return Text.assemble(label, " " * (width - len(label)))
    left, right = "└" + "─" * (room // 2 - 1), "─" * (room - room // 2 - 1) + "┘"
    return Text.assemble((left, "dim"), label, (right, "dim"), " ")


def _votes(view: Record, seat: int) -> list[Text]:
    """The votes that were shown last and what came of them; before the first vote on a row, how the round before it ended."""
    if not view.shown_votes.any():
        return [Text("No votes have been shown yet.", "dim")]
    if not _row_is_new(view):
        return [Text.assemble((f"{opening:<12}", "dim"), _wish(view, group)) for group, opening in ((1, "Last vote"), (2, ""))]
    wishes = Text.assemble((f"Round {view.round_number - 1} ended with   ", "dim"), _wish(view, 1), "   ", _wish(view, 2))
    return [wishes, _succession(view, seat)]


def _row_is_new(view: Record) -> bool:
    """Whether nothing was shown yet of the votes on this row: only at first is all of it one piece."""
    return bool(view.apprentice == WITH_MASTER or view.piece_to - view.piece_from > view.pile_size)


def _wish(view: Record, group: int) -> Text:
    """Who voted for a group, and what came of it."""
    start, end = (int(place) for place in view.shown_groups[group - 1])
    voters = sum(1 << owner for owner in range(SEATS) if view.shown_votes[owner] == group)
    cards = f"card {end}" if end - start == 1 else f"cards {start + 1} to {end}"
    line = Text(f"group {group} " if _row_is_new(view) else f"group {group} ({cards}) ")
    line.append_text(_buttons(voters) or Text("nobody", "dim"))
    return line.append(f" → {_result(view, start, end, voters.bit_count())}", "dim")


def _result(view: Record, start: int, end: int, voters: int) -> str:
    if not _row_is_new(view) and view.row[start] != EMPTY:
        return "is cut again" if view.piece_from == start and view.piece_to == end else "waits"
    if voters == 1:
        return "took it"
    # With an empty supply nothing tells whether there were still enough.
    return "a kimono each" if voters and view.kimonos > 0 else "into the bin"


def _succession(view: Record, seat: int) -> Text:
    holder = int(view.last_apprentice)
    if holder == ASIDE:
        return Text("The apprentice was set aside: the bin stays, and the next seat is the master.", "dim")
    return Text.assemble(_who(holder, seat), (" got the apprentice and with it the bin, and is the master now.", "dim"))


def _now(view: Record, seat: int) -> Text:
    """Who decides what."""
    if view.phase == OVER:
        winners = [_who(owner, seat) for owner in range(int(view.seats)) if int(view.winners) >> owner & 1]
        return Text.assemble(("Won by ", "bold"), Text(", ").join(winners), f" ({STATE.endings[view.ending]})")
    if view.phase == VOTING:
        return _voting(view, seat)
    active = to_act(view).bit_length() - 1
    line = Text("▶ ", DANGER).append_text(_who(active, seat))
    if view.phase == CUTTING:
        line.append(f" to cut cards {view.piece_from + 1} to {view.piece_to}, for ").append_text(_buttons(int(view.voters)))
    elif view.phase == PLACING:
        line.append(" to insert the apprentice into one of the numbered places")
    else:
        what = {CHOOSING: "to choose the next action card", BREAKING: "to break two curios"}
        line.append(f" {what.get(int(view.phase), 'to choose what is copied')}   to do: ")
        for kind, name in enumerate(TO_DO):
            if view.to_do[kind] > 0:
                times = f"{view.to_do[kind]}× " if view.to_do[kind] > 1 else ""
                line.append(f" {times}{SIGNS[CAT + kind]} {name} ", f"white on {DYES[CAT + kind]}").append(" ")
    return line


def _voting(view: Record, seat: int) -> Text:
    line = Text.assemble(("▶ ", DANGER), "to vote ", _buttons(int(view.asked)))
    voted = int(view.voters) & ~int(view.asked)
    if voted:
        line.append("   have voted ").append_text(_buttons(voted))
    if seat >= 0 and view.votes[seat] > 0:
        line.append(f"   your vote: group {view.votes[seat]}", "bold")
    return line


def _collections(view: Record, seat: int) -> Table:
    """A line a seat: how many of each sort, and what they are worth."""
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(Text("points each\nlimit", "dim"), width=11, vertical="bottom")
    for sort in range(IN_FRONT):
        table.add_column(_header(sort), width=CELL, justify="center", vertical="bottom")
    table.add_column("cards", width=5, justify="right", vertical="bottom")
    table.add_column("points", width=6, justify="right", vertical="bottom")
    points = np.zeros((int(view.seats), len(PARTS)), np.int32)
    scores(view, points)
    for relative in range(1, int(view.seats) + 1):
        owner = (seat + relative) % int(view.seats)
        cells = [_cell(sort, int(view.front[owner, sort]), int(points[owner, sort])) for sort in range(IN_FRONT)]
        total = Text(_minus(int(points[owner].sum())), "bold")
        mark = f" {MASTER}" if view.master == owner else ""
        table.add_row(_who(owner, seat).append(mark), *cells, str(view.front[owner].sum()), total)
    return table


def _header(sort: int) -> Text:
    number = NUMBERS[PARTS[sort]]
    limit = "none" if number.limit == NO_LIMIT else f"max {number.limit}"
    sign = (f" {SIGNS[sort]} ", f"bold white on {DYES[sort]}")
    return Text.assemble(LABELS[sort].replace(" ", "\n"), "\n", sign, (f"\n{_minus(number.points)}\n{limit}", "dim"))


def _minus(number: int) -> str:
    return str(number).replace("-", "−")


def _cell(sort: int, count: int, worth: int) -> Text:
    """A count: plain while there is room, underlined at the limit, with an alarm beyond it."""
    limit = NUMBERS[PARTS[sort]].limit
    if count == 0:
        return Text("·", "dim")
    if count > limit or worth < 0:
        return Text(f"{count}!{' ' if count < 10 else ''}{_minus(worth)}", DANGER)
    return Text.assemble((str(count), "bold underline" if count == limit else "bold"), (f" +{worth}", "dim"))
