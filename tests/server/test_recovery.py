from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from tests.server.people import World, play, world
from zashiki.server.errors import Refused
from zashiki.server.recovery import CODES
from zashiki.server.schema import recovery_codes


def test_ten_codes_are_shown_once_and_stored_as_hashes(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        codes = await world.recovery.renew(aiko)
        assert len(set(codes)) == CODES == await world.recovery.left(aiko.account.id)
        stored = await world.store.read(lambda connection: connection.execute(select(recovery_codes.c.hash)).scalars().all())
        assert all(code.encode() not in row for code in codes for row in stored)

    play(url, story)


def test_a_code_signs_in_once(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        code, *others = await world.recovery.renew(aiko)
        entered = await world.recovery.sign_in("aiko", code, None, "a phone")
        assert (await world.account(entered.secret)).id == aiko.account.id
        assert await world.recovery.left(aiko.account.id) == CODES - 1
        with pytest.raises(Refused, match="unused code"):
            await world.recovery.sign_in("aiko", code, None, "a phone")
        await world.recovery.sign_in("aiko", others[0], None, "a phone")

    play(url, story)


def test_a_code_used_twice_at_the_same_time_signs_in_once(url: str) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            aiko, _ = await one.person("Aiko")
            code = (await one.recovery.renew(aiko))[0]
            tries = [people.recovery.sign_in("Aiko", code, None, "") for people in (one, two) for _ in range(3)]
            results = await asyncio.gather(*tries, return_exceptions=True)
            assert sum(not isinstance(result, Exception) for result in results) == 1

    asyncio.run(main())


def test_a_code_may_be_typed_as_people_type(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        code = (await world.recovery.renew(aiko))[0]
        await world.recovery.sign_in("Aiko", code.upper().replace("-", " ").replace("0", "O").replace("1", "l"), None, "")

    play(sqlite_url, story)


def test_a_code_is_good_for_its_own_name_only(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await world.person("Mei")
        code = (await world.recovery.renew(aiko))[0]
        for name, tried in (("Mei", code), ("Nobody", code), ("Aiko", "0000-0000-0000-0000"), ("Aiko", "")):
            with pytest.raises(Refused) as refused:
                await world.recovery.sign_in(name, tried, None, "")
            assert refused.value.code == "wrong credentials"

    play(sqlite_url, story)


def test_new_codes_replace_the_old_ones(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        old = await world.recovery.renew(aiko)
        await world.recovery.renew(aiko)
        with pytest.raises(Refused):
            await world.recovery.sign_in("Aiko", old[0], None, "")
        assert await world.recovery.left(aiko.account.id) == CODES

    play(url, story)


def test_a_guest_has_nothing_to_recover(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        with pytest.raises(Refused, match="claim yours first"):
            await world.recovery.renew(guest)

    play(sqlite_url, story)


def test_whoever_comes_back_by_a_code_may_set_a_new_password(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        code = (await world.recovery.renew(aiko))[0]
        entered = await world.recovery.sign_in("Aiko", code, None, "")
        await world.passwords.change(await world.known(entered.secret), "a new fine password", None, "")
        await world.passwords.sign_in("Aiko", "a new fine password", None, "")

    play(url, story)
