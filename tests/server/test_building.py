"""The whole process: what its parts tell each other, and what it says to those who do not belong here."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from tests.server.built import Visited, built
from tests.server.room import Guest, run
from zashiki.server import doors, schema
from zashiki.server.admin import desk
from zashiki.server.building import OtherSecrets
from zashiki.server.errors import Refused
from zashiki.server.http.headers import EVERYWHERE


async def me(client: httpx.AsyncClient) -> int:
    return int((await client.get("/api/me")).json()["id"])


async def table_of(client: httpx.AsyncClient, **wanted: Any) -> str:
    answer = await client.post("/api/tables", json={"game": "hanamikoji", **wanted})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


async def farewell(guest: Guest) -> tuple[str, int | None]:
    """With which words and which code a socket is closed."""
    goodbye = await guest.until(lambda message: message["type"] == "goodbye")
    await asyncio.wait_for(guest.task, 10)
    return goodbye["reason"], guest.code


# Starting


def test_a_server_with_other_secrets_is_refused_by_the_store(tmp_path: Path, postgres_url: str) -> None:
    async def main() -> None:
        async with built(tmp_path / "one", postgres_url):
            pass
        with pytest.raises(OtherSecrets, match=r"other secrets than .*two/secrets.json: copy theirs there"):
            async with built(tmp_path / "two", postgres_url):
                pass
        (tmp_path / "two" / "secrets.json").write_bytes((tmp_path / "one" / "secrets.json").read_bytes())
        async with built(tmp_path / "two", postgres_url):
            pass

    run(main())


def test_a_server_is_ready_while_it_runs_and_not_when_it_stops(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.browser() as client:
            ready = await client.get("/readyz")
            assert (ready.status_code, ready.json()["checks"]) == (200, {"running": True, "store": True, "schema": True})
            house.building.health.stopping = True
            assert (await client.get("/readyz")).status_code == 503

    run(main())


def test_sessions_that_nobody_used_for_long_are_forgotten(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest():
            old = update(schema.sessions).values(seen_at=0)
            await house.building.store.write(lambda connection: connection.execute(old).rowcount)
        async with built(tmp_path) as house:
            left = select(func.count()).select_from(schema.sessions)
            while await house.building.store.read(lambda connection: connection.execute(left).scalar_one()):
                await asyncio.sleep(0.01)

    run(main())


# Measures


def test_measures_tell_what_was_played(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            socket = house.socket(client)
            await socket.until(lambda message: message["type"] == "welcome")
            table = await table_of(client, bots={"1": "beginner"}, start=True, settings={"options": {"rounds": 1}})
            acted = await play_out(client, table)
            measured = (await client.get("/metrics")).text
            assert f'zashiki_actions_total{{game="hanamikoji"}} {acted}.0' in measured
            assert "zashiki_connections 1.0" in measured
            assert 'zashiki_tables{status="over"} 1.0' in measured
            assert 'route="/api/tables/{table_id}/act"' in measured
            assert "zashiki_store_group_seconds_count" in measured
            assert "zashiki_bot_queue 0.0" in measured
            await socket.leave()

    run(main())


async def play_out(client: httpx.AsyncClient, table: str) -> int:
    """Plays the first legal action until the match is over; how many that were."""
    for acted in range(100):
        while not (state := (await client.get(f"/api/tables/{table}")).json()).get("legal"):
            if state["status"] == "over":
                return acted
            await asyncio.sleep(0.005)
        answer = await client.post(f"/api/tables/{table}/act", json={"action": state["legal"][0]})
        assert answer.status_code == 200, answer.text
    raise AssertionError("the match does not end")


# Who does not belong here


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("POST", "/", 405),
        ("GET", "/nowhere.js", 404),
        ("GET", "/api/me", 200),
        ("GET", "/api/games", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/api/nowhere", 404),
        ("PUT", "/api/games", 405),
        ("OPTIONS", "/api/games", 204),
        ("GET", "/api/my/tables", 401),
        ("POST", "/api/sign-in", 400),
        ("GET", "/socket", 404),
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("GET", "/metrics", 200),
    ],
)
def test_every_answer_is_dressed(tmp_path: Path, method: str, path: str, status: int) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.browser() as client:
            answer = await client.request(method, path)
            assert answer.status_code == status
            assert [name for name, _ in EVERYWHERE if name.decode() not in answer.headers] == []
            assert {"x-request-id", "cache-control"} <= set(answer.headers)

    run(main())


def test_another_name_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.browser("http://evil.example") as client:
            for path in ("/", "/api/me", "/metrics"):
                answer = await client.get(path)
                assert (answer.status_code, answer.json()["code"]) == (421, "wrong host")
                assert "set-cookie" not in answer.headers
                assert answer.headers["x-frame-options"] == "DENY"

    run(main())


def test_a_socket_is_turned_away_that_nobody_of_ours_opens(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            foreign = house.socket(client, page="http://evil.example")
            rebound = house.socket(client, host="evil.example", page="http://evil.example")
            unknown = house.socket(token="zashiki_nobody")
            nobody = house.socket()
            for socket, status in ((foreign, 403), (rebound, 421), (unknown, 401), (nobody, 401)):
                await asyncio.wait_for(socket.task, 10)
                assert (socket.code, socket.inbox) == (status, [])
            ours = house.socket(client)
            welcome = await ours.until(lambda message: message["type"] == "welcome")
            assert welcome["account"] == await me(client)
            await ours.leave()

    run(main())


def test_a_change_from_a_foreign_page_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            answer = await client.post("/api/tables", json={"game": "kimono"}, headers={"origin": "http://evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong origin")

    run(main())


# Accounts that change


def test_whoever_is_banned_is_told_so_and_sent_away_with_all_programs(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.person("Aiko") as client:
            bot = (await client.post("/api/me/bots", json={"name": "Robo"})).json()["id"]
            token = (await client.post(f"/api/me/bots/{bot}/tokens", json={"label": "home"})).json()["token"]
            sockets = [house.socket(client), house.socket(token=token)]
            for socket in sockets:
                await socket.until(lambda message: message["type"] == "welcome")
            account = await me(client)
            async with desk(url) as administrator:
                await administrator.ban(account, days=1, reason="rude")
            assert [await farewell(socket) for socket in sockets] == [("banned", 1008)] * 2
            again = house.socket(client)
            await asyncio.wait_for(again.task, 10)
            assert again.code == 403

    run(main())


def test_whoever_signs_out_leaves_the_socket(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            socket = house.socket(client)
            await socket.until(lambda message: message["type"] == "welcome")
            assert (await client.post("/api/sign-out")).status_code == 204
            assert await farewell(socket) == ("signed out", 1008)

    run(main())


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_an_erased_name_disappears_from_tables_that_are_looked_at(tmp_path: Path, url: str, elsewhere: bool) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.guest("Aiko") as aiko, house.guest("Ben") as ben:
            watcher = house.socket(ben)
            table = await table_of(aiko)
            lobby = await watcher.ask(type="lobby")
            assert lobby["tables"][0]["seats"][0]["name"] == "Aiko"
            shown = await watcher.watch(table)
            assert shown["seats"][0]["name"] == "Aiko"
            await erase(aiko, url if elsewhere else None)
            nameless = await watcher.state_where(table, lambda state: bool(state["seats"][0]["name"] == "erased"))
            assert (nameless["version"], nameless["since"]) == (shown["version"], shown["version"])
            change = await watcher.until(lambda message: message["type"] in ("lobby change", "lobby") and message is not lobby)
            assert "Aiko" not in str(change)
            assert "Aiko" not in (await ben.get(f"/api/tables/{table}")).text
            assert (await watcher.ask(type="sit", table=table))["type"] == "state"
            await watcher.leave()

    run(main())


async def erase(client: httpx.AsyncClient, url: str | None) -> None:
    """Erases an account by its own wish, or at the administrator's desk, which is another process to the server."""
    if url is None:
        assert (await client.delete("/api/me")).status_code == 204
        return
    account = await me(client)
    async with desk(url) as administrator:
        await administrator.erase(account)


