"""Kohoju in five turns: drawing from both piles, opening with the guide card, building, the pool, and a finished kohoju."""

from __future__ import annotations

from zashiki.games.kohoju.actions import Add, Discard, Draw, Open, Pool
from zashiki.tutorials.script import Move, Script, Task, Word

AOI = 1
LEFT = ("blue triangle 5", "green star 4", "green star 3", "green star 1", "green square 1", "green cross 1")

SCRIPT = Script(
    game="kohoju",
    seats=2,
    seed=832,
    names=("Aoi",),
    wrong={Draw: "wrong.draw", Open: "wrong.open", Add: "wrong.add", Pool: "wrong.pool", Discard: "wrong.discard"},
    steps=(
        Word("goal", at="kohojus"),
        Word("guide", at="guide"),
        Task("draw.discard", (Draw("discard pile"),), at="discard"),
        Task("open", (Open("yellow circle 5"),), at="hand:yellow circle 5, kohoju:0", then="open.then"),
        Task("add", (Add("yellow square 5", 0),), at="hand:yellow square 5, kohoju:0", wrong={Discard: "add.discard"}),
        Task("discard", (Discard("purple square 4"),), at="hand:purple square 4, discard"),
        Move(AOI, Draw("stock")),
        Move(AOI, Open("green square 5")),
        Move(AOI, Add("green cross 3", 0)),
        Move(AOI, Discard("blue triangle 2"), "aoi", at="seats"),
        Task("draw.stock", (Draw("stock"),), at="stock"),
        Task("add.star", (Add("yellow star 5", 0),), at="hand:yellow star 5, kohoju:0", wrong={Discard: "add.discard"}),
        Task("discard.low", (Discard("blue square 2"),), at="hand:blue square 2, discard"),
        Move(AOI, Draw("stock")),
        Move(AOI, Add("green star 2", 0)),
        Move(AOI, Discard("yellow star 4")),
        Task("draw.again", (Draw("stock"),), at="stock"),
        Task("pool", (Pool("blue cross 4"),), at="hand:blue cross 4, pool", wrong={Pool: "pool.other"}),
        Task("discard.one", (Discard("purple circle 1"),), at="hand:purple circle 1, discard"),
        Move(AOI, Draw("stock")),
        Move(AOI, Add("green circle 2", 0)),
        Move(AOI, Discard("purple circle 4")),
        Task("draw.four", (Draw("stock"),), at="stock"),
        Task(
            "add.guide",
            (Add("yellow cross 1", 0),),
            at="hand:yellow cross 1, kohoju:0",
            then="guide.changes",
            wrong={Open: "open.second", Discard: "add.discard"},
        ),
        Task("discard.star", (Discard("red star 3"),), at="hand:red star 3, discard"),
        Move(AOI, Draw("stock")),
        Move(AOI, Pool("red circle 3")),
        Move(AOI, Discard("blue cross 1")),
        Task("draw.five", (Draw("stock"),), at="stock"),
        Task(
            "finish",
            (Add("yellow triangle 3", 0),),
            at="hand:yellow triangle 3, kohoju:0",
            then="finish.then",
            wrong={Discard: "add.discard"},
        ),
        Task("extra", (Pool("purple cross 5"),), at="hand:purple cross 5, pool", wrong={Pool: "pool.other"}),
        Task("discard.free", tuple(Discard(card) for card in LEFT), at="hand, discard"),
        Word("end", at="seats"),
    ),
    learned=("learned.turn", "learned.kohoju", "learned.pool", "learned.score"),
)
