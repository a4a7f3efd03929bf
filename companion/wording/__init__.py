"""The only prose about rules: reasons, cards, entries, switches and the rulebook in the reader's language.

Every function here speaks through gettext in the language of the request. Nothing here decides anything.
"""

from companion.wording.book import rulebook, rules_page
from companion.wording.cards import (
    card_name,
    card_short,
    cards_short,
    contract_words,
    hand_contract,
    kind_name,
    meld_phrase,
    meld_sentence,
    points_words,
    rank_name,
    slot_words,
    suit_name,
    wild_label,
)
from companion.wording.events import event_sentence
from companion.wording.facts import MissingFact
from companion.wording.forms import form_error
from companion.wording.games import game_line, game_name, names_hint, rules_name, sheet_name, wild_words
from companion.wording.other_games import only_wilds_words
from companion.wording.reasons import alike, firmness_in_full, firmness_name, firmness_short, sentence, sentence_of_all
from companion.wording.rules_of_play import dead_hand_words
from companion.wording.short_reasons import short_reason
from companion.wording.switches import switch_choice, switch_help, switch_label, switch_names, switch_value
from companion.wording.table import (
    RowFacts,
    after_words,
    buyer_words,
    buys_left_words,
    contract_warnings,
    deal_warnings,
    hand_words,
    melds_not_entered,
    needed_words,
    own_hand_words,
    place_words,
    play_words,
    row_sentence,
    unnoted_words,
    what_now,
)
from companion.wording.text import and_list, isolate, or_list, per_language
