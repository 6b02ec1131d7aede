"""Rule on open negotiation (Trade Phase): offers, answers, what changes hands, when the phase ends."""

import pytest

from engine.core import codec
from engine.core.errors import IllegalAction
from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.ids import CardKind, Phase
from tests.games.masters_of_europe.scenario import (
    NOTHING,
    act,
    asked,
    cards,
    chips,
    coins,
    hand,
    kinds,
    legal,
    offered,
    play,
    ready,
    scenario,
    told,
    trade,
)

HANDS = {
    0: ("england", "war", "one", "two"),
    1: ("spain", "treaty", "three", "three", "four"),
    2: ("france", "royalty", "one"),
}
COUNTRY, ACTION, NUMBER = CardKind.COUNTRY, CardKind.ACTION, CardKind.NUMBER


def table(seats=3, **more):
    more.setdefault("hands", HANDS)
    more.setdefault("chips", {0: 10, 1: 10, 2: 10})
    return trade(scenario(seats, **more))


def standing(state):
    return [offer.id for offer in state.offers]


def refused(state, seat, action, says):
    """Check that an action is refused with these words and changes nothing."""
    before = codec.encode(RULES, state)
    with pytest.raises(IllegalAction, match=says) as caught:
        RULES.apply(state, seat, action)
    assert caught.value.seat == seat
    assert codec.encode(RULES, state) == before
    return str(caught.value)


# The phase.


def test_the_last_seat_in_the_trade_is_asked_though_all_it_can_do_is_stop():
    state = trade(scenario())
    state = play(state, (0, a.FinishTrading()), (1, a.FinishTrading()))
    assert asked(state) == [(2, "trade")]
    assert legal(state, 2) == (a.FinishTrading(),)


def test_no_listed_offer_gives_more_chips_than_the_seat_has():
    state = table(chips={0: 1, 1: 2, 2: 0})
    given = [[offer.give.chips for offer in offered(state, seat, a.MakeOffer)] for seat in range(3)]
    assert [max(chips) for chips in given] == [0, 2, 0]


def test_all_seats_negotiate_at_the_same_time():
    state = table()
    assert asked(state) == [(0, "trade"), (1, "trade"), (2, "trade")]
    assert {decision.open for decision in RULES.pending(state)} == {("make_offer", "counter_offer")}


def test_the_phase_ends_when_every_seat_has_declared_itself_done():
    state = play(table(), (1, a.FinishTrading()), (0, a.FinishTrading()))
    assert asked(state) == [(2, "trade")]
    state = act(state, 2, a.FinishTrading()).state
    assert state.phase is Phase.ACTION
    assert not any(player.done or player.offers for player in state.players)


def test_one_seats_declaration_leaves_the_decisions_of_the_others_open():
    state = table()
    before = {decision.seat: decision.id for decision in RULES.pending(state)}
    after = {decision.seat: decision.id for decision in RULES.pending(act(state, 1, a.FinishTrading()).state)}
    assert after == {0: before[0], 2: before[2]}


def test_a_completed_trade_asks_everybody_again():
    state = play(table(), (2, a.FinishTrading()), (0, a.MakeOffer(1, cards("one"), coins(2))), (0, a.FinishTrading()))
    assert asked(state) == [(1, "trade")]
    state = act(state, 1, a.AcceptOffer(1)).state
    assert asked(state) == [(0, "trade"), (1, "trade"), (2, "trade")]


def test_a_seat_that_is_done_answers_offers_made_to_it():
    state = play(table(), (1, a.FinishTrading()), (0, a.MakeOffer(1, cards("one"), coins(2))), (0, a.FinishTrading()))
    assert (1, "trade") in asked(state)
    state = act(state, 1, a.DeclineOffer(1)).state
    assert asked(state) == [(2, "trade")]


def test_who_declares_itself_done_declines_what_it_was_offered():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), coins(2))).state
    step = act(state, 1, a.FinishTrading())
    assert told(step, e.OfferDeclined) == [e.OfferDeclined(1, 1)]
    assert standing(step.state) == []
    state = act(table(), 0, a.MakeOffer(None, cards("one"), coins(2))).state
    state = act(state, 1, a.FinishTrading()).state
    assert asked(state) == [(0, "trade"), (2, "trade")]
    assert standing(act(state, 2, a.DeclineOffer(1)).state) == []


