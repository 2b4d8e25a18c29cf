"""Kohoju's kinds as a grid: five colours in rows, five symbols in columns, none of them special, and neither are rows."""

from __future__ import annotations

import numpy as np

from zashiki.core.grid import Grid, all_but, seen_on
from zashiki.games.kohoju.cards import CARDS, COLOURS, KINDS, POINTS
from zashiki.games.kohoju.features import FEATURES, OBSERVATION
from zashiki.games.kohoju.rules import ACTIONS, OPEN_FROM

_SEEN = seen_on(OBSERVATION, KINDS, CARDS)
# Whatever is done with a card, its actions lie in the order of the cards: a kind's five, one after the other.
_DONE = np.arange(OPEN_FROM, ACTIONS).reshape(-1, KINDS, POINTS).transpose(1, 0, 2).reshape(KINDS, -1)

GRID = Grid(len(COLOURS), _SEEN, all_but(_SEEN, FEATURES), _DONE, all_but(_DONE, ACTIONS))
