"""A position to try rules on: a state whose fields a test may set, with actions spoken at the edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from zashiki.core import masks
from zashiki.core.actions import Action
from zashiki.games import find


class Position:
    """One state of a game in whichever gear runs. `state` may be changed at will before the next action."""

    def __init__(self, game: str, seats: int, seed: int = 0, **options: Any) -> None:
        self.game = find(game)
        self.rules = self.game.rules
        self.records = self.game.layout.new(2)
        self.state = self.records[0]
        self.mask = np.zeros(masks.words_for(self.rules.ACTIONS), np.uint32)
        words = np.array([(seed >> (32 * i)) & 0xFFFFFFFF for i in range(4)], np.uint32)
        self.rules.deal(self.state, seats, self.game.option_numbers(options), words)

    def to_act(self) -> set[int]:
        bits = int(self.rules.to_act(self.state))
        return {seat for seat in range(8) if bits >> seat & 1}

    def legal(self, seat: int) -> list[Action]:
        self.rules.legal(self.state, seat, self.mask)
        return [self.game.vocabulary[n] for n in range(self.rules.ACTIONS) if masks.allowed(self.mask, n)]

    def do(self, seat: int, action: Action) -> None:
        """Carries an action out, which must be legal."""
        assert seat in self.to_act(), f"seat {seat} has nothing to decide; {self.to_act()} have"
        assert action in self.legal(seat), f"{action} is not among {self.legal(seat)}"
        self.rules.apply(self.state, seat, self.game.vocabulary.number(action))

    def view(self, seat: int) -> Any:
        out = self.records[1]
        self.rules.view(self.state, seat, out)
        return out

    def scores(self) -> list[dict[str, int]]:
        """Each seat's points by their parts."""
        table = np.zeros((int(self.state.seats), len(self.rules.PARTS)), np.int32)
        self.rules.scores(self.state, table)
        return [dict(zip(self.rules.PARTS, map(int, row), strict=True)) for row in table]

    def winners(self) -> set[int]:
        bits = int(self.state.winners)
        return {seat for seat in range(8) if bits >> seat & 1}

    def ending(self) -> str:
        return self.game.layout.endings[int(self.state.ending)]
