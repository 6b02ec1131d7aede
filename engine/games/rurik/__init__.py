"""Play Rurik: Dawn of Kiev, by Stanislav Kordonskiy, for two to four seats, and solo against the Rebellion.

Four rounds of three phases. Strategy: seats place numbered advisors in six action columns; high numbers take the
better spaces, coins add power. Action: low numbers resolve first; troops are mustered, moved and sent to attack,
goods taxed, structures built, scheme cards drawn; schemes, deeds and conversions are bonuses. Claim: markers
advance on the rule, build and trade tracks, income is paid, deed cards are chosen. Points come from tracks,
warfare, an agenda and deeds.

Read README.md, then flow.py (the rulebook's skeleton), one frame of frames/, its test. ids, config, data, actions,
options (the same actions as objects made at load), events and state are the vocabulary; setup, scoring and automa
their chapters; view hides, table shows, step says what is asked about, describe tells; rules delegates.
"""

from engine.games.rurik.rules import RULES

__all__ = ["RULES"]
