"""a link to the recap of a night

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    # no batch: the table stays as it is, with everything that refers to it
    op.add_column('game', sa.Column('recap_code', sa.String(length=32), nullable=True))
    op.create_index(op.f('ix_game_recap_code'), 'game', ['recap_code'], unique=True)


def downgrade() -> None:
    op.drop_index(op.f('ix_game_recap_code'), table_name='game')
    op.drop_column('game', 'recap_code')
