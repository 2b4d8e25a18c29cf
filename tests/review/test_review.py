"""Reviews: what they say of every decision, and that luck and skill add up to the result."""

from __future__ import annotations

import msgspec
import pytest

from tests.review.matches import careless, live
from zashiki import GAMES, Match
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK
from zashiki.review import effort, risk
from zashiki.review.looking import BLUNDER, LEAST, SLIP, choices, grade
from zashiki.review.reckoning import TURNING, reckon, review
from zashiki.review.report import Decision, Review
from zashiki.review.words import summary, table

pytestmark = pytest.mark.skipif(GEAR == "python", reason="whole matches are searched")


@pytest.fixture(autouse=True)
def glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick look is enough here."""
    monkeypatch.setattr(effort, "SECONDS", 0.02)
    monkeypatch.setattr(effort, "FEWEST", 8)
    monkeypatch.setattr(effort, "FEWEST_EACH", 8)


def decision(move: int, chance: float, lost: float = 0.0) -> Decision:
    return Decision(move=move, seat=0, played=0, best=0, chance=chance, lost=lost)


@pytest.mark.parametrize("game", GAMES)
def test_luck_and_decisions_add_up_to_the_result(game: str) -> None:
    match = careless(game)
    found = review(match)
    assert match.outcome is not None
    for seat, own in enumerate(found.seats):
        assert own.start + own.luck - own.lost + own.decided == pytest.approx(own.result, abs=1e-12)
        assert own.result == (seat in match.outcome.winners) / len(match.outcome.winners)
        assert own.lost >= 0 == own.decided
        assert sum(own.grades.values()) == sum(decision.seat == seat for decision in found.decisions)


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_judged_and_named_legally(game: str) -> None:
    match = careless(game)
    looks = {look.move: look for look in choices(match)}
    for each in review(match).decisions:
        view, seat = looks[each.move].view, looks[each.move].seat
        named = {other.action for other in each.alternatives} | {each.best, each.played}
        assert each.seat == seat
        assert named <= set(view.legal(seat))
        assert 0 <= each.lost <= each.chance <= 1


def test_the_same_match_gives_the_same_review() -> None:
    match = careless("kasane")
    again = Match.load(match.save())
    assert msgspec.json.encode(review(match)) == msgspec.json.encode(review(again))


def test_live_kawaii_is_reviewed_without_the_clocks_moves() -> None:
    match = live()
    found = review(match)
    by_clock = {move for move, (seat, _) in enumerate(match.history) if seat == CLOCK}
    assert found.decisions
    assert not by_clock & {decision.move for decision in found.decisions}
    assert all(own.start + own.luck - own.lost == pytest.approx(own.result) for own in found.seats)


def test_a_seat_is_judged_by_what_it_knew() -> None:
    match = careless("hanamikoji")
    for look in choices(match):
        assert look.view.to_bytes() == match.at(look.move).view(look.seat).to_bytes()


def test_solved_endings_are_marked_as_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "FEWEST", 400)
    found = review(careless("hanamikoji", seed=3))
    assert any(decision.exact for decision in found.decisions)
    assert not found.decisions[0].exact


def test_who_gave_up_lost_by_what_the_table_decided() -> None:
    match = careless("kasane").at(12)
    found = review(match, winners=[1])
    loser, winner = found.seats
    assert (loser.result, winner.result) == (0.0, 1.0)
    assert loser.decided < 0 < winner.decided
    assert loser.start + loser.luck - loser.lost + loser.decided == pytest.approx(0)


def test_a_match_that_was_broken_off_ends_where_it_stood() -> None:
    found = review(careless("kasane").at(12))
    last = [decision for decision in found.decisions if decision.seat == 0][-1]
    assert found.seats[0].result == last.chance - last.lost


def test_risks_are_counted_among_what_was_worth_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(risk, "APART", 0.5)
    found = review(careless("kasane", seed=4))
    for seat, own in enumerate(found.seats):
        risky = [decision for decision in found.decisions if decision.seat == seat and decision.risky]
        assert own.risks == len(risky)
        assert all(decision.lost >= LEAST and decision.best != decision.played for decision in risky)
    assert sum(own.risks or 0 for own in found.seats) > 0


def test_where_nobody_must_act_risks_are_not_told() -> None:
    assert [own.risks for own in review(live()).seats] == [None, None, None]


def test_a_review_from_before_risks_were_looked_at_can_still_be_read() -> None:
    stored = msgspec.to_builtins(review(careless("hanamikoji").at(6)))
    for own in stored["seats"]:
        del own["risks"]
    assert [own.risks for own in msgspec.convert(stored, Review).seats] == [None, None]


def test_grades_go_by_what_was_lost() -> None:
    assert [grade(lost) for lost in (0.0, LEAST, SLIP, BLUNDER)] == ["good", "good", "slip", "blunder"]


def test_turns_are_the_large_changes_with_their_causes() -> None:
    match = careless("kasane")
    own = [decision(0, 0.5), decision(4, 0.9, lost=0.6), decision(8, 0.3)]
    found = reckon(own, 0, match, [1], decided=False)
    turns = [(turn.since, turn.until, round(turn.change, 6), turn.cause) for turn in found.turns]
    assert turns[:3] == [(4, 5, -0.6, "decision"), (1, 4, 0.4, "luck"), (9, len(match.history), -0.3, "luck")]
    assert all(abs(turn.change) >= TURNING for turn in found.turns)


def test_a_review_survives_being_stored() -> None:
    found = review(careless("hanamikoji"))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found


def test_the_words_say_what_was_played_and_what_was_better() -> None:
    found = review(careless("hanamikoji"))
    assert summary(found, 0)[0].startswith("Seat 0 began with a chance of ")
    lines = list(table(found, 1))
    assert len(lines) == 1 + sum(decision.seat == 1 for decision in found.decisions)


def test_a_long_match_gets_fewer_iterations_for_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "SECONDS", 12)
    short, long = effort.effort("kohoju", 100), effort.effort("kohoju", 1000)
    assert long.first < short.first
    assert long.second == short.second
