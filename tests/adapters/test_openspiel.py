"""The games inside OpenSpiel: its own tests, agreement with the engine, and nothing hidden told to anybody."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conformance.games import known
from tests.conformance.test_secrecy import permuted
from tests.conformance.walks import SETTINGS, Setting
from zashiki import Match
from zashiki.core.errors import IllegalAction, WrongOption, WrongSeats
from zashiki.core.state import State
from zashiki.games import GAMES, find

pyspiel = pytest.importorskip("pyspiel")

from zashiki.adapters.openspiel import register, steps  # noqa: E402  # only with OpenSpiel
from zashiki.adapters.openspiel.table import CHANCE, DIGITS  # noqa: E402

register()
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
every_game = pytest.mark.parametrize("game", GAMES)
QUICK = {
    "hanamikoji": "zashiki_hanamikoji(rounds=2)",
    "kimono": "zashiki_kimono(players=4)",
    "kasane": "zashiki_kasane(players=3)",
    "kawaii": "zashiki_kawaii(pace=live)",
    "kohoju": "zashiki_kohoju(target=10)",
}
"""A setting of each game whose matches are not too long for OpenSpiel's slower tests."""


def loaded(setting: Setting, **parameters: Any) -> Any:
    return pyspiel.load_game(f"zashiki_{setting.game}", {"players": setting.seats, **setting.options, **parameters})


def walked(game: Any, choice: random.Random, limit: int) -> Any:
    """A state so many actions into a random match."""
    state = game.new_initial_state()
    for _ in range(DIGITS + limit):
        if state.is_terminal():
            break
        state.apply_action(choice.choice(state.legal_actions()))
    return state


def drawn_seed(state: Any) -> int:
    return int("".join(f"{digit:x}" for digit in state.history()[:DIGITS]), 16)


def put(state: Any, record: State, seen: Callable[[State, int], State] = State.view) -> Any:
    """The same state with another record behind it, as everybody sees it then."""
    other = state.clone()
    table = other.table
    table.records[:1] = record.records
    for seat in range(table.setting.seats):
        table.records[1 + seat : 2 + seat] = seen(record, seat).records
    if table.seat >= 0:
        legal = record.legal(table.seat)
        table.actions[: len(legal)], table.count = legal, len(legal)
    return other


def everything_shown(state: Any, player: int) -> tuple[object, ...]:
    """All that OpenSpiel shows a player of a state."""
    legal = state.legal_actions(player)
    return (
        legal,
        [state.action_to_string(player, action) for action in legal],
        state.information_state_string(player),
        state.information_state_tensor(player),
        state.observation_string(player),
        state.observation_tensor(player),
        *(observer.string_from(state, player) for observer in factored(state.get_game())),
    )


def factored(game: Any) -> list[Any]:
    nobody, own = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    return [game.make_py_observer(observed(False, public, private)) for public, private in ((True, nobody), (False, own))]


def observed(recall: bool, public: bool, private: Any) -> Any:
    return pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)


@every_game
def test_openspiels_own_random_simulations_pass(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(QUICK[game]), num_sims=1, serialize=True, verbose=False)


@every_game
def test_openspiels_simulation_test_for_python_games_passes(game: str) -> None:
    test_case = import_module("open_spiel.python.tests.games_sim_test").GamesSimTest()
    test_case.sim_game(pyspiel.load_game(QUICK[game]))


@every_game
def test_a_playthrough_replays_to_the_same_text(game: str, tmp_path: Path) -> None:
    flags, playthroughs = import_module("absl.flags"), import_module("open_spiel.python.algorithms.generate_playthrough")
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    name = QUICK[game].replace("zashiki_kohoju(target=10)", "zashiki_kohoju(target=10,seed=129)")
    text = playthroughs.playthrough(name, None, seed=1)
    (tmp_path / "playthrough.txt").write_text(text, "utf-8")
    original, again = playthroughs.replay(str(tmp_path / "playthrough.txt"))
    assert original == again
    assert "InformationStateString(1)" in text
    assert "PublicObservationString()" in text


