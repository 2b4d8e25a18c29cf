"""`zashiki bench bots`: how fast the search and what was learned are, and how well bots keep to their time, on one core.

Machines are shared and noisy: iterations are counted per second of processor time, and the best of several measurements is told.
"""

from __future__ import annotations

import importlib
import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from io import StringIO
from typing import Any

from zashiki.bots import find_bot
from zashiki.bots.asking import warm_up
from zashiki.bots.bot import Budget
from zashiki.bots.levels import levels_of
from zashiki.bots.searcher import SearchBot
from zashiki.bots.weights import has_weights, is_learned, network_of
from zashiki.core.game import Game
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.games import GAMES

ITERATIONS = 20_000
LEARNED_ITERATIONS = 2_000
POLICIES = 200
"""Answers of a network that are timed together."""
BATCHES = (1, 8, 16)
REPEATS = 3
ASKED = 20
"""Decisions of each level whose time is looked at."""
PEER = "OpenSpiel's ISMCTS, hearts"
PEER_ITERATIONS = 2_000


@dataclass(frozen=True)
class Speed:
    """Iterations per second of processor time from the opening."""

    game: str
    seats: int
    per_second: float


@dataclass(frozen=True)
class Learned:
    """A master at the opening: iterations per second of processor time, and microseconds of what it has learned.

    `policy` is a whole answer of the policy alone, from the view to the action; `rows` one observation of a network in batches of
    each size.
    """

    game: str
    seats: int
    per_second: float
    policy: float
    rows: dict[int, float]


@dataclass(frozen=True)
class Punctuality:
    """How long a level thought at most about one of the decisions it was asked for, and how much longer than it may."""

    game: str
    level: str
    allowed: float
    longest: float

    @property
    def over(self) -> float:
        """In milliseconds."""
        return 1000 * (self.longest - self.allowed)


def main(*, peers: bool, as_json: bool) -> str:
    """Measures everything; gives tables, or JSON."""
    speeds = [_speed(game, seats) for game in GAMES.values() for seats in game.seats]
    masters = [_learned(game, seats) for game in GAMES.values() if is_learned(game) for seats in game.seats]
    other = _peer() if peers else None
    times = [_punctuality(game, level) for game in GAMES.values() for level in levels_of(game)[1:]]
    if as_json:
        told: dict[str, Any] = {"speeds": speeds, "masters": masters, "times": times}
        found = {name: [asdict(each) for each in rows] for name, rows in told.items()} | {PEER: other}
        return json.dumps(found, indent=1) + "\n"
    return _as_text(speeds, other, masters, times)


def _speed(game: Game, seats: int) -> Speed:
    match = Match(game, seats, seed=1)
    seat = match.to_act[0]
    view, bot = match.view(seat), SearchBot(game, 1)
    bot.estimates(view, seat, Budget(iterations=10))
    budget = Budget(iterations=ITERATIONS)
    return Speed(game.id, seats, max(_rate(lambda: bot.estimates(view, seat, budget), ITERATIONS) for _ in range(REPEATS)))


def _learned(game: Game, seats: int) -> Learned:
    from zashiki.bots.masters import MasterBot

    match = Match(game, seats, seed=1)
    seat = match.to_act[0]
    view, legal, budget = match.view(seat), match.legal_actions(seat).numbers, Budget(iterations=LEARNED_ITERATIONS)
    fast = find_bot(game, "master-fast").sit_down(1)
    master = MasterBot(game, 1) if has_weights(game) else find_bot(game, "master").sit_down(1)
    assert isinstance(master, SearchBot)
    master._think(view, seat, Budget(iterations=10), hasty=False)
    return Learned(
        game.id,
        seats,
        max(_rate(lambda: master._think(view, seat, budget, hasty=False), LEARNED_ITERATIONS) for _ in range(REPEATS)),
        _microseconds(lambda: fast.choose(match.view(seat), seat, legal, budget)),
        _rows(game, view, seat) if has_weights(game) else {},
    )


