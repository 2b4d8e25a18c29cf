from __future__ import annotations

import asyncio
import base64
import json
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import select

from tests.server.authenticator import Authenticator, encoded
from tests.server.people import SECRETS, World, bearer, cookie, play, world
from zashiki.server import challenges
from zashiki.server import passkeys as module
from zashiki.server.accounts import Identified
from zashiki.server.challenges import check_challenge, new_challenge
from zashiki.server.errors import Refused
from zashiki.server.passkeys import Place
from zashiki.server.schema import passkeys
from zashiki.server.secrets import new_secrets

HERE = Place("localhost", ["http://localhost:8000"])


async def _claim(world: World, name: str, key: Authenticator) -> tuple[Identified, str]:
    guest, _ = await world.guest()
    options = await world.passkeys.registration(guest, name, HERE)
    entered = await world.passkeys.register(guest, key.create(options), "phone", name, HERE, "a phone")
    assert entered is not None
    return await world.known(entered.secret), entered.secret


async def _add(world: World, person: Identified, key: Authenticator, label: str = "another") -> None:
    options = await world.passkeys.registration(person, None, HERE)
    assert await world.passkeys.register(person, key.create(options), label, None, HERE, "") is None


async def _sign_in(world: World, key: Authenticator, asker: Identified | None = None) -> Identified:
    answer = key.get(world.passkeys.question(asker, HERE))
    return await world.known((await world.passkeys.sign_in(answer, asker, HERE, "a laptop")).secret)


async def _refused(world: World, answer: dict[str, Any], asker: Identified | None = None, place: Place = HERE) -> str:
    with pytest.raises(Refused) as refused:
        await world.passkeys.sign_in(answer, asker, place, "")
    return refused.value.code


def test_a_guest_claims_a_name_with_a_passkey_and_keeps_the_account(url: str) -> None:
    async def story(world: World) -> None:
        guest, planted = await world.guest()
        key = Authenticator()
        options = await world.passkeys.registration(guest, "Aiko", HERE)
        entered = await world.passkeys.register(guest, key.create(options), "phone", "Aiko", HERE, "a phone")
        assert entered is not None
        account = await world.account(entered.secret)
        assert (account.id, account.kind, account.name) == (guest.account.id, "person", "Aiko")
        assert await world.accounts.identify(cookie(planted)) is None

    play(url, story)