@every_game
def test_the_reinforcement_learning_loop_runs_to_the_end_of_a_match(game: str) -> None:
    environment = import_module("open_spiel.python.rl_environment").Environment(QUICK[game])
    environment.seed(1)
    agents = import_module("open_spiel.python.algorithms.random_agent")
    players = [agents.RandomAgent(seat, environment.action_spec()["num_actions"]) for seat in range(environment.num_players)]
    step = environment.reset()
    while not step.last():
        step = environment.step([players[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)
    assert max(step.rewards) > 0 or step.rewards == [0.0] * environment.num_players


@every_game
def test_openspiels_python_ismcts_plays_a_match(game: str) -> None:
    ismcts, mcts = (import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts"))
    spiel = pyspiel.load_game(QUICK[game])
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(spiel, evaluator, uct_c=2.0, max_simulations=4, random_state=np.random.RandomState(2))
    choice, state = random.Random(3), spiel.new_initial_state()
    for move in range(60):
        if state.is_terminal():
            break
        searching = state.current_player() == 0 and move < 40
        state.apply_action(bot.step(state) if searching else choice.choice(state.legal_actions()))
    assert len(state.history()) > DIGITS


@every_setting
def test_every_number_of_players_and_every_option_agrees_with_the_engine_move_by_move(setting: Setting) -> None:
    game, choice = loaded(setting), random.Random(str(setting))
    for _ in range(12):
        compare_with_the_engine(setting, game, choice, 400)


def compare_with_the_engine(setting: Setting, game: Any, choice: random.Random, limit: int) -> None:
    state = walked(game, choice, 0)
    match = Match(setting.game, setting.seats, options=setting.options, seed=drawn_seed(state))
    assert state.table.state().to_bytes() == match.state.to_bytes() or setting.options.get("pace") == "live"
    for _ in range(limit):
        if setting.options.get("pace") == "live":
            # What the clock did in between follows from a generator of its own: the engine takes the state over.
            match.state.records[:] = state.table.records[:1]
        if state.is_terminal():
            assert match.over
            return
        seat = state.current_player()
        legal = state.legal_actions()
        assert legal == match.legal_actions(seat).numbers
        assert seat in match.to_act
        action = choice.choice(legal)
        assert state.action_to_string(seat, action) == match.game.vocabulary[action].words()
        state.apply_action(action)
        match.state.apply(seat, action)
        if setting.options.get("pace") != "live":
            assert state.table.state().to_bytes() == match.state.to_bytes()
            assert all(
                state.table.view(viewer).to_bytes() == match.view(viewer).to_bytes() for viewer in range(-1, setting.seats)
            )


@every_game
def test_thousands_of_matches_end_as_the_engine_says(game: str) -> None:
    """Two thousand of the short games, fewer of the long ones."""
    spiel, choice = pyspiel.load_game(f"zashiki_{game}"), random.Random(5)
    matches = {"kohoju": 50, "kawaii": 200}.get(game, 2000)
    for _ in range(matches):
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice.choice(state.legal_actions()))
        match = State.dealt(find(game), spiel.num_players(), find(game).option_numbers(), drawn_seed(state))
        for made in state.full_history()[DIGITS:]:
            assert match.act(made.player, made.action) == 0
        assert match.to_bytes() == state.table.state().to_bytes()
        assert winning(state.returns()) == winning([int(match.record.winners) >> seat & 1 for seat in range(match.record.seats)])


def winning(results: list[Any]) -> list[bool]:
    """Who has more than anybody else has, alone or with others."""
    return [result == max(results) for result in results]


@every_setting
def test_no_hidden_card_changes_anything_a_player_is_shown(setting: Setting) -> None:
    game, choice, rng = loaded(setting), random.Random(1), np.random.default_rng(1)
    for length in [0, 1, 5, 13, *(choice.randrange(20, 120) for _ in range(5))]:
        state = walked(game, choice, length)
        for player in range(setting.seats):
            other = put(state, permuted(state.table.state(), player, rng))
            assert everything_shown(other, player) == everything_shown(state, player)


@every_game
def test_a_view_that_showed_too_much_would_be_noticed(game: str) -> None:
    """The test above has teeth."""
    choice, rng, noticed = random.Random(1), np.random.default_rng(1), 0
    for length in range(0, 30, 3):
        state = walked(pyspiel.load_game(QUICK[game]), choice, length)
        if not state.is_terminal():
            worlds = (state.table.state(), permuted(state.table.state(), 0, rng))
            leaks = [put(state, world, seen=lambda record, seat: record) for world in worlds]
            noticed += everything_shown(leaks[0], 0) != everything_shown(leaks[1], 0)
    assert noticed


@every_setting
def test_what_a_player_remembers_depends_on_nothing_it_was_not_shown(setting: Setting) -> None:
    """A step that looks the same to a player in two worlds is remembered the same."""
    game, choice, rng, compared = loaded(setting), random.Random(2), np.random.default_rng(2), 0
    for length in range(0, 90, 3):
        state = walked(game, choice, length)
        if state.is_terminal():
            continue
        for player in range(setting.seats):
            other = put(state, permuted(state.table.state(), player, rng))
            common = [action for action in state.legal_actions() if action in other.legal_actions()]
            if not common:
                continue
            action, ways = choice.choice(common), [state.clone(), other]
            for way in ways:
                way.apply_action(action)
            views = {way.table.view(player).to_bytes() for way in ways}
            if len(views) == 1 and setting.options.get("pace") != "live":
                compared += 1
                assert len({way.information_state_string(player) for way in ways}) == 1
    assert compared or setting.options.get("pace") == "live"


@every_setting
def test_a_secret_choice_is_remembered_by_nobody_else(setting: Setting) -> None:
    game, choice = loaded(setting), random.Random(4)
    vocabulary = find(setting.game).vocabulary
    for length in range(0, 90, 2):
        state = walked(game, choice, length)
        acting = state.current_player()
        secret = [action for action in state.legal_actions() if vocabulary[action].secrecy != "open"]
        if state.is_terminal() or len(secret) < 2:
            continue
        ways = [state.child(action) for action in choice.sample(secret, 2)]
        for player in set(range(setting.seats)) - {acting}:
            if len({way.table.view(player).to_bytes() for way in ways}) == 1:
                assert len({way.information_state_string(player) for way in ways}) == 1


@every_setting
def test_what_was_different_once_is_never_forgotten(setting: Setting) -> None:
    """Perfect recall: the table may look the same again, the past of a player does not."""
    table = walked(loaded(setting), random.Random(6), 9).table
    arrays, before = (table.records, table.words, table.memory), [table.remembered(seat) for seat in range(setting.seats)]
    steps.look_around(*arrays)
    assert [table.remembered(seat) for seat in range(setting.seats)] == before
    for ending in (1, 0):
        table.records["ending"][0] = ending
        steps.look_around(*arrays)
    assert not set(before) & {table.remembered(seat) for seat in range(setting.seats)}


@every_game
def test_an_own_action_is_remembered_whatever_comes_of_it(game: str) -> None:
    choice = random.Random(11)
    for length in range(0, 30, 2):
        state = walked(pyspiel.load_game(QUICK[game]), choice, length)
        if not state.is_terminal():
            player, legal = state.current_player(), state.legal_actions()
            pasts = {state.child(action).table.remembered(player) for action in legal}
            assert len(pasts) == len(legal)
            assert state.table.remembered(player) not in pasts


@every_setting
def test_a_resampled_state_is_the_same_to_its_player_and_can_be_played_on(setting: Setting) -> None:
    game, choice, sampler = loaded(setting), random.Random(7), pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)
    for length in (0, 3, 20, 60):
        state = walked(game, choice, length)
        if state.is_terminal():
            continue
        player = state.current_player()
        again = state.resample_from_infostate(player, sampler)
        assert again.current_player() == player
        assert everything_shown(again, player) == everything_shown(state, player)
        known(setting.game).check_laws(again.table.records[0])
        assert list(again.history()) == []
        for _ in range(30):
            if again.is_terminal():
                break
            again.apply_action(choice.choice(again.legal_actions()))


@every_setting
def test_a_resampled_state_tells_nothing_of_the_true_one(setting: Setting) -> None:
    """Two worlds that a player cannot tell apart are resampled to the same states."""
    game, choice, rng = loaded(setting), random.Random(8), np.random.default_rng(8)
    for length in (1, 7, 30):
        state = walked(game, choice, length)
        if state.is_terminal():
            continue
        player = state.current_player()
        other = put(state, permuted(state.table.state(), player, rng))
        for seat in set(range(setting.seats)) - {player}:
            other.table.memory[seat] = rng.integers(0, 2**32, 4, np.uint32)
        drawn = [each.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(9, 0.0, 1.0)) for each in (state, other)]
        assert len({str(each) for each in drawn}) == 1
        assert all(len({each.information_state_string(seat) for each in drawn}) == 1 for seat in range(setting.seats))
        assert len({pyspiel.serialize_game_and_state(game, each) for each in drawn}) == 1


