"""How puzzles are made: strong bots play, every decision is looked at, and what seems clear is looked at again, much longer.

At first sight every action is tried as often as the others: a search goes by what seems sensible, and would hardly ever see that
something else is better, which is what makes a puzzle hard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from math import ceil
from typing import NamedTuple

from zashiki.bots import find_bot
from zashiki.bots.asking import compare, hints
from zashiki.bots.bot import Bot, Budget, Estimate
from zashiki.bots.levels import strongest
from zashiki.bots.plain import weights
from zashiki.core.game import Game, OptionValue
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.puzzles import FORMAT, Answer, Difficulty, Puzzle, Puzzles

PLAYING = 100
"""Iterations for each action of the match."""
SOLVE = 400
"""Iterations for a position that can be solved."""


class Look(NamedTuple):
    """How closely actions are compared: so many of the best so far, each tried so often, by so much of the margin apart."""

    best: int
    tries: int
    apart: float


LOOKS = (Look(1_000, 40, 0.5), Look(8, 400, 0.75), Look(4, 2_000, 0.9))
"""A position is looked at longer while one action stays ahead."""
CHECK = Look(4, 40_000, 1.0)
"""The last look, which what a search prefers takes part in."""
SEARCH = 40_000
"""Iterations of that search."""
MARGINS = {"hanamikoji": 0.08, "kimono": 0.08, "kasane": 0.1, "kawaii": 0.06, "kohoju": 0.04}
"""How much more the best must be worth than the next; less where one decision changes little."""
SHORT: dict[str, dict[str, OptionValue]] = {"kohoju": {"target": 30}}
"""The options of short matches, where in a long one hardly any decision changes much."""
ANSWERS = 4
"""How many answers are told."""
FROM_A_MATCH = 2
FEWEST_LEGAL = 3
APART = 20
"""Moves between two positions of one match: neighbours are alike."""
MOST_ALIKE = 0.4
"""The share of puzzles that may be of one difficulty."""
OBVIOUS, EASY, MEDIUM = 0.95, 0.6, 0.2
"""How likely the answer is chosen at first sight; what everybody sees is no puzzle."""
LONGEST = 250
"""Later positions would make the file large."""

Wanted = Callable[[Difficulty], bool]
"""Whether a puzzle of this difficulty is still wanted: the others need no long look."""


def make(game: Game, count: int, seed: int = 0, tell: Callable[[Puzzle], None] = lambda puzzle: None) -> Puzzles:
    """So many puzzles, some of each difficulty."""
    found: list[Puzzle] = []

    def is_wanted(difficulty: Difficulty) -> bool:
        return sum(puzzle.difficulty == difficulty for puzzle in found) < ceil(MOST_ALIKE * count)

    for puzzle in islice(candidates(game, seed, is_wanted), count):
        found.append(puzzle)
        tell(puzzle)
    return Puzzles(format=FORMAT, game=game.id, rules=game.version, puzzles=found)


def candidates(game: Game, seed: int, is_wanted: Wanted = lambda difficulty: True) -> Iterator[Puzzle]:
    """Puzzles without end, from match after match, with every number of seats in turn."""
    while True:
        match = Match(game, game.seats[seed % len(game.seats)], options=SHORT.get(game.id), seed=seed)
        yield from _of_match(match, seed, is_wanted)
        seed += 1


def _of_match(match: Match, seed: int, is_wanted: Wanted) -> Iterator[Puzzle]:
    entrant = find_bot(match.game, f"{strongest(match.game)}@{PLAYING}")
    bots: list[Bot] = [entrant.sit_down(seed + seat) for seat in range(match.seats)]
    made, earliest = 0, 0
    while not match.over and made < FROM_A_MATCH and len(match.history) < LONGEST:
        seat = match.to_act[0]
        view, legal = match.view(seat), match.legal_actions(seat).numbers
        if len(legal) >= FEWEST_LEGAL and len(match.history) >= earliest:
            puzzle = puzzle_at(match, seat, view, is_wanted)
            if puzzle is not None:
                made, earliest = made + 1, len(match.history) + APART
                yield puzzle
        match.play(seat, bots[seat].choose(view, seat, legal, entrant.budget))


def puzzle_at(match: Match, seat: int, view: State, is_wanted: Wanted = lambda difficulty: True) -> Puzzle | None:
    """The puzzle of a position, if it is one of a wanted difficulty and stands up to a longer look."""
    look = _solved if match.game.id == "hanamikoji" else _searched
    best = look(view, seat, MARGINS[match.game.id], is_wanted)
    return None if best is None else _puzzle(match, seat, view, best)


def _solved(view: State, seat: int, margin: float, is_wanted: Wanted) -> list[Estimate] | None:
    """What each action is worth, the best first, if that is proven and one is clearly best."""
    found = hints(view, seat, Budget(iterations=SOLVE))
    return found if found[0].exact and _is_clear(found, margin) and _asks_enough(view, seat, found, is_wanted) else None


def _searched(view: State, seat: int, margin: float, is_wanted: Wanted) -> list[Estimate] | None:
    """What the best few are worth, the best first, if one is clearly best however long they are looked at."""
    found, actions = [], view.legal(seat)
    for number, look in enumerate(LOOKS):
        found = _compared(view, seat, actions[: look.best], look.tries, number)
        if not _is_clear(found, look.apart * margin) or not _asks_enough(view, seat, found, is_wanted):
            return None
        actions = [estimate.action for estimate in found]
    checked = _checked(view, seat, actions[: CHECK.best])
    return checked if checked[0].action == found[0].action and _is_clear(checked, CHECK.apart * margin) else None


def _checked(view: State, seat: int, actions: Sequence[int]) -> list[Estimate]:
    """These actions and the one that a search prefers, tried often enough to be sure, the best first."""
    preferred = hints(view, seat, Budget(iterations=SEARCH), seed=len(LOOKS))[0].action
    return _compared(view, seat, list(dict.fromkeys([*actions, preferred])), CHECK.tries, len(LOOKS))


def _compared(view: State, seat: int, actions: Sequence[int], tries: int, seed: int) -> list[Estimate]:
    """These actions, each tried so often, the best first."""
    found = compare(view, seat, actions, Budget(iterations=tries * len(actions)), seed)
    return sorted(found, key=lambda estimate: -estimate.chance)


def _is_clear(found: list[Estimate], margin: float) -> bool:
    return len(found) > 1 and found[0].chance - max(other.chance for other in found[1:]) >= margin


def _asks_enough(view: State, seat: int, found: list[Estimate], is_wanted: Wanted) -> bool:
    """Whether the best of them is not plain to see, and as hard to see as is wanted."""
    share = _share(view, seat, found[0].action)
    return share < OBVIOUS and is_wanted(_difficulty(share))


def _puzzle(match: Match, seat: int, view: State, best: list[Estimate]) -> Puzzle:
    first, second = best[0], best[1]
    points = None if first.points is None or second.points is None else round(first.points - second.points, 1)
    return Puzzle(
        id=sha256(match.save().encode()).hexdigest()[:8],
        seats=match.seats,
        options=match.options,
        seed=f"{match.seed:032x}",
        actions=[(seat, action) for seat, action in match.history],
        seat=seat,
        difficulty=_difficulty(_share(view, seat, first.action)),
        exact=first.exact,
        answers=[Answer(action=each.action, chance=round(each.chance, 3)) for each in best[:ANSWERS]],
        points=points,
    )


def _difficulty(share: float) -> Difficulty:
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


def _share(view: State, seat: int, answer: int) -> float:
    """How likely a sensible person is to choose the answer at first sight."""
    legal = view.legal(seat)
    found = weights(view, seat, legal)
    return found[legal.index(answer)] / sum(found)
