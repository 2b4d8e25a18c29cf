"""Writes the goldens: a playthrough of each game at its smallest and largest number of seats, and the size of its first trees.

    python -m tests.goldens.make

A golden that changes means that a rule changed: raise the game's version with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zashiki import CLOCK, GAMES, SPECTATOR, Match
from zashiki.core.game import Game
from zashiki.core.layout import EMPTY
from zashiki.core.state import State

FOLDER = Path(__file__).parent
SEED = 20
SHOWN_MOVES = 60
VIEW_EVERY = 12
NODES = 6_000
SHORT = {"kohoju": {"target": 10}}


def goldens() -> Iterator[tuple[str, str]]:
    """Every golden's file name and text."""
    for game in GAMES.values():
        for seats in sorted({game.seats[0], game.seats[-1]}):
            yield f"{game.id}-{seats}.txt", playthrough(game, seats)
        yield f"{game.id}-tree.txt", trees(game)


def playthrough(game: Game, seats: int) -> str:
    """A random match in words, with what everybody sees now and then."""
    match = Match(game, seats, options=SHORT.get(game.id), seed=SEED)
    choice = random.Random(SEED)
    lines = [f"{game.title}, {seats} seats, rules version {game.version}, seed {SEED}, options {match.options}", *views(match)]
    while not match.over:
        seat = choice.choice(match.to_act)
        legal = match.legal_actions(seat)
        action = choice.choice(legal)
        match.act(seat, action)
        number = len(match.history)
        if number <= SHOWN_MOVES:
            lines.append(f"{number}. {player(seat)} {action.words()}. (one of {len(legal)})")
            if number % VIEW_EVERY == 0:
                lines += views(match)
    if len(match.history) > SHOWN_MOVES:
        lines.append(f"… and so on to move {len(match.history)}.")
    lines += views(match)
    assert match.outcome
    for seat, parts in enumerate(match.scores()):
        lines.append(f"seat {seat}: {sum(parts.values())} = {parts}")
    lines.append(f"won by {match.outcome.winners}: {match.outcome.reason}")
    return "\n".join(lines) + "\n"


def player(seat: int) -> str:
    """How a seat is called."""
    return "The clock" if seat == CLOCK else f"Seat {seat}"


def views(match: Match) -> list[str]:
    """What everybody sees, and the rest only once."""
    eyes = [SPECTATOR, *range(match.seats)]
    shown = {seat: match.view(seat).to_json() for seat in eyes}
    lines = ["", f"  to act: {', '.join(player(seat) for seat in match.to_act) or 'nobody'}"]
    for field in match.game.layout.fields:
        if field.secret:
            continue
        values = {seat: plain(shown[seat][field.name]) for seat in eyes}
        if len(set(values.values())) == 1:
            lines.append(f"  {field.name}: {values[SPECTATOR]}")
        else:
            lines += [
                f"  {field.name}, as {'spectators see' if seat == SPECTATOR else f'seat {seat} sees'} it: {values[seat]}"
                for seat in eyes
            ]
    return [*lines, ""]


def plain(value: Any) -> str:
    """A field's value in few characters: ? is unknown, · is empty."""
    if isinstance(value, list):
        return (" | " if value and isinstance(value[0], list) else " ").join(map(plain, value))
    return {None: "?", EMPTY: "·", "": "-"}.get(value, str(value))


def trees(game: Game) -> str:
    """How many ways the first moves can go, from small seeds."""
    lines = [f"{game.title}: ways the first moves can go, rules version {game.version}"]
    for seats in game.seats:
        for seed in range(3):
            counts = tree(State.dealt(game, seats, game.option_numbers(SHORT.get(game.id)), seed))
            lines.append(f"{seats} seats, seed {seed}: " + ", ".join(map(str, counts)))
    return "\n".join(lines) + "\n"


def tree(root: State) -> list[int]:
    """The number of moments after one, two, … moves, as far as there are not too many; of several seats the lowest moves."""
    level, counts = [root], list[int]()
    while len(counts) < 6 and sum(len(state.legal(_lowest(state))) for state in level) <= NODES:
        level = [after for state in level for after in _after(state)]
        counts.append(len(level))
    return counts


def _after(state: State) -> Iterator[State]:
    seat = _lowest(state)
    for action in state.legal(seat):
        twin = state.copy()
        twin.apply(seat, action)
        yield twin


def _lowest(state: State) -> int:
    bits = state.to_act()
    return (bits & -bits).bit_length() - 1


def main() -> None:
    """Writes every golden."""
    for name, text in goldens():
        (FOLDER / name).write_text(text, "utf-8")
        print(name)


if __name__ == "__main__":
    main()
