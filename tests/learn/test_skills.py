"""A run that learns a skill: it begins as the heuristic, can stop and go on, and ends in weights that play."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.bots.learned import random_skill
from tests.bots.learned import write_skill as write_random_skill
from tests.bots.test_kohoju_skill import decisions
from zashiki.bots.kohoju.guesses import GUESSES
from zashiki.bots.kohoju.hands import note_hands
from zashiki.bots.kohoju.hopes import HOPES
from zashiki.bots.kohoju.learned import FORM, first_policy, guesses_of
from zashiki.bots.kohoju.skilled import SITUATIONS, weigh_by_skill
from zashiki.bots.plain import weights
from zashiki.bots.practice import HEURISTIC, LEARNER, new_room
from zashiki.bots.sense import heuristics
from zashiki.bots.skills import kept_policy, skill_of
from zashiki.cli import main
from zashiki.core.gears import GEAR
from zashiki.games import find
from zashiki.games.kohoju.rules import STATE
from zashiki.learn.guessing import guess, told_apart
from zashiki.learn.skills import SKILL_RECIPES, SkillRecipe, SkillRun, fitted, write_skill

pytestmark = pytest.mark.skipif(GEAR == "python", reason="learning needs no other gear")

KOHOJU = find("kohoju")
TINY = SkillRecipe(
    decisions=12_000, tables=((2, 2, 3), (3, 1, 3)), fit_every=5_000, fit_chapters=20, last_fit_chapters=20, guess_hands=400
)
FLAGS = [
    "--decisions",
    "4000",
    "--cores",
    "1",
    "--set",
    "fit_chapters=10",
    "--set",
    "last_fit_chapters=10",
    "--set",
    "guess_hands=100",
]


def tiny_run(folder: Path, recipe: SkillRecipe = TINY, cores: int = 1) -> SkillRun:
    return SkillRun(KOHOJU, recipe, folder, 4, cores)


def test_a_policy_begins_as_the_heuristic() -> None:
    policy, alike, asked = first_policy(), 0, 0
    for state, seat, legal in decisions(6):
        if len(legal) > 1:
            found = np.zeros(len(legal))
            weigh_by_skill(state.records[0], seat, np.array(legal, np.int64), found, FORM.spread(policy, int(state.record.seats)))
            alike += int(np.argmax(found)) == int(np.argmax(weights(state.view(seat), seat, legal)))
            asked += 1
    assert alike > 0.97 * asked


def test_a_run_of_a_skill_that_was_stopped_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = tiny_run(tmp_path / "whole")
    whole.go()
    stopped = tiny_run(tmp_path / "parts")
    with pytest.raises(KeyboardInterrupt):
        stopped.go(lambda report: interrupt() if report["decisions"] > 7_000 else None)
    gone_on = tiny_run(tmp_path / "parts")
    gone_on.resume()
    assert 0 < gone_on.decisions < whole.decisions
    gone_on.go()
    assert np.array_equal(gone_on.kept, whole.kept)
    curves = [[json.loads(line) for line in (run.folder / "curve.jsonl").read_text().splitlines()] for run in (whole, gone_on)]
    assert [line["entropy"] for line in curves[0]] == [line["entropy"] for line in curves[1]]


def interrupt() -> None:
    raise KeyboardInterrupt


def test_more_cores_learn_the_same(tmp_path: Path) -> None:
    one, two = (tiny_run(tmp_path / str(cores), replace(TINY, decisions=4_000), cores) for cores in (1, 2))
    one.go()
    two.go()
    assert np.array_equal(one.kept, two.kept)


def test_practice_makes_better_than_the_heuristic(tmp_path: Path) -> None:
    recipe = replace(TINY, decisions=1_500_000, tables=((6, 1, 60),), fit_every=2_000_000, fit_chapters=400)
    run = tiny_run(tmp_path, recipe, 2)
    run.go()
    with ThreadPoolExecutor(2) as pool:
        assert 6 * run.against(HEURISTIC, 6, 1_200, pool) > 1.05


def test_hopes_are_fitted_to_what_came() -> None:
    chance = np.random.default_rng(1)
    size = len(HOPES)
    truth = chance.normal(size=size)
    products, results = np.zeros((SITUATIONS, size, size)), np.zeros((SITUATIONS, size))
    for row in range(SITUATIONS):
        looked_at = chance.normal(size=(4_000, size))
        products[row], results[row] = looked_at.T @ looked_at, looked_at.T @ (looked_at @ truth + chance.normal(size=4_000))
    assert np.allclose(fitted(FORM, products, results), truth, atol=0.1)


def test_tables_that_were_not_practised_have_hopes_and_guesses_of_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hopes, guesses = ({seats: np.full((rows, len(HOPES)), float(seats)) for seats in (2, 5)} for rows in (SITUATIONS, GUESSES))
    write_skill(tmp_path / "kohoju-skill.safetensors", KOHOJU, first_policy(), hopes, guesses, 1)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    assert [float(skill_of(KOHOJU, seats).hopes[0, 0]) for seats in (2, 3, 4, 5, 6)] == [2, 2, 5, 5, 5]
    assert [float(guesses_of(KOHOJU, seats)[0, 0]) for seats in (2, 3, 4, 5, 6)] == [2, 2, 5, 5, 5]


def test_guesses_tell_hands_that_are_held_from_others() -> None:
    """Of pairs, each of which is the wrong way round as often as weights of 2 and -1 would have it."""
    chance = np.random.default_rng(1)
    differences = chance.normal(size=(20_000, 3))
    turned = chance.random(20_000) > 1 / (1 + np.exp(-differences @ [2, -1, 0]))
    differences[turned] *= -1
    assert np.allclose(told_apart(differences), [2, -1, 0], atol=0.1)
    assert not told_apart(differences[:10]).any()


def test_hands_that_are_held_are_told_from_dealt_ones_that_nobody_has_seen_yet() -> None:
    heuristics(KOHOJU)
    guesses = guess(KOHOJU, 4_000, first_policy(), 1, 2)
    assert np.array_equal(guess(KOHOJU, 4_000, first_policy(), 1, 2), guesses)
    held, dealt, rows = np.zeros((1_000, len(HOPES))), np.zeros((1_000, len(HOPES))), np.zeros(1_000, np.int64)
    everybody = np.full(2, HEURISTIC)
    note_hands(new_room(KOHOJU, 2, 77), FORM.spread(first_policy(), 2)[None], everybody, STATE.new(2), held, dealt, rows)
    assert (((held - dealt) * guesses[rows]).sum(1) > 0).mean() > 0.6


def test_a_skill_is_learned_and_answered_with_one_command_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zashiki.learn.skills.GAINED", 20)
    main(["learn", "kohoju", "--run", str(tmp_path / "skill"), *FLAGS])
    told = capsys.readouterr().out
    assert "decisions in" in told
    assert "fair shares against the heuristic" in told
    for name in ("run.json", "curve.jsonl", "checkpoint.npz", "weights.safetensors", "curves.png", "index.html"):
        assert (tmp_path / "skill" / name).stat().st_size > 0
    answer = ["--against", str(tmp_path / "skill" / "weights.safetensors"), "--seats", "2", "--run", str(tmp_path / "answer")]
    main(["learn", "kohoju", *answer, *FLAGS])
    assert "A best response, learned from 4,000 decisions, wins" in capsys.readouterr().out
    main(["compare", "kohoju", str(tmp_path / "answer" / "weights.safetensors"), answer[1], "--matches", "9", "--cores", "1"])
    assert "10 matches) among" in capsys.readouterr().out


def test_one_seat_learns_among_heuristics_where_they_are_a_crowd(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, replace(TINY, tables=((2, 1, 3),), crowd=((3, 1, 3),)))
    assert [run._who(seats, number).tolist() for number, seats in ((0, 2), (1, 3))] == [
        [LEARNER, LEARNER],
        [HEURISTIC, LEARNER, HEURISTIC],
    ]


def test_what_is_learned_in_a_crowd_counts_as_much_more_as_it_is_heeded(tmp_path: Path) -> None:
    changes = []
    for heed in (0.0, 1.0, 2.0, 1e12):
        run = tiny_run(tmp_path / str(heed), replace(TINY, tables=((2, 1, 9),), crowd=((3, 1, 9),), heed=heed))
        with ThreadPoolExecutor(1) as pool:
            run.hopes = run.fit(run.policy, 20, pool)
            run._step(pool)
        changes.append(run._speed)
    none, once, twice, alone = changes
    share = ((once - none) * (alone - none)).sum() / ((alone - none) ** 2).sum()
    assert 0.1 < share < 0.9
    assert np.allclose(once, none + share * (alone - none))
    assert np.allclose(twice, none + 2 * share / (1 + share) * (alone - none))


def test_a_skill_beside_a_network_is_learned_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tiny = replace(SKILL_RECIPES["kawaii"]["cpu"], tables=((3, 1, 2),), crowd=((5, 1, 1),))
    monkeypatch.setitem(SKILL_RECIPES, "kawaii", {"cpu": tiny})
    main(["learn", "kawaii", "--skill", "--device", "cpu", *FLAGS[:-2]])
    assert "fair shares against the heuristic" in capsys.readouterr().out
    assert kept_policy(find("kawaii"), tmp_path / "runs" / "kawaii-skill" / "weights.safetensors").any()


def test_a_skill_goes_on_from_another(tmp_path: Path) -> None:
    write_random_skill(tmp_path, KOHOJU, random_skill(KOHOJU))
    file = tmp_path / "kohoju-skill.safetensors"
    assert not np.allclose(kept_policy(KOHOJU, file), first_policy())
    still = ["--set", "rate=(0,0)", "--decisions", "4000", "--seats", "2", "--device", "cpu"]
    main(["learn", "kohoju", "--from", str(file), "--run", str(tmp_path / "second"), *FLAGS[2:], *still])
    assert np.array_equal(kept_policy(KOHOJU, tmp_path / "second" / "weights.safetensors"), kept_policy(KOHOJU, file))


def test_a_skill_is_of_games_whose_traits_are_known(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nobody knows traits of kimono yet: skills are learned of kohoju, kawaii"):
        main(["learn", "kimono", "--skill", "--run", str(tmp_path)])
    with pytest.raises(SystemExit, match="a recipe has no number guess_hands"):
        main(["learn", "kawaii", "--skill", "--run", str(tmp_path), "--set", "guess_hands=9"])


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        (["--exams", "club"], "--exams are for networks"),
        (["--from", "one.safetensors", "--against", "one.safetensors"], "do not go together"),
        (["--from", "nowhere.safetensors"], "cannot be read"),
        (["--device", "cuda"], "needs a GPU"),
        (["--seats", "9"], "has no matches of 9 seats"),
        (["--set", "width=3"], "a recipe has no number width"),
        (["--resume"], "holds no run to go on with"),
        (["--against", "nowhere.safetensors"], "cannot be read"),
    ],
)
def test_what_a_skill_cannot_be_asked_is_said(tmp_path: Path, asked: list[str], refusal: str) -> None:
    with pytest.raises(SystemExit, match=refusal):
        main(["learn", "kohoju", "--run", str(tmp_path), *asked])
