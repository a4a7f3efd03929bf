"""what tells a night apart wherever it is carried to

Revision ID: 0006
Revises: 0004

There is no 0005: the migration about people, made at the same time, had that number, and became 0007 when the two met.
"""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    # no batch: the table stays as it is, with everything that refers to it
    op.add_column('game', sa.Column('uid', sa.String(length=40), nullable=True))
    bind = op.get_bind()
    write = sa.text('UPDATE game SET uid = :uid WHERE id = :game')
    for row in bind.execute(sa.text('SELECT id, token FROM game')).all():
        # worked out, not drawn: a copy of the database gives its nights the same
        bind.execute(write, {'game': row.id, 'uid': hashlib.sha256(f'uid {row.token}'.encode()).hexdigest()[:32]})
    op.create_index('ix_game_house_id_uid', 'game', ['house_id', 'uid'], unique=True)


def downgrade() -> None:
    op.drop_index('ix_game_house_id_uid', table_name='game')
    op.drop_column('game', 'uid')
