"""The contract of a game: the names every game provides, and each of them as a generic function over any game's record.

Algorithms that work for all games (random play, batches, search) are written once over these names. In the python gear a name
looks the game up by the record's dtype; compiled, Numba resolves it by the record's type, and the result can be kept on disk.

A game's modules provide:

STATE       the record's layout
ACTIONS     how many different actions there are; each is a number from 0
PARTS       what the columns of `scores` are called; the points of a seat are their sum
FEATURES    the length of an observation
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import GEAR
from zashiki.core.layout import Layout, Record
from zashiki.core.masks import Mask
from zashiki.core.random import Words

Options = npt.NDArray[np.int64]
Tensor = npt.NDArray[np.float32]
Table = npt.NDArray[np.int32]


class Rules(Protocol):
    """A game's rules as the engine uses them."""

    STATE: Layout
    ACTIONS: int
    PARTS: tuple[str, ...]
    deal: Callable[[Record, int, Options, Words], None]
    to_act: Callable[[Record], int]
    legal: Callable[[Record, int, Mask], None]
    apply: Callable[[Record, int, int], None]
    view: Callable[[Record, int, Record], None]
    redeal: Callable[[Record, int, Words, Record], None]
    scores: Callable[[Record, Table], None]
    sealed: Callable[[Record, int, int], int]


_rules: dict[Any, Any] = {}


def register(dtype: Any, **functions: Any) -> None:
    """Makes functions over a game's record known under the generic names."""
    known = _rules.setdefault(dtype, {})
    known.update(functions)
    if GEAR != "python":  # native gear only
        import numba

        _rules[numba.from_dtype(dtype)] = known


def chosen(record: Any, name: str) -> Any:
    """The function that a game has registered under a generic name."""
    return _rules[record][name]


def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """A new match: every field is set, the cards are dealt, the first decision is open."""
    _rules[state.dtype]["deal"](state, seats, options, seed)


def to_act(state: Record) -> int:
    """The seats that may act now, as bits: one, several at once, or anyone; bit CLOCK where time may act. 0: over."""
    return int(_rules[state.dtype]["to_act"](state))


def legal(state: Record, seat: int, mask: Mask) -> None:
    """Writes exactly the legal actions of that seat into the mask. Works on a state and on the seat's own view."""
    _rules[state.dtype]["legal"](state, seat, mask)


def apply(state: Record, seat: int, action: int) -> None:
    """Carries out a legal action, with everything that follows from it, up to the next decision."""
    _rules[state.dtype]["apply"](state, seat, action)


def view(state: Record, seat: int, out: Record) -> None:
    """What that seat, or a SPECTATOR, may know, in the same layout; everything else is UNKNOWN."""
    _rules[state.dtype]["view"](state, seat, out)


def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """A complete state drawn uniformly from the deals consistent with the view."""
    _rules[view.dtype]["redeal"](view, seat, rng, out)


def scores(state: Record, table: Table) -> None:
    """The points each seat has now (or would have, if it ended now): a row a seat, a column for each of PARTS."""
    _rules[state.dtype]["scores"](state, table)


def sealed(state: Record, seat: int, action: int) -> int:
    """What has become of a secret choice made earlier: 0, open to all; SEALED until all have chosen; VOID, it came to nothing."""
    return int(_rules[state.dtype]["sealed"](state, seat, action))


def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """The numeric features of a view, between about −1 and 1, seats counted from the viewer on; then zeros."""
    _rules[view.dtype]["observe"](view, seat, tensor)


NAMES = ("deal", "to_act", "legal", "apply", "view", "redeal", "scores", "sealed", "observe")


def make_generic(function: Callable[..., Any]) -> None:
    """Lets compiled code resolve a generic function by the type of the record it is called with."""
    if GEAR == "python":
        return
    from numba.extending import overload

    name = function.__name__

    def resolve(record: Any, *others: Any) -> Any:
        function = _rules[record][name]
        calls = {
            0: lambda record: function(record),
            1: lambda record, a: function(record, a),
            2: lambda record, a, b: function(record, a, b),
            3: lambda record, a, b, c: function(record, a, b, c),
            4: lambda record, a, b, c, d: function(record, a, b, c, d),
        }
        return calls[len(others)]

    overload(function, strict=False, target="generic")(resolve)


for _name in NAMES:
    make_generic(globals()[_name])
