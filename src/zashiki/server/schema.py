"""What the store holds, the same in SQLite and in PostgreSQL. Times are milliseconds since 1970, in UTC."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives out whole numbers by itself only for INTEGER.
Number = BigInteger().with_variant(Integer, "sqlite")

# Guests may share a name with each other, not with somebody who has claimed it.
_CLAIMED = text("kind <> 'guest'")

accounts = Table(
    "accounts",
    METADATA,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("kind", String(8), nullable=False, comment="guest, person, or bot for a program"),
    Column("name", String(40), nullable=False, comment="what others see"),
    Column("name_key", String(40), index=True, comment="the name as it is compared; null: erased"),
    Column("owner_id", Number, ForeignKey("accounts.id"), index=True, comment="whose program or companion it is"),
    Column("password", Text, comment="an argon2 hash"),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("banned_until", BigInteger, comment="null: not banned"),
    Column("ban_reason", Text),
    Column("erased_at", BigInteger, comment="when the personal data were erased"),
    Column("on_boards", Boolean, nullable=False, server_default=false(), comment="agrees to be shown on leaderboards"),
    Index("uq_accounts_claimed_name", "name_key", unique=True, sqlite_where=_CLAIMED, postgresql_where=_CLAIMED),
)
"""No row is ever deleted: its number stands in logs, and SQLite would give it to somebody else."""

sessions = Table(
    "sessions",
    METADATA,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("hash", LargeBinary(32), nullable=False, unique=True, comment="of the cookie's secret"),
    Column("agent", String(200), nullable=False, comment="the browser, as it names itself"),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    METADATA,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("hash", LargeBinary(32), nullable=False, unique=True),
    Column("label", String(80), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger),
)

passkeys = Table(
    "passkeys",
    METADATA,
    Column("id", LargeBinary(1023), primary_key=True, comment="the credential's id"),
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(80), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger),
)

recovery_codes = Table(
    "recovery_codes",
    METADATA,
    Column("hash", LargeBinary(32), primary_key=True),
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("used_at", BigInteger),
)

mutes = Table(
    "mutes",
    METADATA,
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, comment="who reads"),
    Column("muted_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, comment="who is not heard"),
)

push_subscriptions = Table(
    "push_subscriptions",
    METADATA,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("p256dh", String(120), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

limits = Table(
    "limits",
    METADATA,
    Column("key", String(120), primary_key=True, comment="what is counted, and for whom"),
    Column("period", BigInteger, primary_key=True, comment="which stretch of time"),
    Column("count", Integer, nullable=False),
    Column("ends_at", BigInteger, nullable=False, index=True),
)

tables = Table(
    "tables",
    METADATA,
    Column("id", String(16), primary_key=True, comment="unguessable: whoever knows it may look"),
    Column("game", String(20), nullable=False),
    Column("rules", Integer, nullable=False, comment="the version of the game's rules"),
    Column("seats", SmallInteger, nullable=False),
    Column("settings", JSON, nullable=False, comment="options, clock and manners, as `settings.TableSettings`"),
    Column("seed", String(32), nullable=False, comment="leaves the server when the match is over"),
    Column("listed", Boolean, nullable=False, comment="shown in the lobby"),
    Column("status", String(8), nullable=False, comment="waiting, playing, over or closed"),
    Column("host_id", Number, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False, comment="of the last change of status or seats"),
    Index("ix_tables_status_listed", "status", "listed"),
    Index("ix_tables_status_updated_at", "status", "updated_at"),
)

players = Table(
    "players",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("account_id", Number, ForeignKey("accounts.id"), nullable=False, index=True),
)
"""Who sits where: what `events` say, kept for lists."""

events = Table(
    "events",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="from 1, without a gap"),
    Column("kind", SmallInteger, nullable=False, comment="a number of `log.Kind`"),
    Column("seat", SmallInteger, comment="who; null: nobody's"),
    Column("action", Integer, comment="an action's number, or what the kind says"),
    Column("at", BigInteger, nullable=False, comment="when"),
    Column("ticks", BigInteger, nullable=False, comment="the same in the service's own time, which stops while it is down"),
    Column("due", BigInteger, comment="when the table must be looked at next, in the service's own time"),
    Column("account_id", Number, comment="whose; null: the server's own"),
    Column("request", String(100), comment="the client's own number, so that nothing is done twice"),
    Column("detail", Text, comment="JSON, where the kind needs more"),
    sqlite_with_rowid=False,
)
"""The log of every table: the only truth about it."""

talk = Table(
    "talk",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("account_id", Number, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("request", String(100)),
)

hinted = Table(
    "hinted",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False, comment="of the first hint"),
)
"""The tables at which somebody was given a hint."""

results = Table(
    "results",
    METADATA,
    Column("number", Number, primary_key=True, autoincrement=True, comment="ratings follow from results in this order"),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("game", String(20), nullable=False),
    Column("began_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Column("reason", String(40), comment="why the match ended; null: by rules that are not known any more"),
    Column("moves", Integer, nullable=False),
    Column("unrated", String(20), comment="why it does not count for ratings; null: it does"),
)
"""How each match ended that is over: what its log leads to, kept for records."""

result_seats = Table(
    "result_seats",
    METADATA,
    Column("result", Number, ForeignKey("results.number", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("account_id", Number, ForeignKey("accounts.id"), index=True, comment="whose; null: a bot of the house"),
    Column("bot", String(20), comment="its level"),
    Column("points", Integer),
    Column("place", SmallInteger, comment="1 for who won; null: not known"),
    Column("share", Float, comment="of the victory"),
    Column("left", String(8), comment="resigned, or away at the end"),
    Column("stood_in", Boolean, nullable=False, comment="whether a bot played for a person for a while"),
    Column("first", Boolean, nullable=False, comment="whether this seat alone began"),
    Column("decisions", Integer, nullable=False, comment="made by the own hand"),
    Column("thinking_ms", BigInteger, nullable=False, comment="in all of them together"),
    Column("rating_before", Float),
    Column("deviation_before", Float),
    Column("rating_after", Float),
    Column("deviation_after", Float),
)

ratings = Table(
    "ratings",
    METADATA,
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(20), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("matches", Integer, nullable=False, comment="how many were rated"),
    Column("updated_at", BigInteger, nullable=False),
    Index("ix_ratings_game_rating", "game", "rating"),
)
"""The latest rating of each account in each game: what `result_seats` say last."""

leagues = Table(
    "leagues",
    METADATA,
    Column("id", String(16), primary_key=True, comment="unguessable: whoever knows it may look and join"),
    Column("name", String(60), nullable=False),
    Column("game", String(20), nullable=False),
    Column("settings", JSON, nullable=False, comment="what was agreed, as `leagues.NewLeague`"),
    Column("host_id", Number, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("status", String(10), nullable=False, index=True, comment="gathering, playing, over or closed"),
    Column("round", SmallInteger, nullable=False, comment="the present one, from 1"),
    Column("rounds", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

league_players = Table(
    "league_players",
    METADATA,
    Column("league_id", String(16), ForeignKey("leagues.id", ondelete="CASCADE"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, autoincrement=False, comment="from 1, in the order of coming"),
    Column("account_id", Number, ForeignKey("accounts.id"), index=True, comment="whose; null: a bot of the house"),
    Column("bot", String(20), comment="its level"),
    UniqueConstraint("league_id", "account_id"),
)

league_tables = Table(
    "league_tables",
    METADATA,
    Column("league_id", String(16), ForeignKey("leagues.id", ondelete="CASCADE"), primary_key=True),
    Column("round", SmallInteger, primary_key=True, autoincrement=False),
    Column("board", SmallInteger, primary_key=True, autoincrement=False),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("players", JSON, nullable=False, comment="the numbers of the players, by seat"),
)
reviews = Table(
    "reviews",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(16), nullable=False, comment="unguessable: whoever knows it may read"),
    Column("at", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False, comment="a `report.Review` as JSON, deflated"),
)
"""What was found in matches that somebody had reviewed."""

processes = Table(
    "processes",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("address", String(200), nullable=False, comment="where this very process answers"),
    Column("beat", BigInteger, nullable=False, comment="when it last said that it lives"),
)

presences = Table(
    "presences",
    METADATA,
    Column("account_id", Number, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("process", String(24), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""Who is connected, and to which process."""

service = Table(
    "service",
    METADATA,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("down_ms", BigInteger, nullable=False, comment="how long all servers together have been down"),
    Column("beat", BigInteger, nullable=False, comment="when any of them last said that it lives"),
    Column("secrets", String(64), nullable=False, comment="the digest of the secrets all of them must share"),
)
"""One row: the service's own time."""