def test_offers_of_a_seat_that_is_done_stand_until_they_are_answered():
    state = play(table(), (0, a.MakeOffer(1, cards("one"), coins(2))), (0, a.FinishTrading()), (2, a.FinishTrading()))
    assert standing(state) == [1]
    assert chips(act(state, 1, a.AcceptOffer(1)).state) == [12, 8, 10]


def test_by_option_there_is_no_trade_at_all():
    state = scenario(options={"offer_cap": 0}, hands=HANDS)
    state.phase = Phase.DRAW
    assert asked(ready(state)) == [(0, "turn")]


# Offers.


@pytest.mark.parametrize(
    ("give", "want"),
    [
        (cards("england", "war"), cards("spain")),
        (cards("one"), kinds(NUMBER)),
        (coins(10), kinds(COUNTRY, ACTION)),
        (cards("one", "two"), coins(7)),
        (NOTHING, coins(1)),
        (cards("one"), NOTHING),
        (a.Bundle(("one",), (), 3), a.Bundle(("three",), (ACTION,), 2)),
    ],
    ids=["cards", "type", "chips-for-types", "chips", "begging", "gift", "mixed"],
)
def test_a_seat_may_offer_any_of_its_cards_and_chips_for_cards_types_and_chips(give, want):
    step = act(table(), 0, a.MakeOffer(1, give, want))
    assert told(step, e.OfferMade) == [e.OfferMade(0, 1, 1, give, want)]
    assert hand(step.state, 0) == list(HANDS[0])


def test_an_offer_to_one_seat_is_answered_by_that_seat_alone():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), coins(2))).state
    assert {a.AcceptOffer(1), a.DeclineOffer(1)} <= set(legal(state, 1))
    assert not offered(state, 2, a.AcceptOffer)
    assert a.WithdrawOffer(1) in legal(state, 0)


def test_an_offer_to_all_goes_to_whoever_accepts_first():
    state = act(table(), 0, a.MakeOffer(None, cards("one"), coins(2))).state
    assert all(a.AcceptOffer(1) in legal(state, seat) for seat in (1, 2))
    state = act(state, 2, a.AcceptOffer(1)).state
    assert (chips(state), standing(state)) == ([12, 10, 8], [])
    refused(state, 1, a.AcceptOffer(1), "offer 1 has lapsed")


def test_an_offer_to_all_stands_until_everybody_declined():
    state = act(table(), 0, a.MakeOffer(None, cards("one"), coins(2))).state
    state = act(state, 1, a.DeclineOffer(1)).state
    assert standing(state) == [1]
    refused(state, 1, a.AcceptOffer(1), "offer 1 has lapsed, was answered or is not made to seat 1")
    assert standing(act(state, 2, a.DeclineOffer(1)).state) == []


def test_several_offers_stand_at_once_each_with_its_id():
    state = table()
    state = play(
        state,
        (0, a.MakeOffer(1, cards("one"), coins(2))),
        (0, a.MakeOffer(2, cards("two"), coins(3))),
        (1, a.MakeOffer(None, coins(1), kinds(ACTION))),
    )
    assert standing(state) == [1, 2, 3]
    assert [offer.id for offer in RULES.observe(state, None).table.offers] == [1, 2, 3]


def test_ids_of_offers_are_never_used_again():
    state = play(table(), (0, a.MakeOffer(1, cards("one"), coins(2))), (0, a.WithdrawOffer(1)))
    assert standing(act(state, 1, a.MakeOffer(0, coins(1), cards("two"))).state) == [2]


def test_an_offer_may_be_withdrawn_by_its_maker_alone():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), coins(2))).state
    refused(state, 1, a.WithdrawOffer(1), "seat 1 has no standing offer 1")
    step = act(state, 0, a.WithdrawOffer(1))
    assert told(step, e.OfferWithdrawn) == [e.OfferWithdrawn(0, 1)]
    assert standing(step.state) == []


