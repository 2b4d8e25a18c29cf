"""Companions: several people at one device, each with a seat, and no way in but through whose device it is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.built import Visited, built
from tests.server.people import World, play
from tests.server.room import Guest, run
from tests.server.test_building import farewell, me, table_of
from zashiki.server.accounts import Account, Identified
from zashiki.server.companions import MOST_COMPANIONS
from zashiki.server.errors import Refused


async def companion_of(client: httpx.AsyncClient, name: str = "Mika") -> int:
    answer = await client.post("/api/me/companions", json={"name": name})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


async def listed(client: httpx.AsyncClient) -> list[str]:
    return [each["name"] for each in (await client.get("/api/me/companions")).json()["companions"]]


async def welcomed(house: Visited, client: httpx.AsyncClient, companion: object) -> tuple[Guest, dict[str, Any]]:
    """A companion's socket, and what it is told first."""
    guest = house.socket(client, query=f"client=c&companion={companion}")
    return guest, await guest.until(lambda message: message["type"] == "welcome")


async def turned_away(house: Visited, client: httpx.AsyncClient, companion: object) -> int | None:
    """With which status a socket is refused before it opens."""
    guest = house.socket(client, query=f"companion={companion}")
    await asyncio.wait_for(guest.task, 10)
    assert guest.inbox == []
    return guest.code


# Whose they are


