"""links with short codes, what a phone of a game is, and wrong tries

Revision ID: 0003
Revises: 0002
"""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
SHORTS = ('keeper_short', 'watch_short')


# Columns are added and dropped one by one, not in batches: a batch would copy and drop tables that others refer to.
def upgrade() -> None:
    op.create_table('guess',
    sa.Column('bucket', sa.String(length=64), nullable=False),
    sa.Column('since', sa.DateTime(timezone=True), nullable=False),
    sa.Column('tries', sa.Integer(), nullable=False),
    sa.PrimaryKeyConstraint('bucket', name=op.f('pk_guess'))
    )
    op.create_index(op.f('ix_guess_since'), 'guess', ['since'], unique=False)
    for name in SHORTS:
        op.add_column('game', sa.Column(name, sa.String(length=8), nullable=True))
        op.create_index(op.f(f'ix_game_{name}'), 'game', [name], unique=True)
    op.add_column('game', sa.Column('short_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('membership', sa.Column('seat', sa.Integer(), nullable=True))
    op.add_column('membership', sa.Column('by_link', sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column('membership', sa.Column('live', sa.Boolean(), server_default=sa.true(), nullable=False))
    _give_links()


def _give_links() -> None:
    """Every game has its links from now on, those begun before too."""
    game = sa.table('game', *(sa.column(name) for name in ('id', 'keeper_code', 'watch_code', *SHORTS)),
                    sa.column('short_at', sa.DateTime(timezone=True)))
    now = datetime.now(UTC)
    if op.get_bind().dialect.name == 'sqlite':
        now = now.replace(tzinfo=None)
    for number in op.get_bind().execute(sa.select(game.c.id)).scalars().all():
        values = {name: secrets.token_urlsafe(16) for name in ('keeper_code', 'watch_code')}
        values |= {name: "".join(secrets.choice(LETTERS) for _ in range(8)) for name in SHORTS}
        op.get_bind().execute(sa.update(game).where(game.c.id == number).values(short_at=now, **values))


def downgrade() -> None:
    for name in ('live', 'by_link', 'seat'):
        op.drop_column('membership', name)
    for name in SHORTS:
        op.drop_index(op.f(f'ix_game_{name}'), table_name='game')
    for name in ('short_at', *SHORTS):
        op.drop_column('game', name)
    op.drop_index(op.f('ix_guess_since'), table_name='guess')
    op.drop_table('guess')
