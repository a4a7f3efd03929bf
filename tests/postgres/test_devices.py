"""First requests at once, word for word, on PostgreSQL."""

from tests.test_devices import test_five_first_requests_of_a_new_phone_at_once_make_one_device  # noqa: F401
