"""Kimono in three rounds: cut, apprentice and vote, further cuts, limits, fire, breakage, the bin, and how one gets a kimono."""

from __future__ import annotations

from zashiki.games.kimono.actions import Break, Copy, Cut, PlaceApprentice, Vote
from zashiki.tutorials.script import Move, Script, Task, Word

AOI, KEN = 1, 2

IN_GROUP_TWO = tuple(PlaceApprentice(place) for place in range(5, 11))
LEFT_OF_THE_CUT = tuple(PlaceApprentice(place) for place in range(7))

SCRIPT = Script(
    game="kimono",
    seats=3,
    seed=5,
    names=("Aoi", "Ken"),
    wrong={
        Cut: "wrong.cut",
        PlaceApprentice: "wrong.apprentice",
        Vote: "wrong.vote",
        Break: "wrong.break",
    },
    steps=(
        Word("curios", at="row"),
        Task("cut", (Cut(4, "left"),), at="gap:3, prompt"),
        Task("apprentice", IN_GROUP_TWO, at="row, prompt"),
        Task("vote", (Vote(1),), at="group:1"),
        Move(AOI, Vote(1)),
        Move(KEN, Vote(2), "vote.shown", at="tree"),
        Task("cut.again", (Cut(2, "left"),), at="gap:1, prompt"),
        Task("vote.again", (Vote(1),), at="group:1"),
        Move(AOI, Vote(2), "taken", at="collection"),
        Move(KEN, Copy("lute"), "fire", at="seat:2"),
        Move(KEN, Cut(5, "left")),
        Move(KEN, PlaceApprentice(10)),
        Task("vote.apprentice", (Vote(2),), at="group:2"),
        Move(AOI, Vote(1)),
        Move(KEN, Vote(1)),
        Move(KEN, Cut(4, "left"), "waits", at="tree"),
        Move(AOI, Vote(2)),
        Move(KEN, Vote(2), "kimonos", at="seat:1, seat:2"),
        Task("break", (Break(("chopsticks", "chopsticks")),), at="collection", then="bin"),
        Word("limits", at="row"),
        Task("cut.three", (Cut(6, "left"),), at="gap:5, prompt"),
        Task("apprentice.three", LEFT_OF_THE_CUT, at="row, prompt"),
        Task("vote.three", (Vote(2),), at="group:2"),
        Move(AOI, Vote(2)),
        Move(KEN, Vote(1), "beyond", at="seat:2"),
        Task("cut.last", (Cut(9, "left"),), at="gap:1, prompt"),
        Task("vote.last", (Vote(2),), at="group:2"),
        Move(AOI, Vote(2), "kimono", at="collection"),
        Word("end", at="collection"),
    ),
    learned=("learned.cut", "learned.vote", "learned.limits", "learned.apprentice"),
)
