"""Rule on melds and each of the eight actions (Action Phase, War Meld to Alliance Meld)."""

import pytest

from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.data import CARDS, COUNTRY_NAMES
from engine.games.masters_of_europe.frames.melds import Turn
from engine.games.masters_of_europe.ids import MeldAction
from tests.games.masters_of_europe.scenario import (
    act,
    asked,
    chips,
    hand,
    legal,
    meld,
    names,
    offered,
    pile,
    play,
    ready,
    scenario,
    tokens,
    told,
    trade,
    turn,
)

COUNTRY_CARDS = [card.id for card in CARDS if len(card.countries) == 1]
MAJORS = list(COUNTRY_NAMES)[:7]
MINORS = list(COUNTRY_NAMES)[7:]


def holding(*cards, **more):
    return turn(scenario(hands={0: cards}, **more))


# The meld.


def test_each_seat_gets_one_turn_in_initiative_order():
    state = ready(scenario(leader=1), Turn(0), Turn(2), Turn(1))
    order = []
    while state.round == 1:
        ((seat, kind),) = asked(state)
        assert kind == "turn"
        order.append(seat)
        state = act(state, seat, a.EndTurn()).state
    assert order == [1, 2, 0]


def test_the_action_phase_gives_the_leader_the_first_turn():

    state = play(trade(scenario(leader=2)), *((seat, a.FinishTrading()) for seat in range(3)))
    assert asked(state) == [(2, "turn")]


def test_a_turn_may_have_several_melds_each_resolved_before_the_next():
    state = holding("england", "marriage", "two", "france", "industry", "one")
    state = meld(state, 0, MeldAction.MARRIAGE, "two", "england").state
    assert tokens(state, 0, "england") == 2
    state = meld(state, 0, MeldAction.INDUSTRY, "one", "france").state
    assert chips(state)[0] == 3
    assert legal(state, 0) == (a.EndTurn(),)


def test_a_turn_may_end_without_a_meld():
    state = holding("england", "royalty", "two")
    assert set(legal(state, 0)) == {a.StartMeld(MeldAction.ROYALTY), a.EndTurn()}
    assert act(state, 0, a.EndTurn()).state.round == 2


@pytest.mark.parametrize("cards", [("england", "war"), ("war", "one"), ("england", "one"), ()])
def test_a_meld_needs_a_country_an_action_and_a_number(cards):
    assert legal(holding(*cards), 0) == (a.EndTurn(),)


def test_the_cards_of_a_meld_are_discarded():
    step = meld(holding("england", "royalty", "three", "one"), 0, MeldAction.ROYALTY, "three", "england")
    assert names(step.state.discard) == ["royalty", "england", "three"]
    assert told(step, e.MeldPlayed) == [
        e.MeldPlayed(0, MeldAction.ROYALTY, ("royalty", "england", "three"), ("england",), 3)
    ]


def test_a_card_of_a_meld_once_shown_is_not_taken_back():
    state = holding("england", "royalty", "three")
    for action in (a.StartMeld(MeldAction.ROYALTY), a.ChooseCountry("england", "england"), a.ChooseNumber("three")):
        step = act(state, 0, action)
        assert step.barrier
        state = step.state


def test_the_cards_played_so_far_lie_open():
    state = act(holding("england", "royalty", "three"), 0, a.StartMeld(MeldAction.ROYALTY)).state

    table = RULES.observe(state, 2).table
    assert (table.step.action, table.step.cards, table.step.countries) == (MeldAction.ROYALTY, ("royalty",), ())
    assert table.players[0].cards_in_hand == 2


@pytest.mark.parametrize(("number", "value"), [("one", 1), ("two", 2), ("three", 3), ("four", 4)])
def test_x_is_the_value_of_the_number_card(number, value):
    state = meld(holding("poland", "industry", number), 0, MeldAction.INDUSTRY, number, "poland").state
    assert chips(state) == [value, 0, 0]


@pytest.mark.parametrize("country", COUNTRY_CARDS)
def test_a_country_card_stands_for_its_country(country):
    state = act(holding(country, "royalty", "one"), 0, a.StartMeld(MeldAction.ROYALTY)).state
    assert offered(state, 0, a.ChooseCountry) == [a.ChooseCountry(country, country)]


@pytest.mark.parametrize(("power", "countries"), [("major_power", MAJORS), ("minor_power", MINORS)])
def test_a_power_stands_for_any_country_of_its_size(power, countries):
    state = act(holding(power, "royalty", "one"), 0, a.StartMeld(MeldAction.ROYALTY)).state
    assert offered(state, 0, a.ChooseCountry) == [a.ChooseCountry(power, country) for country in countries]
    state = meld(holding(power, "royalty", "one"), 0, MeldAction.ROYALTY, "one", (power, countries[-1])).state
    assert tokens(state, 0, countries[-1]) == 1
    assert power in names(state.discard)


