from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, select

from tests.server.people import World, bearer, cookie, play
from zashiki.server import mutes as mutes_module
from zashiki.server.archive import MatchSeat, all_matches
from zashiki.server.books import write_results
from zashiki.server.errors import Refused
from zashiki.server.log import Kind
from zashiki.server.personal import OF_AN_ACCOUNT
from zashiki.server.rerating import recompute
from zashiki.server.results import Result, SeatResult
from zashiki.server.schema import METADATA, accounts, events, players, push_subscriptions, ratings, tables, talk

TABLE = "x" * 16


async def _fill(world: World, account: int) -> None:
    """A table at which somebody sits and talks, and a subscription."""

    def work(connection: Connection) -> None:
        row = {
            "id": TABLE,
            "game": "kohoju",
            "rules": 1,
            "seats": 2,
            "settings": {},
            "seed": "0",
            "listed": True,
            "status": "over",
        }
        connection.execute(insert(tables).values(row | {"host_id": account, "created_at": 1, "updated_at": 1}))
        connection.execute(insert(players).values(table_id=TABLE, seat=1, account_id=account))
        line = {"table_id": TABLE, "number": 1, "account_id": account, "name": "Aiko", "at": 2, "text": "I live in Kyoto"}
        connection.execute(insert(talk).values(line))
        place = {"endpoint": "https://push.example/1", "p256dh": "key", "auth": "auth", "created_at": 3}
        connection.execute(insert(push_subscriptions).values(place | {"account_id": account}))
        told = {"table_id": TABLE, "kind": Kind.SIT, "at": 1, "ticks": 1, "account_id": account}
        for number, sitter in enumerate((account, account * 10 + 1), 1):
            detail = msgspec.json.encode({"name": "Aiko", "account": sitter, "program": False}).decode()
            connection.execute(insert(events).values(told | {"number": number, "seat": number, "detail": detail}))

    await world.store.write(work)