@every_game
def test_copies_pickles_and_serialised_states_go_on_as_the_original_does(game: str) -> None:
    spiel, choice = pyspiel.load_game(QUICK[game]), random.Random(9)
    for length in (-5, 0, 12):
        state = walked(spiel, choice, length)
        twins = [
            state.clone(),
            pickle.loads(pickle.dumps(state)),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel, state))[1],
        ]
        for _ in range(25):
            if state.is_terminal():
                break
            action = choice.choice(state.legal_actions())
            for each in (state, *twins):
                each.apply_action(action)
            assert {str(each) for each in twins} == {str(state)}
            assert {each.information_state_string(0) for each in twins} == {state.information_state_string(0)}


def test_a_pickled_state_opens_in_a_process_that_has_registered_nothing(tmp_path: Path) -> None:
    state = walked(pyspiel.load_game("zashiki_kasane"), random.Random(1), 9)
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = f"import pickle\nprint(pickle.load(open({str(tmp_path / 'state')!r}, 'rb')))"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == str(state)


PAST = """
import pyspiel
from zashiki.adapters.openspiel import register
register()
for name in ("zashiki_hanamikoji", "zashiki_kawaii(pace=live)"):
    state = pyspiel.load_game(name).new_initial_state()
    for step in range(40):
        legal = state.legal_actions()
        state.apply_action(legal[7 * step % len(legal)])
    print(state.information_state_string(0))
"""


