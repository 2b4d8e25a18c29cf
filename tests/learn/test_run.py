"""A run of learning: it can stop and go on, tells its story, and ends in weights that can be shipped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from zashiki.bots.weights import skill_file
from zashiki.cli import main
from zashiki.core.gears import GEAR
from zashiki.games import GAMES, find
from zashiki.learn.answering import against, learn_answer
from zashiki.learn.curves import draw_curves
from zashiki.learn.field import Matches
from zashiki.learn.measuring import against_bot, against_network
from zashiki.learn.network import GridNetwork, Network, load, save
from zashiki.learn.recipe import RECIPES, Leg, Recipe, Share
from zashiki.learn.run import LostItsWay, Run, new_network, told_of
from zashiki.learn.strength import strength

pytestmark = pytest.mark.skipif(GEAR == "python", reason="learning needs no other gear")

TINY = Recipe(
    (Share(2),),
    decisions=16_000,
    matches=128,
    steps=16,
    piece=512,
    width=16,
    depth=2,
    refresh=5_000,
    keep_every=4_000,
    kept=2,
    opponents=2,
)
FLAGS = ["--device", "cpu", *(f"--set={name}" for name in ("matches=64", "steps=8", "piece=256", "width=8", "depth=1"))]

KOHOJU = str(skill_file(find("kohoju")))


def tiny_run(folder: Path, recipe: Recipe = TINY) -> Run:
    torch.set_num_threads(1)
    field = Matches(find("hanamikoji"), recipe.shares, recipe.matches, torch.device("cpu"), seed=4)
    return Run(recipe, field, folder, seed=4, told=told_of(find("hanamikoji")))


def weights(run: Run) -> list[Any]:
    return [tensor.tolist() for tensor in run.network.state_dict().values()]


def test_a_run_that_learns_nonsense_stops_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(LostItsWay, match="smaller rate"):
        tiny_run(tmp_path, replace(TINY, rate=(1e30, 1e30))).go()


@pytest.mark.parametrize(
    "recipe",
    [
        TINY,
        replace(TINY, sides=True, tries=0.5, luck=0.5),
        replace(TINY, crowd=0.5),
        replace(TINY, sense=1.0, span=10),
        replace(TINY, further=(Leg(0.5, (5e-4, 1e-5), (0.01, 0.001)),)),
    ],
    ids=["plainly", "with trials", "in a crowd", "from the heuristic on, scattered", "in two legs"],
)
def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_happened(tmp_path: Path, recipe: Recipe) -> None:
    whole = tiny_run(tmp_path / "whole", recipe)
    whole.go()
    tiny_run(tmp_path / "parts", recipe).go(until=9_000)
    resumed = tiny_run(tmp_path / "parts", recipe)
    resumed.resume()
    resumed.go()
    assert resumed.decisions == whole.decisions
    assert weights(resumed) == weights(whole)
    assert len((tmp_path / "parts" / "curve.jsonl").read_text().splitlines()) >= 8


def test_a_run_tells_how_it_fares_in_a_crowd(tmp_path: Path) -> None:
    tiny_run(tmp_path, replace(TINY, crowd=0.5)).go()
    last = json.loads((tmp_path / "curve.jsonl").read_text().splitlines()[-1])
    assert 0 < last["against_crowd"] < 2
    assert last["against_crowd_share"] == pytest.approx(last["against_crowd"] / 2, abs=1e-4)


def test_rate_and_wandering_go_down_anew_in_every_leg() -> None:
    legs = (Leg(0.5, (4.0, 2.0), (8.0, 4.0)), Leg(0.75, (1.0, 0.0), (1.0, 0.0)))
    recipe = replace(TINY, rate=(10.0, 5.0), wander=(20.0, 10.0), further=legs)
    paces = [recipe.pace(progress) for progress in (0, 0.25, 0.5, 0.625, 0.75, 1)]
    assert paces == [(10, 20), (7.5, 15), (4, 8), (3, 6), (1, 1), (0, 0)]
    assert replace(recipe, further=()).pace(0.5) == (7.5, 15)


def test_a_run_learns_at_the_pace_of_its_leg(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, replace(TINY, further=(Leg(0.5, (5e-4, 5e-4), (0.01, 0.01)),)))
    run.go(until=TINY.decisions // 4)
    (group,) = run.teacher.optimizer.param_groups
    assert group["lr"] == pytest.approx(7.75e-4, rel=0.2)
    run.go()
    assert group["lr"] == pytest.approx(5e-4)


@pytest.mark.parametrize("game", RECIPES)
def test_the_legs_of_a_recipe_follow_each_other(game: str) -> None:
    starts = [0, *(leg.start for leg in RECIPES[game].further), 1]
    assert starts == sorted(set(starts))


def test_a_rate_from_the_command_line_is_that_of_the_whole_run(tmp_path: Path) -> None:
    assert RECIPES["kasane"].further
    rate = ["--set=rate=(1e-3,1e-3)", "--set=span=0"]
    main(["learn", "kasane", "--seats=2", "--decisions=600", f"--run={tmp_path}", *FLAGS, *rate])
    story = json.loads((tmp_path / "run.json").read_text())
    assert story["recipe"]["further"] == []


def test_who_learns_an_answer_meets_and_imitates_nobody_else() -> None:
    answer = against(replace(TINY, crowd=0.5, imitate=0.1), 1_000)
    assert (answer.old, answer.opponents, answer.crowd, answer.imitate) == (1.0, 1, 0.0, 0.0)


def test_an_answer_is_learned_in_one_leg() -> None:
    legs = (Leg(0.5, (1e-3, 1e-4), (0.03, 0.004)),)
    assert against(replace(TINY, further=legs), 1_000).further == ()


def test_a_run_tells_what_was_asked_and_what_it_cost(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    run.go()
    story = json.loads((tmp_path / "run.json").read_text())
    assert story["game"] == "hanamikoji"
    assert story["recipe"]["piece"] == TINY.piece
    assert story["bill"]["decisions"] == run.decisions >= TINY.decisions
    assert "against_past" in json.loads((tmp_path / "curve.jsonl").read_text().splitlines()[-1])
    draw_curves(tmp_path)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "index.html").read_text()
    assert "<svg" in page
    assert 'src="' not in page


def test_the_pool_keeps_so_many_past_selves(tmp_path: Path) -> None:
    run = tiny_run(tmp_path)
    run.go()
    assert len(run.past) == TINY.kept
    assert len(run.sitting.opponents) == TINY.opponents


@pytest.mark.parametrize("game", RECIPES)
def test_every_recipe_fits_into_what_may_be_shipped(game: str, tmp_path: Path) -> None:
    assert game in GAMES
    recipe, file = RECIPES[game], tmp_path / "weights.safetensors"
    network = new_network(Matches(find(game), recipe.shares[:1], 1, torch.device("cpu"), 1), recipe)
    save(network, file, told_of(find(game)))
    assert file.stat().st_size <= 2 * 1024 * 1024
    again = load(file)
    look = torch.rand(3, network.features)
    assert torch.allclose(again(look)[0], network(look)[0], atol=0.01)


def test_weights_keep_how_far_their_policy_goes_by_the_heuristic(tmp_path: Path) -> None:
    game, file = find("kasane"), tmp_path / "kasane.safetensors"
    save(Network(game.features, game.rules.ACTIONS, 8, 1, sense=1.5), file, told_of(game))
    assert load(file).sense == 1.5


def test_a_network_that_knows_what_can_be_exchanged_is_learned_with_one_command(tmp_path: Path) -> None:
    flags = [*FLAGS, "--network", "--set", "grid=True"]
    main(["learn", "kohoju", "--decisions", "1500", "--run", str(tmp_path / "first"), *flags])
    found = load(tmp_path / "first" / "weights.safetensors")
    assert isinstance(found, GridNetwork)
    went_on = ["--from", str(tmp_path / "first" / "weights.safetensors"), "--run", str(tmp_path / "second")]
    main(["learn", "kohoju", "--decisions", "700", *went_on, *flags])
    assert (tmp_path / "second" / "run.json").exists()


def test_every_game_has_a_recipe() -> None:
    assert set(RECIPES) == set(GAMES)


def test_a_deal_is_played_from_every_seat(tmp_path: Path) -> None:
    game = find("hanamikoji")
    save(Network(game.features, game.rules.ACTIONS, 8, 1), tmp_path / "weights.safetensors", told_of(game))
    shares = against_bot(tmp_path / "weights.safetensors", "hanamikoji", 2, "random", deals=3)
    assert len(shares) == 3
    assert all(share in (0.0, 0.25, 0.5, 0.75, 1.0) for share in shares)


def test_a_strength_is_a_mean_with_its_error() -> None:
    found = strength([1, 0, 1, 1], seats=2)
    assert (found.share, found.fair_shares, found.matches) == (0.75, 1.5, 4)
    assert found.error == pytest.approx(0.25)
    assert str(found) == "75.0% ± 49.0% (1.50 ± 0.98 fair shares, 4 matches)"


def test_long_matches_count_as_often_as_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    game, count, each = find("hanamikoji"), 8, 3
    field = Matches(game, [Share(2)], count, torch.device("cpu"), seed=4)
    ended = torch.zeros(count, dtype=torch.int64)
    step = field.step

    def noted(actions: torch.Tensor) -> None:
        step(actions)
        ended.add_(field.done)

    monkeypatch.setattr(field, "step", noted)
    network = Network(game.features, game.rules.ACTIONS, 8, 1)
    found = against_network(field, network, network, count * each - 1, under_way=False)
    assert found.matches == count * each
    assert int(ended.min()) == each < int(ended.max())
    assert against_network(field, network, network, count).matches == count


def test_networks_are_compared_with_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, one, others = find("kasane"), tmp_path / "one", tmp_path / "others"
    save(Network(game.features, game.rules.ACTIONS, 8, 1, sense=1.0), one, told_of(game))
    save(Network(game.features - 20, game.rules.ACTIONS, 8, 1), others, told_of(game))
    main(["compare", "kasane", str(one), str(others), "--seats", "3", "--matches", "50"])
    told = capsys.readouterr().out
    assert f"{one} wins" in told
    assert f"50 matches) among {others}, 3 seats" in told


def test_a_master_is_learned_with_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["learn", "kasane", "--decisions", "2000", "--run", str(tmp_path), *FLAGS])
    assert "decisions in" in capsys.readouterr().out
    assert load(tmp_path / "weights.safetensors").actions == find("kasane").rules.ACTIONS
    with pytest.raises(SystemExit, match="holds a run already"):
        main(["learn", "kasane", "--decisions", "2000", "--run", str(tmp_path), *FLAGS])


def test_a_best_response_tells_what_it_gains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zashiki.learn.answering.JUDGED", 50)
    game, file = find("kasane"), tmp_path / "weights.safetensors"
    save(Network(game.features, game.rules.ACTIONS, 8, 1), file, told_of(game))
    asked = ["--against", str(file), "--seats", "2", "--decisions", "1500", "--run", str(tmp_path / "run")]
    main(["learn", "kasane", *asked, *FLAGS])
    assert "A best response, learned from 1,500 decisions, wins" in capsys.readouterr().out


def test_a_best_response_goes_by_the_heuristic_as_far_as_what_it_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.learn.answering.JUDGED", 50)
    game = find("kasane")
    frozen = Network(game.features, game.rules.ACTIONS, 8, 1, sense=2.0)
    recipe = replace(against(TINY, 1_000), width=8, depth=1)
    field = Matches(game, recipe.shares, 64, torch.device("cpu"), seed=4)
    learn_answer(game, recipe, field, frozen, tmp_path, 1, lambda report: None)
    assert load(tmp_path / "weights.safetensors").sense == 2.0


def test_who_goes_on_from_weights_is_told_how_far_they_go_by_the_heuristic(tmp_path: Path) -> None:
    game, file = find("kasane"), tmp_path / "weights.safetensors"
    save(Network(game.features, game.rules.ACTIONS, 8, 1, sense=1.5), file, told_of(game))
    asked = ["learn", "kasane", "--from", str(file), "--decisions", "500", "--run", str(tmp_path / "run"), *FLAGS]
    with pytest.raises(SystemExit, match=r"--set sense=1.5 goes on with it"):
        main(asked)
    main([*asked, "--set", "sense=1.5"])
    assert load(tmp_path / "run" / "weights.safetensors").sense == 1.5


def test_weights_of_fewer_features_begin_with_no_opinion_on_the_others(tmp_path: Path) -> None:
    game, file = find("kasane"), tmp_path / "weights.safetensors"
    known = Network(game.features - 20, game.rules.ACTIONS, 8, 1, sense=1.0)
    save(known, file, told_of(game))
    run = Run(
        replace(TINY, width=8, depth=1, sense=1.0), Matches(game, [Share(2)], 8, torch.device("cpu"), 4), tmp_path / "run", 4
    )
    run.start_from(load(file))
    seen = torch.rand(3, game.features)
    for now, before in zip(run.network(seen), load(file)(seen[:, :-20]), strict=True):
        assert torch.allclose(now, before, atol=1e-5)
    asked = ["learn", "kasane", "--from", str(file), "--run", str(tmp_path / "wide"), *FLAGS, "--set", "width=16"]
    with pytest.raises(SystemExit, match="of other sizes"):
        main(asked)


def test_a_run_is_examined_by_bots_on_its_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--decisions", "600", "--run", str(tmp_path), "--exams", "random", "--cores", "1"]
    main(["learn", "hanamikoji", *asked, *FLAGS])
    exams = [json.loads(line) for line in (tmp_path / "exams.jsonl").read_text().splitlines()]
    assert [exam["bot"] for exam in exams] == ["random"] * 5
    assert 0 < exams[-1]["share"] < 1
    assert "against random with 2 seats" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["learn", "poker"], "no recipe"),
        (["learn", "kasane", "--set", "courage=1"], "no number courage"),
        (["learn", "kasane", "--set", "width=wide"], "width is a number"),
        (["learn", "kasane", "--set", "tries=3"], "tries is a share of the matches"),
        (["learn", "kasane", "--set", "crowd=-1"], "crowd is a share of the matches"),
        (["learn", "kasane", "--set", "crowd=0.9", "--set", "old=0.5"], "0.5 and 0.9 are more than all"),
        (["learn", "kasane", "--set", "sense=-1"], "sense is a power"),
        (["learn", "kasane", "--set", "crowd=0.5", "--set", "imitate=2"], "imitate is a part of the run"),
        (["learn", "hanamikoji", "--set", "imitate=0.5"], "nobody to imitate"),
        (["learn", "small", "--set", "tries=0.5"], "has no sides, no trials, no crowd and no sense"),
        (["learn", "small", "--set", "grid=True"], "no grid of kinds"),
        (["learn", "kasane", "--set", "grid=True"], "no grid of kinds"),
        (["learn", "small", "--set", "sides=True"], "has no sides, no trials, no crowd and no sense"),
        (["learn", "small", "--set", "crowd=0.5"], "has no sides, no trials, no crowd and no sense"),
        (["learn", "kasane", "--seats", "9"], "no matches of 9 seats"),
        (["learn", "kasane", "--against", "nowhere"], "nowhere cannot be read"),
        (["learn", "kasane", "--resume", "--run", "nowhere"], "holds no run to go on with"),
        (["curves", "nowhere"], "holds no run of learning"),
        (["compare", "kasane", "nowhere", "nowhere"], "nowhere cannot be read"),
        (["compare", "kasane", KOHOJU, KOHOJU], "were learned with game kohoju, here it is kasane"),
        (["compare", "kohoju", KOHOJU, KOHOJU, "--seats", "7"], "is played by 2 to 6"),
        (["compare", "kohoju", KOHOJU, KOHOJU, "--seats", "0"], "is played by 2 to 6"),
        (["compare", "kohoju", KOHOJU, KOHOJU, "--matches", "0"], "in one match at least"),
        (["compare", "kohoju", KOHOJU, KOHOJU, "--cores", "0"], "on one core at least"),
    ],
)
def test_what_cannot_be_done_is_said(asked: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["--decisions", "100", *FLAGS] if asked[0] == "learn" else []
    with pytest.raises(SystemExit, match=said):
        main([*asked, *small])