# What changes hands.


def test_what_changes_hands_is_atomic():
    state = act(table(), 0, a.MakeOffer(1, a.Bundle(("england",), (), 3), a.Bundle(("spain", "four"), (), 1))).state
    state = act(state, 1, a.AcceptOffer(1)).state
    assert hand(state, 0) == ["spain", "war", "one", "two", "four"]
    assert hand(state, 1) == ["england", "treaty", "three", "three"]
    assert chips(state) == [8, 12, 10]


@pytest.mark.parametrize("want", [cards("france"), cards("spain", "spain"), coins(11), kinds(ACTION, ACTION)], ids=str)
def test_an_offer_that_one_cannot_meet_may_only_be_declined_or_countered(want):
    state = act(table(), 0, a.MakeOffer(1, cards("one"), want)).state
    assert not offered(state, 1, a.AcceptOffer)
    assert a.DeclineOffer(1) in legal(state, 1)
    message = refused(state, 1, a.AcceptOffer(1), "seat 1 cannot hand over what offer 1 asks for")
    assert "three" not in message


def test_whoever_accepts_chooses_the_cards_for_a_type():
    state = act(table(), 0, a.MakeOffer(1, coins(4), kinds(NUMBER))).state
    assert offered(state, 1, a.AcceptOffer) == [a.AcceptOffer(1, ("three",)), a.AcceptOffer(1, ("four",))]
    state = act(state, 1, a.AcceptOffer(1, ("four",))).state
    assert hand(state, 0) == ["england", "war", "one", "two", "four"]


def test_cards_for_several_types_are_counted_by_copies():
    state = act(table(), 0, a.MakeOffer(1, coins(4), kinds(NUMBER, COUNTRY, NUMBER))).state
    assert [action.cards for action in offered(state, 1, a.AcceptOffer)] == [
        ("spain", "three", "three"),
        ("spain", "three", "four"),
    ]


def test_a_card_asked_for_by_name_does_not_also_pay_for_its_type():
    state = act(table(), 0, a.MakeOffer(1, coins(4), a.Bundle(("three",), (NUMBER,)))).state
    assert [action.cards for action in offered(state, 1, a.AcceptOffer)] == [("three",), ("four",)]
    state = act(state, 0, a.MakeOffer(1, coins(4), a.Bundle(("four",), (NUMBER,)))).state
    assert [action.cards for action in offered(state, 1, a.AcceptOffer) if action.offer == 2] == [("three",)]


def test_cards_of_another_type_or_not_in_hand_pay_for_nothing():
    state = act(table(), 0, a.MakeOffer(1, coins(4), kinds(NUMBER))).state
    for wrong in (("spain",), ("one",), (), ("three", "four")):
        refused(state, 1, a.AcceptOffer(1, wrong), "seat 1 cannot hand over what offer 1 asks for with these cards")


def test_offers_that_can_no_longer_be_met_lapse():
    state = play(
        table(),
        (0, a.MakeOffer(1, cards("one"), coins(2))),
        (0, a.MakeOffer(2, cards("one"), coins(1))),
        (0, a.MakeOffer(2, cards("two"), coins(1))),
        (1, a.MakeOffer(2, coins(9), kinds(ACTION))),
    )
    step = act(state, 1, a.AcceptOffer(1))
    assert told(step, e.OfferLapsed) == [e.OfferLapsed(2), e.OfferLapsed(4)]
    assert standing(step.state) == [3]
    refused(step.state, 2, a.AcceptOffer(2), "offer 2 has lapsed")
    refused(step.state, 2, a.DeclineOffer(4), "offer 4 has lapsed")


def test_an_offer_of_all_ones_chips_can_still_be_met():
    state = play(table(), (0, a.MakeOffer(1, coins(10), cards("spain"))), (0, a.MakeOffer(2, cards("one"), NOTHING)))
    state = act(state, 2, a.AcceptOffer(2)).state
    assert standing(state) == [1]
    assert chips(act(state, 1, a.AcceptOffer(1)).state) == [0, 20, 10]


