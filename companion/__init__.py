"""Gripe Companion: the record, the referee and the scores of a rummy night played with real cards."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

__all__ = ["create_app"]


def create_app(test_config: Mapping[str, Any] | None = None) -> "Flask":
    """Build the app.

    `test_config` wins over every other setting; its `INSTANCE_PATH` (a folder) and `ENVIRON` (a mapping
    used instead of the process's own environment) say where the rest of the settings comes from.

    Raises `companion.config.SetupError` with one clear sentence where the app cannot start.
    """
    # imported here, so that the referee can be used without Flask
    from flask import Flask

    from companion import config, db, i18n, live, security, views
    from companion.command import cli
    from companion.phones import devices
    from companion.serving import metrics, request_log
    from companion.views import errors, page_cache

    app = Flask(
        __name__,
        static_folder=None,  # security serves them, versioned
        instance_path=config.instance_path(test_config),
        instance_relative_config=True,
    )
    config.load(app, test_config)
    for part in (request_log, metrics, db, live, page_cache, i18n, security, devices, errors, views, cli):
        part.init_app(app)
    return app
