"""A journal lets an interrupted tournament go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.tournaments import hanamikoji, played_here, untimed
from zashiki.arena.journal import Journal, WrongJournal
from zashiki.arena.play import Result
from zashiki.arena.running import run
from zashiki.arena.schedule import Sitting


def test_a_tournament_goes_on_where_it_was_cut_short(tmp_path: Path) -> None:
    file, tournament = tmp_path / "journal", hanamikoji("random", "careless", matches=20)
    results = played_here(tournament)
    journal = Journal(file, tournament)
    journal.add(list(results.values())[:7])
    journal.close()
    file.write_bytes(file.read_bytes()[:-20])
    found: dict[Sitting, Result] = {}
    arrived: list[int] = []

    def arrive(some: list[Result]) -> None:
        arrived.append(len(some))
        found.update((each.sitting, each) for each in some)

    assert run(tournament, arrive, cores=1, resume=file)
    assert arrived[0] == 6
    assert sum(arrived) == 20
    assert untimed(found) == untimed(results)
    again = Journal(file, tournament)
    again.close()
    assert untimed(again.results) == untimed(results)


def test_a_longer_tournament_takes_over_what_a_shorter_one_has_played(tmp_path: Path) -> None:
    file, short = tmp_path / "journal", hanamikoji("random", "careless", matches=4)
    journal = Journal(file, short)
    journal.add(list(played_here(short).values()))
    journal.close()
    longer = Journal(file, hanamikoji("random", "careless", matches=40))
    longer.close()
    assert len(longer.results) == 4


def test_a_journal_of_another_tournament_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Journal(file, hanamikoji("random", "careless")).close()
    with pytest.raises(WrongJournal, match=r"with bots \('random', 'careless'\)"):
        Journal(file, hanamikoji("random", "heuristic"))
    file.write_text("a letter to my aunt\n", "utf-8")
    with pytest.raises(WrongJournal, match="is no journal"):
        Journal(file, hanamikoji("random", "careless"))


def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("dear aunt", "utf-8")
    with pytest.raises(WrongJournal, match="left as it is"):
        Journal(file, hanamikoji("random", "careless"))
    assert file.read_text("utf-8") == "dear aunt"
