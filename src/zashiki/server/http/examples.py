"""Examples in the OpenAPI document, as structures, so that they cannot be wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from zashiki.core.saved import SavedMatch
from zashiki.puzzles import Answer
from zashiki.review.why import Why
from zashiki.server.advice import Hint, Hints, Warned
from zashiki.server.archive import MatchInfo, MatchSeat
from zashiki.server.boards import Board, BoardRow
from zashiki.server.http import identity
from zashiki.server.http.games import ActionList, GameInfo, GameList, GameSummary, Level, LevelList, OptionInfo
from zashiki.server.http.leagues import LeagueList, NewLeagueId
from zashiki.server.http.problems import Problem
from zashiki.server.http.push import Subscription, SubscriptionKeys, Unsubscription
from zashiki.server.http.puzzles import PuzzleAnswer, PuzzleList, PuzzleName, PuzzlePosition, PuzzleTry
from zashiki.server.http.record import Boards, MatchPage, OnBoards
from zashiki.server.http.tables import (
    ActBody,
    NewTableId,
    RematchBody,
    SitBody,
    StandBody,
    TablePage,
    TakeBackBody,
    TalkBody,
    TalkPage,
)
from zashiki.server.leagues import NewLeague
from zashiki.server.messages import ClockInfo, Done, LogLine, NewTable, OutcomeInfo, SeatInfo, TableInfo, TableState, TalkLine
from zashiki.server.record import GameRecord, Habits, Judgements, PersonalRecord, RatingPoint, Streaks, Tally, Versus
from zashiki.server.replays import Replay, ReplayStep
from zashiki.server.reviews import ReviewState
from zashiki.server.settings import MoveClock, TableSettings
from zashiki.server.standings import Standing
from zashiki.server.tournaments import LeagueOf, LeagueState, LeagueTable
from zashiki.tutorials.telling import Tutorial, TutorialMoment, TutorialStep

TABLE = "Xq2pT8vLr0aZkW3e"
NOON = 1_750_000_000_000
SETTINGS = TableSettings(options={"rounds": 3}, clock=MoveClock(seconds=120))
SEATS = [SeatInfo(name="Aiko", account=7), SeatInfo(bot="club")]

_rounds = OptionInfo(name="rounds", meaning="the round after which charm decides", default=20, least=1, most=20)
_hanamikoji: dict[str, Any] = {
    "id": "hanamikoji",
    "title": "Hanamikoji",
    "author": "Kota Nakayama",
    "summary": "Four actions a round, and the other chooses first from what you offer: win four geisha, or eleven charm.",
    "seats": [2],
    "options": [_rounds],
    "rules": 1,
}
_fan: dict[str, Any] = {"type": "secret", "card": "fan"}
_table = TableInfo(
    id=TABLE,
    game="hanamikoji",
    status="waiting",
    seats=[SEATS[0], SeatInfo()],
    settings=msgspec.to_builtins(SETTINGS),
    host=7,
    created_at=NOON,
    updated_at=NOON,
)
_line = TalkLine(table=TABLE, number=1, account=7, name="Aiko", at=NOON, text="good luck!")
_state = TableState(
    table=TABLE,
    game="hanamikoji",
    version=4,
    since=3,
    status="playing",
    seat=0,
    seats=SEATS,
    settings=SETTINGS,
    host=7,
    view={"favour": [0, 0, 0, 0, 0, 0, 0]},
    to_act=[1],
    scores=[[0], [0]],
    clock=ClockInfo(at=NOON, left=[120_000, 118_200], running=[1]),
    events=[LogLine(kind="act", at=NOON, seat=0, action=_fan)],
)
_file = SavedMatch("zashiki match 1", "hanamikoji", 1, 2, {"rounds": 3}, "0" * 32, [(0, 12), (1, 3)], "0" * 64)
_tutorial = Tutorial(
    game="hanamikoji",
    rules=1,
    names=["Aoi"],
    options={"rounds": 20},
    tasks=12,
    deal=TutorialMoment(view={"hand_size": [7, 6]}, to_act=[0], legal=[0, 1], scores=[[0], [0]]),
    steps=[
        TutorialStep(kind="task", says="secret", at="action:secret", number=1, accepted={1: 2}, wrong={"secret": "wrong.secret"})
    ],
    learned=["learned.actions"],
)
_replay = Replay(
    game="hanamikoji",
    rules=1,
    eyes=1,
    seats=["Aiko", "Club bot"],
    options={"rounds": 3},
    scores=[[11], [10]],
    outcome=OutcomeInfo(winners=[0], reason="eleven charm"),
    steps=[
        ReplayStep(to_act=[0], scores=[[0], [0]], view={"hand_size": [7, 6], "favour": [0, 0, 0, 0, 0, 0, 0]}),
        ReplayStep(
            seat=0,
            action={"type": "secret", "card": None},
            at=NOON,
            to_act=[1],
            scores=[[0], [0]],
            changed={"hand_size": [6, 7]},
        ),
    ],
)
_match = MatchInfo(
    number=12,
    table=TABLE,
    game="hanamikoji",
    began_at=NOON - 600_000,
    ended_at=NOON,
    reason="eleven charm",
    moves=18,
    seat=0,
    seats=[
        MatchSeat(name="Aiko", account=7, points=11, place=1, share=1.0, first=True, rating=1500.0, deviation=250.0),
        MatchSeat(name="Haru", bot="club", points=10, place=2, share=0.0, rating=1500.0, deviation=1.0),
    ],
    options={"rounds": 3},
    rating=1602.1,
    deviation=232.4,
    decisions=9,
    seconds=71.3,
)
_record = GameRecord(
    game="hanamikoji",
    matches=1,
    won=1.0,
    rated=1,
    rating=1602.1,
    deviation=232.4,
    history=[RatingPoint(at=NOON, table=TABLE, rating=1602.1, deviation=232.4)],
    bots={"beginner": 1150.0, "club": 1500.0, "expert": 1650.0},
    opponents=[Versus(opponents="club", matches=1, won=1.0)],
    streaks=Streaks(now=1, longest=1),
    habits=Habits(seconds=7.9, given_up=0, left=0, starting=Tally(matches=1, won=1.0), following=Tally(matches=0, won=0.0)),
    judgements=Judgements(matches=1, decisions=20, best=13, blunders=1, weighed=20, risks=2),
)
_strong = BoardRow(place=1, account=7, name="Aiko", rating=1702.4, deviation=96.2, surely=1510.0, matches=31)
_agreed = NewLeague(name="Friday", game="hanamikoji", seats=2, size=4, bots="club", duplicate=True)
_league = LeagueState(
    id="k3v7q2xw5m1zt8pd",
    name="Friday",
    game="hanamikoji",
    agreed=_agreed,
    host=7,
    status="playing",
    round=1,
    rounds=3,
    created_at=NOON,
    players=[Standing(place=1, number=1, name="Aiko", account=7), Standing(place=1, number=2, name="Haru 2", bot="club")],
    tables=[LeagueTable(round=1, board=1, table=TABLE, players=[1, 2], scores=None, told=False)],
    me=1,
    my_table=TABLE,
)
_endpoint = "https://push.example.org/send/abc"

_puzzle = PuzzleName(game="hanamikoji", id="f7ffa038", difficulty="medium")

EXAMPLES: dict[type[msgspec.Struct], list[msgspec.Struct]] = {
    **identity.EXAMPLES,
    ActBody: [ActBody(action=_fan), ActBody(action=12, version=4)],
    ActionList: [ActionList(game="hanamikoji", rules=1, actions=[_fan], words=["puts a fan aside"])],
    Board: [Board(game="hanamikoji", least_matches=10, people=[_strong])],
    Boards: [Boards(open=True, games=["hanamikoji"], least_matches=10)],
    Done: [Done(request=0, table=TABLE, version=5)],
    GameInfo: [
        GameInfo(**_hanamikoji, actions=508, parts=["charm"], longest=240, house_numbers={"rounds at most": "20 by default"})
    ],
    GameList: [GameList(games=[GameSummary(**_hanamikoji)])],
    LevelList: [
        LevelList(
            levels=[Level(id="club", title="Club bot", strength="plays soundly, and seldom slips", seconds=0.2, games=["kasane"])]
        )
    ],
    LeagueList: [LeagueList(open=True, leagues=[_league])],
    LeagueOf: [LeagueOf(league=_league.id, name=_league.name)],
    LeagueState: [_league],
    MatchInfo: [_match],
    MatchPage: [MatchPage(matches=[_match])],
    NewLeague: [_agreed],
    NewLeagueId: [NewLeagueId(league="k3v7q2xw5m1zt8pd")],
    Hints: [Hints(version=4, hints=[Hint(action=12, chance=0.62, points=9.4, why=Why(ahead=0.08, points=1.2))])],
    PuzzleAnswer: [PuzzleAnswer(right=True, exact=True, answers=[Answer(action=12, chance=0.8)], why=Why(ahead=0.2, exact=True))],
    PuzzleList: [PuzzleList(today=_puzzle, puzzles=[_puzzle])],
    PuzzlePosition: [
        PuzzlePosition(
            game="hanamikoji",
            id=_puzzle.id,
            difficulty="medium",
            options={"rounds": 20},
            seats=2,
            seat=0,
            view={"round_number": 1},
            to_act=[0],
            legal=[12, 13],
            scores=[[0], [0]],
            events=[],
        )
    ],
    PuzzleTry: [PuzzleTry(action=12)],
    ReviewState: [ReviewState(state="working", progress=0.4)],
    Warned: [Warned(version=4, lost=0.31, best=Hint(action=12, chance=0.62, points=9.4)), Warned(version=4)],
    NewTable: [NewTable(game="hanamikoji", seats=2, settings=SETTINGS, bots={1: "club"}), NewTable(game="kohoju")],
    NewTableId: [NewTableId(table=TABLE)],
    OnBoards: [OnBoards(shown=True)],
    Problem: [Problem(title="Conflict", status=409, detail="seat 1 is taken", code="seat taken", request_id="1f3a5c7e9b0d")],
    PersonalRecord: [PersonalRecord(games=[_record])],
    RematchBody: [RematchBody()],
    Replay: [_replay],
    Tutorial: [_tutorial],
    SavedMatch: [_file],
    SitBody: [SitBody(seat=1), SitBody(seat=0, bot="club")],
    StandBody: [StandBody()],
    Subscription: [Subscription(endpoint=_endpoint, keys=SubscriptionKeys(p256dh="B" + "A" * 86, auth="A" * 22))],
    TablePage: [TablePage(tables=[_table], next="WzE3NTAwMDAwMDAwMDAsIlhxMnBUOHZMcjBhWmtXM2UiXQ")],
    TableState: [_state],
    TakeBackBody: [TakeBackBody(answer="agree")],
    TalkBody: [TalkBody(text="good luck!")],
    TalkPage: [TalkPage(lines=[_line])],
    Unsubscription: [Unsubscription(endpoint=_endpoint)],
}
