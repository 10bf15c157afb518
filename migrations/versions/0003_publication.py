"""what publishing keeps: attempts, pending changes, what an edition rests on

Revision ID: 0003
Revises: 0002
Create Date: 2026-11-29 17:02:00.000000
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from bot.store.tables import UtcDateTime

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), 'sqlite')


def upgrade() -> None:
    op.create_table('edition_sources',
    sa.Column('edition_id', BIG, nullable=False),
    sa.Column('message_id', BIG, autoincrement=False, nullable=False),
    sa.Column('user_id', BIG, nullable=True),
    sa.ForeignKeyConstraint(['edition_id'], ['editions.edition_id'],
        name=op.f('fk_edition_sources_edition_id_editions'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('edition_id', 'message_id', name=op.f('pk_edition_sources'))
    )
    op.create_index(op.f('ix_edition_sources_message_id'), 'edition_sources', ['message_id'])
    op.create_index(op.f('ix_edition_sources_user_id'), 'edition_sources', ['user_id'])
    op.add_column('editions', sa.Column('stale_since', UtcDateTime(), nullable=True))
    op.add_column('editions', sa.Column('stale_reason', sa.String(), nullable=True))
    op.add_column('parts', sa.Column('after_id', BIG, nullable=True))
    op.add_column('parts', sa.Column('pending', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column('parts', sa.Column('gone_at', UtcDateTime(), nullable=True))
    op.add_column('parts', sa.Column('ping_role_id', BIG, nullable=True))
    op.add_column('schedules', sa.Column('rule', sa.JSON(), nullable=False, server_default='{}'))
    op.add_column('runs', sa.Column('timezone', sa.String(), nullable=False, server_default='UTC'))


def downgrade() -> None:
    for table, columns in {
        'runs': ('timezone',),
        'schedules': ('rule',),
        'parts': ('ping_role_id', 'gone_at', 'pending', 'after_id'),
        'editions': ('stale_reason', 'stale_since'),
    }.items():
        with op.batch_alter_table(table) as batch_op:
            for column in columns:
                batch_op.drop_column(column)
    op.drop_index(op.f('ix_edition_sources_user_id'), table_name='edition_sources')
    op.drop_index(op.f('ix_edition_sources_message_id'), table_name='edition_sources')
    op.drop_table('edition_sources')
