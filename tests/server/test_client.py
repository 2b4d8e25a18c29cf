"""The client keeps its place: nothing is asked twice, no event is lost, and every end has a reason."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.server.stub import OTHER, TABLE, Stub, running
from zashiki.client import Backoff, Client, Closed, Refused, TableSettings
from zashiki.client.state import State
from zashiki.server.messages import TableState


def client_of(stub: Stub, **more: Any) -> Client:
    return Client(stub.url, **{"timeout": 5.0, "backoff": Backoff(0.001, 0.01), **more})


def with_stub(test: Callable[[Stub, Client], Awaitable[None]], **more: Any) -> None:
    """Runs a test with a stub and a client of it."""

    async def main() -> None:
        async with running(Stub()) as stub, client_of(stub, **more) as client:
            await test(stub, client)

    asyncio.run(main())


def actions(state_or_log: Any) -> list[Any]:
    lines = state_or_log if isinstance(state_or_log, list) else state_or_log.events
    return [line.action for line in lines]


def test_importing_the_client_loads_no_server() -> None:
    code = "import sys, zashiki.client; sys.exit(any(name in sys.modules for name in ('litestar', 'sqlalchemy', 'numba')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_state_has_every_field_the_server_sends() -> None:
    assert set(State.__struct_fields__) == set(TableState.__struct_fields__)


def test_the_client_knows_who_it_is() -> None:
    async def test(stub: Stub, client: Client) -> None:
        assert (client.account, client.name) == (7, "Aki")
        await client.ping()

    with_stub(test)


def test_a_guest_stays_the_same_guest_on_every_connection() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["drop"]
        async with client.watch(TABLE) as seat:
            await seat.act(1)
        assert client.cookies == {"zashiki": "a-secret"}
        assert [socket.headers["cookie"] for socket in stub.opened] == ["zashiki=a-secret"] * 2
        assert len({socket.client for socket in stub.opened}) == 1

    with_stub(test)


def test_a_program_shows_its_token_and_needs_no_cookie() -> None:
    async def test(stub: Stub, client: Client) -> None:
        await client.create("hanamikoji")
        assert stub.opened[0].headers["authorization"] == "Bearer secret"
        assert stub.http_received[0][2]["authorization"] == "Bearer secret"
        assert [path for _, path, _, _ in stub.http_received] == ["/api/tables"]

    async def main() -> None:
        async with running(Stub()) as stub, client_of(stub, token="secret") as client:
            stub.http.append((201, {"table": TABLE}))
            await test(stub, client)

    asyncio.run(main())


def test_a_table_is_created_with_its_settings_and_bots() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.http.append((201, {"table": TABLE}))
        assert await client.create("hanamikoji", settings=TableSettings(private=True), bots={1: "club"}) == TABLE
        method, path, headers, body = stub.http_received[-1]
        assert (method, path) == ("POST", "/api/tables")
        assert headers["idempotency-key"].startswith(client.id)
        assert (headers["cookie"], headers["origin"]) == ("zashiki=a-secret", stub.url)
        assert b'"private":true' in body
        assert b'"bots":{"1":"club"}' in body

    with_stub(test)


def test_my_tables_are_read_page_by_page() -> None:
    async def test(stub: Stub, client: Client) -> None:
        table = {"game": "stub", "status": "playing", "seats": [], "settings": {}, "host": 7, "created_at": 0, "updated_at": 0}
        stub.http += [(200, {"tables": [{"id": TABLE, **table}], "next": "there"}), (200, {"tables": [{"id": OTHER, **table}]})]
        assert [info.id async for info in client.mine(waiting=True)] == [TABLE, OTHER]
        assert stub.http_received[-1][1] == "/api/my/tables?waiting=true&after=there"

    with_stub(test)


def test_http_waits_for_a_server_that_cannot_answer_yet() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.http += [(503, {}), (201, {"table": TABLE})]
        assert await client.create("hanamikoji") == TABLE
        keys = {headers["idempotency-key"] for _, path, headers, _ in stub.http_received if path == "/api/tables"}
        assert len(keys) == 1

    with_stub(test)


def test_a_refusal_over_http_has_its_code_and_reason() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.http.append((429, {"code": "too many", "detail": "20 tables an hour", "retry_after_ms": 60_000}))
        with pytest.raises(Refused, match="20 tables an hour") as refusal:
            await client.create("hanamikoji")
        assert (refusal.value.code, refusal.value.retry_after_ms) == ("too many", 60_000)
        stub.http.append((404, "from a proxy"))
        with pytest.raises(Refused, match="the server answered 404"):
            await client.create("hanamikoji")

    with_stub(test)


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_a_state_is_read_down_to_its_cards(encoding: str) -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            await seat.act({"type": "gift"})
            state = await anext(seat.states())
            assert state.view == {"cards": 1}
            assert (state.game, state.host, state.settings) == ("stub", 7, {"private": True})
            assert actions(state) == [{"type": "gift"}]
            assert state.my_turn
            assert not state.match_over

    with_stub(test, encoding=encoding)


def test_an_act_whose_answer_was_lost_is_asked_again_and_carried_out_once() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["carry out and drop", "drop", ""]
        async with client.watch(TABLE) as seat:
            done = await seat.act(5)
            assert done.repeated
            assert done.version == 1
        acts = [message["request"] for message in stub.received if message["type"] == "act"]
        assert len(acts) == 3
        assert len(set(acts)) == 1
        assert len(stub.logs[TABLE]) == 1

    with_stub(test)


def test_after_a_reconnect_the_table_goes_on_from_the_version_last_seen() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            states = seat.states()
            await seat.act(1)
            assert actions(await anext(states)) == [1]
            stub.append(TABLE, 2)
            stub.faults += ["carry out and drop"]
            await seat.act(3)
            assert actions(await anext(states)) == [2, 3]
        assert [message["version"] for message in stub.received if message["type"] == "watch"] == [None, 1]

    with_stub(test)


def test_a_slow_reader_gets_the_newest_state_with_every_event_in_order() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            states = seat.states()
            assert (await anext(states)).version == 0
            for action in range(5):
                await seat.act(action)
            await client.ping()
            newest = await anext(states)
            assert (newest.since, newest.version) == (0, 5)
            assert actions(newest) == [0, 1, 2, 3, 4]
            assert newest.view == {"cards": 5}

    with_stub(test)


def test_a_gap_is_mended_by_asking_again() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            for action in range(3):
                stub.append(TABLE, action)
            await stub.show(stub.sockets[0], TABLE, since=2)
            await client.ping()
            stub.sockets[0].watching[TABLE] = 0
            await client.ping()
            assert actions(seat.log) == [0, 1, 2]
        watches = [message["version"] for message in stub.received if message["type"] == "watch"]
        assert watches == [None, None]

    with_stub(test)


def test_an_older_state_than_the_one_seen_is_not_shown() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            await seat.act(1)
            await seat.act(2)
            await stub.show(stub.sockets[0], TABLE, since=0, upto=1)
            await stub.show(stub.sockets[0], TABLE, since=0)
            await client.ping()
            assert actions(seat.log) == [1, 2]
            assert seat.state.version == 2

    with_stub(test)


def test_a_refusal_raises_with_its_code_and_reason() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["refuse illegal action"]
        async with client.watch(TABLE) as seat:
            with pytest.raises(Refused, match="because") as refusal:
                await seat.act(9)
        assert refusal.value.code == "illegal action"

    with_stub(test)


def test_a_request_is_asked_again_under_its_number_while_the_store_is_away() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["refuse unavailable"] * 3
        async with client.watch(TABLE) as seat:
            assert (await seat.act(4)).version == 1
        acts = [message["request"] for message in stub.received if message["type"] == "act"]
        assert len(acts) == 4
        assert len(set(acts)) == 1

    with_stub(test)


def test_a_client_without_patience_hears_every_refusal() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["refuse unavailable"]
        stub.http.append((503, {"code": "unavailable", "detail": "just now"}))
        async with client.watch(TABLE) as seat:
            with pytest.raises(Refused, match="because"):
                await seat.act(4)
        with pytest.raises(Refused, match="just now"):
            await client.create("hanamikoji")

    with_stub(test, patient=False)


def test_who_may_not_watch_any_more_is_told_why() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            states = seat.states()
            await anext(states)
            await stub.sockets[0].tell(type="refused", request=None, table=TABLE, code="forbidden", reason="no spectators")
            with pytest.raises(Refused, match="no spectators"):
                await anext(states)

    with_stub(test)


def test_a_decision_is_given_once_and_again_when_its_action_was_refused() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.faults += ["", "refuse illegal action", ""]
        given, refused = [], 0
        async with client.watch(TABLE) as seat:
            async for state in seat.decisions():
                given.append((state.version, actions(state)))
                if len(given) == 3:
                    stub.status = "over"
                try:
                    await seat.act(state.version)
                except Refused:
                    refused += 1
        assert given == [(0, []), (1, [0]), (1, [])]
        assert refused == 1

    with_stub(test)


def test_an_act_is_meant_for_the_state_it_answers() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            await seat.act(1)
            await client.ping()
            await seat.act(2)
            await seat.act(3, version=0)
        assert [message["version"] for message in stub.received if message["type"] == "act"] == [0, 1, 0]

    with_stub(test)


def test_two_tables_are_kept_apart() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as one, client.watch(OTHER) as other:
            await asyncio.gather(one.act(1), other.act(2))
            await client.ping()
            assert (actions(one.log), actions(other.log)) == ([1], [2])
            with pytest.raises(ValueError, match="already"):
                async with client.watch(TABLE):
                    pass

    with_stub(test)


def test_a_table_that_is_unknown_is_refused_when_one_looks_at_it() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.refuse_watch.append({"code": "unknown table", "reason": "there is no such table"})
        with pytest.raises(Refused, match="no such table"):
            async with client.watch(TABLE):
                pass
        async with client.watch(TABLE):
            pass

    with_stub(test)


def test_looking_at_a_table_is_tried_again_while_the_store_is_away() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.refuse_watch += [{"code": "unavailable", "reason": "just now", "retry_after_ms": 1}] * 3
        async with client.watch(TABLE) as seat:
            assert seat.state.version == 0

    with_stub(test)


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("reason", ["banned", "signed out", "malformed"])
def test_a_client_that_is_not_wanted_does_not_come_again(reason: str, said: bool) -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            waiting = asyncio.create_task(seat.talk("not answered"))
            await client.ping()
            if said:
                await stub.sockets[0].tell(type="goodbye", reason=reason)
            await stub.sockets[0].close("" if said else reason)
            with pytest.raises(Closed, match=reason):
                await waiting
            with pytest.raises(Closed, match=reason):
                await client.ping()
        assert len(stub.opened) == 1

    with_stub(test)


@pytest.mark.parametrize("reason", ["restart", "too slow", "too many"])
def test_a_client_that_may_come_again_does(reason: str) -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            await stub.sockets[0].tell(type="goodbye", reason=reason)
            await stub.sockets[0].close()
            await seat.act(1)
        assert len(stub.opened) == 2

    with_stub(test)


def test_a_server_that_is_full_is_asked_again_later() -> None:
    async def test(stub: Stub, client: Client) -> None:
        stub.reject += [(503, {}), (429, {})]
        await stub.sockets[0].close()
        await client.ping()
        assert len(stub.opened) == 2

    with_stub(test)


def test_a_wrong_token_is_refused_at_once() -> None:
    async def main() -> None:
        async with running(Stub()) as stub:
            stub.reject.append((401, {"code": "unauthorized", "detail": "this token was revoked"}))
            with pytest.raises(Refused, match="revoked") as refusal:
                async with client_of(stub, token="old"):
                    pass
            assert refusal.value.code == "unauthorized"

    asyncio.run(main())


def test_a_request_without_answer_runs_out_of_patience() -> None:
    async def test(stub: Stub, client: Client) -> None:
        with pytest.raises(TimeoutError):
            async with client.watch(TABLE) as seat:
                await seat.talk("not answered")

    with_stub(test, timeout=0.2)


def test_nobody_at_that_address_is_a_timeout() -> None:
    async def main() -> None:
        async with running(Stub()) as stub:
            client = client_of(stub, token="secret", timeout=0.2)
        with pytest.raises(TimeoutError):
            async with client:
                pass

    asyncio.run(main())


def test_closing_wakes_whoever_waits() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            states = seat.states()
            await anext(states)
            waiting = [asyncio.create_task(seat.talk("not answered")), asyncio.ensure_future(anext(states))]
            await client.ping()
            await client.close()
            for task in waiting:
                with pytest.raises(Closed):
                    await task

    with_stub(test)


def test_who_looks_away_is_told_no_more() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            pass
        await client.ping()
        assert stub.sockets[0].watching == {}
        with pytest.raises(Closed, match="no more"):
            await anext(seat.heard())

    with_stub(test)


def test_a_line_of_talk_that_comes_twice_is_heard_once() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            heard = seat.heard()
            first = asyncio.ensure_future(anext(heard))
            await asyncio.sleep(0)
            for number in (1, 1, 2):
                line = {"number": number, "account": 8, "name": "Bea", "at": 0, "text": f"line {number}"}
                await stub.sockets[0].tell(type="talk", table=TABLE, **line)
            assert (await first).text == "line 1"
            assert (await anext(heard)).text == "line 2"

    with_stub(test)


def test_the_lobby_follows_tables_that_come_and_go() -> None:
    async def test(stub: Stub, client: Client) -> None:
        table = {"id": TABLE, "game": "stub", "status": "waiting", "seats": [], "settings": {}, "host": 7}
        async with client.lobby() as lobby:
            changes = lobby.changes()
            assert await anext(changes) == {}
            await stub.sockets[0].tell(type="lobby change", table={**table, "created_at": 0, "updated_at": 0})
            assert list(await anext(changes)) == [TABLE]
            await stub.sockets[0].tell(type="lobby change", gone=TABLE)
            assert await anext(changes) == {}
            await stub.sockets[0].close()
            assert await anext(changes) == {}
            await client.ping()
        assert [message["on"] for message in stub.received if message["type"] == "lobby"] == [True, True]

    with_stub(test)


def test_a_table_that_waits_for_us_is_told() -> None:
    async def test(stub: Stub, client: Client) -> None:
        await stub.sockets[0].tell(type="your turn", table=OTHER, game="kasane")
        assert (await anext(client.turns())).table == OTHER

    with_stub(test)


def test_who_is_connected_is_told_without_a_new_state() -> None:
    async def test(stub: Stub, client: Client) -> None:
        async with client.watch(TABLE) as seat:
            await stub.sockets[0].tell(type="present", table=TABLE, seats=[0, 1])
            await client.ping()
            assert seat.present == [0, 1]

    with_stub(test)


def test_a_message_from_a_newer_server_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    async def test(stub: Stub, client: Client) -> None:
        with caplog.at_level(logging.WARNING, "zashiki.client"):
            await stub.sockets[0].tell(type="fireworks")
            await client.ping()
        assert "not understood" in caplog.text

    with_stub(test)


def test_waits_grow_stay_bounded_and_differ() -> None:
    backoff = Backoff(1.0, 8.0)
    waits = [backoff.next() for _ in range(6)]
    for wait, most in zip(waits, [1, 2, 4, 8, 8, 8], strict=True):
        assert most / 2 <= wait <= most
    assert len(set(waits)) == 6
    backoff.reset()
    assert backoff.next() <= 1


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://host", "http://"])
def test_a_wrong_address_is_said_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="looks like"):
        Client(url)


def test_the_socket_has_the_same_address() -> None:
    assert Client("https://cards.example").http.socket_address == "wss://cards.example"
    assert Client("http://[::1]:8000/cards/").http.socket_address == "ws://[::1]:8000/cards"
