from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.server.people import World, bearer, cookie, play
from zashiki.server import tokens as module
from zashiki.server.errors import Refused
from zashiki.server.schema import tokens
from zashiki.server.store import now_ms


def test_a_token_acts_as_a_bot_account(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        made = await world.programs.new_token(aiko, bot.id, "at home")
        identified = await world.accounts.who(bearer(made.token))
        assert identified is not None
        assert (identified.account.id, identified.account.kind, identified.account.name) == (bot.id, "bot", "Robo")
        assert (identified.token, identified.session) == (made.id, None)
        assert await world.accounts.again(identified) == identified

    play(url, story)


def test_a_token_is_stored_as_a_hash_and_known_by_its_beginning(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        made = await world.programs.new_token(aiko, bot.id, "at home")
        assert made.token.startswith("zashiki_")
        row = await world.store.read(lambda connection: connection.execute(select(tokens)).one())
        assert made.token.encode() not in row.hash

    play(sqlite_url, story)


def test_a_token_is_no_cookie(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        made = await world.programs.new_token(aiko, bot.id, "at home")
        await world.accounts.who(bearer(made.token))
        assert await world.accounts.who(cookie(made.token)) is None

    play(sqlite_url, story)


def test_bots_and_tokens_are_listed_with_when_they_were_used(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        made = await world.programs.new_token(aiko, bot.id, "at home")
        await world.programs.new_token(aiko, bot.id, "at work")
        await world.accounts.identify(bearer(made.token))
        (listed,) = await world.programs.listed(aiko)
        assert (listed.id, listed.name) == (bot.id, "Robo")
        assert [token.label for token in listed.tokens] == ["at home", "at work"]
        assert [token.seen_at is not None for token in listed.tokens] == [True, False]

    play(url, story)


def test_a_revoked_token_is_refused_at_once(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        one, two = [await world.programs.new_token(aiko, bot.id, "a label") for _ in range(2)]
        identified = await world.accounts.who(bearer(one.token))
        assert identified is not None
        await world.programs.revoke(aiko, bot.id, one.id)
        with pytest.raises(Refused, match="no such token"):
            await world.accounts.identify(bearer(one.token))
        assert await world.accounts.again(identified) is None
        assert await world.accounts.identify(bearer(two.token)) is not None

    play(url, story)


def test_only_its_owner_touches_a_bot(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        mei, _ = await world.person("Mei")
        bot = await world.programs.create(aiko, "Robo")
        token = await world.programs.new_token(aiko, bot.id, "at home")
        for attempt in (
            world.programs.new_token(mei, bot.id, "stolen"),
            world.programs.revoke(mei, bot.id, token.id),
            world.programs.remove(mei, bot.id),
            world.programs.new_token(aiko, mei.account.id, "not a bot"),
            world.programs.revoke(aiko, bot.id, token.id + 1),
        ):
            with pytest.raises(Refused) as refused:
                await attempt
            assert refused.value.code == "not found"
        assert await world.programs.listed(mei) == []

    play(url, story)


def test_guests_and_bots_own_no_bots(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        identified = await world.accounts.who(bearer((await world.programs.new_token(aiko, bot.id, "x")).token))
        assert identified is not None
        for owner in (guest, identified):
            with pytest.raises(Refused, match="claimed name"):
                await world.programs.create(owner, "Another")

    play(sqlite_url, story)


def test_a_bots_name_is_its_alone(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await world.programs.create(aiko, "Robo")
        _, secret = await world.guest("Kuma")
        for name in ("robo", "Aiko"):
            with pytest.raises(Refused, match="somebody else"):
                await world.programs.create(aiko, name)
        await world.programs.create(aiko, "Kuma")
        assert (await world.account(secret)).name != "Kuma"

    play(url, story)


def test_there_are_only_so_many_bots_and_tokens(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BOTS", 2)
    monkeypatch.setattr(module, "MOST_TOKENS", 2)

    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "One")
        await world.programs.create(aiko, "Two")
        with pytest.raises(Refused, match="at most 2 bots"):
            await world.programs.create(aiko, "Three")
        for label in ("one", "two"):
            await world.programs.new_token(aiko, bot.id, label)
        with pytest.raises(Refused, match="at most 2 tokens"):
            await world.programs.new_token(aiko, bot.id, "three")

    play(url, story)


def test_a_removed_bot_makes_room_and_frees_its_name(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BOTS", 1)

    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        token = await world.programs.new_token(aiko, bot.id, "at home")
        await world.programs.remove(aiko, bot.id)
        with pytest.raises(Refused, match="no such token"):
            await world.accounts.identify(bearer(token.token))
        again = await world.programs.create(aiko, "Robo")
        assert again.id != bot.id
        assert [each.id for each in await world.programs.listed(aiko)] == [again.id]

    play(url, story)


def test_the_bots_of_a_banned_person_are_kept_out_too(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        token = await world.programs.new_token(aiko, bot.id, "at home")
        await world.accounts.identify(bearer(token.token))
        await world.accounts.ban(aiko.account.id, now_ms() + 60_000, "swearing")
        with pytest.raises(Refused, match="swearing"):
            await world.accounts.identify(bearer(token.token))

    play(url, story)
