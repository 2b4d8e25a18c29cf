"""Tables over HTTP: decode, ask the house, send what it says."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.server.http_house import AIKO, COOKIE, OVER, SECRET, TABLE, FakeHouse, app, call
from zashiki.server import messages
from zashiki.server.errors import Refused
from zashiki.server.settings import MoveClock


def table(rest: str = "") -> str:
    return f"/api/tables/{TABLE}{rest}"


def test_a_table_is_made_with_its_settings_and_told_where_it_is() -> None:
    house = FakeHouse()
    body = {"game": "hanamikoji", "settings": {"clock": {"type": "move", "seconds": 60}}, "bots": {"1": "club"}}
    answer = call(app(house), "POST", "/api/tables", json=body, headers={**COOKIE, "idempotency-key": "first"})
    assert (answer.status_code, answer.json(), answer.headers["location"]) == (201, {"table": TABLE}, table())
    ((new, key),) = house.made
    assert (new.settings.clock, new.bots, key) == (MoveClock(seconds=60), {1: "club"}, "first")


@pytest.mark.parametrize(
    ("path", "body", "wanted"),
    [
        ("/sit", None, messages.Sit(request=0, table=TABLE)),
        ("/sit", {"seat": 1, "bot": "club"}, messages.Sit(request=0, table=TABLE, seat=1, bot="club")),
        ("/stand", {"seat": 1}, messages.Stand(request=0, table=TABLE, seat=1)),
        ("/start", None, messages.Start(request=0, table=TABLE)),
        ("/act", {"action": 12, "version": 4}, messages.Act(request=0, table=TABLE, action=12, version=4)),
        ("/act", {"action": {"type": "pass"}}, messages.Act(request=0, table=TABLE, action={"type": "pass"})),
        ("/resign", None, messages.Resign(request=0, table=TABLE)),
        ("/take-back", None, messages.TakeBack(request=0, table=TABLE)),
        ("/take-back", {"answer": "refuse"}, messages.TakeBack(request=0, table=TABLE, answer="refuse")),
        ("/rematch", {"agree": False}, messages.Rematch(request=0, table=TABLE, agree=False)),
        ("/close", None, messages.Close(request=0, table=TABLE)),
        ("/talk", {"text": "good luck!"}, messages.Talk(request=0, table=TABLE, text="good luck!")),
    ],
)
def test_a_request_reaches_the_house_as_the_socket_would_send_it(path: str, body: Any, wanted: messages.TableRequest) -> None:
    house = FakeHouse()
    sent = {} if body is None else {"json": body}
    answer = call(app(house), "POST", table(path), **sent)
    assert answer.status_code == 200
    assert msgspec.json.decode(answer.content, type=messages.Done) == messages.Done(request=0, table=TABLE, version=1)
    assert house.asked == [(wanted, None)]


def test_the_idempotency_key_goes_to_the_house() -> None:
    house = FakeHouse()
    call(app(house), "POST", table("/start"), headers={**COOKIE, "Idempotency-Key": "once-only"})
    assert [key for _, key in house.asked] == ["once-only"]


@pytest.mark.parametrize("key", ["", "two words", "k" * 65, "\x07"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    answer = call(app(), "POST", table("/start"), headers={**COOKIE, "Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_table_is_shown_as_the_house_shows_it() -> None:
    answer = call(app(), "GET", table("?since=2"))
    state = msgspec.json.decode(answer.content, type=messages.TableState)
    assert (state.table, state.since, state.view, state.legal) == (TABLE, 2, {"round_number": 1}, [0, 1, 2])
    assert state.events[0].action == {"type": "secret", "card": None}
    assert answer.headers["cache-control"] == "no-store"


def test_a_program_is_known_by_its_token() -> None:
    assert call(app(), "GET", table(), headers={"authorization": f"Bearer {SECRET}"}).status_code == 200


def test_whoever_is_nobody_sees_open_tables_but_no_table() -> None:
    application = app()
    assert call(application, "GET", "/api/tables", headers={}).status_code == 200
    answer = call(application, "GET", table(), headers={})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("table_id", ["short", "x" * 17, "x" * 4000, "aaaaaaaaaaaaaaa%00", "aaaaaaaaaaaaaaa%C3%A4"])
def test_what_cannot_be_an_id_is_an_unknown_table_and_no_question_for_the_house(table_id: str) -> None:
    house = FakeHouse()
    house.broken = AssertionError("the house was asked")
    answer = call(app(house), "GET", f"/api/tables/{table_id}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown table")


def test_pages_go_on_where_the_last_one_ended_and_miss_nothing() -> None:
    house, found, query = FakeHouse(), [], "?limit=3"
    application = app(house)
    while True:
        page = call(application, "GET", f"/api/tables{query}").json()
        found += [each["id"] for each in page["tables"]]
        if page["next"] is None:
            break
        query = f"?limit=3&after={page['next']}"
    assert found == [each.id for each in house.tables]


def test_talk_goes_back_in_pages() -> None:
    application = app()
    first = call(application, "GET", table("/talk?limit=3")).json()
    rest = call(application, "GET", table(f"/talk?limit=3&after={first['next']}")).json()
    assert [line["number"] for line in first["lines"] + rest["lines"]] == [5, 4, 3, 2, 1]
    assert rest["next"] is None


@pytest.mark.parametrize("after", ["nonsense", "W10", "WzEsMl0", "eyJhIjoxfQ", "%00", "W1tbW1tbW1s", "=="])
def test_a_made_up_cursor_is_refused(after: str) -> None:
    answer = call(app(), "GET", f"/api/tables?after={after}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many", "9999999999999999999999"])
def test_a_page_has_its_bounds(limit: str) -> None:
    assert call(app(), "GET", f"/api/tables?limit={limit}").status_code == 400


def test_open_tables_of_an_unknown_game_are_refused() -> None:
    assert call(app(), "GET", "/api/tables?game=hanamikoji").json()["tables"]
    assert call(app(), "GET", "/api/tables?game=kimono").json()["tables"] == []
    assert call(app(), "GET", "/api/tables?game=chess").json()["code"] == "unknown game"


def test_my_tables_can_be_those_that_wait_for_me() -> None:
    application = app()
    assert len(call(application, "GET", "/api/my/tables").json()["tables"]) == 7
    assert len(call(application, "GET", "/api/my/tables?waiting=true").json()["tables"]) == 1


def test_a_match_can_be_saved_once_it_is_over() -> None:
    application = app()
    assert call(application, "GET", table("/match")).json()["code"] == "not over"
    saved = call(application, "GET", f"/api/tables/{OVER}/match")
    assert saved.json()["format"] == "zashiki match 1"
    assert saved.headers["content-disposition"] == 'attachment; filename="match.zashiki.json"'


def test_a_refusal_of_the_house_is_a_problem_with_its_status() -> None:
    house = FakeHouse()
    house.broken = Refused("too many", "3 tables a minute, and you have made them", retry_after_ms=12_300)
    answer = call(app(house), "POST", table("/start"))
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "13")
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem.pop("request_id") == answer.headers["x-request-id"]
    assert problem == {
        "title": "Too Many Requests",
        "status": 429,
        "detail": "3 tables a minute, and you have made them",
        "code": "too many",
        "retry_after_ms": 12_300,
    }


def test_the_house_hears_who_asks() -> None:
    heard = []

    class Listening(FakeHouse):
        async def create(self, account: Any, wanted: messages.NewTable, key: str | None, address: str | None) -> str:
            heard.append(account)
            return TABLE

    call(app(Listening()), "POST", "/api/tables", json={"game": "hanamikoji"})
    assert heard == [AIKO]
