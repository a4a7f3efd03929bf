"""what statistics ask for: the rule sheet of a night, buys beside the points, and who a seat was entered as

Revision ID: 0004
Revises: 0003
"""

import json
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


# Columns are added and dropped one by one, not in batches: a batch would copy and drop tables that others refer to.
def upgrade() -> None:
    op.add_column('game', sa.Column('sheet', sa.String(length=20), server_default='', nullable=False))
    op.add_column('seat', sa.Column('entered_as', sa.Integer(), nullable=True))
    op.add_column('score', sa.Column('buys', sa.Integer(), server_default='0', nullable=False))
    for game in op.get_bind().execute(sa.text('SELECT id FROM game')).scalars().all():
        _read_off(game)


def _read_off(game: int) -> None:
    """The sheet, and the buys of the scored hands, from the entries that hold."""
    bind, here = op.get_bind(), {'game': game}
    found = bind.execute(sa.text('SELECT seq, kind, data FROM entry WHERE game_id = :game ORDER BY seq'), here).all()
    entries = {row.seq: (row.kind, json.loads(row.data) if isinstance(row.data, str) else row.data) for row in found}
    holding = []
    for seq, (kind, data) in entries.items():
        if kind == 'undone' and data['entry'] in holding:
            holding.remove(data['entry'])
        else:
            holding.append(data['entry'] if kind == 'redone' else seq)
    buys = Counter()
    for kind, data in (entries[seq] for seq in holding):
        if kind == 'game_started':
            bind.execute(sa.text('UPDATE game SET sheet = :sheet WHERE id = :game'), here | {'sheet': data['rules']['sheet']})
        elif kind == 'bought':
            buys[data['hand'], data['seat']] += 1
        elif kind == 'buy_taken_back':
            buys[data['hand'], data['seat']] -= 1
        elif kind == 'hand_dealt_anew':
            buys = Counter({key: count for key, count in buys.items() if key[0] != data['hand']})
    write = sa.text('UPDATE score SET buys = :buys WHERE game_id = :game AND hand = :hand AND seat = :seat')
    for (hand, seat), count in buys.items():
        if count > 0:
            bind.execute(write, here | {'buys': count, 'hand': hand, 'seat': seat})


def downgrade() -> None:
    op.drop_column('score', 'buys')
    op.drop_column('seat', 'entered_as')
    op.drop_column('game', 'sheet')
