"""A Hanamikoji small enough to solve exactly: the second half of a round that decides the match, as a tree.

Each seat has discarded two cards and shared out its competition, and has still to keep a secret and to offer a gift, in the
order it likes. Chance deals two scrolls, two tea pots and two hair ornaments: three cards to seat 0, two to seat 1, one out of
the round. The stack is face up, the only difference from the whole game: a fan, a flute and an umbrella come next. All that
follows from a choice is carried out by the rules of the whole game.

The value of the game is −7/20 for seat 0.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any

from zashiki.core.layout import EMPTY
from zashiki.core.state import State
from zashiki.games.hanamikoji import GAME
from zashiki.games.hanamikoji.cards import ITEMS
from zashiki.games.hanamikoji.rules import SECRET_FROM, TRADE_OFF_FROM, TURN

FLUTE, FAN, SCROLL, UMBRELLA, SHAMISEN, TEA_POT, ORNAMENT = range(7)
POOL = (SCROLL, SCROLL, TEA_POT, TEA_POT, ORNAMENT, ORNAMENT)
HANDS = (3, 2)
STACK = (FAN, FLUTE, UMBRELLA)
SIDES = ((FLUTE, SHAMISEN, SHAMISEN, TEA_POT), (FAN, UMBRELLA, ORNAMENT, ORNAMENT))
TRADE_OFFS = ((UMBRELLA, ORNAMENT), (SHAMISEN, TEA_POT))
USED = ((0, 1, 0, 3), (0, 2, 0, 4))
"""The turns in which each seat used trade-off and competition."""
FIRST_TURN = 5
MOVES = 6
"""Every match: four turns, two answers."""

CHANCE, TERMINAL = -1, -4
UNSEEN = -1
"""In what a seat has learnt: the other has kept a secret."""

Hand = tuple[int, ...]


def hands(size: int) -> list[Hand]:
    """Every different hand of that size that the pool can fill, in order."""
    return sorted(set(combinations(POOL, size)))


class Position:
    """A node of the tree. It never changes, and the same path always leads to the same object.

    `seat` decides, or CHANCE, or nobody (TERMINAL). `dealt` are the hands; `learnt` is what each seat knows of the moves since,
    as action numbers of the whole game.
    """

    __slots__ = ("_children", "_state", "dealt", "learnt", "legal", "path", "seat", "words")

    def __init__(self, state: State, path: tuple[int, ...], dealt: tuple[Hand, ...], learnt: tuple[Hand, Hand]) -> None:
        self._state, self.path, self.dealt, self.learnt = state, path, dealt, learnt
        self._children: dict[int, Position] = {}
        self.seat = self._whose()
        self.legal = [place for place, _ in self.outcomes()] if self.seat < 0 else state.legal(self.seat)
        self.words = tuple(self._told(seat) for seat in range(len(HANDS)))

    def __deepcopy__(self, memo: object) -> Position:
        """Itself: nothing can happen to it."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as the path to it."""
        return position, (self.path,)

    def after(self, step: int) -> Position:
        """The position that an action of the whole game, or a hand that chance deals, leads to."""
        if step not in self._children:
            if step not in self.legal:
                raise ValueError(f"{step} is not possible here; {self.legal} are")
            self._children[step] = self._deal(step) if self.seat == CHANCE else self._act(step)
        return self._children[step]

    def outcomes(self) -> list[tuple[int, float]]:
        """The hands that chance can deal next, by their place in `hands`, and how likely each is."""
        if self.seat != CHANCE:
            return []
        left, size = _without(self.dealt), HANDS[len(self.dealt)]
        ways = [prod(comb(left.count(item), hand.count(item)) for item in set(POOL)) for hand in hands(size)]
        return [(place, count / comb(len(left), size)) for place, count in enumerate(ways) if count]

    def returns(self) -> list[float]:
        """1 for whoever wins the match, −1 for the other; 0 for both if they share it, or before the end."""
        winners = int(self._state.records["winners"][0])
        won = float((winners & 1) - (winners >> 1 & 1))
        return [won, 0.0 - won]

    def __str__(self) -> str:
        return " | ".join([*self.words, f"to act: {self.seat}"])

    def _whose(self) -> int:
        if len(self.dealt) < len(HANDS):
            return CHANCE
        waiting = self._state.to_act()
        return waiting.bit_length() - 1 if waiting else TERMINAL

    def _told(self, seat: int) -> str:
        """All that a seat has learnt, in words."""
        if len(self.dealt) <= seat:
            return ""
        hand = ", ".join(ITEMS[item] for item in self.dealt[seat])
        return "; ".join([f"seat {seat} holds {hand}", *(spoken(action) for action in self.learnt[seat])])

    def _deal(self, place: int) -> Position:
        seat, state = len(self.dealt), self._state.copy()
        hand = hands(HANDS[seat])[place]
        dealt = (*self.dealt, hand)
        state.record.hands[seat] = [hand.count(item) for item in range(len(ITEMS))]
        if len(dealt) == len(HANDS):
            state.record.deck[0] = _without(dealt)[0]
        return Position(state, (*self.path, place), dealt, self.learnt)

    def _act(self, action: int) -> Position:
        state, learnt = self._state.copy(), list(self.learnt)
        state.apply(self.seat, action)
        for seat in range(2):
            hidden = SECRET_FROM <= action < TRADE_OFF_FROM and seat != self.seat
            learnt[seat] = (*learnt[seat], UNSEEN if hidden else action)
        return Position(state, (*self.path, action), self.dealt, (learnt[0], learnt[1]))


