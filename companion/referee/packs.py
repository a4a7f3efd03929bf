"""The decks and jokers that so many players play with (G1.2)."""

from companion.referee.rules import Rules


def with_packs(rules: Rules, players: int) -> Rules:
    """The rules with the decks that so many players need (G1.2, G9.4); never fewer than there are.

    >>> from companion.referee.games import KATE
    >>> with_packs(KATE, 6).decks, with_packs(KATE, 7).decks
    (2, 3)
    """
    pack = next((pack for pack in rules.packs if players <= pack.most_players), None)
    if pack is not None:
        return rules if rules.decks > pack.decks else rules.replace(decks=pack.decks, jokers_in_all=pack.jokers)
    if players <= rules.players_per_two_decks or rules.decks >= 3:
        return rules
    return rules.replace(decks=3)
