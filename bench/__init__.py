"""The budgets, measured: `make bench` runs every module of this folder that has a `main()`."""
