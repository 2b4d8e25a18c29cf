"""How puzzles are made: strong bots play, every decision is looked at, and what seems clear is looked at again, much longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

from zashiki.bots import find_bot
from zashiki.bots.asking import compare, hints
from zashiki.bots.bot import Bot, Budget, Estimate
from zashiki.bots.levels import strongest
from zashiki.bots.plain import weights
from zashiki.core.game import Game
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.puzzles import FORMAT, Answer, Difficulty, Puzzle, Puzzles

PLAYING = 100
"""Iterations for each action of the match."""
SIGHT, CHECK = 400, 8_000
"""Iterations for seeing that an action is clearly best, and for checking it with other random numbers."""
EACH = 2_000
"""Tries of each of the best few, compared one by one."""
MARGINS = {"hanamikoji": 0.08, "kimono": 0.08, "kasane": 0.1, "kawaii": 0.06, "kohoju": 0.035}
"""How much more the best must be worth than the next; less where one decision changes little."""
COMPARED = 4
FROM_A_MATCH = 2
FEWEST_LEGAL = 3
APART = 20
"""Moves between two positions of one match: neighbours are alike."""
MOST_EASY = 0.9
"""The share of puzzles that may be easy: in some games what is clearly best is seldom hard to see."""
EASY, MEDIUM = 0.6, 0.2
"""How likely the answer is chosen at first sight."""
LONGEST = 250
"""Later positions would make the file large."""


def make(game: Game, count: int, seed: int = 0, tell: Callable[[Puzzle], None] = lambda puzzle: None) -> Puzzles:
    """So many puzzles, not all of them easy."""
    found: list[Puzzle] = []
    for puzzle in candidates(game, seed):
        easy = sum(each.difficulty == "easy" for each in found)
        if puzzle.difficulty != "easy" or easy < MOST_EASY * count:
            found.append(puzzle)
            tell(puzzle)
        if len(found) >= count:
            break
    return Puzzles(format=FORMAT, game=game.id, rules=game.version, puzzles=found)


def candidates(game: Game, seed: int) -> Iterator[Puzzle]:
    """Puzzles without end, from match after match, with every number of seats in turn."""
    while True:
        match = Match(game, game.seats[seed % len(game.seats)], seed=seed)
        yield from _of_match(match, seed)
        seed += 1


def _of_match(match: Match, seed: int) -> Iterator[Puzzle]:
    entrant = find_bot(match.game, f"{strongest(match.game)}@{PLAYING}")
    bots: list[Bot] = [entrant.sit_down(seed + seat) for seat in range(match.seats)]
    made, earliest = 0, 0
    while not match.over and made < FROM_A_MATCH and len(match.history) < LONGEST:
        seat = match.to_act[0]
        view, legal = match.view(seat), match.legal_actions(seat).numbers
        if len(legal) >= FEWEST_LEGAL and len(match.history) >= earliest:
            puzzle = puzzle_at(match, seat, view)
            if puzzle is not None:
                made, earliest = made + 1, len(match.history) + APART
                yield puzzle
        match.play(seat, bots[seat].choose(view, seat, legal, entrant.budget))


def puzzle_at(match: Match, seat: int, view: State) -> Puzzle | None:
    """The puzzle of a position, if it is one and stands up to a longer look."""
    margin, proven = MARGINS[match.game.id], match.game.id == "hanamikoji"
    seen = hints(view, seat, Budget(iterations=SIGHT))
    if not _is_clear(seen, margin) or (proven and not seen[0].exact):
        return None
    checked = hints(view, seat, Budget(iterations=CHECK), seed=1)
    if checked[0].action != seen[0].action:
        return None
    best = checked if proven else compare(view, seat, _leading(checked), Budget(iterations=EACH * COMPARED), seed=2)
    best = sorted(best, key=lambda estimate: -estimate.chance)
    if not _is_clear(best, margin) or best[0].action != seen[0].action or (proven and not best[0].exact):
        return None
    return _puzzle(match, seat, view, best)


def _is_clear(found: list[Estimate], margin: float) -> bool:
    return len(found) > 1 and found[0].chance - max(other.chance for other in found[1:]) >= margin


def _leading(found: list[Estimate]) -> list[int]:
    return [estimate.action for estimate in found[:COMPARED]]


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
        difficulty=_difficulty(view, seat, first.action),
        exact=first.exact,
        answers=[Answer(action=each.action, chance=round(each.chance, 3)) for each in best[:COMPARED]],
        points=points,
    )


def _difficulty(view: State, seat: int, answer: int) -> Difficulty:
    """By how likely a sensible person is to choose the answer at first sight."""
    legal = view.legal(seat)
    found = weights(view, seat, legal)
    share = found[legal.index(answer)] / sum(found)
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"
