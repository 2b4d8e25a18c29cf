"""Looking through a match that is over: at a table, and from a saved file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.server.built import built
from tests.server.http_house import COOKIE, OVER, TABLE, app, call
from tests.server.room import opened, run
from tests.server.rows import event
from tests.server.test_building import play_out, table_of
from zashiki import Match
from zashiki.core.saved import read as read_file
from zashiki.server import replays
from zashiki.server.errors import Refused
from zashiki.server.limits import RULES
from zashiki.server.log import Kind, standing
from zashiki.server.replays import Replay, read_match, replay

ONE_ROUND = {"options": {"rounds": 1}}


def played(game: str = "hanamikoji", seats: int = 2, moves: int = 1000, **options: Any) -> Match:
    """A match of random moves."""
    match, chance = Match(game, seats, options=options, seed=4), random.Random(4)
    while not match.over and len(match.history) < moves:
        seat = chance.choice(match.to_act)
        match.play(seat, chance.choice(match.legal_actions(seat).numbers))
    return match


def folded(told: dict[str, Any]) -> dict[str, Any]:
    """The view at the end, put together as a client does."""
    view = dict(told["steps"][0]["view"])
    for step in told["steps"][1:]:
        view |= step.get("changed", {})
    return view


# Without a server


def test_a_replay_tells_names_times_and_how_it_ended() -> None:
    match = played(rounds=1)
    told = replay(match, None, ["Aiko", None], range(100, 100 + len(match.history)))
    assert (told.game, told.seats, told.options) == ("hanamikoji", ["Aiko", None], {"rounds": 1})
    assert [step.at for step in told.steps] == [None, *range(100, 100 + len(match.history))]
    assert told.outcome is not None
    assert match.outcome is not None
    assert tuple(told.outcome.winners) == match.outcome.winners
    assert told.scores == match.state.points().tolist()


def test_of_a_match_that_was_not_finished_nobody_has_won() -> None:
    told = replay(played(moves=5), 0)
    assert (told.outcome, len(told.steps), told.seats) == (None, 6, [None, None])


def test_only_the_first_step_has_the_whole_view() -> None:
    told = msgspec.json.decode(msgspec.json.encode(replay(played(), 1)))
    assert ["view" in step for step in told["steps"]] == [True] + [False] * (len(told["steps"]) - 1)
    assert "changed" not in told["steps"][0]
    assert folded(told) == played().view(1).to_json()


def test_a_very_long_match_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_MOVES", 5)
    with pytest.raises(Refused, match="this match has 6 moves, too many to be told again: at most 5"):
        replay(played(moves=6), None)


def test_actions_that_were_taken_back_do_not_stand() -> None:
    log = [event("t", 1, seat=0, action=5), event("t", 2, seat=1, action=6), event("t", 3, Kind.TAKE_BACK, seat=1, action=1)]
    assert standing(log) == log[:1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"digest": "0" * 64}, "do not lead to the state it was saved in"),
        ({"actions": [(0, 0), (0, 0)]}, "this match was never played like that"),
        ({"actions": [(2**70, -(2**70))]}, "this match was never played like that"),
        ({"rules": 99}, "was played by version 99 of the rules of Hanamikoji"),
        ({"game": "chess"}, "cannot be played here"),
        ({"format": "zashiki match 0"}, "is not written as 'zashiki match 1'"),
        ({"seats": 9}, "never played like that: Hanamikoji is played by 2"),
    ],
)
def test_a_file_that_was_changed_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    file = msgspec.structs.replace(read_file(played().save()), **change)
    with pytest.raises(Refused, match=words) as caught:
        read_match(file)
    assert caught.value.code == "wrong match"


# Over HTTP


@pytest.mark.parametrize(("word", "eyes"), [("all", None), ("0", 0), ("5", 5)])
def test_eyes_are_a_seat_or_all(word: str, eyes: int | None) -> None:
    assert call(app(), "GET", f"/api/tables/{OVER}/replay?eyes={word}").json() == {"eyes": eyes}
    assert call(app(), "GET", f"/api/tables/{OVER}/replay").json() == {"eyes": None}


@pytest.mark.parametrize(("accepted", "sent"), [("gzip, br", "gzip"), ("br", None), ("gzip;q=0", None)])
def test_a_replay_is_compressed_for_whoever_takes_that(accepted: str, sent: str | None) -> None:
    answer = call(app(), "GET", f"/api/tables/{OVER}/replay", headers={**COOKIE, "accept-encoding": accepted})
    assert (answer.headers.get("content-encoding"), answer.headers["vary"]) == (sent, "accept-encoding")
    assert answer.json() == {"eyes": None}


@pytest.mark.parametrize("word", ["", "-1", "10", "ALL", "0 ", "seat"])
def test_other_words_are_no_eyes(word: str) -> None:
    assert call(app(), "GET", f"/api/tables/{OVER}/replay", params={"eyes": word}).status_code == 400


def test_a_match_that_goes_on_is_not_told_again() -> None:
    assert call(app(), "GET", f"/api/tables/{TABLE}/replay").json()["code"] == "not over"


def test_a_file_of_other_fields_or_too_long_is_refused() -> None:
    file = msgspec.to_builtins(read_file(played().save()))
    assert call(app(), "POST", "/api/replay", json=file).json() == {"game": "hanamikoji", "eyes": None}
    assert call(app(), "POST", "/api/replay", json={**file, "more": 1}).status_code == 400
    assert call(app(), "POST", "/api/replay", json={**file, "actions": [[0, 1]] * 20_000}).status_code == 413


# The whole server


async def told_again(client: httpx.AsyncClient, table: str, eyes: str) -> dict[str, Any]:
    answer = await client.get(f"/api/tables/{table}/replay", params={"eyes": eyes})
    assert answer.status_code == 200, answer.text
    msgspec.json.decode(answer.content, type=Replay)
    found: dict[str, Any] = answer.json()
    return found


def test_a_finished_match_is_told_again_at_its_table_and_from_its_file(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest("Aiko") as client:
            table = await table_of(client, bots={"1": "beginner"}, start=True, settings=ONE_ROUND)
            refused = await client.get(f"/api/tables/{table}/replay")
            assert (refused.status_code, refused.json()["code"]) == (409, "not over")
            await play_out(client, table)
            file = (await client.get(f"/api/tables/{table}/match")).json()
            for eyes in ("0", "1", "all"):
                told = await told_again(client, table, eyes)
                assert told["seats"] == ["Aiko", "Haru"]
                assert len(told["steps"]) == len(file["actions"]) + 1
                assert all(step["at"] > 0 for step in told["steps"][1:])
                again = (await client.post("/api/replay", params={"eyes": eyes}, json=file)).json()
                for step in told["steps"]:
                    step.pop("at", None)
                assert again == told | {"seats": [None, None]}
            state = (await client.get(f"/api/tables/{table}")).json()
            assert folded(await told_again(client, table, "0")) == state["view"]
            assert (told["outcome"], told["scores"]) == (state["outcome"], state["scores"])

    run(main())


def test_there_are_no_eyes_of_a_seat_that_the_match_does_not_have(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            file = msgspec.to_builtins(read_file(played().save()))
            answer = await client.post("/api/replay?eyes=2", json=file)
            assert (answer.status_code, answer.json()["detail"]) == (400, "this match has seats 0 to 1, there is no seat 2")
            answer = await client.post("/api/replay", json=file | {"digest": "0" * 64})
            assert (answer.status_code, answer.json()["code"]) == (422, "wrong match")

    run(main())


def test_whoever_may_not_watch_may_not_read_it_later(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client, house.guest() as stranger:
            settings = ONE_ROUND | {"spectators": False}
            table = await table_of(client, bots={"1": "beginner"}, start=True, settings=settings)
            await play_out(client, table)
            assert (await stranger.get(f"/api/tables/{table}/replay")).status_code == 403

    run(main())


def test_a_match_that_was_given_up_ends_as_the_table_has_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            table = await table_of(client, bots={"1": "beginner"}, start=True)
            await client.post(f"/api/tables/{table}/resign")
            told = await told_again(client, table, "0")
            assert told["outcome"] == {"winners": [1], "reason": "resigned"}

    run(main())


def test_what_was_taken_back_is_no_step(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client, house.guest() as other:
            table = await table_of(client, game="kasane", seats=2)
            await other.post(f"/api/tables/{table}/sit")
            assert (await client.post(f"/api/tables/{table}/start")).status_code == 200
            states = [(await browser.get(f"/api/tables/{table}")).json() for browser in (client, other)]
            first, second = (client, other) if states[0].get("legal") else (other, client)
            legal = next(state["legal"] for state in states if state.get("legal"))
            await first.post(f"/api/tables/{table}/act", json={"action": legal[0]})
            await first.post(f"/api/tables/{table}/take-back")
            await second.post(f"/api/tables/{table}/take-back", json={"answer": "agree"})
            await first.post(f"/api/tables/{table}/act", json={"action": legal[-1]})
            for browser in (client, other):
                await browser.post(f"/api/tables/{table}/close")
            told = await told_again(client, table, "all")
            last = (await client.get("/api/games/kasane/actions")).json()["actions"][legal[-1]]
            assert [step.get("action") for step in told["steps"]] == [None, last]
            assert told["outcome"] is None

    run(main())


def test_too_many_replays_are_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path, limits=1) as house, house.guest() as client:
            file = msgspec.to_builtins(read_file(played(moves=1).save()))
            many = next(rule.many for rule in RULES if rule.name == "replays")
            # A new minute may begin meanwhile.
            answers = [(await client.post("/api/replay", json=file)).status_code for _ in range(2 * many + 1)]
            assert set(answers[:many]) == {200}
            assert 429 in answers

    run(main())


def test_kawaii_live_is_told_with_claims_and_what_time_did(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            account = await room.account("Aki")
            file = read_file(played("kawaii", 3, 400, pace="live").save())
            told = msgspec.json.decode(await room.service.replay_file(account, file, 0))
            assert len(told["steps"]) == len(file.actions) + 1
            assert any(step.get("seat") == 7 for step in told["steps"])
            silent = [step for step in told["steps"][1:] if "seat" not in step]
            assert silent
            assert any(step.get("revealed") for step in told["steps"])

    run(main())
