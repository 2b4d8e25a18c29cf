"""The commands of learning: learn, and what belongs to a run. What they need is loaded when they run."""

from __future__ import annotations

import argparse
import json
from ast import literal_eval
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zashiki.bots import SKILLED
from zashiki.core.errors import ZashikiError
from zashiki.core.extras import extra

if TYPE_CHECKING:
    from zashiki.learn.field import Field
    from zashiki.learn.recipe import Recipe
    from zashiki.learn.run import Report, Run
    from zashiki.learn.skills import SkillRecipe

R = TypeVar("R", "Recipe", "SkillRecipe")

SMALL = "small"
EXAMS = 5
"""How often in a run the network is tried against bots."""
DEALS = 48
MATCHES = 2_000


class NotLearned(ZashikiError):
    """What was asked for cannot be learned, or not here."""


def add_commands(commands: Any) -> None:
    """Adds them to the command line."""
    learn = commands.add_parser("learn", help="learn a master of a game by self-play, on a GPU or, small, on the processor")
    learn.add_argument("game", metavar="GAME", help="a game that has a recipe, or `small` for a game with a known equilibrium")
    learn.add_argument(
        "--run", type=Path, dest="folder", metavar="FOLDER", help="where the run lives (default: runs/GAME, or runs/GAME-skill)"
    )
    learn.add_argument("--decisions", type=int, metavar="N", help="how many decisions to learn from (default: the recipe's)")
    learn.add_argument("--seed", type=int, default=1, help="another seed gives another run (default: 1)")
    learn.add_argument("--device", choices=("cuda", "cpu"), help="where (default: a GPU if there is one)")
    learn.add_argument("--resume", action="store_true", help="go on with the run that lies in the folder")
    learn.add_argument("--from", type=Path, dest="start", metavar="FILE", help="start from these weights instead of from nothing")
    learn.add_argument(
        "--against", type=Path, metavar="FILE", help="learn a best response to these weights, and tell what it gains"
    )
    learn.add_argument("--seats", type=int, metavar="K", help="only matches of so many seats")
    learn.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a number of the recipe")
    learn.add_argument("--exams", default="", metavar="BOTS", help="bots to be tried against during the run, with commas")
    learn.add_argument("--cores", type=int, default=4, help="how many processes play these, or learn a skill (default: 4)")
    kinds = learn.add_mutually_exclusive_group()
    kinds.add_argument("--network", action="store_true", help="learn a network also where a master needs none (kohoju)")
    kinds.add_argument("--skill", action="store_true", help="learn a skill also where a master has a network, too (kawaii)")
    learn.set_defaults(run=_learn)
    compare = commands.add_parser(
        "compare", help="let what was learned play among copies of something else that was, without search"
    )
    compare.add_argument("game", metavar="GAME")
    compare.add_argument("one", type=Path, metavar="FILE", help="weights that play in one seat, in every seat about as often")
    compare.add_argument("others", type=Path, metavar="OTHERS", help="weights that play in all other seats")
    compare.add_argument("--seats", type=int, metavar="K", help="how many play (default: the fewest possible)")
    compare.add_argument("--matches", type=int, default=MATCHES, metavar="N", help=f"at least so many (default: {MATCHES:,})")
    compare.add_argument("--seed", type=int, default=1, help="another seed gives other deals (default: 1)")
    compare.add_argument("--cores", type=int, default=4, help="on how many cores skills play (default: 4)")
    compare.set_defaults(run=_compare)
    pictures = commands.add_parser("curves", help="draw the story of a run of learning again")
    pictures.add_argument("folder", type=Path, metavar="FOLDER")
    pictures.set_defaults(run=_curves)


