"""What makes the app installable over HTTPS: manifest, service worker, and the page for what is not on the phone."""

import json

from flask import Blueprint, jsonify, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.i18n import current_language
from companion.pages.palette import LIGHT
from companion.security import BUNDLES, STATIC

bp = Blueprint("installing", __name__)

#: What the service worker takes in at once: all that pages are made of.
PARTS = ("css/*.css", "js/*.js", "vendor/htmx-*.js", "icons/icon.svg")
#: (file, size, purpose) of each icon.
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("maskable-512.png", 512, "maskable"))


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app's manifest."""
    response = jsonify(
        id="/",
        name="Gripe Companion",
        short_name="Gripe",
        description=_(
            "The companion for a table that plays Gripe with real cards: contracts, buys, scores and a referee."
        ),
        lang=current_language(),
        start_url="/",
        scope="/",
        display="standalone",
        background_color=LIGHT["page"],
        theme_color=LIGHT["accent"],
        icons=[_icon(*icon) for icon in ICONS],
    )
    response.mimetype = "application/manifest+json"
    response.vary.update(["Accept-Language", "Cookie"])
    return response


@bp.get("/sw.js")
def worker() -> Response:
    """The service worker; its address is at the top, since it may only see what lies below."""
    code = url_for("static", filename="js/sw.js")
    version = code.split("/")[2]
    shell = ["/", url_for("installing.offline"), *_parts()]
    lines = (
        f"const VERSION = {json.dumps(version)};",
        f"const SHELL = {json.dumps(shell)};",
        f"importScripts({json.dumps(code)});",
    )
    return Response("\n".join(lines) + "\n", mimetype="text/javascript")


@bp.get("/offline")
def offline() -> str:
    """What is shown instead of a page that is not on the phone, without a connection."""
    return render_template("live/offline.html")


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    address = url_for("static", filename=f"icons/{name}")
    return {"src": address, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def _parts() -> list[str]:
    names = sorted(path.relative_to(STATIC).as_posix() for pattern in PARTS for path in STATIC.glob(pattern))
    bundled = {f"css/{sheet}.css" for sheets in BUNDLES.values() for sheet in sheets}
    return [url_for("static", filename=name) for name in (*names, *BUNDLES) if name not in bundled | {"js/sw.js"}]
