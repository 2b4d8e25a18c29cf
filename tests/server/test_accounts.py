from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update

from tests.server.people import World, bearer, cookie, play, world
from zashiki.server import accounts as module
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.schema import accounts, sessions
from zashiki.server.store import now_ms


def test_a_guest_is_known_from_the_first_visit(url: str) -> None:
    async def story(world: World) -> None:
        account, secret = await world.accounts.guest("Firefox")
        assert account.kind == "guest"
        assert await world.accounts.identify(cookie(secret)) == account
        assert await world.accounts.get(account.id) == account

    play(url, story)


def test_nobody_is_known_without_a_secret_or_with_a_wrong_one(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        await world.guest()
        assert await world.accounts.identify([]) is None
        assert await world.accounts.identify(cookie("wrong")) is None
        assert await world.accounts.identify([(b"cookie", b"other=1; zashiki=; more=2")]) is None

    play(sqlite_url, story)


def test_a_wrong_token_is_refused_even_beside_a_right_cookie(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        _, secret = await world.guest()
        for header in (b"Bearer wrong", b"Basic QTpC", b"Bearer", secret.encode()):
            with pytest.raises(Refused, match="token") as refused:
                await world.accounts.identify([*cookie(secret), (b"authorization", header)])
            assert refused.value.code == "unauthorized"
        with pytest.raises(Refused):
            await world.accounts.identify(bearer(secret))

    play(sqlite_url, story)


def test_the_store_holds_no_secret(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        _, secret = await world.guest()
        row = await world.store.read(lambda connection: connection.execute(select(sessions)).one())
        assert len(row.hash) == 32
        assert secret.encode() not in row.hash

    play(sqlite_url, story)


def test_who_was_here_a_moment_ago_is_not_looked_up_again(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        _, secret = await world.guest("Aiko")
        await world.known(secret)
        changing = update(accounts).values(name="Mei")
        await world.store.write(lambda connection: connection.execute(changing).rowcount)
        assert (await world.account(secret)).name == "Aiko"
        world.accounts.forget()
        assert (await world.account(secret)).name == "Mei"

    play(sqlite_url, story)


def test_what_changed_while_it_was_read_is_not_believed(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(world: World) -> None:
        identified, secret = await world.guest("Aiko")
        world.accounts.forget()
        read = world.store.read

        async def slow(work: Callable[[Connection], Any]) -> Any:
            found = await read(work)
            await world.accounts.rename(identified.account, "Mei")
            return found

        monkeypatch.setattr(world.store, "read", slow)
        assert (await world.account(secret)).name == "Aiko"
        monkeypatch.setattr(world.store, "read", read)
        assert (await world.account(secret)).name == "Mei"

    play(sqlite_url, story)


def test_only_so_many_are_remembered(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 3)

    async def story(world: World) -> None:
        for _ in range(5):
            await world.guest()
        assert len(world.accounts._known) == 3

    play(sqlite_url, story)


def test_being_seen_is_noted_now_and_then(url: str) -> None:
    async def story(world: World) -> None:
        identified, secret = await world.guest()
        long_ago = now_ms() - 2 * module.SEEN_EVERY_MS

        def age(connection: Connection) -> None:
            connection.execute(update(accounts).values(seen_at=long_ago))
            connection.execute(update(sessions).values(seen_at=long_ago))

        await world.store.write(age)
        world.accounts.forget()
        await world.known(secret)
        seen = await world.store.read(lambda connection: connection.execute(select(accounts.c.seen_at)).scalar_one())
        assert seen > long_ago
        assert (await world.sessions.listed(identified))[0].seen_at == seen

    play(url, story)


def test_a_session_that_nobody_used_for_a_year_is_over(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        _, secret = await world.guest()
        old = update(sessions).values(seen_at=now_ms() - module.SESSION_MS - 1)
        await world.store.write(lambda connection: connection.execute(old).rowcount)
        world.accounts.forget()
        assert await world.accounts.identify(cookie(secret)) is None

    play(sqlite_url, story)


def test_a_banned_account_is_kept_out_at_once_and_told_why_and_how_long(url: str) -> None:
    async def story(world: World) -> None:
        identified, secret = await world.guest()
        await world.accounts.ban(identified.account.id, now_ms() + 86_400_000, "shouting")
        with pytest.raises(Refused, match=r"until .* UTC: shouting") as refused:
            await world.accounts.identify(cookie(secret))
        assert refused.value.code == "banned"
        with pytest.raises(Refused, match="shouting"):
            await world.accounts.again(identified)
        await world.accounts.unban(identified.account.id)
        assert await world.accounts.identify(cookie(secret)) == identified.account

    play(url, story)


def test_a_ban_ends_by_itself(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        identified, secret = await world.guest()
        await world.accounts.ban(identified.account.id, now_ms() - 1, "")
        assert await world.accounts.identify(cookie(secret)) == identified.account

    play(sqlite_url, story)


def test_a_ban_for_ever_can_be_told(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        identified, secret = await world.guest()
        await world.accounts.ban(identified.account.id, 2**53, "")
        with pytest.raises(Refused, match="9999"):
            await world.known(secret)

    play(sqlite_url, story)


def test_nobody_cannot_be_banned(url: str) -> None:
    async def story(world: World) -> None:
        with pytest.raises(Refused, match="no account 99"):
            await world.accounts.ban(99, now_ms(), "")

    play(url, story)


def test_guests_may_share_a_name(url: str) -> None:
    async def story(world: World) -> None:
        one, _ = await world.guest("Aiko")
        two, _ = await world.guest("Aiko")
        assert one.account.name == two.account.name == "Aiko"

    play(url, story)


def test_a_guest_never_bears_a_claimed_name_or_one_that_looks_like_it(url: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        guest, _ = await world.guest()
        for name in ("Aiko", "AIKO", "ai ko", "Ａｉｋｏ"):
            with pytest.raises(Refused) as refused:
                await world.accounts.rename(guest.account, name)
            assert refused.value.code == "name taken"

    play(url, story)


def test_guests_give_up_a_name_that_somebody_claims(url: str) -> None:
    async def story(world: World) -> None:
        guests = [await world.guest("Aiko") for _ in range(3)]
        told = world.hearing()
        person, _ = await world.person("aiko")
        for identified, secret in guests:
            account = await world.account(secret)
            assert account.id == identified.account.id
            assert account.name.casefold() != "aiko"
            assert account.id in told
        assert person.account.name == "aiko"

    play(url, story)


def test_a_person_may_take_another_name_and_the_old_one_is_free(url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.person("Aiko")
        await world.person("Mei")
        with pytest.raises(Refused, match="somebody else"):
            await world.accounts.rename(aiko.account, "mei")
        renamed = await world.accounts.rename(aiko.account, "AIKO")
        assert renamed == await world.account(secret)
        await world.accounts.rename(aiko.account, "Yuki")
        await world.person("Aiko")

    play(url, story)


def test_a_name_changed_while_it_is_claimed_makes_nobody_a_guest_again(url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        entered = await world.passwords.claim(guest, "Aiko", "a fine password", "")
        await world.accounts.rename(guest.account, "Mei")
        assert await world.account(entered.secret) == Account(guest.account.id, "person", "Mei")
        await world.passwords.sign_in("Mei", "a fine password", None, "")

    play(url, story)


def test_an_erased_account_gets_no_name_any_more(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        await world.accounts.erase(guest.account.id)
        with pytest.raises(Refused, match="no account"):
            await world.accounts.rename(guest.account, "Mei")

    play(sqlite_url, story)


def test_of_many_who_claim_a_name_at_once_one_gets_it(url: str) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:

            async def claim(people: World) -> bool:
                try:
                    await people.person("Aiko")
                except Refused as refused:
                    assert refused.code == "name taken"  # noqa: PT017
                    return False
                return True

            won = await asyncio.gather(*(claim(people) for people in (one, two) for _ in range(4)))
            assert sum(won) == 1
            bearers = select(func.count()).select_from(accounts).where(accounts.c.name_key == "aiko")
            assert await one.store.read(lambda connection: connection.execute(bearers).scalar_one()) == 1

    asyncio.run(main())


def test_another_process_hears_that_an_account_has_changed(postgres_url: str) -> None:
    async def main() -> None:
        async with world(postgres_url, process="one") as one, world(postgres_url, process="two", listens=True) as two:
            identified, secret = await one.guest("Aiko")
            await asyncio.to_thread(two.store._listener.ready.wait)
            assert await two.account(secret) == identified.account
            await one.accounts.rename(identified.account, "Mei")
            for _ in range(500):
                if (await two.account(secret)).name == "Mei":
                    return
                await asyncio.sleep(0.01)
            pytest.fail("the other process still believes the old name")

    asyncio.run(main())


def test_a_session_can_be_checked_again_without_its_secret(url: str) -> None:
    async def story(world: World) -> None:
        identified, _ = await world.guest("Aiko")
        await world.accounts.rename(identified.account, "Mei")
        now = await world.accounts.again(identified)
        assert now is not None
        assert now.account.name == "Mei"
        assert identified.session is not None
        await world.sessions.end(identified, identified.session)
        assert await world.accounts.again(identified) is None

    play(url, story)


def test_whoever_listens_hears_of_every_change_made_here(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        identified, _ = await world.guest()
        other, _ = await world.guest()
        told = world.hearing()
        await world.accounts.rename(identified.account, "Aiko")
        await world.mutes.add(identified.account, other.account.id)
        await world.accounts.ban(identified.account.id, 0, "")
        assert told == [identified.account.id] * 3

    play(sqlite_url, story)
