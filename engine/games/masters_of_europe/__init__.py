"""Play Masters of Europe, a game of the balance of power in early modern Europe, for three to eight seats.

Seats put control tokens onto fifteen countries. Each round they draw six cards, trade freely, play melds of one
country, one action and one number card, and score chips for the countries they control, more where industry stands.
Whoever has the most chips once somebody has more than a hundred wins.

Read README.md, then flow.py (the rulebook's skeleton), one frame of frames/, its test. ids, config, data, actions,
options (the same actions as objects made at load), events and state are the vocabulary; setup and scoring their
chapters; view hides, table shows, step says what is asked about, describe tells; rules delegates.
"""

from engine.games.masters_of_europe.rules import RULES

__all__ = ["RULES"]
