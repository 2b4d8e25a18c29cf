"""Bots that have learned, with networks that have not: how they play, whatever they know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bots.learned import random_tensors, write_weights
from tests.bots.test_live import flipped
from zashiki.bots import LEARNED, UnknownBot, find_bot
from zashiki.bots.asking import answer, hints, warm_up
from zashiki.bots.bot import WAIT, Budget, Judge
from zashiki.bots.flock import WALKS, look_ahead, new_flock, search
from zashiki.bots.foresight import FIRMNESS, choose_as_foreseen
from zashiki.bots.levels import LEVELS, levels_of, strongest
from zashiki.bots.live import LiveBot
from zashiki.bots.masters import TASTE, FastMasterBot, MasterBot, Onlooker, improved, without_noise
from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.plain import weights, weights_beside_heaviest
from zashiki.bots.searcher import SearchBot
from zashiki.bots.sense import Taste, heuristics
from zashiki.bots.tree import EDGE, NODES
from zashiki.bots.weights import network_of
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK, Records
from zashiki.core.match import Match
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State
from zashiki.games import GAMES, find

TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.seats]
FEW = 60 if GEAR != "python" else 9
HANAMIKOJI = find("hanamikoji")


def opening(game: str, seats: int | None = None, seed: int = 1) -> tuple[Match, int]:
    match = Match(game, seats, seed=seed)
    return match, match.to_act[0]


def roller(seed: int = 1) -> Words:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, seed)
    return rng


def prefer(folder: Path, game: str, action: int, strength: float) -> None:
    """Writes weights whose policy leans to one action, wherever it is."""
    tensors = random_tensors(find(game))
    tensors["policy.weight"][:] = 0
    tensors["policy.bias"][:] = 0
    tensors["policy.bias"][action] = strength
    write_weights(folder, find(game), tensors)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_same_seed_and_iterations_give_the_same_estimates(learned: Path, game: str, seats: int) -> None:
    match, seat = opening(game, seats)
    first, again, other = (
        MasterBot(match.game, seed).estimates(match.view(seat), seat, Budget(iterations=FEW)) for seed in (5, 5, 6)
    )
    assert first == again
    assert first != other
    assert sum(estimate.tries for estimate in first) == FEW
    assert all(0 <= estimate.chance <= 1 for estimate in first)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["master@9", "master-fast"])
def test_masters_play_every_match_to_its_end(learned: Path, game: str, name: str) -> None:
    match = Match(game, options={"hanamikoji": {"rounds": 1}, "kohoju": {"target": 10}}.get(game), seed=2)
    entrant = find_bot(match.game, name)
    bots = [entrant.sit_down(seat) for seat in range(match.seats)]
    while not match.over and len(match.history) < (1_000 if GEAR != "python" else 6):
        seat = match.to_act[0]
        match.act(seat, bots[seat].choose(match.view(seat), seat, match.legal_actions(seat).numbers, entrant.budget))
    assert match.over or GEAR == "python"


def test_every_core_adds_its_tries_and_gives_the_same_twice(learned: Path) -> None:
    match, seat = opening("kasane")
    budget = Budget(iterations=3 * FEW, cores=3)
    first, again = (MasterBot(match.game, 3)._think(match.view(seat), seat, budget, hasty=False) for _ in range(2))
    assert int(first["visits"].sum()) == 3 * FEW
    assert np.array_equal(first, again)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_try_is_left_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, seats: int) -> None:
    match, seat = opening(game, seats)
    monkeypatch.setattr(heuristics(match.game), "TASTE", TASTE, raising=False)
    tensors = random_tensors(match.game)
    tensors["value.weight"][:] = 0
    tensors["value.bias"][:] = 0
    write_weights(tmp_path, match.game, tensors)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    edges = MasterBot(match.game, 1)._think(match.view(seat), seat, Budget(iterations=FEW), hasty=False)
    tried = edges[edges["visits"] > 0]
    assert (edges["under_way"] == 0).all()
    assert np.allclose(tried["worth"], 1 / seats, atol=1e-5)


@pytest.mark.skipif(GEAR == "python", reason="it takes many tries")
def test_who_has_been_asked_often_enough_is_not_asked_again(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks side by side may ask at the same time, beyond what is enough."""
    match, seat = opening("kawaii")
    asked = []
    for asks in (2, TASTE.asks):
        monkeypatch.setattr(heuristics(match.game), "TASTE", TASTE._replace(asks=asks))
        tree, grow = MasterBot(match.game, 1)._plant(match.view(seat), seat, 400, roller())
        grow(400)
        nodes = tree.nodes[: int(tree.used[NODES])]
        for node in nodes[nodes["visits"] > 0]:
            edges = tree.edges[node["first"] : node["first"] + node["count"]]
            assert edges["prior"].sum() == pytest.approx(1, abs=1e-4)
            assert not edges["under_way"].any()
        asked.append(int(nodes["visits"].max()))
    assert asked[0] <= 1 + WALKS < asked[1]


