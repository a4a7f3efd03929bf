"""what was changed about people: renamed, merged, hidden, forgotten

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('person', sa.Column('forgotten', sa.Integer(), nullable=True))
    op.create_table(
        'person_change',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('person_id', sa.Integer(), nullable=False),
        sa.Column('other_id', sa.Integer(), nullable=True),
        sa.Column('kind', sa.String(length=20), nullable=False),
        sa.Column('before', sa.String(length=160), nullable=False),
        sa.Column('after', sa.String(length=160), nullable=False),
        sa.Column('key', sa.String(length=160), nullable=False),
        sa.Column('device_id', sa.Integer(), nullable=True),
        sa.Column('at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('undone_at', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['device_id'], ['device.id'], name=op.f('fk_person_change_device_id_device')),
        sa.ForeignKeyConstraint(['other_id'], ['person.id'], name=op.f('fk_person_change_other_id_person')),
        sa.ForeignKeyConstraint(['person_id'], ['person.id'], name=op.f('fk_person_change_person_id_person')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_person_change')),
    )
    op.create_index(op.f('ix_person_change_other_id'), 'person_change', ['other_id'], unique=False)
    op.create_index(op.f('ix_person_change_person_id'), 'person_change', ['person_id'], unique=False)


def downgrade() -> None:
    op.drop_table('person_change')
    op.drop_column('person', 'forgotten')
