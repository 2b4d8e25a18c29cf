"""Random play of other libraries' card games through their Python APIs, on one core."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import random
from statistics import median
from time import perf_counter
from typing import Any

Play = Callable[[], int]

OPEN_SPIEL_GAMES = (
    "gin_rummy",
    "hearts",
    "bridge(use_double_dummy_result=false)",
    "bridge",
    "hanabi",
)
OPEN_SPIEL_WEIGHTED = frozenset({"hanabi"})
OPEN_SPIEL_CHANCE = -1
RLCARD_GAMES = (
    "gin-rummy",
    "uno",
    "doudizhu",
    "bridge",
    "leduc-holdem",
    "limit-holdem",
    "no-limit-holdem",
)
PETTINGZOO_GAMES = (
    "gin_rummy_v4",
    "leduc_holdem_v4",
    "texas_holdem_v4",
    "texas_holdem_no_limit_v6",
    "hanabi_v5",
)
PGX_GAMES = ("leduc_holdem", "kuhn_poker", "sparrow_mahjong")
PGX_BATCH = 1024
PGX_STEPS = 20
WARM_UP = 0.25
REPEATS = 3


@dataclass(frozen=True)
class Peer:
    """The speed of one game of one library."""

    library: str
    game: str
    decisions_per_second: float


def _uniform_outcome(state: Any) -> int:
    """Sample a chance node whose outcomes are equally likely."""
    outcomes = state.legal_actions()
    return int(outcomes[int(random() * len(outcomes))])


def _weighted_outcome(state: Any) -> int:
    """Sample a chance node by the probabilities it lists."""
    outcomes = state.chance_outcomes()
    left = random()
    for action, probability in outcomes:
        left -= probability
        if left < 0.0:
            return int(action)
    return int(outcomes[-1][0])


def _open_spiel(game: str) -> Play:
    """Build the play of one OpenSpiel game."""
    spiel = importlib.import_module("pyspiel")
    short_name = game.partition("(")[0]
    if short_name not in spiel.registered_names():
        raise LookupError(game)
    fresh = spiel.load_game(game).new_initial_state().clone
    outcome = _weighted_outcome if short_name in OPEN_SPIEL_WEIGHTED else _uniform_outcome

    def play() -> int:
        state = fresh()
        decisions = 0
        while True:
            player = state.current_player()
            if player >= 0:
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
            elif player == OPEN_SPIEL_CHANCE:
                state.apply_action(outcome(state))
            else:
                return decisions

    return play


def _rlcard(game: str) -> Play:
    """Build the play of one RLCard environment."""
    env = importlib.import_module("rlcard").make(game)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return play


def _pettingzoo(game: str) -> Play:
    """Build the play of one PettingZoo classic environment."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = importlib.import_module(f"pettingzoo.classic.{game}").env()

    def play() -> int:
        env.reset()
        decisions = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return decisions
            actions = observation["action_mask"].nonzero()[0]
            env.step(int(actions[int(random() * len(actions))]))
            decisions += 1

    return play


def _pgx_advance(env: Any) -> Callable[[Any, Any], Any]:
    """Compose a random legal action, the step and the restart of one pgx state."""
    jax = importlib.import_module("jax")
    wrappers = importlib.import_module("pgx.experimental.wrappers")
    step = wrappers.auto_reset(env.step, env.init)

    def advance(state: Any, key: Any) -> Any:
        choice, rest = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(choice, logits), rest)

    return advance


def _pgx_play(init: Callable[[Any], Any], advance: Callable[[Any, Any], Any], batch: int) -> Play:
    """Build the play that makes one jitted call for each step of the batch."""
    jax = importlib.import_module("jax")

    def turn(state: Any, key: Any) -> Any:
        key, now = jax.random.split(key)
        return advance(state, now), key

    key = jax.random.PRNGKey(int(random() * 2**31))
    state = jax.jit(init)(key)
    jitted_turn = jax.jit(turn)

    def play() -> int:
        nonlocal state, key
        for _ in range(PGX_STEPS):
            state, key = jitted_turn(state, key)
        state.terminated.block_until_ready()
        return PGX_STEPS * batch

    return play


def _pgx(game: str) -> Play:
    """Build the play of one state of a pgx game."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    env = importlib.import_module("pgx").make(game)
    return _pgx_play(env.init, _pgx_advance(env), 1)


def _pgx_batch(game: str) -> Play:
    """Build the play of many states of a pgx game at once."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    env = importlib.import_module("pgx").make(game)
    jax = importlib.import_module("jax")
    init, advance = jax.vmap(env.init), jax.vmap(_pgx_advance(env))

    def init_all(key: Any) -> Any:
        return init(jax.random.split(key, PGX_BATCH))

    def advance_all(state: Any, key: Any) -> Any:
        return advance(state, jax.random.split(key, PGX_BATCH))

    return _pgx_play(init_all, advance_all, PGX_BATCH)


LIBRARIES: dict[str, tuple[Callable[[str], Play], tuple[str, ...]]] = {
    "open_spiel": (_open_spiel, OPEN_SPIEL_GAMES),
    "rlcard": (_rlcard, RLCARD_GAMES),
    "pettingzoo": (_pettingzoo, PETTINGZOO_GAMES),
    "pgx": (_pgx, PGX_GAMES),
    f"pgx, {PGX_BATCH} states at once": (_pgx_batch, PGX_GAMES),
}


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this thread, and the threads it starts, on one core where Linux runs."""
    if sys.platform != "linux":
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _rate(play: Play, seconds: float) -> float:
    """Count decisions per second over whole plays that fill the given time."""
    decisions = 0
    start = perf_counter()
    elapsed = 0.0
    while decisions == 0 or elapsed < seconds:
        decisions += play()
        elapsed = perf_counter() - start
    return decisions / elapsed


def _measure(library: str, game: str, seconds: float) -> Peer | None:
    """Measure one game, or nothing where the library or the game is missing."""
    build, _ = LIBRARIES[library]
    try:
        play = build(game)
    except (ImportError, LookupError, ValueError):
        return None
    _rate(play, WARM_UP * seconds)
    return Peer(library, game, median(_rate(play, seconds / REPEATS) for _ in range(REPEATS)))


def names() -> list[tuple[str, str]]:
    """List every library and game that is tried."""
    return [(library, game) for library, (_, games) in LIBRARIES.items() for game in games]


def measure_peers(seconds: float = 1.0) -> list[Peer]:
    """Measure random play of every card game that can be imported here."""
    with _one_core():
        measured = [_measure(library, game, seconds) for library, game in names()]
    return [peer for peer in measured if peer is not None]
