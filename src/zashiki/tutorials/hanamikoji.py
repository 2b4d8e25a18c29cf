"""Hanamikoji in two rounds: the four actions, both offers, a tie that leaves a marker where it was, and eleven charm."""

from __future__ import annotations

from zashiki.games.hanamikoji.actions import Competition, Gift, Secret, Take, TakePair, TradeOff
from zashiki.tutorials.script import Move, Script, Task, Word

AOI = 1

SCRIPT = Script(
    game="hanamikoji",
    seats=2,
    seed=14,
    names=("Aoi",),
    wrong={
        Secret: "wrong.secret",
        TradeOff: "wrong.trade-off",
        Gift: "wrong.gift",
        Competition: "wrong.competition",
        Take: "wrong.take",
        TakePair: "wrong.pair",
    },
    steps=(
        Word("geisha", at="geisha"),
        Word("goal", at="geisha:hair ornament"),
        Task("secret", (Secret("hair ornament"),), at="action:secret, hand:hair ornament", then="secret.then"),
        Move(AOI, Secret("hair ornament"), "secret.aoi", at="far"),
        Task("gift", (Gift(("umbrella", "shamisen", "shamisen")),), at="action:gift, hand:umbrella, hand:shamisen"),
        Move(AOI, Take("shamisen"), "gift.taken", at="geisha:umbrella, geisha:shamisen"),
        Move(AOI, Gift(("fan", "tea pot", "tea pot"))),
        Task("take", (Take("tea pot"),), at="offer:tea pot", then="take.then"),
        Task(
            "competition",
            (Competition((("flute", "flute"), ("fan", "tea pot"))),),
            at="action:competition, hand:flute, hand:fan, hand:tea pot",
            wrong={Competition: "competition.pairs"},
        ),
        Move(AOI, TakePair(1), "competition.taken", at="geisha:flute"),
        Move(AOI, Competition((("tea pot", "hair ornament"), ("hair ornament", "hair ornament")))),
        Task("pair", (TakePair(1),), at="offer"),
        Task("trade-off", (TradeOff(("scroll", "scroll")),), at="action:trade-off, hand:scroll"),
        Move(AOI, TradeOff(("umbrella", "umbrella"))),
        Word("scored", at="geisha"),
        Word("tie", at="geisha:shamisen, geisha:scroll"),
        Word("round.two", at="charm"),
        Move(AOI, Secret("tea pot")),
        Task("secret.again", (Secret("hair ornament"),), at="action:secret, hand:hair ornament"),
        Move(AOI, Gift(("scroll", "shamisen", "shamisen"))),
        Task("take.again", (Take("shamisen"),), at="offer:shamisen"),
        Task(
            "gift.again",
            (Gift(("umbrella", "shamisen", "tea pot")),),
            at="action:gift, hand:umbrella, hand:shamisen, hand:tea pot",
        ),
        Move(AOI, Take("shamisen")),
        Move(AOI, Competition((("flute", "tea pot"), ("umbrella", "hair ornament")))),
        Task("pair.again", (TakePair(0),), at="offer"),
        Task(
            "competition.again",
            (Competition((("flute", "fan"), ("fan", "scroll"))),),
            at="action:competition, hand:flute, hand:fan, hand:scroll",
            wrong={Competition: "competition.pairs"},
        ),
        Move(AOI, TakePair(1)),
        Move(AOI, TradeOff(("umbrella", "hair ornament"))),
        Task("last", (TradeOff(("tea pot", "hair ornament")),), at="action:trade-off"),
        Word("won", at="charm"),
    ),
    learned=("learned.actions", "learned.favour", "learned.win"),
)
