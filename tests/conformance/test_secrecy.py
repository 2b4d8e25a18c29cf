"""Nothing hidden reaches anybody: permute what the rules hide, and nobody may notice.

The last test proves that this test has teeth: it plants a leak of every hidden field in turn, and each is caught.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np
import pytest

from tests.conformance.games import known
from tests.conformance.walks import SETTINGS, SLOW, Setting, positions
from zashiki import Match
from zashiki.core.actions import Action
from zashiki.core.errors import IllegalAction
from zashiki.core.layout import SEALED
from zashiki.core.state import State
from zashiki.games import GAMES, find

LENGTH = 80 if SLOW else 400
MOMENTS = 6 if SLOW else 25
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)

Look = Callable[[State, int], bytes]


def permuted(state: State, seat: int, rng: np.random.Generator) -> State:
    """The same moment with other hidden cards and other random numbers to come."""
    other = state.copy()
    known(state.game.id).permute_hidden(other.record, seat, rng)
    other.records["rng_key"] = rng.integers(0, 2**32, 4, np.uint32)
    other.records["rng_words"] = rng.integers(0, 2**32, 16, np.uint32)
    other.records["rng_block"] = rng.integers(0, 2**32)
    other.records["rng_used"] = rng.integers(0, 17)
    return other


def everything_shown(state: State, seat: int) -> bytes:
    """All that a seat is given: its view, its legal actions, its observation, the points it can count."""
    view = state.view(seat)
    legal = state.legal(seat) if seat >= 0 else []
    words = repr((legal, view.to_json(), view.scores()))
    return b"".join((view.to_bytes(), view.observe(seat).tobytes(), words.encode()))


def differs(setting: Setting, seed: int, look: Look) -> bool:
    """Whether anybody can tell a moment from the same one with hidden cards permuted."""
    rng = np.random.default_rng(seed)
    return any(
        look(state, seat) != look(permuted(state, seat, rng), seat)
        for state in positions(setting, seed, LENGTH, MOMENTS)
        for seat in range(-1, setting.seats)
    )


@every_setting
def test_nobody_can_tell_hidden_cards_apart(setting: Setting) -> None:
    for seed in range(1 if SLOW else 4):
        assert not differs(setting, seed, everything_shown)


@every_setting
def test_permuting_breaks_no_law(setting: Setting) -> None:
    """Otherwise the test above might compare with moments that cannot happen."""
    rng = np.random.default_rng(5)
    for state in positions(setting, 5, LENGTH, MOMENTS):
        for seat in range(-1, setting.seats):
            known(setting.game).check_laws(permuted(state, seat, rng).record)


@pytest.mark.parametrize("game", GAMES)
def test_those_who_may_not_know_a_choice_are_told_the_same_of_all(game: str) -> None:
    secret = [action for action in find(game).vocabulary.actions if action.secrecy != "open"]
    for kind, actions in groupby(secret, key=type):
        assert len({action.veiled() for action in actions}) == 1, kind


def told(match: Match, seat: int) -> tuple[object, ...]:
    """All that a seat, or a spectator, is told of a match."""
    return [tuple(event) for event in match.events(seat)], match.view(seat).to_bytes(), refusals(match, seat)


def refusals(match: Match, seat: int) -> list[str]:
    """What a seat hears when it tries what it may not do."""
    if seat < 0:
        return []
    texts = []
    for number in range(0, len(match.game.vocabulary), len(match.game.vocabulary) // 7 + 1):
        try:
            match.copy().act(seat, number)
        except IllegalAction as error:
            texts.append(str(error))
    return texts


def still_choosing(match: Match, before: tuple[int, ...], seat: int) -> bool:
    """Whether all the others still have to do what they had to do before that seat chose."""
    return bool(match.to_act) and set(match.to_act) - {seat} == set(before) - {seat} != set()


@every_setting
def test_nobody_is_told_anything_of_a_choice_that_is_still_secret(setting: Setting) -> None:
    """Two ways to choose in secret sound the same to everybody else: events, views and refusals."""
    match, choice = Match(setting.game, setting.seats, options=setting.options, seed=6), random.Random(6)
    for move in range(25 if SLOW else 160):
        if match.over:
            break
        seat = choice.choice(match.to_act)
        legal = match.legal_actions(seat)
        secret = [action for action in legal if action.secrecy != "open"]
        if move % 3 == 0 and len(secret) > 1:
            compare_two_ways(match, seat, choice.sample(secret, 2))
        match.act(seat, choice.choice(legal))


def compare_two_ways(match: Match, seat: int, actions: list[Action]) -> None:
    ways = [match.copy(), match.copy()]
    for way, action in zip(ways, actions, strict=True):
        way.act(seat, action)
    if type(actions[0]) is not type(actions[1]):
        return
    others = [viewer for viewer in range(-1, match.seats) if viewer != seat]
    sealed = all(way.state.sealed(*way.history[-1]) == SEALED for way in ways)
    if sealed or actions[0].secrecy == "hidden":
        assert all(ways[0].events(viewer) == ways[1].events(viewer) for viewer in others)
    elif all(still_choosing(way, match.to_act, seat) for way in ways):
        assert all(told(ways[0], viewer) == told(ways[1], viewer) for viewer in others)


def leaking(name: str) -> Look:
    """A look through a view that also shows one field of the state as it is."""

    def look(state: State, seat: int) -> bytes:
        view = state.view(seat)
        view.records[name] = state.records[name]
        return view.to_bytes()

    return look


HIDDEN_FIELDS = [(game.id, part.name) for game in GAMES.values() for part in game.layout.fields if part.hidden or part.secret]


@pytest.mark.parametrize(("game", "name"), HIDDEN_FIELDS)
def test_a_planted_leak_is_caught(game: str, name: str) -> None:
    settings: list[Any] = [setting for setting in SETTINGS if setting.game == game]
    assert any(differs(setting, seed, leaking(name)) for seed in range(4) for setting in settings)
