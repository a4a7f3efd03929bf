"""The forms: what was typed, read and checked; a sentence beside each field that cannot be taken."""
