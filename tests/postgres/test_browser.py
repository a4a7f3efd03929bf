"""Phones in a real browser, served from PostgreSQL: a whole night, and every phone following."""

import pytest

from tests.browser.conftest import PHONE, live, phone  # noqa: F401
from tests.browser.test_live import *  # noqa: F403
from tests.browser.test_whole_night import test_a_whole_night as whole_night

pytestmark = pytest.mark.browser


def test_a_whole_night(live, phone):  # noqa: F811
    whole_night(live, phone, PHONE)
