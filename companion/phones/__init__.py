"""Which phone this is, and the links and codes that let one in."""
