"""How many examples a test tries: few on a person's machine, all of them in CI."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, settings

IN_CI = os.environ.get("CI", "").lower() == "true"
CI_FACTOR = 30
SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


def thorough(examples: int, in_ci: int | None = None, **more: Any) -> Callable[[Any], Any]:
    """Settings of Hypothesis: ``examples`` at a desk, in CI ``in_ci`` or thirty times as many."""
    return settings(
        max_examples=(in_ci or CI_FACTOR * examples) if IN_CI else examples,
        **{"deadline": None, "print_blob": True, "suppress_health_check": SLOW_IS_FINE, **more},
    )


def one_in(step: int, cases: Sequence[Any]) -> Sequence[Any]:
    """All the cases in CI, at a desk one in ``step`` of them."""
    return cases if IN_CI else cases[::step]
