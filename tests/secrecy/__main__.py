"""A longer comparison: `python -m tests.secrecy --matches 200`. Kawaii and Kohoju are played to their ends, too."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

from tests.secrecy.lockstep import Sitting, compare
from tests.secrecy.sittings import SITTINGS


def main() -> None:
    """Compares as many matches as asked for, each with other cards and all seats as onlookers."""
    arguments = argparse.ArgumentParser(prog="python -m tests.secrecy", description=main.__doc__)
    arguments.add_argument("--matches", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=2, help="the first of the seeds")
    arguments.add_argument("--steps", type=int, default=3000, help="decisions in a match at most")
    wanted = arguments.parse_args()
    for seed, sitting in islice(product_of_seeds(wanted.seed), wanted.matches):
        compared = compare(replace(sitting, steps=wanted.steps, onlookers=6), seed)
        print(f"seed {seed}: {sitting}: {compared} messages, all the same", flush=True)


def product_of_seeds(first: int) -> Iterator[tuple[int, Sitting]]:
    """All sittings with one seed after the other."""
    return ((seed, sitting) for seed in count(first) for sitting in SITTINGS)


if __name__ == "__main__":
    main()
