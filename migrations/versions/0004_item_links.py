"""what items name, and the way to a remembered answer's next page

Revision ID: 0004
Revises: 0003
Create Date: 2026-11-29 17:08:00.000000
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('item_links',
    sa.Column('source', sa.String(), nullable=False),
    sa.Column('target', sa.String(), nullable=False),
    sa.Column('kind', sa.String(), nullable=False),
    sa.PrimaryKeyConstraint('source', 'target', 'kind', name=op.f('pk_item_links'))
    )
    op.create_index(op.f('ix_item_links_target'), 'item_links', ['target'])
    op.add_column('responses', sa.Column('link', sa.String(), nullable=True))
    with op.batch_alter_table('accounts') as batch_op:
        batch_op.drop_column('first_time')


def downgrade() -> None:
    with op.batch_alter_table('accounts') as batch_op:
        batch_op.add_column(sa.Column('first_time', sa.JSON(), nullable=False, server_default='{}'))
    with op.batch_alter_table('responses') as batch_op:
        batch_op.drop_column('link')
    op.drop_index(op.f('ix_item_links_target'), table_name='item_links')
    op.drop_table('item_links')
