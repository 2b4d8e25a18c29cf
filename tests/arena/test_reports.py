"""What a tournament has shown, as a structure, a table, a page and a file."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tests.arena.tournaments import hanamikoji, made, played_here
from zashiki.arena.arena_page import arena_page
from zashiki.arena.parquet import write_parquet
from zashiki.arena.play import Result
from zashiki.arena.plots import Scale
from zashiki.arena.results import Report, distribution, report
from zashiki.arena.schedule import Sitting, arrange, sittings
from zashiki.arena.tables import print_report
from zashiki.core.errors import ZashikiError

STUMBLING = "tests.arena.bots:Stumbling"


def printed(found: Report) -> str:
    console = Console(width=130, record=True, file=StringIO())
    print_report(found, console)
    return console.export_text()


def test_a_shared_victory_counts_as_its_share() -> None:
    tournament = hanamikoji("random", "heuristic", matches=4)
    found = report(tournament, {key: made(key, 0, 1) for key in sittings(tournament)})
    assert [side.share.value for side in found.meetings[0].sides] == [0.5, 0.5]
    assert found.meetings[0].sides[0].times_fair.value == 1


def test_among_several_seats_of_one_bot_the_share_is_that_of_each() -> None:
    tournament = arrange("kohoju", ["random", "heuristic"], matches=4, seats=4)
    results = {key: made(key, key.seating, seats=4) for key in sittings(tournament)}
    alone, among = report(tournament, results).meetings[0].sides
    assert (alone.bot, alone.seats, alone.share.value, alone.times_fair.value) == ("random", 1, 1.0, 4.0)
    assert (among.bot, among.seats, among.share.value) == ("heuristic", 3, 0.0)


def test_deals_that_were_not_played_in_all_seatings_do_not_count() -> None:
    tournament = hanamikoji("random", "heuristic", matches=20)
    results = {key: made(key, 0) for key in list(sittings(tournament))[:5]}
    found = report(tournament, results)
    assert (found.played, found.counted, found.planned) == (5, 4, 20)
    assert "4 matches in whole deals counted, of 5 played and 20 planned" in printed(found)


def test_a_tournament_without_a_single_whole_deal_is_still_told() -> None:
    found = report(hanamikoji("random", "heuristic"), {})
    assert found.counted == 0
    assert "0 matches" in printed(found)
    assert "<svg" in arena_page(found)


def test_who_begins_is_counted_from_the_seat_that_acts_first() -> None:
    tournament = hanamikoji("random", "heuristic", matches=8)
    results = {key: msgspec.structs.replace(made(key, 1), begins=1) for key in sittings(tournament)}
    first, second = report(tournament, results).by_place
    assert (first.name, first.share.value) == ("begins", 1.0)
    assert (second.name, second.share.value) == ("second", 0.0)


def test_a_bot_over_its_budget_is_marked() -> None:
    tournament = hanamikoji("random@0.1s", "heuristic", matches=2)
    slow = {key: msgspec.structs.replace(made(key, 0), slowest=[0.25, 0.25]) for key in sittings(tournament)}
    assert "250.0 ms (2.50 × budget !)" in printed(report(tournament, slow))


def test_a_forfeit_is_shown_with_its_reason() -> None:
    tournament = hanamikoji(STUMBLING, "random", matches=4)
    found = report(tournament, played_here(tournament))
    assert found.showings[0].forfeits == 4
    assert found.meetings[0].sides[0].points is None
    assert "I have lost my glasses" in printed(found)
    assert "I have lost my glasses" in arena_page(found)


def test_a_report_survives_json() -> None:
    tournament = hanamikoji("random", "heuristic", "careless", matches=10)
    found = report(tournament, played_here(tournament))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report) == found


class Tags(HTMLParser):
    """The tags of a page, to see that they close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "path", "rect", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("rect", "path", "circle"):
            return
        assert self.open.pop() == tag


def test_a_page_is_well_formed_and_needs_nothing_from_anywhere() -> None:
    tournament = hanamikoji("random", "heuristic", "careless", matches=10)
    html = arena_page(report(tournament, played_here(tournament)))
    tags = Tags()
    tags.feed(html)
    assert not tags.open
    assert not re.search(r"https?:|<script|<link|@import|url\(|\bsrc=", html)
    assert "prefers-color-scheme: dark" in html
    assert html.count("<svg") >= 3 + 3 + 6 - 1


def test_names_cannot_break_out_of_the_page() -> None:
    tournament = msgspec.structs.replace(hanamikoji("random", "careless", matches=2), bots=("random", "careless@9"))
    renamed = report(tournament, {key: made(key, 0) for key in sittings(tournament)})
    evil = msgspec.structs.replace(renamed.meetings[0], title="<script>alert(1)</script>")
    assert "<script>" not in arena_page(msgspec.structs.replace(renamed, meetings=[evil]))


def test_a_row_of_parquet_is_a_match(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    tournament = hanamikoji(STUMBLING, "random", "careless", matches=4)
    results = played_here(tournament)
    write_parquet(tmp_path / "matches.parquet", tournament, results.values())
    rows = parquet.read_table(tmp_path / "matches.parquet").to_pylist()
    assert len(rows) == len(results) == 12
    for row, (sitting, result) in zip(rows, sorted(results.items()), strict=True):
        assert (row["deal"], row["seating"], row["points"], row["winners"]) == (*sitting[1:], result.points, result.winners)
        assert (row["forfeit"] is None) == (STUMBLING not in row["bots"])


def test_a_histogram_has_bars_of_one_width_that_count_everything() -> None:
    found = distribution(range(-50, 51))
    assert sum(found.histogram) == 101
    assert (found.first, found.width, found.mean) == (-50, 5, 0)
    assert set(found.histogram[:-1]) == {5}


@pytest.mark.parametrize(("first", "last"), [(0, 1), (-3.2, 700), (0, 0.1), (17, 19), (-0.04, 0.03)])
def test_ticks_are_few_and_lie_within(first: float, last: float) -> None:
    ticks = Scale(first, last).ticks()
    assert 2 <= len(ticks) <= 7
    assert all(first <= tick <= last * (1 + 1e-9) for tick in ticks)


def test_refusals_are_the_games_own() -> None:
    with pytest.raises(ZashikiError):
        arrange("hanamikoji", ["random"], matches=1, seats=9)


def test_a_result_knows_its_match() -> None:
    result: Result = made(Sitting(1, 2, 3), 0)
    assert result.sitting == Sitting(1, 2, 3)