def test_the_options_are_what_browsers_want(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        options = await world.passkeys.registration(guest, "Aiko", HERE)
        assert options["rp"] == {"id": "localhost", "name": "Zashiki"}
        assert options["user"]["name"] == "Aiko"
        assert options["attestation"] == "none"
        assert options["authenticatorSelection"] == {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "preferred",
        }
        question = world.passkeys.question(None, HERE)
        assert question["rpId"] == "localhost"
        assert question["allowCredentials"] == []
        assert json.dumps([options, question])

    play(sqlite_url, story)


@pytest.mark.parametrize("counts", [True, False])
def test_a_passkey_signs_in_elsewhere_again_and_again(url: str, counts: bool) -> None:
    async def story(world: World) -> None:
        key = Authenticator(counts=counts)
        aiko, _ = await _claim(world, "Aiko", key)
        guest, _ = await world.guest()
        for asker in (None, guest, None):
            assert (await _sign_in(world, key, asker)).account == aiko.account
        (listed,) = await world.passkeys.listed(aiko)
        assert listed.seen_at is not None
        stored = await world.store.read(lambda connection: connection.execute(select(passkeys.c.sign_count)).scalar())
        assert stored == (3 if counts else 0)

    play(url, story)


def test_an_answer_is_good_once(url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator(counts=False)
        await _claim(world, "Aiko", key)
        answer = key.get(world.passkeys.question(None, HERE))
        await world.passkeys.sign_in(answer, None, HERE, "")
        assert await _refused(world, answer) == "wrong credentials"

    play(url, story)


def test_an_answer_sent_many_times_at_once_signs_in_once(url: str) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            key = Authenticator(counts=False)
            await _claim(one, "Aiko", key)
            answer = key.get(one.passkeys.question(None, HERE))
            tries = [people.passkeys.sign_in(answer, None, HERE, "") for people in (one, two) for _ in range(3)]
            results = await asyncio.gather(*tries, return_exceptions=True)
            assert sum(not isinstance(result, Exception) for result in results) == 1

    asyncio.run(main())


def test_a_counter_that_goes_back_is_a_copy_and_refused(url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator()
        await _claim(world, "Aiko", key)
        key.uses = 10
        await _sign_in(world, key)
        key.uses = 5
        assert await _refused(world, key.get(world.passkeys.question(None, HERE))) == "wrong credentials"

    play(url, story)


def test_an_answer_for_another_purpose_account_or_server_is_refused(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator(counts=False)
        aiko, _ = await _claim(world, "Aiko", key)
        guest, _ = await world.guest()
        registration = await world.passkeys.registration(aiko, None, HERE)
        for_nobody = world.passkeys.question(None, HERE)
        foreign = challenges.new_challenge(new_secrets(), "sign in", 0).content
        assert (
            await _refused(world, key.get({"rpId": "localhost", "challenge": registration["challenge"]}), aiko)
            == "wrong credentials"
        )
        assert await _refused(world, key.get(for_nobody), guest) == "wrong credentials"
        assert await _refused(world, key.get(world.passkeys.question(guest, HERE))) == "wrong credentials"
        assert await _refused(world, key.get({"rpId": "localhost", "challenge": encoded(foreign)})) == "wrong credentials"
        assert await _refused(world, key.get({"rpId": "localhost", "challenge": ""})) == "wrong credentials"

    play(sqlite_url, story)


def test_an_answer_from_another_page_or_for_another_name_is_refused(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator(counts=False)
        await _claim(world, "Aiko", key)
        question = world.passkeys.question(None, HERE)
        elsewhere = Place("cards.example", ["https://cards.example"])
        assert await _refused(world, key.get(question), place=elsewhere) == "wrong credentials"
        assert await _refused(world, key.get(question | {"rpId": "cards.example"})) == "wrong credentials"
        key.origin = "http://localhost:9000"
        assert await _refused(world, key.get(question)) == "wrong credentials"

    play(sqlite_url, story)


def test_a_wrong_signature_or_an_unknown_passkey_is_refused(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        key, stranger = Authenticator(counts=False), Authenticator(counts=False)
        await _claim(world, "Aiko", key)
        assert await _refused(world, stranger.get(world.passkeys.question(None, HERE))) == "wrong credentials"
        stranger.id = key.id
        assert await _refused(world, stranger.get(world.passkeys.question(None, HERE))) == "wrong credentials"

    play(sqlite_url, story)


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 7, "response": 8},
        {"id": "AAAA", "response": {}},
        {"id": "AAAA", "response": {"clientDataJSON": "!!!"}},
        {"id": "AAAA", "response": {"clientDataJSON": encoded(b"[1]")}},
        {"id": "AAAA", "response": {"clientDataJSON": encoded(b'{"type": "webauthn.get", "challenge": 7, "origin": []}')}},
        {"id": "ü", "response": {"clientDataJSON": "ü"}},
    ],
)
def test_what_is_no_answer_at_all_is_malformed(sqlite_url: str, credential: dict[str, Any]) -> None:
    async def story(world: World) -> None:
        assert await _refused(world, credential) == "malformed"
        guest, _ = await world.guest()
        with pytest.raises(Refused) as refused:
            await world.passkeys.register(guest, credential, "phone", "Aiko", HERE, "")
        assert refused.value.code == "malformed"

    play(sqlite_url, story)


def _damaged(answer: dict[str, Any], place: int, length: int | None = None) -> dict[str, Any]:
    statement = bytearray(base64.urlsafe_b64decode(answer["response"]["attestationObject"] + "=="))
    statement[place] ^= 0xFF
    return answer | {"response": answer["response"] | {"attestationObject": encoded(bytes(statement[:length]))}}


def test_a_damaged_answer_is_refused_or_harmless(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        answer = Authenticator().create(await world.passkeys.registration(guest, "Aiko", HERE))
        for place in range(0, 190, 3):
            with suppress(Refused):
                await world.passkeys.register(guest, _damaged(answer, place), "phone", "Aiko", HERE, "")
            with pytest.raises(Refused):
                await world.passkeys.register(guest, _damaged(answer, place, place + 1), "phone", "Aiko", HERE, "")

    play(sqlite_url, story)


def test_a_passkey_whose_key_is_no_key_or_whose_number_is_not_its_own_is_refused(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        key = Authenticator()
        answer = key.create(await world.passkeys.registration(guest, "Aiko", HERE))
        statement = base64.urlsafe_b64decode(answer["response"]["attestationObject"] + "==")
        for place in (statement.index(key.id), len(statement) - 1):
            with pytest.raises(Refused) as refused:
                await world.passkeys.register(guest, _damaged(answer, place), "phone", "Aiko", HERE, "")
            assert refused.value.code == "wrong credentials"
        await world.passkeys.register(guest, answer, "phone", "Aiko", HERE, "")

    play(sqlite_url, story)


def test_the_name_that_was_asked_for_is_the_name_that_is_claimed(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        guest, _ = await world.guest()
        answer = Authenticator().create(await world.passkeys.registration(guest, "Aiko", HERE))
        with pytest.raises(Refused, match="did not ask"):
            await world.passkeys.register(guest, answer, "phone", "Mei", HERE, "")

    play(sqlite_url, story)


def test_a_taken_name_is_not_claimed_and_the_passkey_not_kept(url: str) -> None:
    async def story(world: World) -> None:
        await world.person("Aiko")
        guest, _ = await world.guest()
        answer = Authenticator().create(await world.passkeys.registration(guest, "aiko", HERE))
        with pytest.raises(Refused, match="somebody else"):
            await world.passkeys.register(guest, answer, "phone", "aiko", HERE, "")
        assert await world.passkeys.listed(guest) == []

    play(url, story)


def test_a_challenge_ends(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    challenge = new_challenge(SECRETS, "sign in", 7)
    assert check_challenge(SECRETS, challenge.content, "sign in", 7) == challenge
    monkeypatch.setattr(challenges, "now_ms", lambda: challenge.ends_at + 1)
    with pytest.raises(Refused, match="too long"):
        check_challenge(SECRETS, challenge.content, "sign in", 7)


def test_an_account_has_several_passkeys_and_lists_them(url: str) -> None:
    async def story(world: World) -> None:
        phone, laptop = Authenticator(), Authenticator()
        aiko, _ = await _claim(world, "Aiko", phone)
        await _add(world, aiko, laptop, "laptop")
        assert [key.label for key in await world.passkeys.listed(aiko)] == ["phone", "laptop"]
        for key in (phone, laptop):
            assert (await _sign_in(world, key)).account.id == aiko.account.id

    play(url, story)


def test_a_browser_is_told_which_passkeys_there_are_already(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator()
        aiko, _ = await _claim(world, "Aiko", key)
        options = await world.passkeys.registration(aiko, None, HERE)
        assert [each["id"] for each in options["excludeCredentials"]] == [encoded(key.id)]
        with pytest.raises(Refused, match="known already"):
            await world.passkeys.register(aiko, key.create(options), "again", None, HERE, "")

    play(sqlite_url, story)


def test_nobody_takes_over_anothers_passkey_by_its_number(url: str) -> None:
    async def story(world: World) -> None:
        key, thief = Authenticator(), Authenticator()
        aiko, _ = await _claim(world, "Aiko", key)
        thief.id = key.id
        with pytest.raises(Refused, match="known already"):
            await _claim(world, "Mei", thief)
        assert (await _sign_in(world, key)).account == aiko.account

    play(url, story)


def test_a_removed_passkey_signs_nobody_in(url: str) -> None:
    async def story(world: World) -> None:
        phone, laptop = Authenticator(), Authenticator()
        aiko, _ = await _claim(world, "Aiko", phone)
        await _add(world, aiko, laptop)
        await world.passkeys.remove(aiko, encoded(phone.id))
        assert await _refused(world, phone.get(world.passkeys.question(None, HERE))) == "wrong credentials"
        await _sign_in(world, laptop)

    play(url, story)


def test_the_last_way_in_is_never_removed(url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator()
        aiko, _ = await _claim(world, "Aiko", key)
        await world.recovery.renew(aiko)
        with pytest.raises(Refused, match="only way in") as refused:
            await world.passkeys.remove(aiko, encoded(key.id))
        assert refused.value.code == "last way in"
        entered = await world.passwords.change(aiko, "a fine password", None, "")
        aiko = await world.known(entered.secret)
        await world.passkeys.remove(aiko, encoded(key.id))
        assert await world.passkeys.listed(aiko) == []

    play(url, story)


def test_of_two_passkeys_removed_at_once_one_stays(postgres_url: str) -> None:
    async def main() -> None:
        async with world(postgres_url, process="one") as one, world(postgres_url, process="two") as two:
            phone, laptop = Authenticator(), Authenticator()
            aiko, _ = await _claim(one, "Aiko", phone)
            await _add(one, aiko, laptop)
            removals = (one.passkeys.remove(aiko, encoded(phone.id)), two.passkeys.remove(aiko, encoded(laptop.id)))
            results = await asyncio.gather(*removals, return_exceptions=True)
            assert sum(isinstance(result, Refused) for result in results) == 1
            assert len(await one.passkeys.listed(aiko)) == 1

    asyncio.run(main())


def test_nobody_removes_the_passkey_of_another(url: str) -> None:
    async def story(world: World) -> None:
        key = Authenticator()
        aiko, _ = await _claim(world, "Aiko", key)
        mei, _ = await world.person("Mei")
        with pytest.raises(Refused, match="no such passkey"):
            await world.passkeys.remove(mei, encoded(key.id))
        assert len(await world.passkeys.listed(aiko)) == 1

    play(url, story)


def test_with_a_passkey_the_password_can_go(url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        await _add(world, aiko, Authenticator())
        await world.passwords.remove(aiko)
        with pytest.raises(Refused, match="nobody of that name"):
            await world.passwords.sign_in("Aiko", "a fine password", None, "")

    play(url, story)


def test_there_are_only_so_many_passkeys(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PASSKEYS", 1)

    async def story(world: World) -> None:
        aiko, _ = await _claim(world, "Aiko", Authenticator())
        with pytest.raises(Refused, match="at most 1 passkeys"):
            await _add(world, aiko, Authenticator())

    play(sqlite_url, story)


def test_a_program_has_no_passkeys(sqlite_url: str) -> None:
    async def story(world: World) -> None:
        aiko, _ = await world.person("Aiko")
        bot = await world.programs.create(aiko, "Robo")
        program = await world.accounts.who(bearer((await world.programs.new_token(aiko, bot.id, "x")).token))
        assert program is not None
        with pytest.raises(Refused, match="token"):
            await world.passkeys.registration(program, None, HERE)

    play(sqlite_url, story)
