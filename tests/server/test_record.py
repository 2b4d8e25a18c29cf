"""My record and the leaderboards, over HTTP."""

from __future__ import annotations

import csv
import io
import zlib
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import func, insert, select, update

from tests.server.built import Visited, built
from tests.server.room import run
from zashiki.server import schema
from zashiki.server.archive import MatchInfo, MatchSeat
from zashiki.server.boards import LEAST_MATCHES
from zashiki.server.judged import Judged
from zashiki.server.record import LEAST_REVIEWS, Judgements, Streaks, Tally, Versus, as_csv, record_of


async def give_up(client: httpx.AsyncClient, bot: str = "beginner", game: str = "hanamikoji") -> str:
    """A match against a bot, given up at once."""
    wanted = {"game": game, "bots": {"1": bot}, "seats": 2, "start": True}
    table: str = (await client.post("/api/tables", json=wanted)).json()["table"]
    (await client.post(f"/api/tables/{table}/resign")).raise_for_status()
    return table


async def written(house: Visited, client: httpx.AsyncClient, count: int) -> list[dict[str, Any]]:
    """My matches, once so many are written."""
    bookkeeper = house.building.service.bookkeeper
    while bookkeeper._writing:
        await house.building.store.read(lambda connection: None)
    found: list[dict[str, Any]] = (await client.get("/api/my/record/matches")).json()["matches"]
    assert len(found) == count
    return found


def match(number: int, share: float, bots: list[str] | None = None, **fields: Any) -> MatchInfo:
    """A match of seat 0, won or not."""
    others = [MatchSeat(name="x", bot=bot or None, place=2, share=0.0) for bot in bots or ["club"]]
    mine = MatchSeat(name="Aiko", account=7, place=1 if share else 2, share=share, first=fields.pop("first", False))
    given: dict[str, Any] = {"game": "kimono", "began_at": 0, "ended_at": number, "reason": "end", "moves": 9, "options": {}}
    return MatchInfo(number=number, table="x" * 16, seat=0, seats=[mine, *others], **(given | fields))


def test_streaks_are_of_the_latest_matches_and_the_best_there_was() -> None:
    def streaks(*shares: float) -> Streaks:
        return record_of([match(number, share) for number, share in enumerate(shares)]).games[0].streaks

    assert streaks(1, 0.5, 1, 0, 1) == Streaks(now=1, longest=3)
    assert streaks(1, 0, 0) == Streaks(now=-2, longest=1)


def test_opponents_are_told_apart_by_what_they_are() -> None:
    (game,) = record_of([match(1, 1, ["club", "club"]), match(2, 0, ["", ""]), match(3, 0.5, ["club", ""])]).games
    assert game.opponents == [
        Versus(opponents="people", matches=1, won=0.0),
        Versus(opponents="club", matches=1, won=1.0),
        Versus(opponents="mixed", matches=1, won=0.5),
    ]


def test_habits_count_decisions_at_the_table_and_who_starts() -> None:
    slow = match(3, 1, decisions=2, seconds=80_000, by_correspondence=True)
    (game,) = record_of([match(1, 1, decisions=4, seconds=10, first=True), match(2, 0, decisions=1, seconds=5), slow]).games
    assert game.habits.seconds == 3.0
    assert (game.habits.starting, game.habits.following) == (Tally(matches=1, won=1), Tally(matches=0, won=0))


def test_judgements_add_up_what_reviews_found_and_risks_where_they_were_looked_at() -> None:
    old, new = Judged(decisions=10, best=4, blunders=2), Judged(decisions=20, best=15, blunders=1, risks=3)
    (game,) = record_of([match(1, 1, judged=old), match(2, 0, judged=new), match(3, 1)]).games
    assert game.judgements == Judgements(matches=2, decisions=30, best=19, blunders=3, weighed=20, risks=3)


def test_a_spreadsheet_has_what_the_review_found_and_nothing_where_there_is_none() -> None:
    found = [match(1, 1, judged=Judged(decisions=10, best=4, blunders=2)), match(2, 0)]
    reviewed, other = csv.DictReader(io.StringIO(as_csv(found)))
    assert [reviewed[column] for column in ("judged", "best", "blunders", "risks")] == ["10", "4", "2", ""]
    assert [other[column] for column in ("judged", "best", "blunders", "risks")] == ["", "", "", ""]


def test_a_spreadsheet_is_told_no_formula() -> None:
    evil = match(1, 1)
    evil.seats[1] = MatchSeat(name="=HYPERLINK(1)", place=2, share=0.0)
    (line,) = csv.DictReader(io.StringIO(as_csv([evil])))
    assert line["opponents"] == "'=HYPERLINK(1)"
    assert (line["game"], line["place"], line["share"]) == ("kimono", "1", "1")


