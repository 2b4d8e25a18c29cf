"""The comparison has teeth: each leak that is planted here is caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from tests.secrecy.lockstep import Difference, Sitting, compare
from tests.secrecy.sittings import DAYS
from zashiki.core.match import Entry, Event, told
from zashiki.server import lobby, messages, pictures
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.pictures import Pictures
from zashiki.server.service import Service
from zashiki.server.table import Table

CARDS = Sitting("hanamikoji", 2, clock=DAYS, steps=40)
VOTES = Sitting("kimono", 4, steps=60, onlookers=2)
TASTES = Sitting("kawaii", 3, steps=60)
CLAIMS = Sitting("kawaii", 3, {"pace": "live"}, clock=DAYS, steps=120)

Patch = Any
LEAKS: dict[str, tuple[Sitting, Callable[[], Patch]]] = {}


def leak(sitting: Sitting) -> Callable[[Callable[[], Patch]], Callable[[], Patch]]:
    """Lists a leak with a match in which it shows."""

    def listed(plant: Callable[[], Patch]) -> Callable[[], Patch]:
        LEAKS[plant.__name__.replace("_", " ")] = (sitting, plant)
        return plant

    return listed


def beside_the_view(found: Callable[[Table, int], Any]) -> Patch:
    """Something more in every state message of a match."""
    drawn = Pictures._drawn

    def leaking(self: Pictures, seat: int) -> bytes:
        text = drawn(self, seat)
        return text if self.table.match is None else text[:-1] + b',"more":%s}' % msgspec.json.encode(found(self.table, seat))

    return patch.object(Pictures, "_drawn", leaking)


@leak(CARDS)
def the_coming_card() -> Patch:
    return beside_the_view(lambda table, seat: table.match and table.match.state.records["deck"][0].tolist())


@leak(CARDS)
def the_legal_actions_of_another_seat() -> Patch:
    return beside_the_view(lambda table, seat: table.match and table.match.state.legal(1 - max(seat, 0)))


@leak(TASTES)
def points_with_hidden_ones() -> Patch:
    return beside_the_view(lambda table, seat: table.match and table.match.scores())


@leak(CLAIMS)
def who_may_act_in_truth() -> Patch:
    return beside_the_view(lambda table, seat: table.bits)


@leak(CLAIMS)
def how_many_moves_were_made() -> Patch:
    return beside_the_view(lambda table, seat: table.match and len(table.match.history))


@leak(CLAIMS)
def when_the_server_looks_again() -> Patch:
    return beside_the_view(lambda table, seat: table.last_ticks)


@leak(CARDS)
def the_seed() -> Patch:
    first_frame = Pictures.first_frame

    def leaking(self: Pictures, *arguments: Any) -> bytes:
        return first_frame(self, *arguments)[:-1] + b',"seed":"%s"}' % self.table.seed.encode()

    return patch.object(Pictures, "first_frame", leaking)


@leak(CLAIMS)
def the_number_in_the_log_for_a_version() -> Patch:
    drawn = Pictures._drawn

    def leaking(self: Pictures, seat: int) -> bytes:
        return re.sub(rb'"version":\d+', b'"version":%d' % self.table.number, drawn(self, seat))

    return patch.object(Pictures, "_drawn", leaking)


@leak(CLAIMS)
def the_number_in_the_log_in_an_answer() -> Patch:
    return patch.object(Table, "version", lambda self, seat: self.number)


@leak(CLAIMS)
def the_number_in_the_log_for_a_decision() -> Patch:
    decided = Pictures._decided
    return patch.object(Pictures, "_decided", lambda self, seat, version, legal: decided(self, seat, self.table.number, legal))


@leak(CLAIMS)
def the_moment_of_the_last_event_in_the_clock() -> Patch:
    def leaking(table: Table) -> bytes:
        return b',"clock":{"at":%d,"left":[],"running":[]}' % table.last_at

    return patch.object(pictures, "_clock", leaking)


@leak(CLAIMS)
def the_moment_of_the_last_event_in_a_list() -> Patch:
    table_info = pictures.table_info
    return patch.object(lobby, "table_info", lambda table, at, **fields: table_info(table, table.last_at, **fields))


@leak(CLAIMS)
def a_message_for_what_is_silent() -> Patch:
    show = House.show

    def leaking(self: House, live: LiveTable, asker: Any = None, request: int = 0) -> None:
        for watcher, watching in live.watchers.items():
            if watcher is not asker and not watcher.paused and live.table.told[watching.seat] == watching.version:
                watcher.show(b"{" + live.pictures.frame(watching.seat, watching.version))
        show(self, live, asker, request)

    return patch.object(House, "show", leaking)


@leak(CARDS)
def a_hidden_action_in_the_log() -> Patch:
    return patch.object(pictures, "told", _unveiled)


@leak(VOTES)
def a_sealed_vote_in_the_log() -> Patch:
    return patch.object(pictures, "told", _unveiled)


def _unveiled(game: Any, seat: int, entry: Entry) -> Event | None:
    return told(game, seat, entry) and Event(entry.seat, game.vocabulary[entry.action])


@leak(CLAIMS)
def a_refusal_that_knows_who_may_act() -> Patch:
    def leaking(self: Table, seat: int, number: int) -> Refused:
        return Refused("illegal action", f"not now; seats {self.match and self.match.to_act} may act")

    return patch.object(Table, "_refusal", leaking)


@leak(CARDS)
def a_refusal_that_knows_a_hand() -> Patch:
    def leaking(self: Table, seat: int, number: int) -> Refused:
        hands = self.match and self.match.state.records["hands"][0].tolist()
        return Refused("illegal action", f"not with these cards: {hands}")

    return patch.object(Table, "_refusal", leaking)


@leak(CLAIMS)
def a_memory_of_requests_that_all_share() -> Patch:
    def remember(self: Table, account: int, request: str, number: int) -> None:
        kept = self.requests.setdefault(0, {})
        kept[request] = number
        if len(kept) > 4:
            del kept[next(iter(kept))]

    return patch.multiple(Table, _remember=remember, has_done=lambda self, account, key: key in self.requests.get(0, ()))


@leak(CARDS)
def a_notification_that_tells_a_card() -> Patch:
    tell_turn = Service._tell_turn

    def leaking(self: Service, live: LiveTable, seat: int) -> None:
        tell_turn(self, live, seat)
        sitter, match = live.table.seats[seat], live.table.match
        if sitter and sitter.account and match:
            self.push_turn(sitter.account, live.table.id, f"the next card is {match.state.records['deck'][0][0]}")

    return patch.object(Service, "_tell_turn", leaking)


@leak(CARDS)
def a_word_of_whose_turn_it_is_that_tells_a_card() -> Patch:
    def leaking(self: Service, account: int, table: str, game: str) -> None:
        match = self.house.tables[table].table.match
        words = f"{game}: {match and match.state.records['deck'][0]}"
        for connection in self.presence.here.get(account, ()):
            if table not in connection.watching:
                connection.tell(messages.YourTurn(table=table, game=words))

    return patch.object(Service, "_show_turn", leaking)


@leak(CARDS)
def a_saved_match_before_the_end() -> Patch:
    async def leaking(self: Service, account: Any, table: str) -> str:
        live = await self.house.load(table)
        return live.table.match.save() if live.table.match else ""

    return patch.object(Service, "saved_match", leaking)


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str) -> None:
    sitting, plant = LEAKS[name]
    with plant(), pytest.raises(Difference):
        _compare_some(sitting)


def _compare_some(sitting: Sitting) -> None:
    for seed in range(4):
        compare(sitting, seed)
