"""Results, ratings, leaderboards and leagues. Results of matches that are over are filled in by the server."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes the tables, and a way to find the matches that ended lately."""
    agreed = sa.Column(
        "on_boards", sa.Boolean, nullable=False, server_default=sa.false(), comment="agrees to be shown on leaderboards"
    )
    op.add_column("accounts", agreed)
    op.create_index("ix_tables_status_updated_at", "tables", ["status", "updated_at"])
    _results()
    _ratings()
    _leagues()


def downgrade() -> None:
    """Removes them."""
    for name in ("league_tables", "league_players", "leagues", "ratings", "result_seats", "results", "hinted"):
        op.drop_table(name)
    op.drop_index("ix_tables_status_updated_at", "tables")
    op.drop_column("accounts", "on_boards")


def _results() -> None:
    op.create_table(
        "hinted",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="of the first hint"),
        sa.PrimaryKeyConstraint("table_id", name="pk_hinted"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_hinted_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "results",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False, comment="ratings follow from results in this order"),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(40), comment="why the match ended; null: by rules that are not known any more"),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("unrated", sa.String(20), comment="why it does not count for ratings; null: it does"),
        sa.PrimaryKeyConstraint("number", name="pk_results"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_results_table_id", ondelete="CASCADE"),
        sa.UniqueConstraint("table_id", name="uq_results_table_id"),
    )
    op.create_table(
        "result_seats",
        sa.Column("result", NUMBER, autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("account_id", NUMBER, comment="whose; null: a bot of the house"),
        sa.Column("bot", sa.String(20), comment="its level"),
        sa.Column("points", sa.Integer),
        sa.Column("place", sa.SmallInteger, comment="1 for who won; null: not known"),
        sa.Column("share", sa.Float, comment="of the victory"),
        sa.Column("left", sa.String(8), comment="resigned, or away at the end"),
        sa.Column("stood_in", sa.Boolean, nullable=False, comment="whether a bot played for a person for a while"),
        sa.Column("first", sa.Boolean, nullable=False, comment="whether this seat alone began"),
        sa.Column("decisions", sa.Integer, nullable=False, comment="made by the own hand"),
        sa.Column("thinking_ms", sa.BigInteger, nullable=False, comment="in all of them together"),
        sa.Column("rating_before", sa.Float),
        sa.Column("deviation_before", sa.Float),
        sa.Column("rating_after", sa.Float),
        sa.Column("deviation_after", sa.Float),
        sa.PrimaryKeyConstraint("result", "seat", name="pk_result_seats"),
        sa.ForeignKeyConstraint(["result"], ["results.number"], name="fk_result_seats_result", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_result_seats_account_id"),
    )
    op.create_index("ix_result_seats_account_id", "result_seats", ["account_id"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False, comment="how many were rated"),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "game", name="pk_ratings"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_ratings_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_ratings_game_rating", "ratings", ["game", "rating"])


def _leagues() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(16), nullable=False, comment="unguessable: whoever knows it may look and join"),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False, comment="what was agreed, as `leagues.NewLeague`"),
        sa.Column("host_id", NUMBER, nullable=False),
        sa.Column("status", sa.String(10), nullable=False, comment="gathering, playing, over or closed"),
        sa.Column("round", sa.SmallInteger, nullable=False, comment="the present one, from 1"),
        sa.Column("rounds", sa.SmallInteger, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name="fk_leagues_host_id"),
    )
    op.create_index("ix_leagues_host_id", "leagues", ["host_id"])
    op.create_index("ix_leagues_status", "leagues", ["status"])
    op.create_table(
        "league_players",
        sa.Column("league_id", sa.String(16), nullable=False),
        sa.Column("number", sa.SmallInteger, autoincrement=False, nullable=False, comment="from 1, in the order of coming"),
        sa.Column("account_id", NUMBER, comment="whose; null: a bot of the house"),
        sa.Column("bot", sa.String(20), comment="its level"),
        sa.PrimaryKeyConstraint("league_id", "number", name="pk_league_players"),
        _of_league("league_players"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_league_players_account_id"),
        sa.UniqueConstraint("league_id", "account_id", name="uq_league_players_league_id_account_id"),
    )
    op.create_index("ix_league_players_account_id", "league_players", ["account_id"])
    op.create_table(
        "league_tables",
        sa.Column("league_id", sa.String(16), nullable=False),
        sa.Column("round", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("board", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("players", sa.JSON, nullable=False, comment="the numbers of the players, by seat"),
        sa.PrimaryKeyConstraint("league_id", "round", "board", name="pk_league_tables"),
        _of_league("league_tables"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_league_tables_table_id", ondelete="CASCADE"),
        sa.UniqueConstraint("table_id", name="uq_league_tables_table_id"),
    )


def _of_league(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name=f"fk_{table}_league_id", ondelete="CASCADE")