def test_a_companion_is_a_guest_of_the_owner_and_no_program(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        mika = await world.companions.create(aiko, "Mika")
        found = await world.accounts.companion(aiko, mika.id)
        assert found.account == Account(mika.id, "guest", "Mika", companion_of=aiko.account.id)
        assert (found.session, found.account.answerable) == (aiko.session, aiko.account.id)
        assert await world.accounts.again(found) == found
        assert await world.companions.listed(aiko) == [mika]
        assert await world.programs.listed(aiko) == []

    play(url, story)


def test_nobody_else_speaks_for_a_companion(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        ben, _ = await world.guest("Ben")
        mika = await world.companions.create(aiko, "Mika")
        robo = await world.programs.create(aiko, "Robo")
        for owner, number in ((ben, mika.id), (aiko, aiko.account.id), (aiko, ben.account.id), (aiko, robo.id), (aiko, 2**53)):
            with pytest.raises(Refused, match="you have no companion") as caught:
                await world.accounts.companion(owner, number)
            assert caught.value.code == "forbidden"
        for deed in (world.companions.remove(ben, mika.id), world.companions.rename(ben, mika.id, "Mine")):
            with pytest.raises(Refused, match="you have no companion"):
                await deed
        with pytest.raises(Refused, match="you have no bot"):
            await world.programs.new_token(aiko, mika.id, "a way in")

    play(url, story)


def test_a_person_has_five_companions_at_most(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.guest("Aiko")
        made = [await world.companions.create(aiko, f"Friend {place}") for place in range(MOST_COMPANIONS)]
        with pytest.raises(Refused, match="at most 5 companions; remove one first"):
            await world.companions.create(aiko, "One more")
        await world.companions.remove(aiko, made[0].id)
        await world.companions.create(aiko, "One more")
        assert len(await world.companions.listed(aiko)) == MOST_COMPANIONS

    play(url, story)


def test_companions_share_names_like_guests_and_bear_no_claimed_one(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        ben, _ = await world.guest("Ben")
        mika = await world.companions.create(aiko, "Ben")
        assert (await world.companions.rename(aiko, mika.id, "  Mika ")).name == "Mika"
        with pytest.raises(Refused, match="belongs to somebody else"):
            await world.companions.create(ben, "aiko")
        await world.person("Mika")
        assert (await world.companions.listed(aiko))[0].name != "Mika"

    play(url, story)


def test_a_companion_hears_what_the_owner_hears(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, secret = await world.guest("Aiko")
        ben, _ = await world.guest("Ben")
        mika = await world.companions.create(aiko, "Mika")
        await world.mutes.add(aiko.account, ben.account.id)
        found = await world.accounts.companion(await world.known(secret), mika.id)
        assert found.account.muted == {ben.account.id}

    play(sqlite_url, story)


# What covers them


def test_erasing_the_owner_erases_the_companions(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.guest("Aiko")
        mika = await world.companions.create(aiko, "Mika")
        data = await world.accounts.export(aiko.account.id)
        assert [each["name"] for each in data.companions] == ["Mika"]
        assert data.bots == []
        found = await world.accounts.companion(aiko, mika.id)
        await world.accounts.erase(aiko.account.id)
        assert await world.accounts.again(found) is None
        erased = await world.accounts.get(mika.id)
        assert erased is not None
        assert erased.name != "Mika"

    play(url, story)


def test_a_ban_of_either_keeps_the_companion_out(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.guest("Aiko")
        mika = await world.companions.create(aiko, "Mika")
        found = await world.accounts.companion(aiko, mika.id)
        for account in (aiko.account.id, mika.id):
            await world.accounts.ban(account, 2**52, "rude")
            with pytest.raises(Refused, match="kept out until"):
                await world.accounts.again(found)
            await world.accounts.unban(account)
        assert await world.accounts.again(found) == found

    play(url, story)


def test_a_guest_whose_companion_still_sits_does_not_sign_in_by_accident(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.person("Aiko"), house.guest() as client:
            mika = await companion_of(client)
            await client.post(f"/api/tables?companion={mika}", json={"game": "hanamikoji"})
            signing_in = {"name": "Aiko", "password": "a fine password"}
            answer = await client.post("/api/sign-in", json=signing_in)
            assert (answer.status_code, answer.json()["code"]) == (409, "still seated")

    run(main())


# At the table


def test_people_at_one_device_play_each_other(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client:
            mika = await companion_of(client)
            table = await table_of(client)
            own = house.socket(client)
            theirs, welcome = await welcomed(house, client, mika)
            assert (welcome["account"], welcome["name"], welcome["kind"]) == (mika, "Mika", "guest")
            assert (await theirs.watch(table))["seat"] is None
            assert (await theirs.ask(type="sit", table=table))["seat"] == 1
            state = await own.watch(table)
            assert [seat["name"] for seat in state["seats"]] == ["Aiko", "Mika"]
            assert not any(seat.get("program") for seat in state["seats"])
            assert (await own.ask(type="start", table=table))["type"] == "state"
            views = [(await each.watch(table))["view"] for each in (own, theirs)]
            assert views[0] != views[1]
            for socket in (own, theirs):
                await socket.leave()

    run(main())


def test_a_request_over_http_names_the_companion_too(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client, house.guest("Ben") as other:
            mika, table = await companion_of(client), await table_of(client)
            asked = {"companion": mika}
            assert (await client.post(f"/api/tables/{table}/sit", params=asked)).status_code == 200
            assert (await client.post(f"/api/tables/{table}/talk", params=asked, json={"text": "hi"})).status_code == 200
            assert (await client.get(f"/api/tables/{table}", params=asked)).json()["seat"] == 1
            assert (await client.get("/api/my/tables", params=asked)).json()["tables"][0]["id"] == table
            assert (await client.get(f"/api/tables/{table}/talk")).json()["lines"][0]["name"] == "Mika"
            assert (await other.get(f"/api/tables/{table}", params=asked)).status_code == 403
            assert (await client.get(f"/api/tables/{table}", params={"companion": "Mika"})).status_code == 400

    run(main())


def test_companions_are_listed_renamed_and_removed_over_http(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client, house.guest() as other:
            mika = await companion_of(client)
            answer = await client.patch(f"/api/me/companions/{mika}", json={"name": "Miko"})
            assert (answer.status_code, answer.json()["name"], await listed(client)) == (200, "Miko", ["Miko"])
            assert await listed(other) == []
            assert (await other.delete(f"/api/me/companions/{mika}")).status_code == 404
            assert (await client.delete(f"/api/me/companions/{mika}")).status_code == 204
            assert await listed(client) == []

    run(main())


# The socket


def test_only_the_owner_opens_a_companions_socket(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client, house.guest() as other:
            mika = await companion_of(client)
            assert await turned_away(house, other, mika) == 403
            assert await turned_away(house, client, await me(other)) == 403
            assert await turned_away(house, client, await me(client)) == 403
            assert await turned_away(house, client, "Mika") == 400
            assert await turned_away(house, client, "") == 400

    run(main())


@pytest.mark.parametrize("deed", ["sign out", "ban", "erase", "remove"])
def test_what_ends_the_owner_ends_the_companions_socket(tmp_path: Path, deed: str) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            mika = await companion_of(client)
            theirs, _ = await welcomed(house, client, mika)
            if deed == "sign out":
                await client.post("/api/sign-out")
            elif deed == "ban":
                await house.building.accounts.ban(await me(client), 2**52, "rude")
            elif deed == "erase":
                await client.delete("/api/me")
            else:
                await client.delete(f"/api/me/companions/{mika}")
            assert await farewell(theirs) == ("banned" if deed == "ban" else "signed out", 1008)
            assert house.building.socket._companions == {}

    run(main())


def test_a_companion_at_another_process_goes_with_the_owner(tmp_path: Path, postgres_url: str) -> None:
    async def main() -> None:
        async with built(tmp_path, postgres_url) as one, built(tmp_path, postgres_url) as other, one.guest() as client:
            theirs, _ = await welcomed(other, client, await companion_of(client))
            await client.post("/api/sign-out")
            assert await farewell(theirs) == ("signed out", 1008)

    run(main())


def test_a_renamed_companion_is_known_by_the_new_name_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            mika = await companion_of(client)
            theirs, _ = await welcomed(house, client, mika)
            look_up = house.building.socket.again

            async def take_long(identified: Identified) -> Identified | None:
                await asyncio.sleep(0.2)
                return await look_up(identified)

            house.building.socket.again = take_long
            await client.patch(f"/api/me/companions/{mika}", json={"name": "Miko"})
            table = await table_of(client)
            await theirs.watch(table)
            assert (await theirs.ask(type="sit", table=table))["seats"][1]["name"] == "Miko"
            await theirs.leave()

    run(main())


def test_limits_count_for_the_owner(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path, limits=0.1) as house, house.guest() as client:
            mika = await companion_of(client)
            sockets = [(await welcomed(house, client, mika))[0], house.socket(client)]
            await sockets[1].until(lambda message: message["type"] == "welcome")
            # A tenth of twenty is two.
            assert await turned_away(house, client, mika) == 429
            answers = [
                await client.post("/api/tables", params=asked, json={"game": "hanamikoji"})
                for asked in ({}, {"companion": mika}, {}, {"companion": mika}, {}, {"companion": mika}, {})
            ]
            assert 429 in [answer.status_code for answer in answers]
            for socket in sockets:
                await socket.leave()

    run(main())