# War.


def war(number="three", **tokens_):
    board = {int(seat[1:]): {"italy": count} for seat, count in tokens_.items()}
    state = turn(scenario(hands={0: ("italy", "war", number)}, tokens=board))
    return meld(state, 0, MeldAction.WAR, number, "italy").state


def test_war_removes_enemy_tokens_the_player_choosing_whose_then_puts_own_ones():
    state = war(s1=2, s2=2)
    assert offered(state, 0, a.RemoveToken) == [a.RemoveToken(1), a.RemoveToken(2)]
    assert tokens(state, 0, "italy") == 0
    state = play(state, (0, a.RemoveToken(1)), (0, a.RemoveToken(2)), (0, a.RemoveToken(2)))
    assert [tokens(state, seat, "italy") for seat in range(3)] == [3, 1, 0]


def test_war_never_removes_own_tokens():
    assert offered(war(s0=2, s1=1), 0, a.RemoveToken) == [a.RemoveToken(1)]


def test_war_may_remove_fewer_tokens():
    state = act(war(s1=4), 0, a.Done()).state
    assert [tokens(state, seat, "italy") for seat in range(2)] == [3, 4]


def test_war_ends_its_removal_when_no_enemy_is_left():
    state = act(war("four", s1=1), 0, a.RemoveToken(1)).state
    assert asked(state) == [(0, "turn")]
    assert tokens(state, 0, "italy") == 4


def test_war_on_a_country_without_enemies_only_puts_tokens():
    state = war("two", s0=1)
    assert asked(state) == [(0, "turn")]
    assert tokens(state, 0, "italy") == 3


# Marriage.


def test_marriage_adds_tokens_and_earns_chips():
    step = meld(holding("spain", "marriage", "four"), 0, MeldAction.MARRIAGE, "four", "spain")
    assert (tokens(step.state, 0, "spain"), chips(step.state)) == (4, [4, 0, 0])
    assert told(step, e.ChipsGained) == [e.ChipsGained(0, 4)]


def test_marriage_is_barred_where_one_controls_the_country():
    state = holding("spain", "marriage", "one", tokens={0: {"spain": 2}, 1: {"spain": 1}})
    assert legal(state, 0) == (a.EndTurn(),)


def test_marriage_is_open_where_one_is_tied_or_behind():
    for enemies in (2, 3):
        state = holding("spain", "marriage", "one", tokens={0: {"spain": 2}, 1: {"spain": enemies}})
        assert offered(state, 0, a.StartMeld)


def test_a_power_avoids_countries_that_one_controls_for_a_marriage():
    state = holding("major_power", "marriage", "one", tokens={0: {"spain": 2}})
    state = act(state, 0, a.StartMeld(MeldAction.MARRIAGE)).state
    assert len(offered(state, 0, a.ChooseCountry)) == 6
    assert a.ChooseCountry("major_power", "spain") not in legal(state, 0)


# Royalty and Industry.


def test_royalty_adds_tokens_and_draws_a_card():
    state = turn(pile(scenario(hands={0: ("russia", "royalty", "two")}), "war"))
    step = meld(state, 0, MeldAction.ROYALTY, "two", "russia")
    assert tokens(step.state, 0, "russia") == 2
    assert hand(step.state, 0) == ["war"]


def test_industry_adds_cubes_and_earns_chips_without_tokens():
    step = meld(holding("sweden", "industry", "three"), 0, MeldAction.INDUSTRY, "three", "sweden")
    assert told(step, e.IndustryBuilt) == [e.IndustryBuilt(0, "sweden", 3)]
    assert chips(step.state) == [3, 0, 0]
    assert step.state.cubes[8] == 3
    assert tokens(step.state, 0, "sweden") == 0


# Treaty.


def treaty(number="two", options=None, **more):
    board = {0: {"austria": 1, "poland": 1}, 1: {"austria": 2, "norway": 1}}
    state = turn(scenario(options=options, hands={0: ("austria", "treaty", number)}, tokens=board, **more))
    return meld(state, 0, MeldAction.TREATY, number, "austria").state


def test_a_treaty_moves_tokens_of_any_owners_in_either_direction():
    state = treaty()
    state = play(state, (0, a.MoveToken(1, "austria", "denmark")), (0, a.MoveToken(1, "norway", "austria")))
    assert [tokens(state, 1, country) for country in ("austria", "denmark", "norway")] == [2, 1, 0]
    assert asked(state) == [(0, "treaty_cards")]


