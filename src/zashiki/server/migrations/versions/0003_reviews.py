"""Reviews of matches that are over."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Steps forward."""
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("key", sa.String(16), nullable=False, comment="unguessable: whoever knows it may read"),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False, comment="a `report.Review` as JSON, deflated"),
        sa.PrimaryKeyConstraint("table_id", name="pk_reviews"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_reviews_table_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Steps back."""
    op.drop_table("reviews")
