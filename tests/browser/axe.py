"""axe, on a page of a browser test."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def assert_accessible(page: Page) -> None:
    """axe finds nothing on the page as it is now. Make the phone with `bypass_csp=True`: axe comes from outside."""
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
