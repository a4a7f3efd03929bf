"""The searches: can this hand go down, and what is the best end of a turn."""
