"""What a form says beside a field that cannot be taken as it is."""

from collections.abc import Callable

from flask_babel import gettext as _
from flask_babel import ngettext


def _most_characters(limit: int) -> str:
    return ngettext("At most %(num)s character, please.", "At most %(num)s characters, please.", limit)


_MESSAGES: dict[str, Callable[..., str]] = {
    "blank_name": lambda: _("Type a name."),
    "long_name": _most_characters,
    "same_name": lambda name: _("“%(name)s” looks the same as another name here. Tell them apart.", name=name),
    "bad_name": lambda: _("This name has characters that cannot be shown. Type it with letters."),
    "undealable": lambda players, hand, dealt: _(
        "There are not enough cards for %(players)s players in hand %(hand)s, with %(dealt)s dealt to each.",
        players=players,
        hand=hand,
        dealt=dealt,
    ),
    "too_few_names": lambda least: ngettext(
        "At least %(num)s player is needed.", "At least %(num)s players are needed.", least
    ),
    "too_many_names": lambda most: ngettext(
        "At most %(num)s player can play.", "At most %(num)s players can play.", most
    ),
    "blank_number": lambda: _("Type a number. An empty field is not 0."),
    "bad_number": lambda: _("This is not a whole number. Use figures, such as 45."),
    "bad_sum": lambda: _("This cannot be added up. Use figures and plus signs, such as 15+20+5."),
    "too_big": lambda most: _("This is too much: at most %(most)s.", most=most),
    "bad_card": lambda text: _("“%(text)s” is not a card. Write cards like 10H, QS or 2D.", text=text),
    "hand_of_list": lambda most: _("Type the number of a hand of the list, from 1 to %(most)s.", most=most),
    "no_cards": lambda: _("Enter the cards first."),
    "choose": lambda: _("Choose one of the answers."),
    "unknown_choice": lambda: _("This is none of the answers here. Choose again."),
    "choose_dealer": lambda: _("Say who deals first."),
    "choose_rank": lambda: _("Choose the rank of this set."),
    "choose_suit": lambda: _("Choose the suit of this run."),
    "choose_low": lambda: _("Choose the lowest card of this run."),
    "choose_reading": lambda: _("These cards can lie like this. Say how they lie."),
    "long_run": lambda: _("This run is too long for its lowest card."),
    "more_wilds": lambda: _("These are more wilds than cards."),
    "wild_past_end": lambda: _(
        "A wild is marked past the end of this run. Make the run longer, or take the mark away."
    ),
    "wilds_in_one_place": lambda: _("Two wilds are marked in one place."),
    "too_many_cards": lambda most: ngettext("At most %(num)s card, please.", "At most %(num)s cards, please.", most),
    "bad_target": lambda most: _("Type a whole number from 1 to %(most)s, such as 100.", most=most),
    "cards_differ": lambda cards, typed: _(
        "The cards make %(cards)s, but the field says %(typed)s. Change one of them.", cards=cards, typed=typed
    ),
    "bad_code": lambda: _("No table has this code. Check it and type it again."),
    "code_shape": lambda: _("A code has eight letters and figures, like K7QM 3XPD. O, 0, I and 1 are never in it."),
    "too_many_codes": lambda least: ngettext(
        "Too many wrong codes came from here. Try again in %(num)s minute, or open the link or QR code instead.",
        "Too many wrong codes came from here. Try again in %(num)s minutes, or open the link or QR code instead.",
        least,
    ),
    "bad_day": lambda: _("This is no day. Days look like 2026-03-31."),
    "early_day": lambda: _("This day is before the first one. The last day comes after it."),
    "unknown_person": lambda: _("Somebody asked for is not among the people here. Choose again."),
    "unknown_number": lambda: _("This asks for a number that is none of ours."),
    "too_long": _most_characters,
}


def form_error(code: str, **facts: object) -> str:
    """The sentence beside the field; raises KeyError for an unknown code and TypeError for missing facts."""
    return _MESSAGES[code](**facts)
