"""a game's next game: at most one that was not thrown away

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade() -> None:
    # no batch: the table stays as it is, with everything that refers to it
    op.add_column('game', sa.Column('after_id', sa.Integer(), nullable=True))
    holds = sa.text("phase <> 'discarded'")
    op.create_index(
        'ix_game_after_id', 'game', ['after_id'], unique=True, sqlite_where=holds, postgresql_where=holds
    )


def downgrade() -> None:
    op.drop_index('ix_game_after_id', table_name='game')
    op.drop_column('game', 'after_id')
