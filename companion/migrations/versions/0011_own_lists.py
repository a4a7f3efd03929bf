"""lists of hands that a house made, and the hands of a game played by one

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('game', sa.Column('contracts', sa.String(length=20000), server_default='', nullable=False))
    op.create_table(
        'own_list',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('house_id', sa.Integer(), nullable=True),
        sa.Column('device_id', sa.Integer(), nullable=True),
        sa.Column('code', sa.String(length=32), nullable=False),
        sa.Column('token', sa.String(length=64), nullable=False),
        sa.Column('name', sa.String(length=160), nullable=False),
        sa.Column('sheet', sa.String(length=20), nullable=False),
        sa.Column('hands', sa.String(length=6000), nullable=False),
        sa.Column('first_hands', sa.Integer(), nullable=True),
        sa.Column('own_progress', sa.Boolean(), nullable=False),
        sa.Column('revision', sa.Integer(), nullable=False),
        sa.Column('changed_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
        sa.Column('removed_at', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['device_id'], ['device.id'], name=op.f('fk_own_list_device_id_device')),
        sa.ForeignKeyConstraint(['house_id'], ['house.id'], name=op.f('fk_own_list_house_id_house')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_own_list')),
        sa.UniqueConstraint('code', name=op.f('uq_own_list_code')),
        sa.UniqueConstraint('token', name=op.f('uq_own_list_token')),
    )
    op.create_index(op.f('ix_own_list_device_id'), 'own_list', ['device_id'], unique=False)
    op.create_index(op.f('ix_own_list_house_id'), 'own_list', ['house_id'], unique=False)


def downgrade() -> None:
    op.drop_table('own_list')
    op.drop_column('game', 'contracts')
