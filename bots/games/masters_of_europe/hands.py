"""Say what cards are worth to a seat: the melds they make, and a little for what is left over."""

from collections.abc import Iterable
from functools import lru_cache

from engine.games.masters_of_europe.data import CARD_INDEX, CARDS, HAND_LIMIT
from engine.games.masters_of_europe.ids import CARD_KINDS, CardKind, MeldAction
from engine.games.masters_of_europe.state import Offer, Player

#: What a meld is worth besides its number, and each unit of its number.
MELD = 0.5
UNIT = 1.2
#: What a card that makes no meld is worth: of a country or action, and for each unit of a number.
SPARE = 0.5
SPARE_UNIT = 0.25
#: More for cards that fit more often.
_FITS = {
    "major_power": 0.5,
    "minor_power": 0.2,
    MeldAction.MARRIAGE: 0.3,
    MeldAction.INDUSTRY: 0.3,
    MeldAction.WAR: 0.3,
    MeldAction.ABSOLUTISM: -0.2,
    MeldAction.ALLIANCE: -0.1,
}
#: A card that stands for any of its type: of middling use.
TYPICAL = {
    CardKind.COUNTRY: CARD_INDEX["france"],
    CardKind.ACTION: CARD_INDEX["royalty"],
    CardKind.NUMBER: CARD_INDEX["two"],
}
#: A chance that an offer is taken, by whether it looks fair to the other seat, and what an offer costs in patience.
FAIR, UNFAIR = 0.5, 0.05
PATIENCE = 0.25


def hand_value(hand: Iterable[int]) -> float:
    """Return the worth of a hand of which every card may be played."""
    return _value(tuple(hand), len(CARDS))


def kept_value(hand: Iterable[int]) -> float:
    """Return the worth of a hand of which the limit is kept."""
    return _value(tuple(hand), HAND_LIMIT)


@lru_cache(1 << 14)
def _value(hand: tuple[int, ...], limit: int) -> float:
    numbers = sorted((CARDS[card].value for card in hand if CARDS[card].kind is CardKind.NUMBER), reverse=True)
    others = [card for card in hand if CARDS[card].kind is not CardKind.NUMBER]
    actions = sum(CARDS[card].kind is CardKind.ACTION for card in others)
    melds = min(len(numbers), actions, len(others) - actions, limit // 3)
    spare = [SPARE_UNIT * number for number in numbers[melds:]]
    spare += [SPARE + _FITS.get(CARDS[card].id, 0.0) for card in others]
    # Cards that make a meld are worth their fit on top of it; only so many spare ones are kept.
    spare.sort(reverse=True)
    return sum(MELD + UNIT * number for number in numbers[:melds]) + sum(spare[: max(0, limit - melds)])


def offer_value(player: Player, offer: Offer) -> float:
    """Return what a standing offer of one's own promises: the gain if it is taken, by the chance that it is."""
    after = list(player.hand)
    for card in offer.give_cards:
        after.remove(card)
    wanted = [*offer.want_cards, *(TYPICAL[CARD_KINDS[kind]] for kind in offer.want_kinds)]
    chips = offer.want_chips - offer.give_chips
    gain = hand_value(sorted([*after, *wanted])) - hand_value(player.hand) + chips
    if gain <= 0:
        return gain
    loss = sum(map(_worth, wanted)) - sum(map(_worth, offer.give_cards)) + chips
    return gain * (FAIR if loss <= SPARE else UNFAIR)


def _worth(card: int) -> float:
    """Return what a card is worth to anybody."""
    return 0.5 * CARDS[card].value if CARDS[card].value else 1.0 + _FITS.get(CARDS[card].id, 0.0)