def test_plain_python_remembers_the_same() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", PAST], check=True, capture_output=True, text=True, env={**os.environ, "ZASHIKI_GEAR": gear}
        )
        for gear in ("native", "python")
    ]
    assert told[0].stdout == told[1].stdout != ""


def test_a_seed_deals_the_match_of_that_seed_at_once() -> None:
    state = pyspiel.load_game("zashiki_kimono(players=5,seed=7)").new_initial_state()
    assert state.current_player() != CHANCE
    assert state.table.state().to_bytes() == Match("kimono", 5, seed=7).state.to_bytes()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = walked(pyspiel.load_game("zashiki_kasane"), random.Random(1), 4)
    before, illegal = str(state), next(action for action in range(59) if action not in state.legal_actions())
    for action in (illegal, -2, -(2**40), 10**6):
        with pytest.raises(IllegalAction, match="legal"):
            state.apply_action(action)
    assert str(state) == before


def test_wrong_players_and_options_are_refused_in_the_games_words() -> None:
    with pytest.raises(WrongSeats, match="3 to 6"):
        pyspiel.load_game("zashiki_kimono(players=2)")
    with pytest.raises(WrongOption, match="pace"):
        pyspiel.load_game("zashiki_kawaii(pace=slow)")


def test_winners_in_common_share_the_victory_and_the_sum_is_nothing() -> None:
    state = walked(pyspiel.load_game("zashiki_kimono(players=4)"), random.Random(1), 3)
    for winners, expected in ((0b0001, [1, -1 / 3, -1 / 3, -1 / 3]), (0b0101, [1 / 3, -1 / 3, 1 / 3, -1 / 3]), (0b1111, [0] * 4)):
        state.table.records["winners"][0] = winners
        assert state.returns() == pytest.approx(expected)


def test_all_players_private_parts_are_shown_to_nobody() -> None:
    game = pyspiel.load_game("zashiki_hanamikoji")
    for recall, private in product((True, False), (pyspiel.PrivateInfoType.ALL_PLAYERS, pyspiel.PrivateInfoType.NONE)):
        if recall or private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            with pytest.raises(ValueError, match="players are shown"):
                game.make_py_observer(observed(recall, True, private))


def test_a_program_that_registers_the_games_ends_in_peace() -> None:
    code = "import pyspiel\nfrom zashiki.adapters.openspiel import register\nregister(); pyspiel.load_game('zashiki_kasane')"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_openspiel_it_is_said_what_to_install() -> None:
    code = "import sys\nsys.modules['pyspiel'] = None\nfrom zashiki.adapters.openspiel import register\nregister()"
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "pip install 'zashiki[openspiel]'" in ended.stderr
