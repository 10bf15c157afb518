"""which sources were withdrawn, and when a run was opened

Revision ID: 0005
Revises: 0004
Create Date: 2026-11-29 17:24:00.000000
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from bot.store.tables import UtcDateTime

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('edition_sources', sa.Column('withdrawn', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column('runs', sa.Column('opened_at', UtcDateTime(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('runs') as batch_op:
        batch_op.drop_column('opened_at')
    with op.batch_alter_table('edition_sources') as batch_op:
        batch_op.drop_column('withdrawn')