def test_a_treaty_moves_nothing_between_two_other_countries():
    moves = offered(treaty(), 0, a.MoveToken)
    assert all("austria" in (move.source, move.target) for move in moves)
    assert a.MoveToken(0, "poland", "austria") in moves
    assert a.MoveToken(0, "poland", "norway") not in moves
    # Two owners in Austria with fourteen ways out each, and a token in Poland and in Norway that may come in.
    assert len(moves) == 2 * 14 + 2


def test_by_option_a_treaty_moves_own_tokens_alone():
    moves = offered(treaty(options={"treaty_tokens": "own"}), 0, a.MoveToken)
    assert {move.seat for move in moves} == {0}
    assert len(moves) == 14 + 1


def test_a_treaty_may_move_fewer_tokens_or_none():
    state = act(treaty(), 0, a.Done()).state
    assert asked(state) == [(0, "treaty_cards")]
    assert tokens(state, 0, "austria") == 1


def test_after_a_treaty_one_may_draw_two_cards_and_discard_one():
    state = act(treaty(), 0, a.Done()).state
    state = act(pile(state, "war", "england", "one"), 0, a.DrawCards()).state
    assert hand(state, 0) == ["england", "war"]
    assert asked(state) == [(0, "discard_card")]
    state = act(state, 0, a.DiscardCard("england")).state
    assert (hand(state, 0), names(state.discard)[-1]) == (["war"], "england")
    assert asked(state) == [(0, "turn")]


def test_the_cards_of_a_treaty_may_be_left():
    state = play(treaty(), (0, a.Done()), (0, a.Done()))
    assert asked(state) == [(0, "turn")]
    assert hand(state, 0) == []


def test_the_card_discarded_after_a_treaty_may_be_any_of_the_hand():
    board = {0: {"austria": 1}}
    state = turn(scenario(hands={0: ("austria", "treaty", "one", "four")}, tokens=board))
    state = act(meld(state, 0, MeldAction.TREATY, "one", "austria").state, 0, a.Done()).state
    state = act(pile(state, "war", "england"), 0, a.DrawCards()).state
    assert offered(state, 0, a.DiscardCard) == [a.DiscardCard(card) for card in ("england", "war", "four")]


# Revolution.


def revolution(number, board, purse=None):
    state = turn(scenario(hands={0: ("france", "revolution", number)}, tokens=board, chips=purse))
    return meld(state, 0, MeldAction.REVOLUTION, number, "france").state


def test_revolution_removes_tokens_of_the_controller_and_steals_chips():
    state = revolution("two", {1: {"france": 3}, 2: {"france": 1}}, {1: 5})
    assert offered(state, 0, a.RemoveToken) == [a.RemoveToken(1)]
    state = play(state, (0, a.RemoveToken(1)), (0, a.RemoveToken(1)))
    assert (tokens(state, 1, "france"), chips(state)) == (1, [2, 3, 0])


def test_revolution_steals_no_more_than_there_is():
    state = act(revolution("four", {1: {"france": 3}}, {1: 1}), 0, a.Done()).state
    assert chips(state) == [1, 0, 0]


def test_revolution_steals_in_full_though_it_removes_fewer_tokens():
    state = act(revolution("three", {1: {"france": 1}}, {1: 9}), 0, a.RemoveToken(1)).state
    assert (tokens(state, 1, "france"), chips(state)) == (0, [3, 6, 0])


def test_revolution_strikes_the_controller_to_the_end_though_control_changes_on_the_way():
    state = revolution("three", {1: {"france": 3}, 2: {"france": 2}}, {1: 9, 2: 9})
    state = play(state, (0, a.RemoveToken(1)), (0, a.RemoveToken(1)), (0, a.RemoveToken(1)))
    assert [tokens(state, seat, "france") for seat in range(3)] == [0, 0, 2]
    assert chips(state) == [3, 6, 9]


@pytest.mark.parametrize(
    "board", [{}, {0: {"france": 2}, 1: {"france": 1}}, {1: {"france": 1}, 2: {"france": 1}}], ids=str
)
def test_revolution_needs_a_country_that_another_seat_controls(board):
    state = turn(scenario(hands={0: ("france", "revolution", "one")}, tokens=board))
    assert legal(state, 0) == (a.EndTurn(),)


# Absolutism.


def absolutism(number, board, purse=None):
    state = turn(scenario(hands={0: ("france", "absolutism", number)}, tokens=board, chips=purse))
    return meld(state, 0, MeldAction.ABSOLUTISM, number, "france").state


