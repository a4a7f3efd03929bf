"""The phones of a table: how others come to it, whose this one is, and which ones are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import segno
from flask import url_for
from flask_babel import format_timedelta
from flask_babel import gettext as _
from markupsafe import Markup

from companion import wording
from companion.forms.joining import PhoneForm
from companion.pages.refusals import device_words
from companion.phones import links
from companion.record import GameView
from companion.record.phones import Link, Member
from companion.serving.lan import base_address, is_home

_JUST_NOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class LinkCard:
    """A way in: ``short`` is grouped for reading, "" where it sleeps; ``others`` phones came by it beside this one."""

    role: str
    token: str
    address: str
    qr: Markup
    short: str
    others: int


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """A phone at the table, whose it is, and when it was last seen in words. Nobody removes their own."""

    member: Member
    name: str
    is_here: bool
    player: str
    seen: str


def link_card(ways: Sequence[Link], role: str) -> LinkCard | None:
    """One way in, for the whole screen; None where no other phone can reach this server."""
    return next((card for card in link_cards(ways, (), None) if card.role == role), None)


def players(view: GameView) -> str:
    """Who plays, as a list in words."""
    return wording.and_list(wording.isolate(view.names[seat]) for seat in view.state.order)


@lru_cache(maxsize=64)
def qr_code(text: str) -> Markup:
    """A QR code as SVG, black on white with its quiet zone, so that it scans in the dark scheme too."""
    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(omitsize=True, border=4, dark="black", light="white", svgclass=None, lineclass=None)
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S704


def link_cards(ways: Sequence[Link], members: Sequence[Member], here: int | None) -> tuple[LinkCard, ...]:
    """Every way in; none where no other phone can reach this server. ``here`` is the device that looks."""
    base = base_address()
    return tuple(_card(base, way, members, here) for way in ways) if base else ()


def _card(base: str, way: Link, members: Sequence[Member], here: int | None) -> LinkCard:
    address = base + url_for("joining.invited", token=way.token)
    came = [member for member in members if member.by_link and member.role == way.role and member.label.id != here]
    short = links.grouped(way.short) if way.short else ""
    return LinkCard(way.role, way.token, address, qr_code(address), short, len(came))


def at_home() -> bool:
    """Whether only phones in the same Wi-Fi can come in."""
    return is_home(base_address() or "")


def typed_at() -> str:
    """Where a short code is typed, as people say addresses."""
    base = base_address() or ""
    return (base + url_for("joining.typed")).removeprefix("http://").removeprefix("https://")


def seats(view: GameView) -> tuple[tuple[int, str], ...]:
    """Whose phone it can be."""
    return tuple((seat, view.names[seat]) for seat in view.state.order)


def phone_form(view: GameView, members: Sequence[Member], here: int | None) -> PhoneForm:
    """The form about the phone that looks, as it is known."""
    mine = next((member for member in members if member.label.id == here), None)
    if mine is None:
        return PhoneForm(seats(view))
    return PhoneForm(seats(view), seat=mine.seat if mine.seat in view.state.order else "", name=mine.label.name)


def phone_row(view: GameView, member: Member, here: int | None) -> PhoneRow:
    """A phone of the list."""
    player = view.names[member.seat] if member.seat is not None and member.seat in view.state.order else ""
    return PhoneRow(member, device_words(member.label), member.label.id == here, player, _ago(member.seen_at))


def _ago(at: datetime) -> str:
    since = datetime.now(UTC) - at
    return _("just now") if since < _JUST_NOW else format_timedelta(-since, add_direction=True)