def test_a_guests_matches_are_listed_filtered_summed_up_and_saved(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client:
            tables = [await give_up(client), await give_up(client, "club"), await give_up(client, game="kasane")]
            found = await written(house, client, 3)
            assert [each["table"] for each in found] == tables[::-1]
            assert [seat["name"] for seat in found[0]["seats"]] == ["Aiko", "Haru"]
            (game,) = (await client.get("/api/my/record/matches", params={"game": "kasane"})).json()["matches"]
            assert (game["table"], game["reason"]) == (tables[2], "resigned")
            assert (await client.get("/api/my/record/matches", params={"ended": "won"})).json()["matches"] == []
            assert (await client.get("/api/my/record/matches", params={"against": "people"})).json()["matches"] == []
            page = (await client.get("/api/my/record/matches", params={"limit": 2, "ended": "lost", "against": "bots"})).json()
            rest = (await client.get("/api/my/record/matches", params={"limit": 2, "after": page["next"]})).json()
            assert [each["table"] for each in page["matches"] + rest["matches"]] == tables[::-1]
            record = (await client.get("/api/my/record")).json()["games"]
            assert [(each["game"], each["matches"], each["won"]) for each in record] == [("hanamikoji", 2, 0), ("kasane", 1, 0)]
            assert record[0]["habits"]["given_up"] == 2
            assert record[0]["rating"] == record[0]["history"][-1]["rating"] < 1500
            saved = await client.get("/api/my/record/table")
            assert saved.headers["content-type"] == "text/csv; charset=utf-8"
            assert [line["table"] for line in csv.DictReader(io.StringIO(saved.text))] == tables
            assert len((await client.get("/api/my/record/file")).json()) == 3

    run(main())


def kept(table: str, *, risks: int | None, content: bytes | None = None) -> dict[str, Any]:
    """A stored review: the first seat with ten decisions, the second with none."""
    own = {"start": 0.5, "result": 0, "luck": 0, "lost": 0, "decided": 0, "turns": []}
    seats = [own | {"grades": {"best": 6, "good": 1, "slip": 1, "blunder": 2}, "risks": risks}, own | {"grades": {}}]
    packed = content or zlib.compress(msgspec.json.encode({"format": 1, "seats": seats, "decisions": []}))
    return {"table_id": table, "key": "x" * 16, "at": 1, "content": packed}


def test_reviews_of_my_matches_count_in_my_record_until_i_am_gone(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client, house.guest("Eve") as eve:
            tables = [await give_up(client) for _ in range(4)]
            await written(house, client, 4)
            rows = [
                kept(tables[0], risks=3),
                kept(tables[1], risks=None),
                kept(tables[2], risks=0, content=zlib.compress(b'{"seats": 1}')),
            ]
            await house.building.store.write(lambda connection: connection.execute(insert(schema.reviews), rows))
            record = (await client.get("/api/my/record")).json()
            assert record["least_reviews"] == LEAST_REVIEWS
            found = Judgements(matches=2, decisions=20, best=12, blunders=4, weighed=10, risks=3)
            assert record["games"][0]["judgements"] == msgspec.to_builtins(found)
            saved = (await client.get("/api/my/record/file")).json()
            assert [each.get("judged", {}).get("risks") for each in saved] == [3, None, None, None]
            told = (await client.get("/api/me/data")).json()["reviews"]
            assert told[0] == {"table_id": tables[0], "at": 1, "decisions": 10, "best": 6, "blunders": 2, "risks": 3}
            assert (await eve.get("/api/me/data")).json()["reviews"] == []
            (await client.delete("/api/me")).raise_for_status()
            count = select(func.count()).select_from(schema.reviews)
            assert await house.building.store.read(lambda connection: connection.execute(count).scalar()) == 0

    run(main())


def test_what_a_bot_decided_for_me_is_not_judged_as_mine(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client:
            table = await give_up(client)
            await written(house, client, 1)
            absent = update(schema.result_seats).values(stood_in=True)
            rows = [kept(table, risks=1)]
            await house.building.store.write(lambda connection: connection.execute(insert(schema.reviews), rows))
            await house.building.store.write(lambda connection: connection.execute(absent))
            record = (await client.get("/api/my/record")).json()
            assert record["games"][0]["judgements"]["matches"] == 0

    run(main())


def test_nobody_sees_somebody_elses_record(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as aiko, house.guest("Eve") as eve:
            await give_up(aiko)
            await written(house, aiko, 1)
            assert (await eve.get("/api/my/record/matches")).json()["matches"] == []
            assert (await eve.get("/api/my/record")).json()["games"] == []

    run(main())


def test_leaderboards_are_closed_unless_the_host_opens_them(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.person("Aiko") as client:
            assert (await client.get("/api/boards")).json() == {"open": False, "games": [], "least_matches": LEAST_MATCHES}
            assert (await client.get("/api/boards/kimono")).status_code == 404

    run(main())


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_leaderboards_show_claimed_names_that_agreed_with_enough_matches(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = None if database == "sqlite" else request.getfixturevalue("postgres_url")

    async def main() -> None:
        async with built(tmp_path, url, leaderboards=True) as house, house.person("Aiko") as client, house.guest("Eve") as guest:
            await give_up(client)
            await written(house, client, 1)

            async def shown() -> list[str]:
                return [row["name"] for row in (await client.get("/api/boards/hanamikoji")).json()["people"]]

            async def change(**values: Any) -> None:
                many = update(schema.ratings).values(values)
                await house.building.store.write(lambda connection: connection.execute(many))

            assert (await client.put("/api/me/boards", json={"shown": True})).json()["on_boards"] is True
            assert await shown() == []  # One match tells too little.
            await change(matches=LEAST_MATCHES)
            assert await shown() == ["Aiko"]
            assert (await client.get("/api/me/data")).json()["account"]["on_boards"] is True
            assert (await client.put("/api/me/boards", json={"shown": False})).json()["on_boards"] is False
            assert await shown() == []
            refused = await guest.put("/api/me/boards", json={"shown": True})
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
            await client.put("/api/me/boards", json={"shown": True})
            (await client.delete("/api/me")).raise_for_status()
            assert [row["name"] for row in (await guest.get("/api/boards/hanamikoji")).json()["people"]] == []

    run(main())