def test_a_copy_of_ones_data_holds_everything_and_no_secret(url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.person("Aiko")
        mei, _ = await world.guest("Mei")
        await world.recovery.renew(aiko)
        await world.mutes.add(aiko.account, mei.account.id)
        bot = await world.programs.create(aiko, "Robo")
        token = await world.programs.new_token(aiko, bot.id, "at home")
        await _fill(world, aiko.account.id)
        text = msgspec.json.encode(await world.accounts.export(aiko.account.id)).decode()
        data = msgspec.json.decode(text)
        assert data["account"]["name"] == "Aiko"
        assert [session["agent"] for session in data["sessions"]] == ["a test"]
        assert data["recovery_codes_left"] == 10
        assert data["mutes"] == [{"id": mei.account.id, "name": "Mei"}]
        assert [each["label"] for each in data["bots"][0]["tokens"]] == ["at home"]
        assert data["talk"] == [{"table_id": TABLE, "at": 2, "text": "I live in Kyoto"}]
        assert data["matches"][0] | {"created_at": 0} == {
            "id": TABLE,
            "game": "kohoju",
            "status": "over",
            "created_at": 0,
            "seat": 1,
        }
        assert data["push_subscriptions"][0]["endpoint"] == "https://push.example/1"
        assert not any(hidden in text for hidden in (secret, token.token, "argon2", "hash"))

    play(url, story)


def test_an_erased_account_leaves_its_matches_and_nothing_else(url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.person("Aiko")
        mei, _ = await world.guest("Mei")
        await world.recovery.renew(aiko)
        await world.mutes.add(aiko.account, mei.account.id)
        await world.mutes.add(mei.account, aiko.account.id)
        await _fill(world, aiko.account.id)
        await world.accounts.erase(aiko.account.id)

        assert await world.accounts.identify(cookie(secret)) is None
        with pytest.raises(Refused):
            await world.passwords.sign_in("Aiko", "a fine password", None, "")
        assert await world.mutes.listed(mei.account) == []

        def leftovers(connection: Connection) -> None:
            mine = {table.name: select(table).where(table.c.account_id == aiko.account.id) for table in OF_AN_ACCOUNT}
            assert {name: len(connection.execute(query).all()) for name, query in mine.items()} == dict.fromkeys(mine, 0)
            row = connection.execute(select(accounts).where(accounts.c.id == aiko.account.id)).one()
            assert (row.name, row.name_key, row.password) == ("erased", None, None)
            assert row.erased_at is not None
            assert connection.execute(select(talk.c.name, talk.c.text)).one() == ("erased", "")
            assert connection.execute(select(players.c.account_id)).scalar_one() == aiko.account.id
            seated = [
                msgspec.json.decode(detail)
                for detail in connection.execute(select(events.c.detail).order_by(events.c.number)).scalars()
            ]
            assert seated[0] == {"name": "erased", "account": aiko.account.id, "program": False}
            assert seated[1]["name"] == "Aiko"

        await world.store.read(leftovers)

    play(url, story)


def test_results_are_in_the_copy_and_stay_for_the_others_when_somebody_is_erased(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        mei, _ = await world.guest("Mei")
        await _fill(world, aiko.account.id)
        people = (aiko.account.id, mei.account.id)
        seats = [
            SeatResult(seat=0, account=people[0], bot=None, points=3, place=1, share=1.0, decisions=4, thinking_ms=9_000),
            SeatResult(seat=1, account=people[1], bot=None, points=2, place=2, share=0.0, decisions=4, thinking_ms=8_000),
        ]
        ended: dict[str, Any] = {"began_at": 1, "ended_at": 2, "reason": "end", "moves": 8, "taken_back": False}
        result = Result(table=TABLE, game="kohoju", seats=seats, **ended)
        await world.store.write(partial(write_results, [result]))
        data = await world.accounts.export(people[0])
        assert [(row["table_id"], row["place"], row["thinking_ms"]) for row in data.results] == [(TABLE, 1, 9_000)]
        assert [(row["game"], row["matches"]) for row in data.ratings] == [("kohoju", 1)]
        kept = await world.store.read(partial(all_matches, people[1]))
        await world.accounts.erase(people[0])
        assert await world.store.write(recompute) == 1
        (left,) = await world.store.read(partial(all_matches, people[1]))
        assert left.seats[0] == MatchSeat(name="erased", account=people[0], points=3, place=1, share=1.0)
        assert left.rating == kept[0].rating
        assert await world.store.read(lambda connection: connection.execute(select(ratings.c.account_id)).all()) == [people[1:]]

    play(url, story)


def test_every_table_about_accounts_is_erased_or_kept_on_purpose() -> None:
    kept = {"accounts", "tables", "players", "events", "talk", "result_seats", "leagues", "league_players"}
    about = {
        table.name for table in METADATA.sorted_tables if any("account" in str(key.target_fullname) for key in table.foreign_keys)
    }
    assert about - {table.name for table in OF_AN_ACCOUNT} <= kept


def test_bots_are_erased_with_their_owner(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        token = await world.programs.new_token(aiko, bot.id, "at home")
        await world.accounts.identify(bearer(token.token))
        told = world.hearing()
        await world.accounts.erase(aiko.account.id)
        with pytest.raises(Refused, match="no such token"):
            await world.accounts.identify(bearer(token.token))
        assert {aiko.account.id, bot.id} <= set(told)

    play(url, story)


def test_an_erased_name_is_free_again(url: str) -> None:
    async def story(world: World) -> None:
        for _ in range(3):
            aiko, _ = await world.person("Aiko")
            await world.accounts.erase(aiko.account.id)
            with pytest.raises(Refused, match="no account"):
                await world.accounts.erase(aiko.account.id)

    play(url, story)


def test_nobody_cannot_be_erased(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        with pytest.raises(Refused, match="no account 99"):
            await world.accounts.erase(99)

    play(sqlite_url, story)


def test_muting_is_remembered_with_the_account(url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.guest("Aiko")
        mei, _ = await world.guest("Mei")
        await world.mutes.add(aiko.account, mei.account.id)
        await world.mutes.add(aiko.account, mei.account.id)
        assert (await world.account(secret)).muted == {mei.account.id}
        assert [each.name for each in await world.mutes.listed(aiko.account)] == ["Mei"]
        await world.mutes.remove(aiko.account, mei.account.id)
        await world.mutes.remove(aiko.account, mei.account.id)
        assert (await world.account(secret)).muted == frozenset()

    play(url, story)


def test_one_cannot_mute_oneself_or_nobody_or_everybody(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutes_module, "MOST_MUTED", 1)

    async def story(world: World) -> None:
        aiko, _ = await world.guest("Aiko")
        others = [(await world.guest())[0].account.id for _ in range(2)]
        for muted, reason in ((aiko.account.id, "yourself"), (99, "no account 99")):
            with pytest.raises(Refused, match=reason):
                await world.mutes.add(aiko.account, muted)
        await world.mutes.add(aiko.account, others[0])
        with pytest.raises(Refused, match="at most"):
            await world.mutes.add(aiko.account, others[1])

    play(url, story)