def test_an_offer_is_met_again_by_another_copy_of_its_card():
    state = table(hands={0: ("one", "one"), 1: ("two",), 2: ("three",)})
    state = play(state, (0, a.MakeOffer(1, cards("one"), coins(1))), (0, a.MakeOffer(2, cards("one"), coins(1))))
    assert standing(act(state, 1, a.AcceptOffer(1)).state) == [2]


def test_a_counter_offer_declines_and_offers_instead():
    state = act(table(), 0, a.MakeOffer(None, cards("one"), coins(2))).state
    step = act(state, 1, a.CounterOffer(1, coins(1), cards("one")))
    assert told(step, e.OfferDeclined) == [e.OfferDeclined(1, 1)]
    assert told(step, e.OfferMade) == [e.OfferMade(1, 2, 0, coins(1), cards("one"))]
    state = step.state
    assert standing(state) == [1, 2]
    assert not [action for action in offered(state, 1, a.AcceptOffer) if action.offer == 1]
    state = act(state, 0, a.AcceptOffer(2)).state
    assert chips(state) == [11, 9, 10]
    assert standing(state) == []


def test_chips_change_hands_for_nothing_in_return_too():
    state = act(table(), 0, a.MakeOffer(2, coins(10), NOTHING)).state
    assert chips(act(state, 2, a.AcceptOffer(1)).state) == [0, 10, 20]


# What is refused.


def test_an_offer_to_oneself_is_refused():
    refused(table(), 0, a.MakeOffer(0, cards("one"), coins(1)), "an offer to oneself is not possible")


@pytest.mark.parametrize("to", [-1, 3, 99])
def test_an_offer_to_a_seat_that_is_not_there_is_refused(to):
    refused(table(), 0, a.MakeOffer(to, cards("one"), coins(1)), f"there is no seat {to}; seats are 0 to 2")


@pytest.mark.parametrize("give", [cards("spain"), cards("one", "one")], ids=str)
def test_an_offer_of_cards_one_does_not_hold_is_refused(give):
    refused(table(), 0, a.MakeOffer(1, give, coins(1)), "seat 0 does not hold all the cards it offers")


def test_an_offer_of_more_chips_than_one_has_is_refused():
    refused(table(), 0, a.MakeOffer(1, coins(11), cards("spain")), "seat 0 has 10 chips and offers 11")


@pytest.mark.parametrize(("give", "want"), [(coins(-1), NOTHING), (NOTHING, coins(-1)), (coins(-3), coins(-3))])
def test_negative_chips_are_refused(give, want):
    refused(table(), 0, a.MakeOffer(1, give, want), "chips")


def test_more_chips_than_there_ever_are_cannot_be_asked_for():
    refused(table(), 0, a.MakeOffer(1, NOTHING, coins(1001)), "chips")


@pytest.mark.parametrize("bundle", [cards("atlantis"), cards("England"), cards("")], ids=str)
def test_a_card_that_does_not_exist_is_named(bundle):
    name = repr(bundle.cards[0])
    refused(table(), 0, a.MakeOffer(1, bundle, coins(1)), f"there is no card {name}")
    refused(table(), 0, a.MakeOffer(1, coins(1), bundle), f"there is no card {name}")
    state = act(table(), 0, a.MakeOffer(1, coins(4), kinds(NUMBER))).state
    refused(state, 1, a.AcceptOffer(1, bundle.cards), f"there is no card {name}")


def test_what_is_given_is_named_not_only_its_type():
    refused(table(), 0, a.MakeOffer(1, kinds(NUMBER), coins(1)), "name the cards to give")


def test_an_empty_offer_is_refused():
    refused(table(), 0, a.MakeOffer(1, NOTHING, NOTHING), "an offer must give or ask for something")


def test_an_offer_may_not_ask_for_endless_cards():
    refused(
        table(), 0, a.MakeOffer(1, coins(1), cards(*["one"] * 11)), "ask for at most 10 cards by name and 3 by type"
    )
    refused(table(), 0, a.MakeOffer(1, coins(1), kinds(*[NUMBER] * 4)), "ask for at most 10 cards")
    assert standing(act(table(), 0, a.MakeOffer(1, coins(1), a.Bundle(("one",) * 10, (NUMBER,) * 3))).state) == [1]