def test_absolutism_strikes_a_seat_that_does_not_control_the_country():
    state = absolutism("two", {0: {"france": 4}, 1: {"france": 3}, 2: {"france": 1}}, {1: 1, 2: 9})
    assert offered(state, 0, a.ChooseSeat) == [a.ChooseSeat(1), a.ChooseSeat(2)]
    state = play(state, (0, a.ChooseSeat(2)), (0, a.RemoveToken(2)))
    assert (tokens(state, 2, "france"), chips(state)) == (0, [0, 1, 7])


def test_absolutism_never_strikes_its_own_player():
    state = absolutism("one", {0: {"france": 2}, 1: {"france": 3}, 2: {"france": 1}})
    assert offered(state, 0, a.RemoveToken) == [a.RemoveToken(2)]
    state = turn(scenario(hands={0: ("france", "absolutism", "one")}, tokens={0: {"france": 2}, 1: {"france": 3}}))
    assert legal(state, 0) == (a.EndTurn(),)


def test_absolutism_spares_the_controller():
    state = absolutism("one", {1: {"france": 3}, 2: {"france": 1}})
    assert asked(state) == [(0, "remove_token")]
    assert offered(state, 0, a.RemoveToken) == [a.RemoveToken(2)]


def test_absolutism_takes_no_chips_below_zero():
    state = act(absolutism("four", {1: {"france": 3}, 2: {"france": 1}}, {2: 3}), 0, a.Done()).state
    assert chips(state) == [0, 0, 0]


def test_in_a_tie_nobody_controls_and_absolutism_may_strike_any():
    state = absolutism("one", {1: {"france": 2}, 2: {"france": 2}})
    assert offered(state, 0, a.ChooseSeat) == [a.ChooseSeat(1), a.ChooseSeat(2)]


@pytest.mark.parametrize("board", [{}, {0: {"france": 1}}, {1: {"france": 3}}], ids=str)
def test_absolutism_needs_another_seat_with_tokens_that_does_not_control(board):
    state = turn(scenario(hands={0: ("france", "absolutism", "one")}, tokens=board))
    assert legal(state, 0) == (a.EndTurn(),)


# Alliance.


def test_an_alliance_puts_tokens_onto_two_countries():
    state = holding("italy", "poland", "alliance", "three", tokens={0: {"italy": 1}})
    step = meld(state, 0, MeldAction.ALLIANCE, "three", "poland", "italy")
    assert (tokens(step.state, 0, "italy"), tokens(step.state, 0, "poland")) == (4, 3)
    assert told(step, e.MeldPlayed)[0].countries == ("poland", "italy")
    assert names(step.state.discard) == ["alliance", "poland", "italy", "three"]


def test_an_alliance_needs_own_tokens_in_one_of_the_two():
    assert legal(holding("italy", "poland", "alliance", "three", tokens={1: {"italy": 1}}), 0) == (a.EndTurn(),)


def test_an_alliance_offers_only_pairs_with_own_tokens_in_one():
    state = holding("italy", "poland", "spain", "alliance", "one", tokens={0: {"italy": 1}})
    state = act(state, 0, a.StartMeld(MeldAction.ALLIANCE)).state
    assert len(offered(state, 0, a.ChooseCountry)) == 3
    state = act(state, 0, a.ChooseCountry("poland", "poland")).state
    assert offered(state, 0, a.ChooseCountry) == [a.ChooseCountry("italy", "italy")]


def test_an_alliance_needs_two_country_cards():
    assert legal(holding("italy", "alliance", "three", tokens={0: {"italy": 1}}), 0) == (a.EndTurn(),)


def test_an_alliance_is_of_two_different_countries():
    assert legal(holding("italy", "italy", "alliance", "one", tokens={0: {"italy": 1}}), 0) == (a.EndTurn(),)
    state = holding("italy", "major_power", "alliance", "one", tokens={0: {"italy": 1}})
    state = act(state, 0, a.StartMeld(MeldAction.ALLIANCE)).state
    state = act(state, 0, a.ChooseCountry("italy", "italy")).state
    assert len(offered(state, 0, a.ChooseCountry)) == 6
    assert a.ChooseCountry("major_power", "italy") not in legal(state, 0)


def test_two_major_powers_make_an_alliance():
    state = holding("major_power", "major_power", "alliance", "one", tokens={0: {"italy": 1}})
    pair = (("major_power", "spain"), ("major_power", "italy"))
    state = meld(state, 0, MeldAction.ALLIANCE, "one", *pair).state
    assert (tokens(state, 0, "spain"), tokens(state, 0, "italy")) == (1, 2)
