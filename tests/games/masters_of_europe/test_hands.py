"""Rule on drawing, the deck that runs out, and the limit of hands (Draw Phase, End Phase)."""

from engine.core.frames import Ctx
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.data import DECK
from engine.games.masters_of_europe.flow import PlaceTokens
from engine.games.masters_of_europe.frames.hands import draw
from engine.games.masters_of_europe.ids import MeldAction, Phase
from engine.games.masters_of_europe.state import audit
from tests.games.masters_of_europe.scenario import (
    act,
    asked,
    hand,
    legal,
    meld,
    names,
    nowhere,
    offered,
    pile,
    play,
    ready,
    scenario,
    told,
    turn,
)


def drawn(state, seat, count):
    """Draw and return the events."""
    events = []
    draw(Ctx(state, events), seat, count)
    assert audit(state) == []
    return events


def test_each_seat_draws_six_cards_in_initiative_order():
    step = act(turn(scenario(leader=0)), 0, a.EndTurn())
    assert [(event.seat, event.count) for event in told(step, e.CardsDrawn)] == [(1, 6), (2, 6), (0, 6)]
    assert step.state.leader == 1
    assert [len(hand(step.state, seat)) for seat in range(3)] == [6, 6, 6]


def test_the_first_draw_begins_with_the_leader_too():
    state = ready(scenario(leader=2, phase=Phase.SETUP), PlaceTokens(turn=29))
    step = act(state, 1, a.PlaceToken("england"))
    assert [(event.seat, event.count) for event in told(step, e.CardsDrawn)] == [(2, 6), (0, 6), (1, 6)]


def test_only_the_drawing_seat_reads_its_cards():
    step = act(turn(scenario()), 0, a.EndTurn())
    own = told(step, e.CardsDrawn, 1, full=False)
    assert {event.seat: len(event.cards) for event in own} == {0: 0, 1: 6, 2: 0}
    assert [event.cards for event in told(step, e.CardsDrawn, full=False)] == [(), (), ()]
    assert step.barrier


def test_the_top_card_is_drawn_first():
    state = pile(scenario(), "war", "one", "england")
    drawn(state, 0, 2)
    assert hand(state, 0) == ["war", "one"]
    assert names(state.deck) == ["england"]


def test_a_deck_that_runs_out_in_the_middle_of_a_draw_is_rebuilt_from_the_discards():
    state = pile(scenario(), "war", "one")
    gone = len(state.discard)
    events = drawn(state, 0, 6)
    assert len(hand(state, 0)) == 6
    assert {"war", "one"} <= set(hand(state, 0))
    assert state.discard == []
    assert len(state.deck) == gone - 4
    assert events[0].event == e.DeckRebuilt(gone)


def test_the_discards_are_shuffled_into_the_new_deck():
    orders = set()
    for seed in range(5):
        state = pile(scenario(seed=seed))
        state.discard.sort()
        drawn(state, 0, 1)
        assert sorted([*state.deck, *state.players[0].hand]) == sorted(DECK)
        orders.add(tuple(state.deck))
    assert len(orders) == 5


def test_a_deck_that_is_empty_before_a_draw_is_rebuilt_as_well():
    state = pile(scenario())
    drawn(state, 1, 1)
    assert (len(hand(state, 1)), state.discard) == (1, [])


def test_the_deck_is_not_rebuilt_before_a_card_is_needed():
    state = pile(scenario(), "war", "one")
    events = drawn(state, 0, 2)
    assert state.deck == []
    assert [type(emitted.event) for emitted in events] == [e.CardsDrawn]


def test_a_draw_stops_when_deck_and_discards_are_empty():
    state = pile(scenario(), "war", "one")
    state.players[1].hand = sorted(state.discard)
    state.discard = []
    drawn(state, 0, 6)
    assert hand(state, 0) == ["war", "one"]
    drawn(state, 0, 6)
    assert len(hand(state, 0)) == 2


def test_a_round_goes_on_when_nobody_can_draw():
    state = nowhere(scenario(chips={0: 1}), 0)
    state.phase = Phase.END
    state = ready(state)
    assert state.round == 2
    assert asked(state) == [(0, "trade"), (1, "trade"), (2, "trade")]
    assert [len(hand(state, seat)) for seat in range(3)] == [96, 0, 0]


def test_hands_are_cut_to_four_cards_by_initiative_in_the_end_phase():
    hands = {0: ("one", "one", "two", "three", "four"), 1: ("war", "war", "war", "war", "treaty", "royalty")}
    state = turn(scenario(hands=hands, leader=0))
    state = act(state, 0, a.EndTurn()).state
    assert asked(state) == [(0, "discard_card")]
    assert offered(state, 0, a.DiscardCard) == [a.DiscardCard(card) for card in ("one", "two", "three", "four")]
    step = act(state, 0, a.DiscardCard("one"))
    assert told(step, e.CardDiscarded) == [e.CardDiscarded(0, "one")]
    state = step.state
    assert hand(state, 0) == ["one", "two", "three", "four"]
    assert asked(state) == [(1, "discard_card")]
    state = play(state, (1, a.DiscardCard("war")), (1, a.DiscardCard("war")))
    assert state.round == 2
    assert names(state.discard) == ["one", "war", "war"]


def test_four_cards_are_kept_without_a_question():
    state = turn(scenario(hands={0: ("one", "one", "two", "three"), 1: ("war",)}))
    assert act(state, 0, a.EndTurn()).state.round == 2


def test_a_discard_is_asked_even_where_one_kind_of_card_is_left_to_choose():
    """Otherwise nobody else being asked would tell what the hand holds."""
    state = act(turn(scenario(hands={0: ("one",) * 5})), 0, a.EndTurn()).state
    assert asked(state) == [(0, "discard_card")]
    assert legal(state, 0) == (a.DiscardCard("one"),)


def test_a_royalty_draw_may_bring_back_cards_of_its_own_meld():
    """All meld cards are discarded before the meld takes effect."""
    hands = {0: ("england", "royalty", "one")}
    state = nowhere(scenario(hands=hands), 1)
    step = meld(turn(state), 0, MeldAction.ROYALTY, "one", "england")
    assert told(step, e.DeckRebuilt) == [e.DeckRebuilt(3)]
    assert len(hand(step.state, 0)) == 1
    assert set(hand(step.state, 0)) < {"england", "royalty", "one"}
