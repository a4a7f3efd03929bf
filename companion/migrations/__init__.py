"""How the tables came to be, one step a file (`versions/`), and how a database is brought up to date (`upgrading`)."""
