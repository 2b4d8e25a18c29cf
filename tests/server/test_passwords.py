from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from tests.server.people import World, cookie, play
from zashiki.server import passwords as module
from zashiki.server.errors import Refused
from zashiki.server.passwords import Passwords
from zashiki.server.schema import accounts


async def _hash(world: World) -> str:
    query = select(accounts.c.password).where(accounts.c.password.is_not(None))
    found: str = await world.store.read(lambda connection: connection.execute(query).scalar_one())
    return found


def test_a_claimed_name_and_its_password_sign_in_elsewhere(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko", "a fine password")
        entered = await world.passwords.sign_in(" AIKO ", "a fine password", None, "a phone")
        assert (await world.account(entered.secret)) == aiko.account

    play(url, story)


@pytest.mark.parametrize(
    ("name", "password"), [("Aiko", "a wrong password"), ("Mei", "a fine password"), ("", ""), ("Aiko", "x" * 500)]
)
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(sqlite_url: str, name: str, password: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        with pytest.raises(Refused) as refused:
            await world.passwords.sign_in(name, password, None, "")
        assert refused.value.code == "wrong credentials"
        assert refused.value.reason == "there is nobody of that name with that password"

    play(sqlite_url, story)


def test_guests_and_bots_have_no_password_to_sign_in_with(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await world.guest("Mei")
        await world.programs.create(aiko, "Robo")
        for name in ("Mei", "Robo"):
            with pytest.raises(Refused, match="nobody of that name"):
                await world.passwords.sign_in(name, "a fine password", None, "")

    play(sqlite_url, story)


def test_a_name_that_nobody_has_is_checked_as_slowly_as_a_wrong_password(sqlite_url: str) -> None:
    class Counting(Passwords):
        checked: list[str]

        def _is_right(self, hashed: str, password: str) -> bool:
            self.checked.append(hashed)
            return super()._is_right(hashed, password)

    async def story(world: World) -> None:
        hasher = PasswordHasher(time_cost=2, memory_cost=128, parallelism=1)
        passwords = Counting(world.accounts, hasher)
        passwords.checked = []
        guest, _ = await world.guest()
        await passwords.claim(guest, "Aiko", "a fine password", "")
        for name in ("Aiko", "Nobody here"):
            with pytest.raises(Refused):
                await passwords.sign_in(name, "a wrong password", None, "")
        known, unknown = passwords.checked
        assert known.rpartition("$")[0].rpartition("$")[0] == unknown.rpartition("$")[0].rpartition("$")[0]
        assert len(known) == len(unknown)
        assert not hasher.check_needs_rehash(unknown)

    play(sqlite_url, story)


def test_the_hash_is_argon2_and_renewed_when_its_cost_has_changed(url: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        old = await _hash(world)
        assert old.startswith("$argon2id$")
        await world.passwords.sign_in("Aiko", "a fine password", None, "")
        assert await _hash(world) == old
        costlier = Passwords(world.accounts, PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))
        await costlier.sign_in("Aiko", "a fine password", None, "")
        renewed = await _hash(world)
        assert "t=2" in renewed
        await costlier.sign_in("Aiko", "a fine password", None, "")
        assert await _hash(world) == renewed

    play(url, story)


@pytest.mark.parametrize("password", ["short", "x" * 201, "aaaaaaaaaa", "abababababab", "A I K O-a-i-k-o"])
def test_a_password_that_anybody_guesses_is_refused(sqlite_url: str, password: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        with pytest.raises(Refused, match="password") as refused:
            await world.passwords.claim(guest, "Aikoaiko", password, "")
        assert refused.value.code == "malformed"

    play(sqlite_url, story)


def test_accents_may_be_typed_either_way(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko", "crème brûlée")
        await world.passwords.sign_in("Aiko", "cre\u0300me bru\u0302le\u0301e", None, "")

    play(sqlite_url, story)


def test_a_name_is_claimed_once(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        with pytest.raises(Refused, match="claimed a name already"):
            await world.passwords.claim(aiko, "Mei", "a fine password", "")
        guest, _ = await world.guest()
        await world.passwords.claim(guest, "Mei", "a fine password", "")
        with pytest.raises(Refused, match="claimed a name already"):
            await world.passwords.claim(guest, "Yuki", "a fine password", "")

    play(url, story)


def test_changing_the_password_ends_all_other_sessions(url: str) -> None:
    async def story(world: World) -> None:
        aiko, mine = await world.person("Aiko")
        phone = (await world.passwords.sign_in("Aiko", "a fine password", None, "a phone")).secret
        entered = await world.passwords.change(aiko, "another password", None, "a test")
        assert [await world.accounts.identify(cookie(secret)) for secret in (mine, phone)] == [None, None]
        assert (await world.account(entered.secret)).id == aiko.account.id
        await world.passwords.sign_in("Aiko", "another password", None, "")
        with pytest.raises(Refused):
            await world.passwords.sign_in("Aiko", "a fine password", None, "")

    play(url, story)


def test_the_current_password_must_be_right(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        with pytest.raises(Refused) as refused:
            await world.passwords.change(aiko, "another password", "a wrong password", "")
        assert refused.value.code == "wrong credentials"

    play(sqlite_url, story)


def test_a_guest_has_no_password_to_change_or_remove(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        with pytest.raises(Refused, match="claimed name"):
            await world.passwords.change(guest, "another password", None, "")
        with pytest.raises(Refused):
            await world.passwords.remove(guest)

    play(sqlite_url, story)


def test_the_password_is_not_removed_while_it_is_the_only_way_in(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        with pytest.raises(Refused, match="only way in") as refused:
            await world.passwords.remove(aiko)
        assert refused.value.code == "last way in"
        await world.passwords.sign_in("Aiko", "a fine password", None, "")

    play(url, story)


def test_a_password_that_was_changed_meanwhile_signs_nobody_in(sqlite_url: str) -> None:
    class Interrupted(Passwords):
        meanwhile: Callable[[], Any]

        async def _check(self, hashed: str | None, password: str) -> None:
            await super()._check(hashed, password)
            await self.meanwhile()

    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        slow = Interrupted(world.accounts, PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
        slow.meanwhile = lambda: world.passwords.change(aiko, "another password", None, "")
        with pytest.raises(Refused, match="nobody of that name"):
            await slow.sign_in("Aiko", "a fine password", None, "")

    play(sqlite_url, story)


def test_only_so_many_wait_for_the_costly_check(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)

    async def story(world: World) -> None:
        await world.person("Aiko")
        tries = [world.passwords._check(None, "a fine password") for _ in range(10)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        codes = [result.code for result in results if isinstance(result, Refused)]
        assert codes.count("wrong credentials") == 3
        assert codes.count("unavailable") == 7

    play(sqlite_url, story)
