"""The first schema.

Nothing here follows `schema.py` as that goes on: each version stays what it was.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes all tables."""
    _people()
    _tables()
    _processes()


def downgrade() -> None:
    """Removes them."""
    for name in (
        *("service", "presences", "processes", "talk", "events", "players", "tables", "limits"),
        *("push_subscriptions", "mutes", "recovery_codes", "passkeys", "tokens", "sessions", "accounts"),
    ):
        op.drop_table(name)


def _people() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False, comment="guest, person, or bot for a program"),
        sa.Column("name", sa.String(40), nullable=False, comment="what others see"),
        sa.Column("name_key", sa.String(40), comment="the name as it is compared; null: erased"),
        sa.Column("owner_id", NUMBER, comment="whose program or companion it is"),
        sa.Column("password", sa.Text, comment="an argon2 hash"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("banned_until", sa.BigInteger, comment="null: not banned"),
        sa.Column("ban_reason", sa.Text),
        sa.Column("erased_at", sa.BigInteger, comment="when the personal data were erased"),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name="fk_accounts_owner_id"),
    )
    op.create_index("ix_accounts_owner_id", "accounts", ["owner_id"])
    op.create_index("ix_accounts_name_key", "accounts", ["name_key"])
    claimed = sa.text("kind <> 'guest'")
    op.create_index(
        "uq_accounts_claimed_name", "accounts", ["name_key"], unique=True, sqlite_where=claimed, postgresql_where=claimed
    )

    op.create_table(
        "sessions",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False, comment="of the cookie's secret"),
        sa.Column("agent", sa.String(200), nullable=False, comment="the browser, as it names itself"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        _of_account("sessions"),
        sa.UniqueConstraint("hash", name="uq_sessions_hash"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])

    op.create_table(
        "tokens",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        _of_account("tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
    )
    op.create_index("ix_tokens_account_id", "tokens", ["account_id"])

    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(1023), nullable=False, comment="the credential's id"),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        _of_account("passkeys"),
    )
    op.create_index("ix_passkeys_account_id", "passkeys", ["account_id"])

    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("hash", name="pk_recovery_codes"),
        _of_account("recovery_codes"),
    )
    op.create_index("ix_recovery_codes_account_id", "recovery_codes", ["account_id"])

    op.create_table(
        "mutes",
        sa.Column("account_id", NUMBER, nullable=False, comment="who reads"),
        sa.Column("muted_id", NUMBER, nullable=False, comment="who is not heard"),
        sa.PrimaryKeyConstraint("account_id", "muted_id", name="pk_mutes"),
        _of_account("mutes"),
        sa.ForeignKeyConstraint(["muted_id"], ["accounts.id"], name="fk_mutes_muted_id", ondelete="CASCADE"),
    )

    op.create_table(
        "push_subscriptions",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(120), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_push_subscriptions"),
        _of_account("push_subscriptions"),
        sa.UniqueConstraint("endpoint", name="uq_push_subscriptions_endpoint"),
    )
    op.create_index("ix_push_subscriptions_account_id", "push_subscriptions", ["account_id"])

    op.create_table(
        "limits",
        sa.Column("key", sa.String(120), nullable=False, comment="what is counted, and for whom"),
        sa.Column("period", sa.BigInteger, nullable=False, comment="which stretch of time"),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("key", "period", name="pk_limits"),
    )
    op.create_index("ix_limits_ends_at", "limits", ["ends_at"])


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), nullable=False, comment="unguessable: whoever knows it may look"),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("rules", sa.Integer, nullable=False, comment="the version of the game's rules"),
        sa.Column("seats", sa.SmallInteger, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False, comment="options, clock and manners, as `settings.TableSettings`"),
        sa.Column("seed", sa.String(32), nullable=False, comment="leaves the server when the match is over"),
        sa.Column("listed", sa.Boolean, nullable=False, comment="shown in the lobby"),
        sa.Column("status", sa.String(8), nullable=False, comment="waiting, playing, over or closed"),
        sa.Column("host_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False, comment="of the last change of status or seats"),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name="fk_tables_host_id"),
    )
    op.create_index("ix_tables_status_listed", "tables", ["status", "listed"])
    op.create_index("ix_tables_host_id", "tables", ["host_id"])

    op.create_table(
        "players",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_players"),
        _of_table("players"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_players_account_id"),
    )
    op.create_index("ix_players_account_id", "players", ["account_id"])

    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False, comment="from 1, without a gap"),
        sa.Column("kind", sa.SmallInteger, nullable=False, comment="a number of `log.Kind`"),
        sa.Column("seat", sa.SmallInteger, comment="who; null: nobody's"),
        sa.Column("action", sa.Integer, comment="an action's number, or what the kind says"),
        sa.Column("at", sa.BigInteger, nullable=False, comment="when"),
        sa.Column(
            "ticks", sa.BigInteger, nullable=False, comment="the same in the service's own time, which stops while it is down"
        ),
        sa.Column("due", sa.BigInteger, comment="when the table must be looked at next, in the service's own time"),
        sa.Column("account_id", NUMBER, comment="whose; null: the server's own"),
        sa.Column("request", sa.String(100), comment="the client's own number, so that nothing is done twice"),
        sa.Column("detail", sa.Text, comment="JSON, where the kind needs more"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_events"),
        _of_table("events"),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "talk",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("request", sa.String(100)),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_talk"),
        _of_table("talk"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_talk_account_id"),
    )
    op.create_index("ix_talk_account_id", "talk", ["account_id"])


def _processes() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("address", sa.String(200), nullable=False, comment="where this very process answers"),
        sa.Column("beat", sa.BigInteger, nullable=False, comment="when it last said that it lives"),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )

    op.create_table(
        "presences",
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("process", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "process", name="pk_presences"),
        _of_account("presences"),
    )

    op.create_table(
        "service",
        sa.Column("id", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("down_ms", sa.BigInteger, nullable=False, comment="how long all servers together have been down"),
        sa.Column("beat", sa.BigInteger, nullable=False, comment="when any of them last said that it lives"),
        sa.Column("secrets", sa.String(64), nullable=False, comment="the digest of the secrets all of them must share"),
        sa.PrimaryKeyConstraint("id", name="pk_service"),
    )


def _of_account(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=f"fk_{table}_account_id", ondelete="CASCADE")


def _of_table(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{table}_table_id", ondelete="CASCADE")
