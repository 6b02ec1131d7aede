"""Hold every action object that can be made at load, so that listing legal actions is looking them up."""

from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.data import CARDS, COUNTRIES, MAX_SEATS
from engine.games.masters_of_europe.ids import MELD_ACTIONS

PLACE_TOKEN = tuple(a.PlaceToken(country.id) for country in COUNTRIES)
FINISH_TRADING = a.FinishTrading()
START_MELD = tuple(a.StartMeld(action) for action in MELD_ACTIONS)
#: By card and, in the order of the card's countries, by country.
CHOOSE_COUNTRY = tuple(
    {country: a.ChooseCountry(card.id, COUNTRIES[country].id) for country in card.countries} for card in CARDS
)
CHOOSE_NUMBER = tuple(a.ChooseNumber(card.id) for card in CARDS)
REMOVE_TOKEN = tuple(a.RemoveToken(seat) for seat in range(MAX_SEATS))
#: By seat, source and target.
MOVE_TOKEN = tuple(
    tuple(tuple(a.MoveToken(seat, s.id, t.id) for t in COUNTRIES) for s in COUNTRIES) for seat in range(MAX_SEATS)
)
CHOOSE_SEAT = tuple(a.ChooseSeat(seat) for seat in range(MAX_SEATS))
DRAW_CARDS = a.DrawCards()
DONE = a.Done()
END_TURN = a.EndTurn()
DISCARD_CARD = tuple(a.DiscardCard(card.id) for card in CARDS)
