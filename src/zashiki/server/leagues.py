"""Leagues in the store: what was agreed, who plays, and which tables there are."""

from __future__ import annotations

import secrets
from base64 import b32encode
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from zashiki.server.accounts import Account
from zashiki.server.books import take_turns
from zashiki.server.errors import Refused
from zashiki.server.messages import NewTable
from zashiki.server.names import BOTS, bot_name
from zashiki.server.opening import sitting
from zashiki.server.pairing import Past, past_of
from zashiki.server.schema import accounts, league_players, league_tables, leagues, result_seats, results, tables
from zashiki.server.settings import BankClock, MoveClock, TableSettings
from zashiki.server.standings import Meeting, SeatScore, Standing, standings

MOST_PLAYERS = 32
MOST_ROUNDS = 31
STAND_IN = TableSettings().stand_in
Status = Literal["gathering", "playing", "over", "closed"]


class NewLeague(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A league to be held. `seats`: at each table. `form`: everybody against everybody, or by standings.

    `rounds`: where two play everybody against everybody, it is as many as that takes. `size` and `bots`: bots of that level
    fill up to so many players. `duplicate`: all tables of a round play the same deal, and who sat in the same place is compared.
    There is always a clock: nobody who stays away may hold up a round.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    game: str
    seats: int
    form: Literal["round robin", "swiss"] = "round robin"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 3
    size: Annotated[int, msgspec.Meta(ge=2, le=MOST_PLAYERS)] = 8
    bots: str | None = None
    duplicate: bool = False
    options: dict[str, Any] = {}
    clock: MoveClock | BankClock = MoveClock(seconds=120)


class League(msgspec.Struct, frozen=True, kw_only=True):
    """A league as the store has it, its players in the order of the standings."""

    id: str
    agreed: NewLeague
    host: int
    status: Status
    round: int
    rounds: int
    created_at: int
    players: list[Standing]
    meetings: list[Meeting]
    counted: list[Meeting]

    @property
    def present(self) -> list[Meeting]:
        """The tables of the present round."""
        return [meeting for meeting in self.meetings if meeting.round == self.round]

    def past(self) -> Past:
        """What the rounds so far tell of who met."""
        groups = [meeting.players for meeting in self.meetings]
        return past_of(groups, sorted(player.number for player in self.players), self.round)


def check_agreed(account: Account, wanted: NewLeague) -> None:
    """Refuses what cannot be played."""
    sitting(account, table_of(wanted, {0: wanted.bots} if wanted.bots else {}, wanted.seats))
    if wanted.size < wanted.seats:
        raise Refused("wrong settings", f"a league for tables of {wanted.seats} has {wanted.seats} players at least")


def table_of(wanted: NewLeague, bots: dict[int, str], seats: int) -> NewTable:
    """A table of a league, as it would be asked for."""
    settings = TableSettings(
        options=wanted.options, clock=wanted.clock, private=True, spectators=not wanted.duplicate, strict=True
    )
    return NewTable(game=wanted.game, seats=seats, settings=settings, seat=None, bots=bots, start=True)


def create(account: Account, wanted: NewLeague, at: int, connection: Connection) -> str:
    """A new league, which its host has joined; its id."""
    check_agreed(account, wanted)
    new_id = b32encode(secrets.token_bytes(10)).decode().lower()
    row = {
        "id": new_id,
        "name": wanted.name,
        "game": wanted.game,
        "settings": msgspec.to_builtins(wanted),
        "host_id": account.id,
        "status": "gathering",
        "round": 0,
        "rounds": wanted.rounds,
        "created_at": at,
        "updated_at": at,
    }
    connection.execute(insert(leagues).values(row))
    connection.execute(insert(league_players).values(league_id=new_id, number=1, account_id=account.id))
    return new_id


def read_league(league: str, connection: Connection) -> League:
    """A league with all its tables."""
    row = connection.execute(select(leagues).where(leagues.c.id == league)).one_or_none()
    if row is None:
        raise Refused("not found", "there is no such league")
    agreed = msgspec.convert(row.settings, NewLeague)
    meetings = _read_meetings(league, connection)
    counted = _counted(meetings, agreed)
    players = _read_players(league, connection)
    rests = _rests(players, meetings, counted) if agreed.form == "swiss" else []
    return League(
        id=row.id,
        agreed=agreed,
        host=row.host_id,
        status=row.status,
        round=row.round,
        rounds=row.rounds,
        created_at=row.created_at,
        players=standings(players, counted, duplicate=agreed.duplicate, rests=rests),
        meetings=meetings,
        counted=counted,
    )


def _counted(meetings: list[Meeting], agreed: NewLeague) -> list[Meeting]:
    """The tables that count by now. Where all play the same deal, nobody is told how others fared before all are over."""
    going_on = {each.round for each in meetings if not each.ended}
    return [each for each in meetings if each.ended and not (agreed.duplicate and each.round in going_on)]


def _rests(players: list[Standing], meetings: list[Meeting], counted: list[Meeting]) -> list[int]:
    """Who had no opponent, once for each round that counts."""
    return [
        player.number
        for played in sorted({each.round for each in counted})
        for player in players
        if not any(each.round == played and player.number in each.players for each in meetings)
    ]


def _read_players(league: str, connection: Connection) -> list[Standing]:
    who = (accounts.c.name, accounts.c.kind, accounts.c.erased_at)
    query = select(league_players, *who).outerjoin(accounts, accounts.c.id == league_players.c.account_id)
    rows = connection.execute(query.where(league_players.c.league_id == league).order_by(league_players.c.number))
    return [_player(row) for row in rows]


def _player(row: Any) -> Standing:
    """Whoever was erased is played for by a bot."""
    name = row.name or _bot_name(row.number)
    if row.erased_at is not None:
        return Standing(place=1, number=row.number, name=name, bot=STAND_IN)
    return Standing(place=1, number=row.number, name=name, account=row.account_id, bot=row.bot, program=row.kind == "bot")


def _bot_name(number: int) -> str:
    """What a bot is called in a league: there are more players than names."""
    again = (number - 1) // len(BOTS)
    return bot_name(number - 1) + (f" {again + 1}" if again else "")


def _read_meetings(league: str, connection: Connection) -> list[Meeting]:
    seats = (
        select(results.c.table_id, result_seats)
        .join(result_seats)
        .join(league_tables, league_tables.c.table_id == results.c.table_id)
    )
    found: dict[str, list[SeatScore]] = {}
    for row in connection.execute(seats.where(league_tables.c.league_id == league).order_by(result_seats.c.seat)):
        if row.place is not None:
            found.setdefault(row.table_id, []).append(SeatScore(place=row.place, share=row.share, points=row.points))
    query = select(league_tables, tables.c.status).join(tables).where(league_tables.c.league_id == league)
    return [
        Meeting(
            round=row.round,
            board=row.board,
            table=row.table_id,
            players=tuple(row.players),
            ended=row.table_id in found or row.status == "closed",
            seats=found.get(row.table_id),
        )
        for row in connection.execute(query.order_by(league_tables.c.round, league_tables.c.board))
    ]


def leagues_of(account: int, connection: Connection) -> list[str]:
    """The leagues that somebody holds or plays in, the latest first."""
    plays = select(league_players.c.league_id).where(league_players.c.account_id == account)
    mine = (leagues.c.host_id == account) | leagues.c.id.in_(plays)
    return list(connection.execute(select(leagues.c.id).where(mine).order_by(leagues.c.updated_at.desc()).limit(50)).scalars())


def of_tables(wanted: Sequence[str], connection: Connection) -> list[str]:
    """The leagues to which some tables belong."""
    query = select(league_tables.c.league_id).where(league_tables.c.table_id.in_(wanted)).distinct()
    return list(connection.execute(query).scalars())


def league_of(table: str, account: int, connection: Connection) -> tuple[str, str] | None:
    """The id and name of the league to which a table belongs, for its host and players alone: the id is the invitation."""
    plays = select(league_players.c.league_id).where(league_players.c.account_id == account)
    mine = (leagues.c.host_id == account) | leagues.c.id.in_(plays)
    query = select(leagues.c.id, leagues.c.name).join(league_tables).where(league_tables.c.table_id == table, mine)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.id, row.name)