# Limits


def test_an_account_has_only_so_many_sockets(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path, limits=1) as house, house.guest() as client:
            sockets = [house.socket(client) for _ in range(doors.OF_AN_ACCOUNT)]
            for socket in sockets:
                await socket.until(lambda message: message["type"] == "welcome")
            one_more = house.socket(client)
            await asyncio.wait_for(one_more.task, 10)
            assert one_more.code == 429
            await sockets.pop().leave()
            instead = house.socket(client)
            await instead.until(lambda message: message["type"] == "welcome")
            for socket in (*sockets, instead):
                await socket.leave()

    run(main())


def test_an_address_has_only_so_many_sockets() -> None:
    crowd = doors.Doors(0.01)
    first = crowd.enter(1, "10.0.0.1")
    crowd.enter(2, "10.0.0.1")
    with pytest.raises(Refused, match="may be 2 for each address"):
        crowd.enter(3, "10.0.0.1")
    crowd.enter(3, "10.0.0.2")
    crowd.leave(first)
    crowd.enter(4, "10.0.0.1")


def test_an_address_opens_only_so_many_tables_whoever_asks(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path, limits=1 / 60) as house:
            answers = [await _table_from("10.0.0.9", house, f"10.0.1.{number}") for number in range(3)]
            assert [answer.status_code for answer in answers] == [201, 201, 429]
            assert "new tables: there may be 2 in 10 minutes for each address" in answers[2].json()["detail"]

    run(main())


async def _table_from(address: str, house: Visited, home: str) -> httpx.Response:
    """Somebody who became a guest at home opens a table from elsewhere."""
    async with house.guest(address=home) as client, house.browser(address=address) as here:
        here.cookies = client.cookies
        return await here.post("/api/tables", json={"game": "kimono"})


def test_an_account_subscribes_only_so_often(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path, limits=1 / 20) as house, house.guest() as client:
            point = (await client.get("/api/push")).json()["public_key"]
            keys = {"p256dh": point, "auth": "c2l4dGVlbiBieXRlcyBvaw"}
            wanted = {"endpoint": "http://localhost/no-push-service", "keys": keys}
            answers = [await client.post("/api/push/subscribe", json=wanted) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [422, 429]
            assert "push subscriptions" in answers[1].json()["detail"]

    run(main())