def spoken(action: int) -> str:
    """A move in words."""
    vocabulary = GAME.vocabulary
    return vocabulary[SECRET_FROM].veiled().words() if action == UNSEEN else vocabulary[action].words()


@cache
def root() -> Position:
    """The start, before chance has dealt the hands."""

    state = State.dealt(GAME, 2, GAME.option_numbers({"rounds": 1}), 0)
    record = state.record
    record.starter = record.active = 0
    record.phase, record.turn_number = TURN, FIRST_TURN
    record.sides[:] = [[side.count(item) for item in range(len(ITEMS))] for side in SIDES]
    record.trade_off[:], record.used[:] = TRADE_OFFS, USED
    record.hand_size[:], record.stack_size = HANDS, len(STACK)
    record.deck[:] = EMPTY
    record.deck[1 : 1 + len(STACK)] = STACK[::-1]
    return Position(state, (), (), ((), ()))


def position(path: tuple[int, ...]) -> Position:
    """The position at the end of a path from the root."""
    here = root()
    for step in path:
        here = here.after(step)
    return here


def alike(here: Position, seat: int) -> list[tuple[Position, float]]:
    """Every position that a seat cannot tell from this one, and how likely it is if the other seat plays at random."""
    same = _everywhere()[here.seat, seat, here.words[seat]]
    total = sum(chance for _, chance in same)
    return [(other, chance / total) for other, chance in same]


@cache
def _everywhere() -> dict[tuple[int, int, str], list[tuple[Position, float]]]:
    """All positions, by who acts and what a seat has learnt."""
    found: dict[tuple[int, int, str], list[tuple[Position, float]]] = {}
    ahead = [(root(), 1.0)]
    while ahead:
        here, chance = ahead.pop()
        for seat in range(len(HANDS)):
            found.setdefault((here.seat, seat, here.words[seat]), []).append((here, chance))
        weights = dict(here.outcomes()) or dict.fromkeys(here.legal, 1 / max(1, len(here.legal)))
        ahead += [(here.after(step), chance * weight) for step, weight in weights.items()]
    return found


@cache
def actions() -> tuple[int, ...]:
    """The action numbers of the whole game that occur in the tree, in order."""
    found: set[int] = set()
    ahead = [root()]
    while ahead:
        here = ahead.pop()
        found.update(here.legal if here.seat >= 0 else ())
        ahead += [here.after(step) for step in here.legal]
    return tuple(sorted(found))


def _without(dealt: tuple[Hand, ...]) -> list[int]:
    """The cards of the pool that no hand holds."""
    left = list(POOL)
    for hand in dealt:
        for item in hand:
            left.remove(item)
    return left
