"""What a game is like when one bot plays all seats."""

from __future__ import annotations

from io import StringIO

import msgspec
import pytest
from rich.console import Console

from tests.arena.tournaments import played_here
from zashiki import find
from zashiki.arena.schedule import arrange
from zashiki.arena.study import Collector, Study
from zashiki.arena.study_page import study_page
from zashiki.arena.study_tables import print_study
from zashiki.arena.words import facets, kinds


@pytest.fixture(scope="module")
def study() -> Study:
    tournament = arrange("hanamikoji", ["careless"], matches=150, seed=1, noting=True)
    collector = Collector(tournament)
    collector.add(list(played_here(tournament).values()))
    return collector.study()


def test_every_action_has_a_kind_and_facets() -> None:
    game = find("hanamikoji")
    number = game.vocabulary.number({"type": "competition", "pairs": [["fan", "flute"], ["fan", "scroll"]]})
    assert kinds(game)[number] == "competition"
    assert set(facets(game)[number]) == {("competition", "scroll"), ("competition", "fan"), ("competition", "flute")}


def test_numbers_and_nothing_at_all_make_facets_too() -> None:
    game = find("kasane")
    assert facets(game)[game.vocabulary.number({"type": "take", "row": 2})] == [("take", "row 2")]
    assert facets(game)[game.vocabulary.number({"type": "decline"})] == [("decline", "")]


def test_what_must_be_chosen_is_always_chosen(study: Study) -> None:
    rates = {use.kind: use.rate for use in study.kinds}
    assert rates["take"].value == rates["take pair"].value == 1
    assert 0 < rates["secret"].low < rates["secret"].value < rates["secret"].high < 1


def test_actions_are_told_in_words_with_how_often_they_were_chosen(study: Study) -> None:
    taken = next(use for use in study.kinds if use.kind == "take")
    assert taken.actions[0].words.startswith("takes the ")
    assert all(action.rate == action.chosen / action.legal for action in taken.actions)
    assert sum(action.chosen for action in taken.actions) == taken.chosen


def test_decisions_add_up(study: Study) -> None:
    chosen = sum(use.chosen for use in study.kinds)
    assert chosen == pytest.approx(study.decisions.mean * study.played)


def test_what_goes_with_winning_is_found() -> None:
    """Whoever keeps a card that is worth five points is ahead; made so by hand."""
    tournament = arrange("hanamikoji", ["careless"], matches=120, seed=1, noting=True)
    kept = find("hanamikoji").vocabulary.number({"type": "secret", "card": "hair ornament"})
    collector = Collector(tournament)
    for result in played_here(tournament).values():
        points = [5 * notes.chosen.get(kept, 0) for notes in result.notes or []]
        collector.add([msgspec.structs.replace(result, points=points)])
    found = collector.study().worth
    best = found[0]
    assert (best.kind, best.what) == ("secret", "hair ornament")
    assert best.lead.low < 5 < best.lead.high


def test_a_study_is_printed_drawn_and_survives_json(study: Study) -> None:
    console = Console(width=130, record=True, file=StringIO())
    print_study(study, console)
    assert "What goes with winning" in console.export_text()
    assert study_page(study).count("<svg") >= 4
    assert msgspec.json.decode(msgspec.json.encode(study), type=Study) == study
