"""Hold every action object that can be made at load, so that listing legal actions is looking them up."""

from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import ADVANTAGES, CARD_INDEX, CARDS
from engine.games.europe_divided.data import CONTESTED, REGIONS
from engine.games.europe_divided.ids import FACTIONS
from engine.games.europe_divided.stakes import HEADLINES, SEAS
from engine.games.europe_divided.vocabulary import MOST_COST, MOST_RAISE, MOST_STEPS

_CONTESTED = REGIONS[:CONTESTED]

SET_ASIDE = tuple(a.SetAsideAdvantage(card.id) for card in ADVANTAGES)
#: By card index: the cards of a side, each with those after it.
CHOOSE = {
    (first, second): a.ChooseCards(CARDS[first].id, CARDS[second].id)
    for names in CARD_INDEX
    for first in names.values()
    for second in names.values()
    if first < second
}
PLAY_CARD = tuple(a.PlayCard(card.id) for card in CARDS)
PLAY_EXTRA_CARD = tuple(a.PlayExtraCard(card.id) for card in CARDS)
PLAY_ADVANTAGE = tuple(a.PlayAdvantage(card.id) for card in ADVANTAGES)
SELL_ADVANTAGE = tuple(a.SellAdvantage(card.id) for card in ADVANTAGES)
#: By sea, source and target.
USE_SEA = tuple(tuple(tuple(a.UseSeaCard(sea.id, s, t) for t in REGIONS) for s in REGIONS) for sea in SEAS)
#: By cost, faction and region.
PLACE = tuple(
    tuple(tuple(a.PlaceInfluence(f, r, cost) for r in _CONTESTED) for f in FACTIONS) for cost in range(MOST_COST + 1)
)
#: By amount (0 unused), faction and region.
INCREASE = tuple(
    tuple(tuple(a.IncreaseInfluence(f, r, n) for r in _CONTESTED) for f in FACTIONS) for n in range(MOST_RAISE + 1)
)
REDUCE = tuple(
    tuple(tuple(a.ReduceInfluence(f, r, n) for r in _CONTESTED) for f in FACTIONS) for n in range(MOST_RAISE + 1)
)
#: By cost and region.
BUILD = tuple(tuple(a.BuildArmy(r, cost) for r in REGIONS) for cost in range(MOST_COST + 1))
MOVE = tuple(a.MoveArmy(r) for r in REGIONS)
#: By target and cost.
MOVE_TO = tuple(tuple(a.MoveTo(r, cost) for cost in range(MOST_STEPS + 1)) for r in REGIONS)
FRACTURE = tuple(a.FractureCountry(r) for r in REGIONS)
PLACE_HEADLINE = tuple(a.PlaceHeadline(card.id) for card in HEADLINES)
TAKE_SPECIAL = a.TakeSpecial()
FORGO_CARD = a.ForgoCard()
END_TURN = a.EndTurn()
DONE = a.Done()

_MONEY = tuple(a.GainMoney(amount) for amount in range(64))


def gain_money(amount: int) -> a.GainMoney:
    """Return the action that gains an amount; money tokens may pile up without a limit."""
    return _MONEY[amount] if amount < len(_MONEY) else a.GainMoney(amount)
