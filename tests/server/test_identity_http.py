from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.authenticator import Authenticator, encoded
from tests.server.people import World, world
from zashiki.server.app import api
from zashiki.server.credentials import COOKIE
from zashiki.server.http.document import document
from zashiki.server.http.identity import CONTROLLERS, EXAMPLES, dependencies
from zashiki.server.http.origin import origin_guard
from zashiki.server.limits import RULES
from zashiki.server.store import now_ms

PAGE = "http://localhost:8000"
PASSWORD = "a fine password"
MANY = {rule.name: rule.many for rule in RULES}


class House:
    """The server, to be visited by browsers and programs."""

    def __init__(self, people: World) -> None:
        self.people = people
        self.app: Any = api(CONTROLLERS, dependencies(people), guards=[origin_guard(people.settings)])

    @asynccontextmanager
    async def browser(self, page: str = PAGE, address: str = "127.0.0.1", **headers: str) -> AsyncIterator[httpx.AsyncClient]:
        """A browser that shows one of our pages."""
        transport = httpx.ASGITransport(self.app, client=(address, 50_000))
        named = {"origin": page, "user-agent": "Firefox", **headers}
        async with httpx.AsyncClient(transport=transport, base_url=page, headers=named) as client:
            yield client

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[httpx.AsyncClient]:
        """A browser that was here before."""
        async with self.browser() as client:
            assert (await client.get("/api/me")).status_code == 200
            yield client

    @asynccontextmanager
    async def person(self, name: str = "Aiko") -> AsyncIterator[httpx.AsyncClient]:
        """A browser in which somebody is signed in."""
        async with self.guest() as client:
            answer = await client.post("/api/me/password", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 200
            yield client


def visit(url: str, story: Callable[[House], Awaitable[None]], public_url: str | None = None) -> None:
    async def main() -> None:
        async with world(url, public_url=public_url) as people:
            await story(House(people))

    asyncio.run(main())


def refused(answer: httpx.Response, status: int, code: str) -> bool:
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, problem["code"]) == (status, code), problem
    return True


