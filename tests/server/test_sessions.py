from __future__ import annotations

import pytest
from sqlalchemy import insert, update

from tests.server.people import World, cookie, play
from zashiki.server import sessions as module
from zashiki.server.accounts import SESSION_MS
from zashiki.server.errors import Refused
from zashiki.server.schema import players, sessions, tables
from zashiki.server.store import now_ms


async def _signed_in(world: World, agent: str) -> str:
    return (await world.passwords.sign_in("Aiko", "a fine password", None, agent)).secret


async def _seat(world: World, account: int, status: str) -> None:
    table = {"id": status.ljust(16, "x"), "game": "kohoju", "rules": 1, "seats": 2, "settings": {}, "seed": "0", "listed": True}
    times = {"status": status, "host_id": account, "created_at": 0, "updated_at": 0}
    await world.store.write(lambda connection: connection.execute(insert(tables).values(table | times)).rowcount)
    seat = {"table_id": table["id"], "seat": 0, "account_id": account}
    await world.store.write(lambda connection: connection.execute(insert(players).values(seat)).rowcount)


def test_sessions_are_listed_with_their_browsers_and_the_present_one_is_marked(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await _signed_in(world, "a phone")
        listed = await world.sessions.listed(aiko)
        assert {session.agent for session in listed} == {"a test", "a phone"}
        assert [session.id for session in listed if session.current] == [aiko.session]

    play(url, story)


def test_one_session_can_be_ended_and_its_cookie_is_nobodys(url: str) -> None:
    async def story(world: World) -> None:
        aiko, mine = await world.person("Aiko")
        phone = await _signed_in(world, "a phone")
        other = (await world.known(phone)).session
        assert other is not None
        await world.sessions.end(aiko, other)
        assert await world.accounts.identify(cookie(phone)) is None
        assert await world.accounts.identify(cookie(mine)) is not None

    play(url, story)


def test_nobody_ends_the_session_of_another(url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.person("Aiko")
        mei, _ = await world.person("Mei")
        assert aiko.session is not None
        with pytest.raises(Refused, match="no session"):
            await world.sessions.end(mei, aiko.session)
        assert await world.accounts.identify(cookie(secret)) is not None

    play(url, story)


def test_all_other_sessions_can_be_ended_at_once(url: str) -> None:
    async def story(world: World) -> None:
        aiko, mine = await world.person("Aiko")
        others = [await _signed_in(world, "a phone") for _ in range(3)]
        await world.sessions.end_others(aiko)
        assert await world.accounts.identify(cookie(mine)) is not None
        assert [await world.accounts.identify(cookie(other)) for other in others] == [None] * 3

    play(url, story)


def test_signing_out_ends_this_session_only(url: str) -> None:
    async def story(world: World) -> None:
        _, mine = await world.person("Aiko")
        phone = await _signed_in(world, "a phone")
        await world.sessions.sign_out(phone)
        await world.sessions.sign_out("nobody's")
        assert await world.accounts.identify(cookie(phone)) is None
        assert await world.accounts.identify(cookie(mine)) is not None

    play(url, story)


def test_the_oldest_sessions_make_room(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SESSIONS", 3)

    async def story(world: World) -> None:
        _, first = await world.person("Aiko")
        later = [await _signed_in(world, "a phone") for _ in range(3)]
        assert await world.accounts.identify(cookie(first)) is None
        assert len(await world.sessions.listed(await world.known(later[-1]))) == 3

    play(url, story)


def test_sessions_of_long_ago_are_swept(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await _signed_in(world, "a phone")
        old = update(sessions).where(sessions.c.agent == "a phone").values(seen_at=now_ms() - SESSION_MS - 1)
        await world.store.write(lambda connection: connection.execute(old).rowcount)
        await world.sessions.sweep()
        assert [session.agent for session in await world.sessions.listed(aiko)] == ["a test"]

    play(url, story)


def test_a_claim_gives_a_new_secret_and_the_old_one_is_nobodys(url: str) -> None:
    async def story(world: World) -> None:
        guest, planted = await world.guest()
        entered = await world.passwords.claim(guest, "Aiko", "a fine password", "a test")
        assert await world.accounts.identify(cookie(planted)) is None
        assert (await world.account(entered.secret)).id == guest.account.id

    play(url, story)


def test_signing_in_gives_a_new_secret_and_ends_the_guests(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        guest, planted = await world.guest()
        entered = await world.passwords.sign_in("Aiko", "a fine password", guest, "a phone")
        assert await world.accounts.identify(cookie(planted)) is None
        assert (await world.account(entered.secret)).id == aiko.account.id

    play(url, story)


@pytest.mark.parametrize("status", ["waiting", "playing"])
def test_a_guest_with_an_unfinished_match_signs_in_only_when_leaving_it(url: str, status: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        guest, secret = await world.guest()
        await _seat(world, guest.account.id, status)
        with pytest.raises(Refused, match="1 unfinished table") as refused:
            await world.passwords.sign_in("Aiko", "a fine password", guest, "a phone")
        assert refused.value.code == "still seated"
        assert await world.accounts.identify(cookie(secret)) == guest.account
        await world.passwords.sign_in("Aiko", "a fine password", guest, "a phone", leave=True)

    play(url, story)


def test_finished_matches_of_a_guest_hold_nobody_back(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        guest, _ = await world.guest()
        await _seat(world, guest.account.id, "over")
        await world.passwords.sign_in("Aiko", "a fine password", guest, "a phone")

    play(sqlite_url, story)


def test_a_claim_keeps_the_seats(url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        await _seat(world, guest.account.id, "playing")
        entered = await world.passwords.claim(guest, "Aiko", "a fine password", "a test")
        data = await world.accounts.export(entered.account)
        assert [match["seat"] for match in data.matches] == [0]
        assert data.account["kind"] == "person"

    play(url, story)


def test_a_banned_person_does_not_get_in_with_the_right_password(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await world.accounts.ban(aiko.account.id, now_ms() + 60_000, "cheating")
        with pytest.raises(Refused, match="cheating"):
            await world.passwords.sign_in("Aiko", "a fine password", None, "a phone")
        with pytest.raises(Refused, match="nobody of that name"):
            await world.passwords.sign_in("Aiko", "a wrong password", None, "a phone")

    play(url, story)


def test_who_signed_in_long_ago_must_do_so_again_before_changing_the_ways_in(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        _, secret = await world.person("Aiko")
        old = update(sessions).values(created_at=now_ms() - module.FRESH_MS - 1)
        await world.store.write(lambda connection: connection.execute(old).rowcount)
        world.accounts.forget()
        stale = await world.known(secret)
        for change in (
            world.recovery.renew(stale),
            world.passwords.change(stale, "another fine one", None, ""),
            world.passwords.remove(stale),
            world.passkeys.remove(stale, "AAAA"),
        ):
            with pytest.raises(Refused) as refused:
                await change
            assert refused.value.code == "sign in again"
        await world.passwords.change(stale, "another fine one", "a fine password", "")

    play(sqlite_url, story)
