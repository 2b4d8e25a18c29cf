"""How far a player may take back: never past something that a person saw revealed or drawn.

What a move showed to somebody is found without knowing the game: the same move is made in other deals that this person could not
tell apart before it. If what the person sees afterwards depends on the deal, the move has told something.
"""

from __future__ import annotations

import numpy as np

from zashiki.core import entries
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import Match, Move
from zashiki.core.random import seed_roller
from zashiki.core.state import State
from zashiki.server.errors import Refused

DEALS = 48
"""So many other deals are tried: one is enough where something was told, which is nearly always seen at once."""


def moves_undone(match: Match, seat: int, persons: list[int]) -> int:
    """How many moves are undone when a seat takes its last one back; refuses when there is none or something was learned."""
    if match.view(SPECTATOR).to_act() >> CLOCK & 1:
        # Whatever came since might be silent: any other answer would tell of it.
        raise Refused("nothing to take back", "where time itself acts nothing is taken back")
    history = match.history
    mine = [place for place, move in enumerate(history) if move.seat == seat]
    if not mine:
        raise Refused("nothing to take back", "you have not done anything yet")
    first = mine[-1]
    state = _state_after(match, history[:first])
    for move in history[first:]:
        before = state.copy()
        state.apply(*move)
        if move.seat == CLOCK or any(_learned(match, before, state, move, person) for person in persons):
            raise Refused("nothing to take back", "something was drawn or revealed since then")
    return len(history) - first


def _state_after(match: Match, moves: tuple[Move, ...]) -> State:
    state = State.dealt(match.game, match.seats, match.game.option_numbers(match.options), match.seed)
    for move in moves:
        state.apply(*move)
    return state


def _learned(match: Match, before: State, after: State, move: Move, person: int) -> bool:
    """Whether a move told a person something that the deal decided."""
    view, seen = before.view(person), after.view(person).to_bytes()
    rng = np.zeros(4, np.uint32)
    seed_roller(rng, len(match.history))
    return any(_differs(match, view.redealt(person, rng), move, person, seen) for _ in range(DEALS))


def _differs(match: Match, other: State, move: Move, person: int, seen: bytes) -> bool:
    number = _same_to(match, other, move, person)
    if number is None or other.act(move.seat, number) != entries.DONE:
        return True
    return other.view(person).to_bytes() != seen


def _same_to(match: Match, other: State, move: Move, person: int) -> int | None:
    """An action that looks to the person like the one that was made."""
    words = match.game.vocabulary
    action = words[move.action]
    if move.seat == person or action.secrecy == "open":
        return move.action
    legal = other.legal(move.seat)
    if move.action in legal:
        return move.action
    return next((number for number in legal if words[number].veiled() == action.veiled()), None)