def test_the_first_visit_makes_a_guest_and_later_ones_know_it(url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser() as client:
            first = await client.get("/api/me")
            assert first.status_code == 200
            me = first.json()
            assert me["kind"] == "guest"
            assert me == (await client.get("/api/me")).json()
            assert me["can_use_passkeys"]

    visit(url, story)


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser() as client:
            sent = (await client.get("/api/me")).headers["set-cookie"]
            parts = {part.strip().lower() for part in sent.split(";")}
            assert {"httponly", "samesite=lax", "path=/"} <= parts
            assert "secure" not in parts
            assert sent.startswith(f"{COOKIE}=")

    visit(sqlite_url, story)


def test_over_tls_the_cookie_stays_there(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser("https://cards.example") as client:
            sent = (await client.get("/api/me")).headers["set-cookie"].lower()
            assert "secure" in {part.strip() for part in sent.split(";")}

    visit(sqlite_url, story, public_url="https://cards.example")


def test_a_page_elsewhere_makes_no_guests(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser(origin="http://evil.example") as client:
            assert refused(await client.get("/api/me"), 403, "wrong origin")
        async with house.browser() as client:
            del client.headers["origin"]
            assert refused(await client.get("/api/me", headers={"sec-fetch-site": "cross-site"}), 403, "wrong origin")

    visit(sqlite_url, story)


def test_there_are_only_so_many_guests_of_one_address(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        for _ in range(MANY["guests"]):
            await house.people.limits.spend("guests", "2001:db8::1")
        async with house.browser(address="2001:db8::2") as client:
            answer = await client.get("/api/me")
            assert refused(answer, 429, "too many")
            assert answer.json()["retry_after_ms"] > 0
        async with house.browser(address="2001:db8:1::2") as client:
            assert (await client.get("/api/me")).status_code == 200

    visit(sqlite_url, story)


def test_a_change_without_our_page_is_refused(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.guest() as client:
            for origin in ("http://evil.example", "null", "http://localhost:9000"):
                answer = await client.patch("/api/me", json={"name": "Mei"}, headers={"origin": origin})
                assert refused(answer, 403, "wrong origin")
            del client.headers["origin"]
            assert refused(await client.patch("/api/me", json={"name": "Mei"}), 403, "wrong origin")
            answer = await client.patch("/api/me", json={"name": "Mei"}, headers={"sec-fetch-site": "same-origin"})
            assert answer.json()["name"] == "Mei"

    visit(sqlite_url, story)


def test_a_guest_takes_another_name(url: str) -> None:
    async def story(house: House) -> None:
        async with house.guest() as client:
            answer = await client.patch("/api/me", json={"name": " Aiko "})
            assert answer.json()["name"] == "Aiko"
            assert (await client.get("/api/me")).json()["name"] == "Aiko"
            assert refused(await client.patch("/api/me", json={"name": "\u202eAiko"}), 400, "malformed")

    visit(url, story)


def test_nobody_is_refused_where_somebody_is_needed(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser() as client:
            for path in ("/api/me/data", "/api/me/sessions", "/api/me/mutes", "/api/me/bots", "/api/me/passkeys"):
                assert refused(await client.get(path), 401, "unauthorized")
            assert refused(await client.post("/api/me/recovery-codes"), 401, "unauthorized")
            assert refused(await client.post("/api/sign-out"), 401, "unauthorized")
            assert refused(await client.delete("/api/me"), 401, "unauthorized")

    visit(sqlite_url, story)


def test_a_name_is_claimed_with_a_password_and_used_on_another_device(url: str) -> None:
    async def story(house: House) -> None:
        async with house.guest() as client, house.guest() as phone:
            guest = (await client.get("/api/me")).json()
            planted = client.cookies[COOKIE]
            claimed = (await client.post("/api/me/password", json={"name": "Aiko", "password": PASSWORD})).json()
            assert (claimed["id"], claimed["kind"], claimed["has_password"]) == (guest["id"], "person", True)
            assert client.cookies[COOKIE] != planted
            there = await phone.post("/api/sign-in", json={"name": "aiko", "password": PASSWORD})
            assert there.json()["id"] == guest["id"]
            assert len((await phone.get("/api/me/sessions")).json()["sessions"]) == 2

    visit(url, story)


def test_a_wrong_password_is_refused_and_after_some_nothing_is_tried_any_more(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.person("Aiko"), house.browser() as client:
            for _ in range(MANY["sign-ins to a name"]):
                answer = await client.post("/api/sign-in", json={"name": "Aiko", "password": "a wrong one"})
                assert refused(answer, 401, "wrong credentials")
            answer = await client.post("/api/sign-in", json={"name": "AIKO", "password": PASSWORD})
            assert refused(answer, 429, "too many")

    visit(sqlite_url, story)


def test_the_right_password_forgives_the_wrong_ones(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.person("Aiko"), house.browser() as client:
            for _ in range(2):
                for _ in range(MANY["sign-ins to a name"] - 1):
                    await client.post("/api/sign-in", json={"name": "Aiko", "password": "a wrong one"})
                answer = await client.post("/api/sign-in", json={"name": "Aiko", "password": PASSWORD})
                assert answer.status_code == 200

    visit(sqlite_url, story)


def test_signing_out_ends_the_session_and_the_cookie(url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client:
            secret = client.cookies[COOKIE]
            answer = await client.post("/api/sign-out")
            assert answer.status_code == 204
            assert COOKIE not in client.cookies
            client.cookies.set(COOKIE, secret)
            assert (await client.get("/api/me")).json()["kind"] == "guest"

    visit(url, story)


def test_sessions_are_listed_and_ended(url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as phone, house.browser() as laptop:
            for device in (phone, laptop):
                await device.post("/api/sign-in", json={"name": "Aiko", "password": PASSWORD})
            listed = (await client.get("/api/me/sessions")).json()["sessions"]
            assert [session["agent"] for session in listed] == ["Firefox"] * 3
            mine = next(
                session["id"] for session in (await phone.get("/api/me/sessions")).json()["sessions"] if session["current"]
            )
            assert (await client.delete(f"/api/me/sessions/{mine}")).status_code == 204
            assert refused(await client.delete(f"/api/me/sessions/{mine}"), 404, "not found")
            assert refused(await phone.get("/api/me/sessions"), 401, "unauthorized")
            assert (await client.delete("/api/me/sessions")).status_code == 204
            assert refused(await laptop.get("/api/me/sessions"), 401, "unauthorized")
            assert len((await client.get("/api/me/sessions")).json()["sessions"]) == 1

    visit(url, story)


def test_a_name_is_claimed_and_signed_in_to_with_a_passkey(url: str) -> None:
    async def story(house: House) -> None:
        key = Authenticator(PAGE)
        async with house.guest() as client, house.guest() as phone:
            options = (await client.post("/api/me/passkeys/options", json={"name": "Aiko"})).json()["options"]
            body = {"credential": key.create(options), "label": "phone", "name": "Aiko"}
            claimed = (await client.post("/api/me/passkeys", json=body)).json()
            assert (claimed["kind"], claimed["passkeys"]) == ("person", 1)
            question = (await phone.post("/api/sign-in/passkey/options")).json()["options"]
            there = await phone.post("/api/sign-in/passkey", json={"credential": key.get(question)})
            assert there.json()["id"] == claimed["id"]
            listed = (await phone.get("/api/me/passkeys")).json()["passkeys"]
            assert [each["label"] for each in listed] == ["phone"]
            assert refused(await phone.delete(f"/api/me/passkeys/{encoded(key.id)}"), 409, "last way in")
            assert (await phone.post("/api/me/password", json={"password": PASSWORD})).status_code == 200
            assert (await phone.delete(f"/api/me/passkeys/{encoded(key.id)}")).status_code == 204

    visit(url, story)


def test_a_person_adds_a_passkey_and_stays_signed_in(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client:
            options = (await client.post("/api/me/passkeys/options")).json()["options"]
            answer = await client.post(
                "/api/me/passkeys", json={"credential": Authenticator(PAGE).create(options), "label": "key"}
            )
            assert answer.json()["passkeys"] == 1
            assert (await client.delete("/api/me/password")).status_code == 204
            assert not (await client.get("/api/me")).json()["has_password"]

    visit(sqlite_url, story)


def test_where_passkeys_cannot_work_it_says_so(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.browser("http://192.168.1.5:8000") as client:
            assert not (await client.get("/api/me")).json()["can_use_passkeys"]
            assert refused(await client.post("/api/me/passkeys/options", json={}), 403, "forbidden")
            assert refused(await client.post("/api/sign-in/passkey/options"), 403, "forbidden")

    visit(sqlite_url, story)


def test_a_recovery_code_opens_the_door_once(url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as phone:
            codes = (await client.post("/api/me/recovery-codes")).json()["codes"]
            assert (await client.get("/api/me")).json()["recovery_codes"] == 10
            body = {"name": "Aiko", "code": codes[0]}
            assert (await phone.post("/api/sign-in/recovery", json=body)).json()["recovery_codes"] == 9
            assert refused(await phone.post("/api/sign-in/recovery", json=body), 401, "wrong credentials")

    visit(url, story)


def test_a_program_plays_as_a_bot_with_its_token(url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as program:
            made = await client.post("/api/me/bots", json={"name": "Robo"})
            assert made.status_code == 201
            bot = made.json()["id"]
            token = (await client.post(f"/api/me/bots/{bot}/tokens", json={"label": "at home"})).json()
            del program.headers["origin"]
            program.headers["authorization"] = f"Bearer {token['token']}"
            me = await program.get("/api/me")
            assert (me.json()["kind"], me.json()["name"]) == ("bot", "Robo")
            assert "set-cookie" not in me.headers
            assert (await program.patch("/api/me", json={"name": "Robo 2"})).json()["name"] == "Robo 2"
            listed = (await client.get("/api/me/bots")).json()["bots"]
            assert [each["label"] for each in listed[0]["tokens"]] == ["at home"]
            assert (await client.delete(f"/api/me/bots/{bot}/tokens/{token['id']}")).status_code == 204
            assert refused(await program.get("/api/me"), 401, "unauthorized")
            assert (await client.delete(f"/api/me/bots/{bot}")).status_code == 204
            assert (await client.get("/api/me/bots")).json() == {"bots": []}

    visit(url, story)


def test_a_token_does_not_change_accounts(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as program:
            bot = (await client.post("/api/me/bots", json={"name": "Robo"})).json()["id"]
            token = (await client.post(f"/api/me/bots/{bot}/tokens", json={"label": "at home"})).json()["token"]
            program.headers["authorization"] = f"Bearer {token}"
            for answer in (
                await program.delete("/api/me"),
                await program.post("/api/me/password", json={"password": PASSWORD}),
                await program.post("/api/me/bots", json={"name": "More"}),
                await program.post("/api/me/recovery-codes"),
                await program.get("/api/me/sessions"),
            ):
                assert refused(answer, 403, "forbidden")

    visit(sqlite_url, story)


def test_somebody_is_muted_and_heard_again(url: str) -> None:
    async def story(house: House) -> None:
        async with house.guest() as client, house.person("Mei") as other:
            loud = (await other.get("/api/me")).json()["id"]
            assert (await client.put(f"/api/me/mutes/{loud}")).status_code == 204
            assert (await client.get("/api/me/mutes")).json() == {"muted": [{"account": loud, "name": "Mei"}]}
            assert (await client.delete(f"/api/me/mutes/{loud}")).status_code == 204
            assert (await client.get("/api/me/mutes")).json() == {"muted": []}
            assert refused(await client.put("/api/me/mutes/999"), 404, "not found")
            assert (await client.put(f"/api/me/mutes/{10**30}")).status_code == 400
            assert (await client.put("/api/me/mutes/0")).status_code == 400

    visit(url, story)


def test_data_are_copied_and_then_erased(url: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as later:
            copy = await client.get("/api/me/data")
            assert "attachment" in copy.headers["content-disposition"]
            assert copy.json()["account"]["name"] == "Aiko"
            assert (await client.delete("/api/me")).status_code == 204
            assert COOKIE not in client.cookies
            answer = await later.post("/api/sign-in", json={"name": "Aiko", "password": PASSWORD})
            assert refused(answer, 401, "wrong credentials")

    visit(url, story)


def test_a_banned_browser_is_told_and_may_be_used_by_somebody_else(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        async with house.person("Mei"), house.guest() as client:
            me = (await client.get("/api/me")).json()["id"]
            await house.people.accounts.ban(me, now_ms() + 60_000, "shouting")
            assert refused(await client.get("/api/me"), 403, "banned")
            assert refused(await client.patch("/api/me", json={"name": "Other"}), 403, "banned")
            answer = await client.post("/api/sign-in", json={"name": "Mei", "password": PASSWORD})
            assert answer.json()["name"] == "Mei"

    visit(sqlite_url, story)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/sign-in", {}),
        ("/api/sign-in", {"name": "Aiko", "password": 7}),
        ("/api/sign-in", {"name": "Aiko", "password": "x", "admin": True}),
        ("/api/sign-in", {"name": "x" * 101, "password": "x"}),
        ("/api/sign-in/passkey", {"credential": []}),
        ("/api/me/passkeys", {"credential": {}, "label": ""}),
        ("/api/me/password", {"password": "", "name": "Aiko"}),
    ],
)
def test_bodies_that_are_not_as_documented_are_refused(sqlite_url: str, path: str, body: dict[str, Any]) -> None:
    async def story(house: House) -> None:
        async with house.guest() as client:
            assert (await client.post(path, json=body)).status_code == 400

    visit(sqlite_url, story)


@pytest.mark.parametrize("text", ["Ai\x00ko", "\x00", "Aiko\ud7ff", "ａ" * 100])
def test_odd_text_never_reaches_the_store_as_an_error(url: str, text: str) -> None:
    async def story(house: House) -> None:
        async with house.person() as client, house.browser() as other:
            bot = (await client.post("/api/me/bots", json={"name": "Robo"})).json()["id"]
            for answer in (
                await client.patch("/api/me", json={"name": text}),
                await client.post("/api/me/bots", json={"name": text}),
                await client.post(f"/api/me/bots/{bot}/tokens", json={"label": text[:80]}),
                await other.post("/api/sign-in", json={"name": text, "password": text}),
                await other.post("/api/sign-in/recovery", json={"name": text, "code": text}),
                await client.delete("/api/me/passkeys/%00%ff"),
            ):
                assert answer.status_code < 500, answer.text

    visit(url, story)


def test_a_guest_at_an_unfinished_table_is_warned_before_signing_in(sqlite_url: str) -> None:
    from tests.server.test_sessions import _seat

    async def story(house: House) -> None:
        async with house.person(), house.guest() as client:
            await _seat(house.people, (await client.get("/api/me")).json()["id"], "playing")
            body = {"name": "Aiko", "password": PASSWORD}
            assert refused(await client.post("/api/sign-in", json=body), 409, "still seated")
            assert (await client.post("/api/sign-in", json=body | {"leave": True})).status_code == 200

    visit(sqlite_url, story)


def test_everything_is_described(sqlite_url: str) -> None:
    async def story(house: House) -> None:
        described = document(house.app)
        assert len(described["paths"]) >= 20
        operations = [
            operation for path in described["paths"].values() for operation in path.values() if isinstance(operation, dict)
        ]
        assert all(
            operation["summary"] and operation["description"] and "429" in operation["responses"] for operation in operations
        )
        bodies = re.findall(r"schemas/(\w+)", str([(each["responses"], each.get("requestBody")) for each in operations]))
        assert set(bodies) - {"Problem"} <= {kind.__name__ for kind in EXAMPLES} <= set(described["components"]["schemas"])
        for path, methods in described["paths"].items():
            assert "{" not in path or all("404" in operation["responses"] for operation in methods.values())

    visit(sqlite_url, story)
