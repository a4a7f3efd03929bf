"""Proofs that nothing is lost and nothing leaks: `python -m proofs.NAME` runs one in full and prints its figures.

Each module has `main(arguments)` and a function that the tests call in a short form; both raise AssertionError
with what was found where something is not as promised.
"""