def _rows(game: Game, view: State, seat: int) -> dict[int, float]:
    """Microseconds that a game's network takes for an observation, in batches of each size."""
    from zashiki.bots.network import forward, new_sheet

    network, rows = network_of(game), dict[int, float]()
    for size in BATCHES:
        sheet = new_sheet(network, size)
        sheet.observations[:] = view.observe(seat)
        rows[size] = _microseconds(partial(forward, network, sheet, size)) / size
    return rows


def _microseconds(think: Callable[[], object]) -> float:
    """The best mean of several."""
    think()
    return min(1e6 / _rate(lambda: [think() for _ in range(POLICIES)], POLICIES) for _ in range(REPEATS))


def _rate(think: Callable[[], object], iterations: int) -> float:
    began = time.process_time()
    think()
    return iterations / (time.process_time() - began)


def _punctuality(game: Game, level: str) -> Punctuality:
    """From decisions all over matches played at random."""
    warm_up(game)
    entrant, chance = find_bot(game, level), random.Random(1)
    match, bot = Match(game, seed=0), entrant.sit_down(0)
    longest, asked = 0.0, 0
    while asked < ASKED:
        if match.over:
            match = Match(game, seed=asked)
        seat = chance.choice(match.to_act)
        legal = match.legal_actions(seat).numbers
        if len(legal) > 1 and chance.random() < 0.3:
            view = match.view(seat)
            began = time.monotonic()
            bot.choose(view, seat, legal, entrant.budget)
            longest = max(longest, time.monotonic() - began)
            asked += 1
        match.act(seat, chance.choice(legal))
    return Punctuality(game.id, level, entrant.budget.seconds or 0.0, longest)


def _peer() -> float | None:
    """The rate of the other library's search, where it is installed."""
    try:
        spiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    state = _dealt_hearts(spiel)
    bot = spiel.ISMCTSBot(
        1,
        spiel.RandomRolloutEvaluator(1, 1),
        2.0,
        PEER_ITERATIONS,
        -1,
        spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
    bot.step(state)
    return max(_rate(lambda: bot.step(state), PEER_ITERATIONS) for _ in range(REPEATS))


def _dealt_hearts(spiel: Any) -> Any:
    state = spiel.load_game("hearts").new_initial_state()
    chance = random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    return state


def _as_text(speeds: list[Speed], other: float | None, masters: list[Learned], times: list[Punctuality]) -> str:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=100, record=True, file=StringIO())
    table = Table(title="Search iterations per second of processor time, from the opening, one core", title_justify="left")
    for head in ("game", "seats", "iterations/s"):
        table.add_column(head, justify="left" if head == "game" else "right")
    for speed in speeds:
        table.add_row(speed.game, str(speed.seats), f"{speed.per_second:,.0f}")
    if other is not None:
        table.add_row(PEER, "4", f"{other:,.0f}")
    console.print(table)
    if masters:
        console.print(_masters(masters))
    table = Table(title=f"The longest of {ASKED} decisions", title_justify="left")
    for head in ("game", "level", "allowed", "longest", "over"):
        table.add_column(head, justify="left" if head in ("game", "level") else "right")
    for each in times:
        table.add_row(each.game, each.level, f"{each.allowed:.2f} s", f"{each.longest:.3f} s", f"{max(0.0, each.over):.1f} ms")
    console.print(table)
    return console.export_text()


def _masters(masters: list[Learned]) -> Any:
    from rich.table import Table

    table = Table(title="Masters: iterations per second of processor time; µs of their network", title_justify="left")
    for head in ("game", "seats", "iterations/s", "an answer", *(f"a row, by {size}" for size in BATCHES)):
        table.add_column(head, justify="left" if head == "game" else "right")
    for each in masters:
        rows = [f"{each.rows[size]:.0f}" if each.rows else "" for size in BATCHES]
        table.add_row(each.game, str(each.seats), f"{each.per_second:,.0f}", f"{each.policy:.0f}", *rows)
    return table