@pytest.mark.skipif(GEAR == "python", reason="it takes many tries")
def test_who_holds_other_cards_than_a_node_knows_is_asked_for_them(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seat = opening("kohoju")
    monkeypatch.setattr(heuristics(match.game), "TASTE", TASTE._replace(asks=1), raising=False)
    tree, grow = MasterBot(match.game, 1)._plant(match.view(seat), seat, 400, roller())
    grow(400)
    nodes = tree.nodes[: int(tree.used[NODES])]
    assert nodes["visits"].max() > WALKS


def test_the_end_of_the_match_is_worth_exactly_what_it_is(learned: Path) -> None:
    match = Match(HANAMIKOJI, options={"rounds": 1}, seed=4)
    chance = find_bot(HANAMIKOJI, "random").sit_down(4)
    while not match.over:
        before, seat = match.copy(), match.to_act[0]
        legal = match.legal_actions(seat).numbers
        match.act(seat, chance.choose(match.view(seat), seat, legal, Budget()))
    assert match.outcome is not None
    view = before.view(seat)
    flock, chances = new_flock(HANAMIKOJI, network_of(HANAMIKOJI)), np.zeros(len(legal))
    look_ahead(view.records, seat, np.array(legal, np.int64), 8, flock, network_of(HANAMIKOJI), roller(), chances)
    assert all(8 * chance % 1 == 0 for chance in chances)
    searched = MasterBot(HANAMIKOJI, 1)._think(view, seat, Budget(iterations=FEW), hasty=False)
    tried = searched[searched["visits"] > 0]
    assert np.allclose(tried["worth"] * tried["visits"], np.round(tried["worth"] * tried["visits"]), atol=1e-3)


def likings(match: Match, seat: int, taste: Taste, monkeypatch: pytest.MonkeyPatch) -> Records:
    monkeypatch.setattr(heuristics(match.game), "TASTE", taste, raising=False)
    return MasterBot(match.game, 1)._think(match.view(seat), seat, Budget(iterations=FEW), hasty=False)


def test_priors_are_learned_or_the_heuristics_or_both(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seat = opening("kasane")
    own, theirs, both, even = (
        likings(match, seat, TASTE._replace(learned=share, ease=ease), monkeypatch)["prior"]
        for share, ease in ((1.0, 1.0), (0.0, 1.0), (0.25, 1.0), (1.0, 0.0))
    )
    legal = match.legal_actions(seat).numbers
    weighed = np.array(weights(match.view(seat), seat, legal))
    assert np.allclose(theirs, weighed / weighed.sum(), atol=1e-5)
    assert np.allclose(own, FastMasterBot(match.game, 1).policy(match.view(seat), seat, legal), atol=1e-5)
    assert np.allclose(both, 0.25 * own + 0.75 * theirs, atol=1e-5)
    assert np.allclose(even, 1 / len(legal))


def test_a_walk_is_worth_what_comes_of_it_where_nothing_learned_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that is sure of the wrong seat is not believed."""
    match, seat = opening("kasane")
    tensors = random_tensors(match.game)
    tensors["value.weight"][:] = 0
    tensors["value.bias"][:] = [30, 0, 0, 0, 0, 0]
    write_weights(tmp_path, match.game, tensors)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    trusting, doubting = (likings(match, seat, TASTE._replace(trust=trust, cut=24), monkeypatch) for trust in (1.0, 0.0))
    assert not np.allclose(trusting["worth"], doubting["worth"], atol=0.05)
    tried = doubting[doubting["visits"] > 5]
    assert ((tried["worth"] > 0.1) & (tried["worth"] < 0.9)).all()


@pytest.mark.parametrize("sides", [False, True])
def test_a_seat_with_secrets_judges_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sides: bool) -> None:
    """The network believes in whoever looks: asked from the root's side alone, the root wins always."""
    match, seat = opening("kohoju", 2)
    tensors = random_tensors(match.game)
    tensors["value.weight"][:] = 0
    tensors["value.bias"][:] = [30, 0, 0, 0, 0, 0]
    write_weights(tmp_path, match.game, tensors)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    found = likings(match, seat, TASTE._replace(sides=sides), monkeypatch)
    tried = found["worth"][found["visits"] > 0]
    assert (tried > 0.999).all() if sides else (tried < 0.9).any()


def test_at_no_temperature_the_action_tried_most_is_played(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seat = opening("kasane")
    monkeypatch.setattr(heuristics(match.game), "TEMPERATURE", 0.0, raising=False)
    bot = MasterBot(match.game, 1)
    found = edges([0.2, 0.7, 0.1], [0.9, 0.4, 0.5], [30, 50, 20])
    assert bot._pick(match.view(seat), seat, found) == 1
    tries = [estimate.tries for estimate in bot.estimates(match.view(seat), seat, Budget(iterations=FEW))]
    assert tries == sorted(tries, reverse=True)
    assert not bot._is_sure(match.view(seat), seat, found, 20)
    assert bot._is_sure(match.view(seat), seat, found, 19)


def first_vote() -> Match:
    """Kimono, three seats: the row is cut in the middle, the apprentice stands at its left end, and nobody has voted."""
    match = Match("kimono", 3, seed=4)
    for place in (6, 0):
        match.play(match.to_act[0], match.legal_actions(match.to_act[0]).numbers[place])
    assert match.to_act == (0, 1, 2)
    return match


FORESEEING = TASTE._replace(learned=0.0, trust=0.0, cut=200, foresee=0.5)


def test_what_others_choose_at_the_same_time_is_foreseen_as_a_search_would_choose(
    learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = first_vote()
    monkeypatch.setattr(heuristics(match.game), "TASTE", FORESEEING)
    bot = MasterBot(match.game, 1)
    edges = bot._think(match.view(1), 1, Budget(iterations=4 * FEW), hasty=False)
    votes = match.legal_actions(0).numbers
    assert int(edges["visits"].sum()) == 2 * FEW
    assert bot._foreseen[[0, 2]].sum(1) == pytest.approx([1, 1])
    assert bot._foreseen[[0, 2]][:, votes].sum(1) == pytest.approx([1, 1])
    assert not bot._foreseen[[1, 3, 4, 5]].any()
    if GEAR != "python":
        bot._think(match.view(1), 1, Budget(iterations=4_000), hasty=False)
        searched = [SearchBot(match.game, 3).choose(match.view(seat), seat, votes, Budget(iterations=2_000)) for seat in (0, 2)]
        assert bot._foreseen[[0, 2], searched].min() > 0.5


@pytest.mark.skipif(GEAR == "python", reason="it takes some hundred tries")
def test_who_alone_wants_a_group_does_better_than_who_shares_it(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = first_vote()
    monkeypatch.setattr(heuristics(match.game), "TASTE", FORESEEING)
    worths = []
    for theirs in match.legal_actions(0).numbers:
        bot = MasterBot(match.game, 1)

        def foresee(view: State, seat: int, budget: Budget, bot: MasterBot = bot, theirs: int = theirs) -> Budget:
            bot._foreseen[[0, 2], theirs] = 1
            return budget

        monkeypatch.setattr(bot, "_foresee", foresee)
        worths.append(bot._think(match.view(1), 1, Budget(iterations=1_000), hasty=False)["worth"])
    sharing_first, sharing_second = worths
    assert sharing_second[0] > sharing_first[0] + 0.01
    assert sharing_first[1] > sharing_second[1] + 0.01


def test_votes_that_lie_sealed_already_are_foreseen_like_those_to_come(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = first_vote()
    monkeypatch.setattr(heuristics(match.game), "TASTE", FORESEEING)
    found = []
    for vote in match.legal_actions(0).numbers:
        voted, bot = match.copy(), MasterBot(match.game, 1)
        voted.play(0, vote)
        edges = bot._think(voted.view(1), 1, Budget(iterations=4 * FEW), hasty=False)
        assert bot._foreseen[0].sum() == pytest.approx(1)
        found.append((bot._foreseen.tolist(), edges.tolist()))
    assert found[0] == found[1]


def test_a_search_from_one_side_tells_about_all_who_choose_at_once(learned: Path) -> None:
    match = first_vote()
    onlooker, chances = Onlooker(match.game, 1), np.zeros((MOST_SEATS, match.game.rules.ACTIONS))
    state = State.from_bytes(match.game, match.view(2).to_bytes())
    edges = onlooker._think(state, 2, Budget(iterations=10 * FEW), hasty=False)
    onlooker.tell(state, 2, chances)
    assert chances.sum(1) == pytest.approx([1, 1, 1, 0, 0, 0])
    assert chances[2, edges["action"]] == pytest.approx(edges["visits"] ** FIRMNESS / (edges["visits"] ** FIRMNESS).sum())
    assert state.to_act() == 0b111


def round_of_kimono(number: int) -> tuple[Match, int]:
    """The first decision of a round."""
    match = Match("kimono", 3, seed=1)
    careless = find_bot(match.game, "careless").sit_down(1)
    while int(match.view(0).record.round_number) < number:
        seat = match.to_act[0]
        match.play(seat, careless.choose(match.view(seat), seat, match.legal_actions(seat).numbers, Budget()))
    return match, match.to_act[0]


def test_what_playing_out_brings_to_an_end_is_played_out_where_a_game_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that is sure of whoever looks is asked in the first round, not in the last."""
    tensors = random_tensors(find("kimono"))
    tensors["value.weight"][:] = 0
    tensors["value.bias"][:] = [30, 0, 0, 0, 0, 0]
    write_weights(tmp_path, find("kimono"), tensors)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    taste = TASTE._replace(finish=True)
    first, last = (likings(*round_of_kimono(number), taste, monkeypatch) for number in (1, 5))
    plain = likings(*round_of_kimono(5), TASTE, monkeypatch)
    assert first["points"].sum() == plain["points"].sum() == 0
    assert last["points"].sum() != 0
    assert int(last["visits"].sum()) == FEW


def test_in_what_is_played_out_others_choose_as_foreseen(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, master = round_of_kimono(5)
    for place in (6, 0):
        match.play(master, match.legal_actions(master).numbers[place])
    monkeypatch.setattr(heuristics(match.game), "TASTE", FORESEEING._replace(finish=True))
    bot = MasterBot(match.game, 1)
    votes = match.legal_actions(0).numbers
    shown = []
    for theirs in votes:
        bot._foreseen[:] = 0
        bot._foreseen[[1, 2], theirs] = 1
        state = State.from_bytes(match.game, match.view(0).to_bytes())
        choose_as_foreseen(state.records[0], 0, bot._foreseen, roller())
        state.apply(0, votes[0])
        shown.append(state.record.shown_votes[:3].tolist())
    assert shown == [[1, 1, 1], [1, 2, 2]]
    edges = bot._think(match.view(0), 0, Budget(iterations=4 * FEW), hasty=False)
    assert bot._foreseen[[1, 2]].sum(1) == pytest.approx([1, 1])
    assert int(edges["visits"].sum()) == 2 * FEW


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_that_began_as_the_heuristic_still_is_where_the_network_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    match, seat = opening(game)
    tensors = random_tensors(match.game)
    tensors["policy.weight"][:] = 0
    tensors["policy.bias"][:] = 0
    write_weights(tmp_path, match.game, tensors, {"sense": "2.0"})
    legal = match.legal_actions(seat).numbers
    hoped = weights_beside_heaviest(match.view(seat), seat, legal) ** 2
    hoped /= hoped.sum()
    assert FastMasterBot(match.game, 1).policy(match.view(seat), seat, legal) == pytest.approx(hoped)
    monkeypatch.setattr(heuristics(match.game), "TASTE", TASTE, raising=False)
    edges = MasterBot(match.game, 1)._think(match.view(seat), seat, Budget(iterations=FEW), hasty=False)
    priors = dict(zip(edges["action"].tolist(), edges["prior"].tolist(), strict=True))
    assert [priors[action] for action in legal] == pytest.approx(hoped, abs=1e-6)


@pytest.mark.parametrize("name", ["master", "master-fast"])
def test_a_policy_that_is_sure_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    match, seat = opening("hanamikoji")
    legal = match.legal_actions(seat).numbers
    prefer(tmp_path, "hanamikoji", legal[7], 30.0)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    for seed in range(5):
        bot = find_bot(HANAMIKOJI, name).sit_down(seed)
        assert bot.choose(match.view(seat), seat, legal, Budget(iterations=FEW)) == legal[7]


def test_a_policy_that_is_not_is_drawn_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seat = opening("kasane")
    legal = match.legal_actions(seat).numbers
    prefer(tmp_path, "kasane", legal[0], 0.0)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    bot = FastMasterBot(match.game, 1)
    assert {bot.choose(match.view(seat), seat, legal, Budget()) for _ in range(100)} == set(legal)


def edges(prior: list[float], worth: list[float], visits: list[int]) -> Records:
    found = np.zeros(len(prior), EDGE)
    found["action"], found["prior"], found["worth"], found["visits"] = range(len(prior)), prior, worth, visits
    return found


def test_what_was_found_better_is_played_more_often_than_the_policy_says() -> None:
    policy = improved(edges([0.5, 0.5], [0.4, 0.6], [1_000, 1_000]), 0.05)
    assert policy[1] / policy[0] == pytest.approx(np.exp(0.2 / 0.05), rel=0.1)


def test_one_lucky_try_is_no_reason_to_leave_the_policy() -> None:
    lucky = improved(edges([0.9, 0.1], [0.5, 0.7], [100, 1]), 0.05)
    proven = improved(edges([0.9, 0.1], [0.5, 0.7], [100, 100]), 0.05)
    assert lucky[1] < 0.3 < proven[1]


def test_where_nothing_was_found_the_policy_stays() -> None:
    assert np.allclose(improved(edges([0.7, 0.2, 0.1], [0.5, 0.5, 0.0], [50, 10, 0]), 0.05), [0.7, 0.2, 0.1])


def test_what_is_rare_is_noise_unless_everything_is() -> None:
    assert without_noise(np.array([0.6, 0.38, 0.02])).tolist() == [0.6, 0.38, 0.0]
    assert without_noise(np.full(100, 0.01)).all()


def test_it_stops_where_the_rest_of_the_tries_could_not_change_its_choice(learned: Path) -> None:
    bot, (match, seat) = MasterBot(HANAMIKOJI, 1), opening("hanamikoji")
    view = match.view(seat)
    sure, unsure = edges([0.999, 0.001], [0.6, 0.4], [900, 100]), edges([0.5, 0.5], [0.5, 0.5], [500, 500])
    assert bot._is_sure(view, seat, sure, 10)
    assert not bot._is_sure(view, seat, unsure, 10)
    assert not bot._is_sure(view, seat, edges([0.9, 0.1], [0.6, 0.4], [9, 1]), 1_000)


@pytest.mark.parametrize("game", GAMES)
def test_the_network_alone_has_a_chance_for_every_action(learned: Path, game: str) -> None:
    match, seat = opening(game)
    bot = FastMasterBot(match.game, 1)
    assert isinstance(bot, Judge)
    found = bot.estimates(match.view(seat), seat, Budget())
    assert sorted(estimate.action for estimate in found) == match.legal_actions(seat).numbers
    assert [estimate.chance for estimate in found] == sorted((estimate.chance for estimate in found), reverse=True)
    assert all(0 <= estimate.chance <= 1 for estimate in found)
    assert bot.estimates(match.view(1 - seat), 1 - seat, Budget()) == [] or match.game.seats[0] > 2


def test_hints_come_from_the_master_where_there_is_one_with_points_to_expect(learned: Path) -> None:
    match, seat = opening("kasane")
    found = hints(match.view(seat), seat, Budget(iterations=FEW))
    assert found == MasterBot(match.game, 0).estimates(match.view(seat), seat, Budget(iterations=FEW))
    assert any(hint.points is not None for hint in found)


@pytest.mark.parametrize("name", ["master@8", "master-fast"])
def test_masters_play_where_anybody_may_act_at_any_time(learned: Path, name: str) -> None:
    state = flipped(3)
    assert state.to_act() >> CLOCK & 1
    for seat in range(3):
        view, entrant = state.view(seat), find_bot(find("kawaii"), name)
        legal = [WAIT, *view.legal(seat)]
        assert LiveBot(view.game, entrant.sit_down(1), 1).choose(view, seat, legal, entrant.budget) in legal


def test_a_game_nobody_has_learned_has_no_master(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    write_weights(tmp_path, HANAMIKOJI)
    assert levels_of(HANAMIKOJI) == list(LEVELS)
    assert strongest(HANAMIKOJI) == "master"
    assert levels_of(find("kohoju")) == ["beginner", "club", "expert"]
    assert strongest(find("kohoju")) == "expert"
    for name in LEARNED:
        with pytest.raises(UnknownBot, match="nobody has learned Kohoju yet"):
            find_bot(find("kohoju"), f"{name}@20")


@pytest.mark.skipif(GEAR == "python", reason="there is nothing to compile")
def test_a_warm_game_has_its_master_compiled_and_answers_within_its_time(learned: Path) -> None:
    warm_up(HANAMIKOJI)
    assert getattr(search, "signatures", None)
    match, seat = opening("hanamikoji")
    assert answer(match.view(seat), seat, "master", seed=1) in match.legal_actions(seat).numbers


def test_from_the_sixth_turn_on_hanamikojis_master_plays_the_solution(learned: Path) -> None:
    match = Match(HANAMIKOJI, seed=5)
    chance = find_bot(HANAMIKOJI, "random").sit_down(5)
    while int(match.view(0).record.turn_number) < 7:
        seat = match.to_act[0]
        match.act(seat, chance.choose(match.view(seat), seat, match.legal_actions(seat).numbers, Budget()))
    seat = match.to_act[0]
    view, budget = match.view(seat), Budget(iterations=20)
    mastered, solved = (find_bot(HANAMIKOJI, name).sit_down(1) for name in ("master", "solve"))
    assert isinstance(mastered, MasterBot)
    assert mastered.choose(view, seat, view.legal(seat), budget) == solved.choose(view, seat, view.legal(seat), budget)
