"""One context builder a page: frozen dataclasses of finished words, so that templates decide and query nothing."""
