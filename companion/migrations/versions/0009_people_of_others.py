"""people are changed in the nights that a phone keeps: which seats a change was about, and names that can be given back

Revision ID: 0009
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = '0009'
down_revision = '0007'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('seat', sa.Column('hidden', sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column('person_change', sa.Column('partial', sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        'changed_seat',
        sa.Column('change_id', sa.Integer(), nullable=False),
        sa.Column('game_id', sa.Integer(), nullable=False),
        sa.Column('number', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('person_id', sa.Integer(), nullable=False),
        sa.Column('entered_as', sa.Integer(), nullable=True),
        sa.Column('hidden', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['change_id'], ['person_change.id'], name=op.f('fk_changed_seat_change_id_person_change')),
        sa.ForeignKeyConstraint(
            ['game_id', 'number'], ['seat.game_id', 'seat.number'], name=op.f('fk_changed_seat_game_id_seat')
        ),
        sa.ForeignKeyConstraint(['person_id'], ['person.id'], name=op.f('fk_changed_seat_person_id_person')),
        sa.PrimaryKeyConstraint('change_id', 'game_id', 'number', name=op.f('pk_changed_seat')),
    )
    op.create_index(op.f('ix_changed_seat_game_id'), 'changed_seat', ['game_id'], unique=False)
    op.create_table(
        'withheld_name',
        sa.Column('person_id', sa.Integer(), nullable=False),
        sa.Column('change_id', sa.Integer(), nullable=False),
        sa.Column('name', sa.String(length=160), nullable=False),
        sa.Column('key', sa.String(length=160), nullable=False),
        sa.Column('hidden', sa.Boolean(), nullable=False),
        sa.Column('since', sa.DateTime(timezone=True), nullable=False),
        sa.Column('seen_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('doubted', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['change_id'], ['person_change.id'], name=op.f('fk_withheld_name_change_id_person_change')),
        sa.ForeignKeyConstraint(['person_id'], ['person.id'], name=op.f('fk_withheld_name_person_id_person')),
        sa.PrimaryKeyConstraint('person_id', name=op.f('pk_withheld_name')),
    )
    op.create_index(op.f('ix_withheld_name_change_id'), 'withheld_name', ['change_id'], unique=False)


def downgrade() -> None:
    op.drop_table('withheld_name')
    op.drop_table('changed_seat')
    op.drop_column('person_change', 'partial')
    op.drop_column('seat', 'hidden')
