"""Kasane in its first round and a little more: the right ends of the market, accessories, waiting, places, and the kimono."""

from __future__ import annotations

from zashiki.games.kasane.actions import Combine, Decline, Take
from zashiki.tutorials.script import Move, Script, Task, Word

AOI = 1

SCRIPT = Script(
    game="kasane",
    seats=2,
    seed=139,
    names=("Aoi",),
    wrong={Take: "wrong.take", Decline: "wrong.decline", Combine: "wrong.combine"},
    steps=(
        Word("market", at="market"),
        Word("places", at="places"),
        Task("take", (Take(0),), at="market:0", then="take.then"),
        Move(AOI, Take(0), "uncovered", at="others"),
        Task("accessory", (Take(3),), at="market:3", then="accessory.then"),
        Move(AOI, Take(3)),
        Task("take.two", (Take(2),), at="market:2"),
        Task("decline", (Decline(),), at="prompt", wrong={Combine: "decline.wrong"}),
        Move(AOI, Take(1)),
        Move(AOI, Combine("Katchou Fuugetsu", 2, False), "place.used", at="places"),
        Task("take.six", (Take(0),), at="market:0"),
        Task("mark", (Combine("Chidori", 3, False),), at="prompt", then="mark.then"),
        Move(AOI, Take(1)),
        Move(AOI, Combine("Juu", 1, True), "kimono.aoi", at="others"),
        Task("take.kasane", (Take(3),), at="market:3"),
        Task("kimono", (Combine("Kasane", 1, True),), at="prompt", then="kimono.then"),
        Move(AOI, Take(1)),
        Task("take.last", (Take(2),), at="market:2"),
        Task("small", (Combine("Setsu Getsu Fuuka", 1, True),), at="prompt"),
        Move(AOI, Take(0)),
        Move(AOI, Combine("Juu", 2, True)),
        Word("round.two", at="market"),
        Move(AOI, Take(2)),
        Task("take.moon", (Take(0), Take(1)), at="market:0, market:1"),
        Task("moon", (Combine("Kagen no Tsuki", 1, True),), at="prompt"),
        Word("end", at="near"),
    ),
    learned=("learned.market", "learned.combine", "learned.places", "learned.end"),
)
