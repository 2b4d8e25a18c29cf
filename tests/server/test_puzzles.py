"""Puzzles over HTTP: no more than the seat's view, and the answer only afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.built import built
from tests.server.room import run
from zashiki import GAMES
from zashiki.puzzles import puzzles


def test_a_puzzle_shows_no_more_than_its_seat_knows(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            for game in GAMES:
                puzzle = next(iter(puzzles(game).values()))
                shown = (await client.get(f"/api/puzzles/{game}/{puzzle.id}")).json()
                match = puzzle.match(GAMES[game])
                view = match.view(puzzle.seat)
                assert shown["view"] == view.to_json()
                assert shown["legal"] == view.legal(puzzle.seat)
                assert len(shown["events"]) == len(match.events(puzzle.seat))
                assert not {"seed", "answers", "actions", "exact"} & set(shown)

    run(main())


def test_an_answer_is_right_or_wrong_with_the_chances(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            puzzle = next(iter(puzzles("hanamikoji").values()))
            address = f"/api/puzzles/hanamikoji/{puzzle.id}"
            right, wrong = [await answered(client, address, answer.action) for answer in puzzle.answers[:2]]
            assert (right["right"], wrong["right"]) == (True, False)
            assert right["answers"] == wrong["answers"]
            assert right["exact"] is right["why"]["exact"] is True
            assert (await client.post(address, json={"action": 507})).status_code == 422
            assert (await client.get("/api/puzzles/hanamikoji/nothing")).status_code == 404

    run(main())


async def answered(client: Any, address: str, action: int) -> Any:
    return (await client.post(address, json={"action": action})).json()


def test_the_list_names_every_puzzle_and_todays(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            found = (await client.get("/api/puzzles")).json()
            assert len(found["puzzles"]) == sum(len(puzzles(game)) for game in GAMES)
            assert found["today"] in found["puzzles"]

    run(main())
