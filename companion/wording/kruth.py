"""The Kruth deck in words: its suits, its ranks, its cards."""

from collections.abc import Iterable

from flask_babel import gettext as _

from companion.referee.kruth import KruthCard, KruthRank, KruthSuit
from companion.wording.text import N_, and_list

_SUITS = {
    KruthSuit.STONE: N_("Stone"),
    KruthSuit.WATER: N_("Water"),
    KruthSuit.WIND: N_("Wind"),
    KruthSuit.SUN: N_("Sun"),
}
_RANKS = {
    KruthRank.DEATH: N_("Death"),
    KruthRank.DECEIT: N_("Deceit"),
    KruthRank.TRUTH: N_("Truth"),
    KruthRank.LIFE: N_("Life"),
    KruthRank.FATE: N_("Fate"),
    KruthRank.KING: N_("King"),
}


def kruth_suit(suit: KruthSuit) -> str:
    """The suit's name."""
    return _(_SUITS[suit])


def kruth_rank(rank: KruthRank) -> str:
    """The rank's name."""
    return _(_RANKS[rank])


def kruth_name(card: KruthCard) -> str:
    """``Life of Stone``."""
    return _("%(rank)s of %(suit)s", rank=kruth_rank(card.rank), suit=kruth_suit(card.suit))


def kruth_list(cards: Iterable[KruthCard]) -> str:
    """``Life of Stone, Fate of Stone and King of Stone``."""
    return and_list(map(kruth_name, cards))


def kruth_meld(cards: tuple[KruthCard, ...]) -> str:
    """A run or a triplet in words: ``run in Stone, Life to King``."""
    if cards[0].suit is cards[1].suit:
        return _("run in %(suit)s, %(low)s to %(high)s",
                 suit=kruth_suit(cards[0].suit), low=kruth_rank(cards[0].rank), high=kruth_rank(cards[-1].rank))  # fmt: skip
    if len(cards) == len(KruthSuit):
        return _("all four of %(rank)s", rank=kruth_rank(cards[0].rank))
    return _("triplet of %(rank)s", rank=kruth_rank(cards[0].rank))
