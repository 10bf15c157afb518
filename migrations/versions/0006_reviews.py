"""the drafts that stand in review channels

Revision ID: 0006
Revises: 0005
Create Date: 2026-11-29 17:52:00.000000
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from bot.store.tables import UtcDateTime

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), 'sqlite')


def upgrade() -> None:
    op.create_table(
        'reviews',
        sa.Column('edition_id', BIG, nullable=False),
        sa.Column('channel_id', BIG, nullable=True),
        sa.Column('message_id', BIG, nullable=True),
        sa.Column('thread_id', BIG, nullable=True),
        sa.Column('revision', BIG, nullable=False),
        sa.Column('shown', sa.JSON(), nullable=False),
        sa.Column('seen', sa.JSON(), nullable=False),
        sa.Column('claimed_until', UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ['edition_id'], ['editions.edition_id'], name=op.f('fk_reviews_edition_id_editions'), ondelete='CASCADE'
        ),
        sa.PrimaryKeyConstraint('edition_id', name=op.f('pk_reviews')),
    )


def downgrade() -> None:
    op.drop_table('reviews')
