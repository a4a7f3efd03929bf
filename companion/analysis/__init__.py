"""Pure numbers: what one night came to, and what many nights came to."""
