"""Rule on who knows what: hands, offers between two, what changed hands, what is remembered (Trade Phase)."""

import random

import pytest

from engine.core.errors import IllegalAction
from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.ids import CardKind, MeldAction
from engine.games.masters_of_europe.state import audit
from tests.games.masters_of_europe.scenario import (
    act,
    asked,
    cards,
    coins,
    hand,
    kinds,
    known,
    play,
    scenario,
    told,
    trade,
    turn,
)

HANDS = {
    0: ("england", "war", "one", "two"),
    1: ("spain", "treaty", "three", "four"),
    2: ("france", "royalty", "one"),
    3: ("italy", "alliance", "two"),
}
FOR_TWO = a.MakeOffer(1, a.Bundle(("england",), (), 2), kinds(CardKind.NUMBER))


def table(**more):
    more.setdefault("hands", HANDS)
    return trade(scenario(4, chips=dict.fromkeys(range(4), 10), **more))


def test_hands_are_seen_by_their_own_seats_and_counted_by_all():
    state = table()
    for viewer in (None, 0, 1, 2, 3):
        for player in RULES.observe(state, viewer).table.players:
            assert player.cards_in_hand == len(HANDS[player.seat])
            assert player.hand == (tuple(hand(state, player.seat)) if player.seat == viewer else ())


def test_an_offer_to_one_seat_is_read_by_the_two_alone():
    step = act(table(), 0, FOR_TWO)
    for viewer in (0, 1):
        assert told(step, e.OfferMade, viewer, full=False) == [e.OfferMade(0, 1, 1, FOR_TWO.give, FOR_TWO.want)]
        assert RULES.observe(step.state, viewer).table.offers[0].give == FOR_TWO.give
    for viewer in (2, 3, None):
        assert told(step, e.OfferMade, viewer, full=False) == [e.OfferMade(0, 1, 1, None, None)]
        (offer,) = RULES.observe(step.state, viewer).table.offers
        assert (offer.seat, offer.to, offer.give, offer.want) == (0, 1, None, None)
        assert b"england" not in RULES.observe(step.state, viewer).flow


def test_an_offer_to_all_is_read_by_all():
    offer = a.MakeOffer(None, cards("one"), coins(2))
    step = act(table(), 0, offer)
    for viewer in (None, 0, 1, 2, 3):
        assert told(step, e.OfferMade, viewer, full=False) == [e.OfferMade(0, 1, None, offer.give, offer.want)]


def test_a_counter_offer_is_read_by_the_two_alone():
    state = act(table(), 0, a.MakeOffer(None, cards("one"), coins(2))).state
    step = act(state, 1, a.CounterOffer(1, cards("four"), cards("one")))
    assert told(step, e.OfferMade, 2, full=False) == [e.OfferMade(1, 2, 0, None, None)]
    assert told(step, e.OfferMade, 0, full=False)[0].give == cards("four")


def test_others_learn_how_many_cards_changed_hands_and_the_chips():
    step = act(act(table(), 0, FOR_TWO).state, 1, a.AcceptOffer(1, ("four",)))
    full = e.Traded(1, 1, 0, ("england",), 1, 2, ("four",), 1, 0)
    assert told(step, e.Traded, 0, full=False) == told(step, e.Traded, 1, full=False) == [full]
    for viewer in (2, 3, None):
        assert told(step, e.Traded, viewer, full=False) == [e.Traded(1, 1, 0, (), 1, 2, (), 1, 0)]
    assert step.barrier


def test_others_read_the_same_line_whatever_changed_hands():
    lines = set()
    for card in ("three", "four"):
        step = act(act(table(), 0, FOR_TWO).state, 1, a.AcceptOffer(1, (card,)))
        (event,) = told(step, e.Traded, 2, full=False)
        lines.add(RULES.describe(event, RULES.observe(step.state, 2)))
    assert lines == {"Seat 1 accepted offer 1 of seat 0: got 1 card and 2 chips, gave 1 card."}


def test_the_two_remember_what_they_handed_over():
    state = act(act(table(), 0, FOR_TWO).state, 1, a.AcceptOffer(1, ("four",))).state
    assert (known(state, 0, 1), known(state, 1, 0)) == (["england"], ["four"])
    assert RULES.observe(state, 0).table.players[1].known_hand == ("england",)
    assert RULES.observe(state, 2).table.players[1].known_hand == ()


def test_a_standing_offer_shows_that_its_maker_holds_the_cards():
    state = act(table(), 0, FOR_TWO).state
    assert (known(state, 1, 0), known(state, 2, 0)) == (["england"], [])
    state = act(state, 0, a.MakeOffer(None, cards("one"), coins(2))).state
    assert (known(state, 1, 0), known(state, 2, 0)) == (["england", "one"], ["one"])


def test_after_a_trade_between_others_what_may_have_gone_is_forgotten():
    state = play(table(), (0, a.MakeOffer(None, cards("one"), coins(9))), (0, a.WithdrawOffer(1)), (0, FOR_TWO))
    assert known(state, 2, 0) == ["one"]
    state = act(state, 1, a.AcceptOffer(2, ("four",))).state
    assert known(state, 2, 0) == []


def test_a_trade_of_chips_alone_makes_nobody_forget():
    state = play(table(), (0, a.MakeOffer(None, cards("one"), coins(9))), (0, a.MakeOffer(1, coins(1), a.Bundle())))
    assert known(act(state, 1, a.AcceptOffer(2)).state, 2, 0) == ["one"]


