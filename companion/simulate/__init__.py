"""Many simulated nights, in figures: ``python -m companion.simulate``."""
