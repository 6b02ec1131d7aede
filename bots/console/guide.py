"""Teach a person what to type and, in a few lines each, how the games go."""

from collections.abc import Mapping, Sequence

KEYS = (
    "Type the number of a move and Enter. Other keys, which work while you wait for the others too:",
    " n, p   next and previous page of moves (Enter alone: next)",
    " words  only the moves with these words, numbers as they were (Enter: all again)",
    " l      log: all that happened lately",
    " r      draw the screen anew: what others did meanwhile is told in a line, and shown there",
    " h, ?   this page",
    " q      quit; your seat waits for you, and the token printed then brings you back",
)
#: What the keys of each game's own pages show.
GAME_KEYS: Mapping[str, Sequence[str]] = {
    "europe_divided": (
        " c      cards: what yours do, and what the headlines ask for",
        " b      borders of every region",
    ),
    "masters_of_europe": (
        " c      cards: your hand, the discards, what actions do",
        " o      offers in full, and the rolls for the Leader token",
    ),
    "rurik": (
        " c      cards: the deed row, your own cards in full, what leaders can do",
        " o      others: the mats of the other seats, the Rebellion's card and bonuses",
        " b      borders of every region",
    ),
}
#: How each game goes.
GOES: Mapping[str, str] = {
    "europe_divided": """
        Twenty turns. In each both sides choose two cards in secret; the higher sum of the numbers on them acts first.
        A card gives one of its actions: place a die (2 money), raise one, gain money, build an army (2 money) or move
        armies. A die raised to 5 or 6 wins the region's own card, a grey one; 6 is dominance, which an enemy army or a
        die of 6 bars. Headlines score on some turns for the side whose conditions hold, dominance when a period ends,
        advantage cards when they were not used until then. The most prestige wins.""",
    "masters_of_europe": """
        Each round everybody draws six cards, trades freely, then melds by turns from the Leader on, as often as the
        cards allow; each country pays its chips to the seat that controls it, and hands are cut to four cards.""",
    "rurik": """
        Four rounds. First place advisors by turns in the columns of actions: number plus bribe is power, and more
        power stands higher and gets more. Then take turns, the lowest number first: take the action or forfeit it
        for a coin; besides it play a scheme, do a deed or convert goods. You rule where you have more troops than
        any other. Last, markers climb the claim tracks: for regions you rule, for adjacent regions with structures of
        yours, for goods on the boat (not on the dock). Tracks, warfare, deeds and the agenda are the points.""",
}
