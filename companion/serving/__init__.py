"""Serving on the home network, and the addresses that other phones reach."""
