"""The searches: can this hand go down (G4.2), and what is the best end of a turn (G7). How they work::

    can_go_down                              best_turn
        │ for every shape of a lay-down          │ for every lay-down of the hand
        │ (a window for each run,                │ (enumerating)
        │  a rank for each set)                  ▼
        ▼                                    may the suits be worked out one by one?
    plans      what rules and contract ask,      │ yes                         │ no
    windows    where a run may lie               │                             │
        │                                        ▼                             ▼
        ▼                                    by_suit                       step_by_step
    matching   naturals into the                 │ run_states  what each run     every play of every card,
               places of the shape,              │             can become        with a memory of states
               by augmenting paths               └ set_room    what the sets take

A *shape* says where cards may lie, not yet which. Going down asks of each shape only two numbers: how many naturals
can lie in it at most, and whether each meld gets as many as its limits ask for (``wild_limits``). The best turn is
worked out suit by suit, because cards of different suits meet only in the wilds in hand, in the sets and in the one
card thrown. Where that does not hold (2s that may be natural, wilds replaced in sets, melds beyond the limits) each
play is tried. ``reach`` says which cards no turn can lay, so that whole lay-downs need not be tried. ``tallies``
counts cards in one number, ``turns`` has the result and the table as one player meets it.

``table_steps`` is another question: may the table be rearranged so (P6)? It looks for an order of single steps.
"""
