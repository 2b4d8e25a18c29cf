"""The verifying class: what it refuses, what it remembers, what it tells whom."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from zashiki import GAMES, SPECTATOR, Match
from zashiki.core.errors import (
    DamagedMatch,
    IllegalAction,
    MalformedAction,
    MatchOver,
    NothingToTakeBack,
    NotYourTurn,
    OtherRules,
    TamperedMatch,
    UnknownGame,
    WrongOption,
    WrongSeats,
    WrongSeed,
)
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK

every_game = pytest.mark.parametrize("game", GAMES)
SHORTEST = {"kohoju": {"target": 10}}


def played(game: str, moves: int = 10, seats: int | None = None, seed: int = 5) -> Match:
    """A match some random moves old."""
    match = Match(game, seats, options=SHORTEST.get(game), seed=seed)
    choice = random.Random(seed)
    for _ in range(moves):
        if match.over:
            break
        seat = choice.choice(match.to_act)
        match.act(seat, choice.choice(match.legal_actions(seat)))
    return match


def unchanged(match: Match, error: type[Exception], deed: Callable[[], object]) -> str:
    """Demands an error that changes nothing; gives its words."""
    before = (match.state.to_bytes(), match.history, match.events())
    with pytest.raises(error) as caught:
        deed()
    assert (match.state.to_bytes(), match.history, match.events()) == before
    return str(caught.value)


@every_game
def test_a_match_starts_with_the_smallest_number_of_seats_and_the_default_options(game: str) -> None:
    match = Match(game)
    assert match.seats == GAMES[game].seats[0]
    assert match.options == {option.name: option.default for option in GAMES[game].options}
    assert match.history == ()
    assert match.outcome is None


@every_game
def test_without_a_seed_no_two_matches_are_alike(game: str) -> None:
    assert Match(game).state.to_bytes() != Match(game).state.to_bytes()


@every_game
def test_the_same_seed_gives_the_same_match(game: str) -> None:
    assert played(game).state.to_bytes() == played(game).state.to_bytes()


@every_game
def test_an_action_can_be_given_as_number_structure_dictionary_or_json(game: str) -> None:
    results = set()
    for form in range(4):
        match = Match(game, seed=1)
        seat = match.to_act[0]
        number = match.legal_actions(seat).numbers[0]
        plain = match.game.vocabulary.to_json(number)
        match.act(seat, (number, match.game.vocabulary[number], plain, json.dumps(plain))[form])
        results.add(match.state.to_bytes())
    assert len(results) == 1


@every_game
def test_an_illegal_action_is_refused_and_changes_nothing(game: str) -> None:
    match = played(game)
    seat = match.to_act[0]
    legal = match.legal_actions(seat)
    for refused in set(range(len(match.game.vocabulary))) - set(legal.numbers):
        words = unchanged(match, IllegalAction, lambda refused=refused: match.act(seat, refused))  # type: ignore[misc]
        assert match.game.vocabulary[refused].words() in words
        assert legal[0].words() in words


@every_game
def test_nobody_else_can_do_what_one_seat_may(game: str) -> None:
    match = played(game)
    waiting = match.to_act
    legal = match.legal_actions(waiting[0])
    for seat in set(range(match.seats)) - set(waiting):
        words = unchanged(match, NotYourTurn, lambda seat=seat: match.act(seat, legal.numbers[0]))  # type: ignore[misc]
        assert f"seat {waiting[0]}" in words


@every_game
def test_numbers_may_be_numpys(game: str) -> None:
    one: Any = np.uint8(1)
    match, twin = Match(game, one * GAMES[game].seats[0], seed=one), Match(game, seed=1)
    seat = match.to_act[0]
    number = match.legal_actions(one * seat).numbers[0]
    match.act(one * seat, np.int64(number))
    twin.act(seat, number)
    assert match.save() == twin.save()


@every_game
@pytest.mark.parametrize("seat", [True, 9, 1.0, "0", None])
def test_nobody_looks_from_a_seat_that_does_not_exist(game: str, seat: int) -> None:
    match = Match(game)
    for look in (match.view, match.events, match.act):
        with pytest.raises(WrongSeats):
            look(*((seat, 0) if look == match.act else (seat,)))


@every_game
@pytest.mark.parametrize(
    "nonsense",
    [
        *(-1, 10**6, 10**5000, "x", "{}", b"\xff", None, 1.5, True, [], {"type": "nothing"}, {"type": 3}),
        *(b'{"type": "\xff"}', '{"type": "\ud800"}', '{"a":' * 100_000, '{"type":' + "[" * 100_000, {"type": "x" * 10**6}),
    ],
    ids=range(17),
)
def test_a_malformed_action_is_another_error(game: str, nonsense: object) -> None:
    match = played(game)
    words = unchanged(match, MalformedAction, lambda: match.act(match.to_act[0], nonsense))
    assert len(words) < 250


def test_cards_that_the_deck_does_not_hold_make_a_malformed_action() -> None:
    match = Match("hanamikoji")
    words = unchanged(
        match, MalformedAction, lambda: match.act(match.to_act[0], {"type": "gift", "cards": ["fan", "fan", "fan"]})
    )
    assert "fan" in words


def test_the_wrong_seat_is_told_whose_turn_it_is() -> None:
    match = Match("hanamikoji", seed=1)
    seat = match.to_act[0]
    words = unchanged(match, NotYourTurn, lambda: match.act(1 - seat, match.legal_actions(seat)[0]))
    assert f"seat {seat} may act" in words


@every_game
@pytest.mark.parametrize("seat", [-1, 6, 8, None, "0"])
def test_a_seat_that_does_not_exist_is_refused(game: str, seat: object) -> None:
    match = Match(game)
    unchanged(match, WrongSeats, lambda: match.act(seat, 0))  # type: ignore[arg-type]  # the point of the test


def test_where_time_does_not_act_the_clock_may_not() -> None:
    match = Match("hanamikoji", seed=1)
    unchanged(match, NotYourTurn, lambda: match.act(CLOCK, 0))


@pytest.mark.parametrize("game", [game for game in GAMES if game != "kohoju"])
def test_after_the_end_nothing_more_can_be_done(game: str) -> None:
    match = played(game, moves=10**6)
    assert match.outcome is not None
    assert match.outcome.winners
    assert match.outcome.reason
    unchanged(match, MatchOver, lambda: match.act(0, 0))
    assert match.to_act == ()
    assert len(match.legal_actions(0)) == 0


@every_game
def test_wrong_numbers_of_seats_are_refused(game: str) -> None:
    for seats in (0, 1, GAMES[game].seats[-1] + 1, "2", True):
        with pytest.raises(WrongSeats, match="is played by"):
            Match(game, seats)  # type: ignore[arg-type]  # the point of the test


@every_game
def test_unknown_options_and_values_are_refused(game: str) -> None:
    with pytest.raises(WrongOption, match="has no option 'speed'"):
        Match(game, options={"speed": 3})
    for option in GAMES[game].options:
        with pytest.raises(WrongOption, match=option.name):
            Match(game, options={option.name: "never"})


def test_an_unknown_game_is_refused_with_the_list_of_games() -> None:
    with pytest.raises(UnknownGame, match="hanamikoji"):
        Match("poker")


WRONG_DIGITS = ["xyz", "0" * 31, "g" * 32, "-" + "0" * 31, "0x" + "0" * 30, "1_" * 16, " " + "1" * 31]
WRONG_SEEDS = [-1, 1 << 128, 10**5000, 1.5, True, *WRONG_DIGITS]


@pytest.mark.parametrize("seed", WRONG_SEEDS, ids=range(len(WRONG_SEEDS)))
def test_a_wrong_seed_is_refused(seed: object) -> None:
    with pytest.raises(WrongSeed):
        Match("hanamikoji", seed=seed)  # type: ignore[arg-type]  # the point of the test


def test_a_seed_may_be_a_number_or_its_digits() -> None:
    assert Match("hanamikoji", seed=255).state.to_bytes() == Match("hanamikoji", seed=f"{255:032x}").state.to_bytes()


@every_game
def test_taking_back_leads_to_the_same_state(game: str) -> None:
    match = played(game, 20)
    states = [again.state.to_bytes() for again in match.replay()]
    match.take_back(7)
    assert match.state.to_bytes() == states[-8]
    assert len(match.history) == len(states) - 8
    assert match.events(0) == match.at(len(match.history)).events(0)


def test_more_than_was_done_cannot_be_taken_back() -> None:
    match = played("hanamikoji", 3)
    for count in (4, -1, 1.5, "1", None, True):
        unchanged(match, NothingToTakeBack, lambda count=count: match.take_back(count))  # type: ignore[misc]
        unchanged(match, NothingToTakeBack, lambda count=count: match.at(count))  # type: ignore[misc]


@every_game
@pytest.mark.parametrize(
    "twin_of", [Match.copy, copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))], ids=range(4)
)
def test_a_copy_goes_its_own_way(game: str, twin_of: Callable[[Match], Match]) -> None:
    match = played(game, 4)
    twin = twin_of(match)
    assert twin.game is match.game
    assert (twin.state.to_bytes(), twin.history, twin.events(0)) == (match.state.to_bytes(), match.history, match.events(0))
    before = (match.state.to_bytes(), match.history, match.events(0), match.save())
    for _ in range(6):
        seat = twin.to_act[0]
        twin.act(seat, twin.legal_actions(seat)[0])
    twin.options["new"] = 1
    assert (match.state.to_bytes(), match.history, match.events(0), match.save()) == before


@every_game
def test_a_saved_match_is_loaded_as_it_was(game: str) -> None:
    match = played(game)
    again = Match.load(match.save())
    assert again.state.to_bytes() == match.state.to_bytes()
    assert again.history == match.history
    assert again.save() == match.save()
    assert again.events(0) == match.events(0)


@every_game
def test_a_saved_match_that_is_cut_short_is_refused(game: str) -> None:
    text = played(game).save()
    for length in (0, 1, 10, len(text) // 2, len(text) - 5):
        with pytest.raises(DamagedMatch):
            Match.load(text[:length])


@pytest.mark.parametrize(
    "text", ["[]", "{}", "null", '{"format": 1}', b"\xff\xfe", "\x00", "\ud800", '{"a":' * 100_000, None, 7], ids=range(10)
)
def test_what_is_no_saved_match_is_refused(text: str) -> None:
    with pytest.raises(DamagedMatch):
        Match.load(text)


def changed(match: Match, **changes: object) -> str:
    return json.dumps(json.loads(match.save()) | changes)


@every_game
def test_a_saved_match_that_was_tampered_with_is_refused(game: str) -> None:
    match = played(game)
    moves = json.loads(match.save())["actions"]
    other_seed = f"{match.seed ^ 1:032x}"
    for forged in (
        changed(match, actions=moves[:-1]),
        changed(match, actions=[*moves[:-1], [moves[-1][0], 10**6]]),
        changed(match, actions=[[9, 0], *moves]),
        changed(match, seed=other_seed),
        changed(match, seed="zz"),
        changed(match, seats=99),
        changed(match, options={"speed": 1}),
        changed(match, digest="0" * 64),
    ):
        with pytest.raises(TamperedMatch):
            Match.load(forged)


@every_game
@pytest.mark.parametrize("version", [0, 99])
def test_a_match_of_another_rules_version_is_refused(game: str, version: int) -> None:
    with pytest.raises(OtherRules, match=f"version {version}"):
        Match.load(changed(played(game), rules=version))


def test_another_format_is_refused() -> None:
    with pytest.raises(DamagedMatch, match="zashiki match 1"):
        Match.load(changed(played("hanamikoji"), format="zashiki match 2"))


def test_a_saved_match_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(DamagedMatch, match="poker"):
        Match.load(changed(played("hanamikoji"), game="poker"))


def test_a_hidden_action_is_told_in_full_only_to_its_owner() -> None:
    match = Match("hanamikoji", seed=1)
    seat = match.to_act[0]
    match.act(seat, match.legal_actions(seat).numbers[0])
    assert "in secret" in match.events(seat)[0].action.words()
    assert match.events(seat)[0].action.words() != "keeps a card in secret"
    for viewer in (1 - seat, SPECTATOR):
        assert match.events(viewer)[0].action.words() == "keeps a card in secret"


def test_legal_actions_can_be_counted_iterated_sliced_and_tested() -> None:
    match = Match("hanamikoji", seed=1)
    legal = match.legal_actions()
    assert len(list(legal)) == len(legal)
    assert legal[0] in legal
    (other,) = [number for number in (506, 507) if number not in legal.numbers][:1]
    for stranger in (match.game.vocabulary[other], None, "nonsense", 10**6):
        assert stranger not in legal
    assert legal[:2] == [legal[0], legal[1]]
    assert repr(legal) == f"<{len(legal)} legal actions>"


def test_without_a_seat_the_only_one_to_act_is_meant() -> None:
    match = played("hanamikoji", 10**6)
    with pytest.raises(NotYourTurn, match="over"):
        match.legal_actions()


@every_game
def test_scores_come_with_their_parts_and_views_with_json(game: str) -> None:
    match = played(game)
    assert [set(parts) for parts in match.scores()] == [set(match.game.rules.PARTS)] * match.seats
    for seat in (SPECTATOR, 0):
        plain = json.loads(json.dumps(match.view(seat).to_json()))
        assert plain["seats"] == match.seats
        assert plain["phase"] in match.game.layout.phases
        assert not any(name.startswith("rng") for name in plain)


def window() -> Match:
    """Kawaii at its first window: three seats answer in secret."""
    return Match("kawaii", 3, seed=1)


def test_a_sealed_choice_is_told_when_all_have_chosen() -> None:
    match = window()
    first, second, third = match.to_act
    match.act(first, {"type": "answer", "pile": "none"})
    assert [event.action.words() for event in match.events(second)] == ["has answered"]
    assert [event.action.words() for event in match.events(first)] == ["passes"]
    match.act(second, {"type": "answer", "pile": "none"})
    match.act(third, {"type": "answer", "pile": "none"})
    told = [(event.seat, event.action.words(), event.revealed) for event in match.events(third)]
    assert told == [
        (first, "has answered", False),
        (second, "has answered", False),
        (third, "passes", False),
        (first, "passes", True),
        (second, "passes", True),
    ]


def live() -> tuple[Match, int, int]:
    """Kawaii live after the first flip, with the flipper and another seat."""
    match = Match("kawaii", 3, options={"pace": "live"}, seed=1)
    flipper = int(match.state.record.turn)
    match.act(flipper, {"type": "flip"})
    return match, flipper, (flipper + 1) % 3


def test_a_silent_choice_is_not_told_at_all_before_it_is_shown() -> None:
    match, flipper, claimant = live()
    before = match.events(flipper), match.view(flipper).to_bytes()
    claim = next(action for action in match.legal_actions(claimant) if action.secrecy == "silent" and "claims" in action.words())
    match.act(claimant, claim)
    assert (match.events(flipper), match.view(flipper).to_bytes()) == before
    assert match.events(claimant)[-1].action == claim
    match.act(CLOCK, {"type": "close photo finish", "pile": flipper})
    assert (claimant, claim, True) in match.events(flipper)


def test_what_hides_nothing_when_it_happens_is_told_at_once() -> None:
    match, flipper, claimant = live()
    assert [tuple(event) for event in match.events(claimant)] == [(flipper, match.events(flipper)[0].action, False)]


def test_a_refusal_tells_nothing_that_the_seat_may_not_know() -> None:
    refusals = set()
    for claims in (False, True):
        match, flipper, claimant = live()
        for seat in (claimant, 3 - flipper - claimant) if claims else ():
            for action in match.legal_actions(seat):
                if "claims" in action.words():
                    match.act(seat, action)
                    break
        with pytest.raises(IllegalAction) as caught:
            match.act(flipper, {"type": "answer", "pile": "none"})
        refusals.add(str(caught.value))
    assert len(refusals) == 1


def test_choices_shown_together_are_told_by_seat_not_by_time() -> None:
    for order in ((2, 1, 0), (1, 2, 0)):
        match = window()
        for seat in order:
            match.act(seat, {"type": "answer", "pile": "none"})
        assert [event.seat for event in match.events() if event.revealed] == [1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_every_flip_that_happened_is_told_and_no_other(seed: int) -> None:
    """Live, a flip may wait, and come to nothing when the round ends meanwhile."""
    match, choice, flipped = Match("kawaii", 3, options={"pace": "live"}, seed=seed), random.Random(seed), 0
    for _ in range(400):
        if match.over:
            break
        before = (int(match.state.record.round_number), int(match.state.record.flips))
        seat = choice.choice(match.to_act)
        match.act(seat, choice.choice(match.legal_actions(seat)))
        after = (int(match.state.record.round_number), int(match.state.record.flips))
        flipped += after[1] - before[1] if after[0] == before[0] else 0
        assert sum("flips a card" in event.action.words() for event in match.events()) == flipped


def test_several_threads_may_look_at_one_match_at_once() -> None:
    match = Match("hanamikoji", seed=1)
    seat = match.to_act[0]
    expected = {viewer: (match.legal_actions(viewer).numbers, match.view(viewer).to_bytes()) for viewer in (0, 1)}

    def look(turn: int) -> bool:
        viewer = turn % 2
        return (match.legal_actions(viewer).numbers, match.view(viewer).to_bytes()) == expected[viewer]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(look, range(400 if GEAR == "python" else 8000)))
    assert expected[1 - seat][0] == []
