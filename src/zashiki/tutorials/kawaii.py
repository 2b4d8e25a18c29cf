"""A round of Kawaii in turns: favourites, patience, a throw, both ways of a token, closed shops and cherries, and the score.

Windows in which nothing is worth a token go by without the learner.
"""

from __future__ import annotations

from zashiki.games.kawaii.actions import Answer, Throw
from zashiki.tutorials.script import LEARNER, Meanwhile, Move, Script, Task, Word

AOI, KEN = 1, 2
PASS = Answer("none")
OTHERS_PASS = ((AOI, PASS), (KEN, PASS))


def idle(windows: int, says: str) -> tuple[Meanwhile, ...]:
    """So many windows in which everybody passes."""
    return (Meanwhile(((LEARNER, PASS), *OTHERS_PASS), says, brief=True),) * windows


def watched(windows: int, says: str) -> tuple[Meanwhile, ...]:
    """So many windows in which the learner is not asked, and the others pass."""
    return (Meanwhile(OTHERS_PASS, says, brief=True),) * windows


SCRIPT = Script(
    game="kawaii",
    seats=3,
    seed=4835,
    names=("Aoi", "Ken"),
    options={"pace": "turns"},
    wrong={Throw: "wrong.throw"},
    steps=(
        Word("favourites", at="favourites"),
        Word("tokens", at="tokens"),
        Task("pass", (PASS,), at="pad", wrong={Answer: "pass.wrong"}),
        Meanwhile(OTHERS_PASS),
        Task("one", (PASS,), at="lane:1", wrong={Answer: "one.wrong"}),
        Meanwhile(OTHERS_PASS),
        Word("shop", at="lane:2"),
        *idle(2, "idle"),
        Task("cherry", (Answer(AOI),), at="lane:1", wrong={Answer: "cherry.wrong"}),
        Meanwhile(((AOI, PASS), (KEN, Answer(AOI))), "contest", at="lane:1"),
        Task("throw", (Throw(AOI, "rock"),), at="throws"),
        Move(KEN, Throw(AOI, "rock"), "alike", at="lane:1"),
        Task("throw.again", (Throw(AOI, "paper"),), at="throws", wrong={Throw: "throw.again.wrong"}),
        Move(KEN, Throw(AOI, "scissors"), "lost", at="tokens"),
        *idle(3, "idle"),
        Task("grow", (PASS,), at="lane:1", wrong={Answer: "grow.wrong"}),
        Meanwhile(OTHERS_PASS),
        *idle(4, "idle"),
        Task("own", (Answer(LEARNER),), at="lane:0", wrong={Answer: "own.wrong"}),
        Meanwhile(OTHERS_PASS, "own.out", at="tokens"),
        *idle(1, "idle"),
        Task("grown", (Answer(AOI),), at="lane:1", wrong={Answer: "grown.wrong"}),
        Meanwhile(OTHERS_PASS, "token.goes", at="lane:1"),
        *watched(8, "watch"),
        Meanwhile(((AOI, Answer(LEARNER)), (KEN, PASS)), "token.comes", at="tokens"),
        *idle(7, "idle"),
        Task("compare", (Answer(AOI),), at="lane:1, lane:2", wrong={Answer: "compare.wrong"}),
        Meanwhile(OTHERS_PASS),
        *watched(2, "watch"),
        Meanwhile(((AOI, Answer(LEARNER)), (KEN, PASS)), "token.again", at="tokens"),
        *idle(1, "idle"),
        Task("shops", (Answer(KEN),), at="lane:1, lane:2", wrong={Answer: "shops.wrong"}),
        Meanwhile(OTHERS_PASS, "shops.two", at="points"),
        *watched(5, "watch"),
        Meanwhile(((AOI, PASS), (KEN, Answer(LEARNER)))),
        Task("shops.third", (Answer(AOI),), at="lane:1", wrong={Answer: "shops.third.wrong"}),
        Meanwhile(OTHERS_PASS, "shops.three", at="points"),
        *watched(2, "watch"),
        Meanwhile(((AOI, Answer(KEN)), (KEN, PASS))),
        *watched(7, "watch"),
        Meanwhile(((AOI, PASS), (KEN, Answer(LEARNER)))),
        Task("two", (Answer(AOI),), at="lane:1", wrong={Answer: "two.wrong"}),
        Meanwhile(OTHERS_PASS),
        *watched(9, "watch"),
        Meanwhile(((AOI, PASS), (KEN, Answer(LEARNER))), "last", at="tokens"),
        Task("keep", (PASS,), at="lane:2", wrong={Answer: "keep.wrong"}),
        Move(AOI, PASS, "scored", at="score"),
        Word("score.others", at="score"),
        Word("next", at="favourites"),
    ),
    learned=("learned.favourites", "learned.tokens", "learned.shops", "learned.throws", "learned.end"),
)