def playing(connection: Connection) -> list[str]:
    """The leagues that go on."""
    return list(connection.execute(select(leagues.c.id).where(leagues.c.status == "playing")).scalars())


def join(league: str, account: Account, connection: Connection) -> None:
    """Somebody wants to play; again is the same."""
    take_turns(connection)
    found = _gathering(league, connection)
    if any(player.account == account.id for player in found.players):
        return
    if len(found.players) >= found.agreed.size:
        raise Refused("table full", f"this league is for {found.agreed.size} players, and they are all there")
    number = 1 + max((player.number for player in found.players), default=0)
    connection.execute(insert(league_players).values(league_id=league, number=number, account_id=account.id))


def leave(league: str, account: Account, connection: Connection) -> None:
    """Somebody would rather not play."""
    take_turns(connection)
    _gathering(league, connection)
    here = (league_players.c.league_id == league) & (league_players.c.account_id == account.id)
    connection.execute(delete(league_players).where(here))


def _gathering(league: str, connection: Connection) -> League:
    found = read_league(league, connection)
    if found.status != "gathering":
        raise Refused("already started", "this league has begun")
    return found


def close(league: str, account: Account, at: int, connection: Connection) -> None:
    """The host ends a league before its end; what is being played is played on."""
    take_turns(connection)
    found = read_league(league, connection)
    check_host(found, account)
    if found.status in ("gathering", "playing"):
        set_league(league, at, connection, status="closed")


def check_host(league: League, account: Account) -> None:
    """Refuses everybody else."""
    if league.host != account.id:
        raise Refused("not the host", "only the host of the league may do that")


def set_league(league: str, at: int, connection: Connection, **values: Any) -> None:
    """Writes what has changed."""
    connection.execute(update(leagues).where(leagues.c.id == league).values(updated_at=at, **values))


def held_back(table: str, connection: Connection) -> bool | None:
    """Whether a table's cards must not be told yet, as others play the same; None: it is no table of that sort."""
    query = select(leagues.c.settings, leagues.c.status, leagues.c.round, league_tables.c.round.label("played"))
    row = connection.execute(query.join(league_tables).where(league_tables.c.table_id == table)).one_or_none()
    if row is None or not row.settings["duplicate"]:
        return None
    return (row.status == "playing" and row.played == row.round) or _still_played(table, connection)


def _still_played(table: str, connection: Connection) -> bool:
    """Whether another table of the same round goes on, as in a league that was closed."""
    mine = select(league_tables.c.league_id, league_tables.c.round).where(league_tables.c.table_id == table).subquery()
    here = (league_tables.c.league_id == mine.c.league_id) & (league_tables.c.round == mine.c.round)
    query = select(tables.c.id).join(league_tables).join(mine, here).where(tables.c.status == "playing")
    return connection.execute(query.limit(1)).scalar() is not None
