"""Play Europe Divided, by David Thompson and Chris Marling, for two: seat 0 is Europe, seat 1 Russia.

Twenty turns in two periods. Each turn both sides choose two action cards in secret; the higher sum of initiative acts
first, all of its actions before the other's. Cards place and raise influence dice in twelve contested regions, gain
money, build and move armies; a die at 5 brings the region's own card, a 6 dominance. Headlines placed by both score
when their conditions hold as they are resolved; dominance and kept advantage cards score at turns 10 and 20.

Read README.md, then flow.py (the rulebook's skeleton), one frame of frames/, its test. ids, config, vocabulary (the
words of the data files), data, cards, actions, options (the same actions as objects made at load), events and state are
the vocabulary; setup and scoring their chapters; effects/ says what special texts do; view hides, table shows, step
says what is asked about, describe tells; rules delegates.
"""

from engine.games.europe_divided.rules import RULES

__all__ = ["RULES"]