def test_an_offer_to_others_cannot_be_answered():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), coins(2))).state
    for answer in (a.AcceptOffer(1), a.DeclineOffer(1), a.CounterOffer(1, coins(1), NOTHING)):
        refused(state, 2, answer, "offer 1 has lapsed, was answered or is not made to seat 2")
        refused(state, 0, answer, "offer 1 has lapsed, was answered or is not made to seat 0")
        refused(table(), 1, answer, "offer 1 has lapsed")


def test_a_counter_offer_is_held_to_the_same_rules():
    state = act(table(), 0, a.MakeOffer(1, cards("one"), coins(2))).state
    refused(state, 1, a.CounterOffer(1, cards("england"), NOTHING), "seat 1 does not hold all the cards it offers")
    refused(state, 1, a.CounterOffer(1, NOTHING, NOTHING), "an offer must give or ask for something")


def test_moves_of_other_phases_are_refused_in_a_trade():
    refused(table(), 0, a.EndTurn(), r"not among the \d+ legal actions of the open decision \(trade\)")


# The cap.


def test_each_seat_makes_twelve_offers_a_phase_by_default():
    state = table()
    for _ in range(12):
        state = act(state, 0, a.MakeOffer(1, cards("one"), coins(2))).state
    assert RULES.observe(state, 1).table.players[0].offers_made == 12
    assert not offered(state, 0, a.MakeOffer)
    refused(state, 0, a.MakeOffer(1, cards("one"), coins(2)), "seat 0 has made its 12 offers of this phase")
    assert offered(state, 1, a.MakeOffer)


def test_counter_offers_count_as_offers():
    state = table(options={"offer_cap": 1})
    state = play(state, (1, a.MakeOffer(2, coins(1), kinds(NUMBER))), (0, a.MakeOffer(1, cards("one"), coins(2))))
    assert not offered(state, 1, a.CounterOffer)
    refused(state, 1, a.CounterOffer(1 + 1, coins(1), NOTHING), "seat 1 has made its 1 offers of this phase")


def test_completed_trades_do_not_renew_the_cap_and_the_next_phase_does():
    state = table(options={"offer_cap": 1})
    state = play(state, (0, a.MakeOffer(1, cards("one"), coins(2))), (1, a.AcceptOffer(1)))
    assert not offered(state, 0, a.MakeOffer)
    state = play(state, *((seat, a.FinishTrading()) for seat in range(3)))
    assert [player.offers for player in state.players] == [0, 0, 0]


def test_trade_ends_even_if_nobody_ever_wants_to_stop():
    state = table()
    count = 0
    while state.phase is Phase.TRADE:
        seat, _ = asked(state)[0]
        moves = [move for move in legal(state, seat) if not isinstance(move, a.FinishTrading | a.WithdrawOffer)]
        state = act(state, seat, moves[-1] if moves else a.FinishTrading()).state
        count += 1
        assert count < 200


# What is listed.


def test_the_list_holds_a_sample_of_offers_so_that_players_who_choose_from_it_trade_too():
    state = table()
    for seat in range(3):
        listed = offered(state, seat, a.MakeOffer)
        assert len(listed) == 3
        assert legal(state, seat) == legal(state, seat)
        assert all(RULES.apply(state, seat, offer) for offer in listed)
    state = act(state, 0, offered(state, 0, a.MakeOffer)[0]).state
    assert len(offered(state, 1, a.CounterOffer)) == 1


def test_who_holds_nothing_can_still_stop_trading():
    state = table(hands={0: ("one",)}, chips={})
    assert legal(state, 1) == (a.FinishTrading(),)
    assert asked(state) == [(0, "trade"), (1, "trade"), (2, "trade")]


def test_an_offer_like_a_listed_one_is_that_one():
    state = table()
    listed = offered(state, 0, a.MakeOffer)[0]
    worded = a.MakeOffer(listed.to, listed.give, listed.want)
    assert codec.encode(RULES, act(state, 0, worded).state) == codec.encode(RULES, act(state, 0, listed).state)
