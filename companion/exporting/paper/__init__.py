"""What score sheets of other hands look like, read step by step: rows, cells, tables, nights, and what is doubtful."""
