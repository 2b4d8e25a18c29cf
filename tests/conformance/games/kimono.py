"""What the conformance suite must be told about Kimono: its laws, what hides from whom, and small cases to redeal."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.kimono.cards import APPRENTICE, BREAKAGE, CAT, COIN, COPIES, COPY, FIRE, KIMONO
from zashiki.games.kimono.rules import ASIDE, CUTTING, IN_ROW, OVER, PLACING, VOTING, WITH_MASTER

OPTIONS: tuple[dict[str, Any], ...] = ({},)
"""The options worth walking through."""


def check_laws(state: Any) -> None:
    """74 market cards and 10 kimonos are always somewhere, and sizes, pieces and the apprentice tell the truth."""
    _check_cards(state)
    _check_sizes(state)
    _check_pieces(state)
    _check_apprentice(state)
    _check_turns(state)


def _check_cards(state: Any) -> None:
    cards: Counter[int] = Counter()
    for seat in range(6):
        for sort in range(10):
            cards[sort] += int(state.front[seat, sort])
        for sort in range(8):
            copies = int(state.copies[seat, sort])
            assert 0 <= copies <= state.front[seat, sort]
            cards[sort] -= copies
            cards[COPY] += copies
    for kind in range(3):
        cards[CAT + kind] += int(state.to_do[kind])
    for card in range(13):
        cards[card] += int(state.bin[card]) + int(state.box[card])
    cards[KIMONO] += int(state.kimonos)
    cards.update(int(card) for card in [*state.row, *state.deck] if card not in (EMPTY, APPRENTICE))
    assert cards == dict(enumerate(COPIES[:13]))
    assert state.bin[KIMONO] == 0
    assert state.front[int(state.seats) :].sum() == 0


def _check_sizes(state: Any) -> None:
    size = int(state.pile_size)
    assert size == (9 if state.seats <= 4 else 13)
    hidden = range(size * int(state.round_number), 5 * size + int(state.sack_size))
    assert all((state.deck[place] != EMPTY) == (place in hidden) for place in range(74))
    assert int(state.bin.sum()) == state.bin_size <= 65
    assert 1 <= state.round_number <= 5
    assert sum(card != EMPTY for card in state.row) <= size + 1


def _check_pieces(state: Any) -> None:
    """The open piece and the waiting ones cover the row once, and nobody is in for two of them."""
    waiting = int(state.waiting)
    places = [place for i in range(waiting) for place in range(state.waiting_from[i], state.waiting_to[i])]
    places += range(int(state.piece_from), int(state.piece_to))
    assert sorted(places) == [place for place in range(14) if state.row[place] != EMPTY]
    wants = [int(wanted) for wanted in state.waiting_for[:waiting]] + [int(state.voters)]
    assert sum(wanted.bit_count() for wanted in wants) == int(np.bitwise_or.reduce(wants)).bit_count()
    assert not any(state.waiting_for[waiting:])
    assert not any(state.waiting_to[waiting:])
    assert (state.piece_to > 0) == (state.phase in (CUTTING, PLACING, VOTING))
    assert (state.cut_after > 0) == (state.phase in (PLACING, VOTING))
    if state.phase == CUTTING:
        assert state.piece_to - state.piece_from > 1
        assert int(state.voters).bit_count() > 1


def _check_apprentice(state: Any) -> None:
    lies = int((state.row == APPRENTICE).sum())
    assert lies == (state.apprentice == IN_ROW)
    assert 0 <= state.apprentice <= ASIDE
    if state.phase == PLACING:
        assert state.apprentice == WITH_MASTER
    if state.phase == OVER:
        assert state.apprentice < state.seats or state.apprentice == ASIDE


def _check_turns(state: Any) -> None:
    for seat in range(6):
        may_vote = state.phase == VOTING and int(state.voters) >> seat & 1
        has_voted = may_vote and not int(state.asked) >> seat & 1
        assert (state.votes[seat] in (1, 2)) if has_voted else (state.votes[seat] == 0)
    assert (state.asked != 0) == (state.phase == VOTING)
    carries_out = state.phase not in (OVER, CUTTING, PLACING, VOTING)
    assert (state.taker != EMPTY) == carries_out == (state.to_do.sum() > 0)
    if state.phase == OVER:
        assert state.winners > 0
        assert state.ending > 0
        assert state.waiting == 0


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles round piles and sack into each other, and lets the others vote anew while votes are sealed."""
    places = [place for place in range(74) if state.deck[place] != EMPTY]
    state.deck[places] = rng.permutation(state.deck[places])
    for other in range(6):
        if other != seat and state.votes[other] != 0:
            state.votes[other] = rng.integers(1, 3)


def redeal_cases() -> list[RedealCase]:
    """The last round with all but a few cards of the sack in the box, as a spectator and in the middle of a vote."""
    return [_small_sack(), _sealed_votes(), _two_piles()]


def _last_round(seats: int, sack: list[int]) -> Position:
    """The last row is cards one would not miss; what is nowhere else is in the box."""
    position = Position("kimono", seats)
    state = position.state
    size = 9 if seats <= 4 else 13
    state.round_number = 5
    state.deck[:] = EMPTY
    state.deck[5 * size : 5 * size + len(sack)] = sack
    state.sack_size = len(sack)
    state.row[:size] = ([COIN] * 4 + [FIRE, CAT, BREAKAGE] + [4, 5, 6] * 2)[:size]
    _rest_into_box(state)
    check_laws(state)
    return position


def _rest_into_box(state: Any) -> None:
    lie = Counter(int(card) for card in [*state.row, *state.deck] if card != EMPTY)
    state.box[:] = [COPIES[card] - lie[card] for card in range(13)]
    state.box[KIMONO] = 0


def _small_sack() -> RedealCase:
    position = _last_round(3, [2, 2, 1, CAT])
    ways = Counter(permutations([2, 2, 1, CAT]))
    return RedealCase(
        view=position.view(-1).copy(),
        seat=-1,
        key=lambda s: tuple(map(int, s.deck[45:49])),
        expected={key: count / 24 for key, count in ways.items()},
    )


def _sealed_votes() -> RedealCase:
    """Seats 1 and 3 have voted, seat 0 too and knows it, seat 2 has not."""
    position = _last_round(5, [0, COPY])
    state = position.state
    state.apprentice = ASIDE
    state.row[4:] = EMPTY
    state.piece_to, state.cut_after, state.phase = 4, 1, VOTING
    state.voters, state.asked = 0b01111, 0b00100
    state.votes[:] = [2, 1, 0, 1, 0, 0]
    _rest_into_box(state)
    check_laws(state)
    keys = product((1, 2), (1, 2), ((0, COPY), (COPY, 0)))
    return RedealCase(
        view=position.view(0).copy(),
        seat=0,
        key=lambda s: (int(s.votes[1]), int(s.votes[3]), tuple(map(int, s.deck[65:67]))),
        expected=dict.fromkeys(((a, b, sack) for a, b, sack in keys), 1 / 8),
    )


def _two_piles() -> RedealCase:
    """The last pile is still face down: its cards and those of the sack are one unseen heap."""
    position = _last_round(3, [3])
    state = position.state
    state.round_number = 4
    state.deck[36:45] = [6] * 8 + [0]
    _rest_into_box(state)
    check_laws(state)
    return RedealCase(
        view=position.view(1).copy(),
        seat=1,
        key=lambda s: tuple(list(s.deck[36:46]).index(card) for card in (0, 3)),
        expected=dict.fromkeys(permutations(range(10), 2), 1 / 90),
    )