def _learn(arguments: argparse.Namespace) -> None:
    if arguments.skill or (arguments.game in SKILLED and not arguments.network):
        _learn_skill(arguments)
        return
    with extra("learn"):
        import torch

        from zashiki.learn.field import Matches
    from zashiki.games import find
    from zashiki.learn.run import Run, told_of

    recipe, folder = _recipe(arguments), arguments.folder or Path("runs") / arguments.game
    device = torch.device(arguments.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    if arguments.game == SMALL:
        _learn_small(arguments, recipe, folder)
        return
    game = find(arguments.game)
    field = Matches(game, recipe.shares, recipe.matches, device, arguments.seed)
    if arguments.against:
        _answer(arguments, recipe, field, folder)
        return
    run = Run(recipe, field, folder, arguments.seed, told_of(game))
    _begin(run, arguments)
    _go(run, arguments)


def _learn_skill(arguments: argparse.Namespace) -> None:
    """Learns what to make of traits, which takes no PyTorch, and a GPU only if there is one."""
    from zashiki.bots.skills import kept_policy
    from zashiki.core.gpu import available
    from zashiki.games import find
    from zashiki.learn.curves import draw_curves
    from zashiki.learn.skills import SKILL_RECIPES, SkillRun

    if arguments.game not in SKILL_RECIPES:
        raise NotLearned(f"nobody knows traits of {arguments.game} yet: skills are learned of {', '.join(SKILL_RECIPES)}")
    if arguments.exams:
        raise NotLearned("a skill is tried against the heuristic in every report: --exams are for networks")
    if arguments.start and arguments.against:
        raise NotLearned("a best response to a skill begins as that skill: --from and --against do not go together")
    device = arguments.device or ("cuda" if available() else "cpu")
    recipe = SKILL_RECIPES[arguments.game][device]
    recipe = _changed(recipe, arguments.set, {"tables", "crowd"} | ({"guess_hands"} if recipe.guess_hands == 0 else set()))
    if arguments.seats:
        tables, crowd = (
            tuple(table for table in tables if table[0] == arguments.seats) for tables in (recipe.tables, recipe.crowd)
        )
        recipe = replace(recipe, tables=tables, crowd=crowd)
        if not tables:
            raise NotLearned(f"the recipe for {arguments.game} has no matches of {arguments.seats} seats")
    recipe = replace(recipe, decisions=arguments.decisions or recipe.decisions)
    folder = arguments.folder or Path("runs") / (arguments.game if arguments.game in SKILLED else f"{arguments.game}-skill")
    game = find(arguments.game)
    opponent = kept_policy(game, arguments.against) if arguments.against else None
    run = SkillRun(game, recipe, folder, arguments.seed, arguments.cores, opponent, device)
    _check_folder(folder, "checkpoint.npz", arguments.resume)
    if arguments.resume:
        run.resume()
    elif arguments.start:
        run.start_from(kept_policy(game, arguments.start))
    run.go(tell)
    draw_curves(folder)
    print(f"{run.decisions:,} decisions in {run.seconds:,.0f} s, {run.decisions / run.seconds:,.0f} a second")
    if opponent is not None:
        print(f"A best response, learned from {recipe.decisions:,} decisions, wins {run.gain()}")
    print(folder / "weights.safetensors")


def _check_folder(folder: Path, checkpoint: str, resume: bool) -> None:
    """Whether a run may begin in a folder, or go on there."""
    if resume and not (folder / checkpoint).exists():
        raise NotLearned(f"{folder} holds no run to go on with")
    if not resume and (folder / "run.json").exists():
        raise NotLearned(f"{folder} holds a run already: --resume goes on with it, --run names another folder")


def _changed(recipe: R, settings: list[str], fixed: set[str]) -> R:
    """A recipe with the numbers that were changed on the command line."""
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in {each.name for each in fields(recipe)} - fixed:
            raise NotLearned(f"a recipe has no number {name}")
        recipe = replace(recipe, **{name: _number(name, value)})
    return recipe


def _in_one_leg(recipe: Recipe, settings: list[str]) -> Recipe:
    """Rate and wandering that were changed on the command line are those of the whole run."""
    told = {setting.partition("=")[0] for setting in settings}
    return replace(recipe, further=()) if told & {"rate", "wander"} else recipe


def _recipe(arguments: argparse.Namespace) -> Recipe:
    """The recipe of the game with everything that was changed on the command line."""
    from zashiki.games import find
    from zashiki.learn.answering import against
    from zashiki.learn.recipe import RECIPES, SMALL_RECIPE

    recipe = SMALL_RECIPE if arguments.game == SMALL else RECIPES.get(arguments.game)
    if recipe is None:
        raise NotLearned(f"there is no recipe for {arguments.game}; there are {', '.join(RECIPES)}, and {SMALL}")
    if arguments.against:
        recipe = against(recipe, recipe.decisions)
    recipe = _in_one_leg(_changed(recipe, arguments.set, {"shares", "further"}), arguments.set)
    if arguments.game == SMALL and (recipe.sides or recipe.tries or recipe.crowd or recipe.sense):
        raise NotLearned(
            "the small game has no sides, no trials, no crowd and no sense: nobody looks out of turn there, nothing can be taken "
            "back, and no heuristic plays it"
        )
    if recipe.grid and (arguments.game == SMALL or find(arguments.game).grid is None):
        raise NotLearned(f"the cards of {arguments.game} are no grid of kinds that can be exchanged")
    for name in ("tries", "old", "crowd"):
        if not 0 <= getattr(recipe, name) <= 1:
            raise NotLearned(f"{name} is a share of the matches, from 0 to 1, not {getattr(recipe, name)}")
    if recipe.old + recipe.crowd > 1:
        raise NotLearned(f"past selves and the crowd share the matches: {recipe.old} and {recipe.crowd} are more than all")
    if recipe.sense < 0:
        raise NotLearned(f"sense is a power of the heuristic's weights, 0 or more, not {recipe.sense}")
    if not 0 <= recipe.imitate <= 1:
        raise NotLearned(f"imitate is a part of the run, from 0 to 1, not {recipe.imitate}")
    if recipe.imitate and not recipe.crowd:
        raise NotLearned("without a crowd there is nobody to imitate")
    if arguments.seats:
        recipe = replace(recipe, shares=tuple(share for share in recipe.shares if share.seats == arguments.seats))
    if not recipe.shares:
        raise NotLearned(f"the recipe for {arguments.game} has no matches of {arguments.seats} seats")
    return replace(recipe, decisions=arguments.decisions or recipe.decisions)


def _number(name: str, value: str) -> Any:
    """A number, or the two between which it goes."""
    try:
        return literal_eval(value)
    except (SyntaxError, ValueError):
        raise NotLearned(f"{name} is a number, or two in brackets such as (0.001,0.0001), not {value}") from None


def _begin(run: Run, arguments: argparse.Namespace) -> None:
    _check_folder(run.folder, "checkpoint.pt", arguments.resume)
    if arguments.resume:
        run.resume()
    elif arguments.start:
        from zashiki.learn.network import load

        network = load(arguments.start)
        if network.sense != run.recipe.sense:
            raise NotLearned(
                f"these weights were learned with sense {network.sense}: --set sense={network.sense} goes on with it"
            )
        run.start_from(network)


def _go(run: Run, arguments: argparse.Namespace) -> None:
    """Learns, with exams now and then, and draws the curves."""
    from zashiki.learn.curves import draw_curves
    from zashiki.learn.measuring import Examiner

    bots = [bot for bot in arguments.exams.split(",") if bot]
    examiner = Examiner(arguments.game, arguments.cores) if bots else None
    for part in range(1, EXAMS + 1):
        run.go(tell, until=run.recipe.decisions * part // EXAMS)
        if examiner:
            paper = run.folder / f"weights-{part}.safetensors"
            paper.write_bytes((run.folder / "weights.safetensors").read_bytes())
            for bot in bots:
                for seats in sorted({share.seats for share in run.recipe.shares}):
                    examiner.ask(paper, seats, bot, DEALS, arguments.cores, decisions=run.decisions)
            write_exams(run.folder, examiner.answers(wait=part == EXAMS))
    if examiner:
        examiner.close()
    draw_curves(run.folder)
    print(f"{run.decisions:,} decisions in {run.seconds:,.0f} s, {run.decisions / run.seconds:,.0f} a second")
    print(run.folder / "weights.safetensors")


def write_exams(folder: Path, answers: list[dict[str, Any]]) -> None:
    """Adds what became known to the story of a run, and tells it."""
    with (folder / "exams.jsonl").open("a") as file:
        for answer in answers:
            file.write(json.dumps(answer) + "\n")
            print(f"after {answer['decisions']:,}: {answer['share']:.1%} against {answer['bot']} with {answer['seats']} seats")


def tell(report: Report) -> None:
    """A line a report."""
    met = {"against_past": "against past selves", "against_crowd": "against the heuristic"}
    won = "".join(f", {report[name]:.2f} fair shares {whom}" for name, whom in met.items() if name in report)
    print(
        f"{report['decisions']:>14,} decisions, {report['rate']:,}/s: entropy {report['entropy']:.3f}, "
        f"surprise {report['surprise']:.3f}{won}",
        flush=True,
    )


def _answer(arguments: argparse.Namespace, recipe: Recipe, field: Field, folder: Path) -> None:
    from zashiki.games import find
    from zashiki.learn.answering import learn_answer
    from zashiki.learn.network import load

    game = find(arguments.game)
    gained = learn_answer(game, recipe, field, load(arguments.against), folder, arguments.seed, tell)
    print(f"A best response, learned from {recipe.decisions:,} decisions, wins {gained}")


def _learn_small(arguments: argparse.Namespace, recipe: Recipe, folder: Path) -> None:
    from zashiki.learn.run import Run
    from zashiki.learn.small import VALUE, SmallField, exploitability, policy_of, value

    run = Run(recipe, SmallField(recipe.matches, arguments.seed), folder, arguments.seed)
    _begin(run, arguments)

    def told(report: Report) -> None:
        print(
            f"{report['decisions']:>10,} decisions: a best answer gains {exploitability(policy_of(run.network)):.4f}", flush=True
        )

    run.go(told)
    policy = policy_of(run.network)
    print(f"worth {value(policy):.4f} to seat 0 (in equilibrium {VALUE}); a best answer gains {exploitability(policy):.4f}")


def _compare(arguments: argparse.Namespace) -> None:
    from zashiki.games import find
    from zashiki.learn.comparing import compare

    game = find(arguments.game)
    seats = game.check_seats(game.seats[0] if arguments.seats is None else arguments.seats)
    if arguments.matches < 1:
        raise NotLearned(f"policies meet in one match at least, not in {arguments.matches}")
    if arguments.cores < 1:
        raise NotLearned(f"skills play on one core at least, not on {arguments.cores}")
    won = compare(game, arguments.one, arguments.others, seats, arguments.matches, arguments.seed, arguments.cores)
    print(f"{arguments.one} wins {won} among {arguments.others}, {seats} seats")


def _curves(arguments: argparse.Namespace) -> None:
    from zashiki.learn.curves import draw_curves

    if not (arguments.folder / "run.json").exists():
        raise NotLearned(f"{arguments.folder} holds no run of learning")
    draw_curves(arguments.folder)
    print(arguments.folder / "index.html")