def test_of_an_accepted_offer_to_all_everybody_knows_where_the_named_cards_went():
    offer = a.MakeOffer(None, cards("england"), a.Bundle(("spain",), (CardKind.NUMBER,)))
    state = act(act(table(), 0, offer).state, 1, a.AcceptOffer(1, ("four",))).state
    assert (known(state, 2, 0), known(state, 2, 1)) == (["spain"], ["england"])
    assert (known(state, 0, 1), known(state, 1, 0)) == (["england"], ["spain", "four"])


def test_which_known_card_paid_for_a_type_is_not_known_to_others():
    """What a seat was seen to hold of the type that was asked for may have gone; of other types it has not."""
    shown = a.MakeOffer(None, cards("spain", "three", "four"), coins(9))
    state = play(table(), (1, shown), (1, a.WithdrawOffer(1)), (0, a.MakeOffer(None, coins(1), kinds(CardKind.NUMBER))))
    assert known(state, 2, 1) == ["spain", "three", "four"]
    state = act(state, 1, a.AcceptOffer(2, ("four",))).state
    assert known(state, 2, 1) == ["spain"]
    assert known(state, 0, 1) == ["spain", "three"]


def test_a_card_shown_by_two_offers_is_remembered_once():
    state = play(
        table(), (0, a.MakeOffer(None, cards("one"), coins(2))), (0, a.MakeOffer(1, cards("one", "two"), coins(2)))
    )
    assert (known(state, 1, 0), known(state, 2, 0)) == (["one", "two"], ["one"])


def test_an_offer_that_stands_on_still_shows_its_cards_after_a_trade():
    state = play(table(), (0, a.MakeOffer(None, cards("one"), coins(9))), (0, FOR_TWO))
    assert known(act(state, 1, a.AcceptOffer(2, ("four",))).state, 2, 0) == ["one"]


def test_a_card_played_or_discarded_is_no_longer_remembered():
    state = turn(scenario(hands={0: ("england", "royalty", "one", "one")}))
    state.known[1][0] = sorted(state.players[0].hand)
    state = act(state, 0, a.StartMeld(MeldAction.ROYALTY)).state
    assert known(state, 1, 0) == ["england", "one", "one"]
    state = play(state, (0, a.ChooseCountry("england", "england")), (0, a.ChooseNumber("one")))
    assert known(state, 1, 0) == ["one"]


def test_an_error_never_tells_what_the_other_holds():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), cards("spain"))).state
    twin = act(
        table(hands={**HANDS, 1: ("norway", "treaty", "three", "four")}),
        0,
        a.MakeOffer(1, cards("one"), cards("spain")),
    ).state
    said = set()
    for there in (state, twin):
        for wrong in (a.MakeOffer(1, cards("austria"), cards("spain")), a.AcceptOffer(1)):
            with pytest.raises(IllegalAction) as caught:
                RULES.apply(there, 0, wrong)
            said.add(str(caught.value))
    assert len(said) == 2


def test_who_may_be_asked_does_not_depend_on_what_it_holds():
    """Not even a seat that can only stop trading is passed over."""
    rich, poor = table(), table(hands={0: HANDS[0]})
    poor.players[1].chips = 0
    assert asked(rich) == asked(poor)
    offer = a.MakeOffer(1, cards("one"), cards("spain"))
    assert asked(act(rich, 0, offer).state) == asked(act(poor, 0, offer).state)


def test_a_decision_tells_by_its_id_only_what_was_public():
    """An offer between two changes the decisions of these two and nobody else's, whatever it says."""
    ids = set()
    for offer in (FOR_TWO, a.MakeOffer(1, coins(1), cards("spain")), a.MakeOffer(1, cards("two"), coins(3))):
        pending = RULES.pending(act(table(), 0, offer).state)
        ids.add(tuple(decision.id for decision in pending))
    assert ids == {("1.0", "1.1", "0.2", "0.3")}


def test_the_moves_of_others_are_in_no_view():
    state = act(table(), 0, FOR_TWO).state
    view = RULES.observe(state, 2)
    assert view.decision is not None
    assert not any(isinstance(action, a.AcceptOffer | a.DeclineOffer | a.CounterOffer) for action in view.legal)
    assert RULES.observe(state, None).legal == ()


def test_a_guess_of_an_offer_between_others_can_be_met_by_its_maker():
    state = act(table(), 0, FOR_TWO).state
    view = RULES.observe(state, 2)
    for seed in range(20):
        guess = RULES.determinize(view, random.Random(seed))
        assert audit(guess) == []
        assert not guess.offers[0].hidden
        assert RULES.observe(guess, 2) == view


@pytest.mark.parametrize("meld", [MeldAction.ALLIANCE, MeldAction.MARRIAGE, MeldAction.ABSOLUTISM])
def test_a_guess_of_a_seat_in_the_middle_of_a_meld_can_complete_it(meld):
    board = {0: {"italy": 1, "spain": 2}, 1: {"spain": 1}}
    state = turn(scenario(hands={0: ("italy", "spain", "poland", meld, "one")}, tokens=board))
    state = act(state, 0, a.StartMeld(meld)).state
    view = RULES.observe(state, 1)
    for seed in range(40):
        guess = RULES.determinize(view, random.Random(seed))
        while RULES.pending(guess)[0].kind in ("choose_country", "choose_number"):
            moves = RULES.legal_actions(guess, 0)
            RULES.advance(guess, 0, random.Random(seed).choice(moves))
        assert audit(guess) == []
