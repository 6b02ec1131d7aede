"""Rule on every kind of scheme card (Playing Schemes)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import DEEDS, SCHEME_INDEX, SCHEMES, SPACES
from engine.games.rurik.ids import COLUMNS, Column, Structure
from engine.games.rurik.state import State
from tests.games.rurik.scenario import (
    act,
    asked,
    at,
    good,
    hand,
    leave,
    legal,
    offered,
    on_top,
    play,
    row_of,
    scenario,
    told,
    troops,
    turn,
)

KINDS = tuple(card.id for card in SCHEMES)


def holding(card: str, coins: int = 3, **more: object) -> State:
    more.setdefault("troops", {0: {"kiev": 2}, 1: {"kiev": 1}})
    return turn(scenario(hands={0: (card,)}, coins={0: coins}, **more), 0, "scheme", 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("card", KINDS)
def test_a_played_card_is_revealed_and_discarded(card: str) -> None:
    """Playing Schemes 1: face up on the discard pile, once its rewards are gained."""
    step = act(holding(card), 0, a.PlayScheme(card))
    assert told(step, e.SchemePlayed) == [e.SchemePlayed(0, card)]
    assert hand(step.state, 0) == []
    assert step.barrier
    state = step.state
    while asked(state) != ((0, "turn"),):
        assert state.discard == []
        state = act(state, 0, legal(state, 0)[-1]).state
    assert state.discard == [SCHEME_INDEX[card]]


def test_a_scheme_being_played_is_not_shuffled_into_new_decks() -> None:
    """Playing Schemes 1, Scheme 2: it goes to the discard pile after the check of the attack that it gives."""
    state = scenario(
        troops={0: {"kiev": 1}, 1: {"kiev": 3}}, hands={0: ("attack_1",)}, built={("stronghold", "kiev"): 1}
    )
    on_top(leave(state, 0, 0), 0, "coin_2")
    state = play(turn(state, 0), 0, a.PlayScheme("attack_1"), a.AttackPlayer("kiev", 1))
    step = act(state, 0, a.ChooseDeck(0))
    assert told(step, e.SchemesShuffled)
    revealed = told(step, e.CasualtyChecked)[0].cards
    left = step.state.discard
    if asked(step.state) == ((0, "casualty"),):
        left = act(step.state, 0, legal(step.state, 0)[0]).state.discard
    assert left == [SCHEME_INDEX[name] for name in (*revealed, "attack_1")]


@pytest.mark.parametrize("card", [card.id for card in SCHEMES if card.coin_cost])
def test_a_card_with_a_cost_takes_its_coins(card: str) -> None:
    """Playing Schemes 1, 2 [gap 1]: one coin to the supply; without it the card cannot be played."""
    assert act(holding(card, coins=1), 0, a.PlayScheme(card)).state.players[0].coins == 0
    assert not offered(holding(card, coins=0), 0, a.PlayScheme)


@pytest.mark.parametrize(
    ("card", "coins"),
    [
        ("coin_2", 2),
        ("muster_1_coin_1", 1),
        ("attack_1_coin_1", 1),
        ("tax_1_coin_1", 1),
        ("build_1_coin_1", 1),
        ("deed_coin_1", 1),
    ],
)
def test_coins_on_a_card_are_gained_beside_its_other_reward(card: str, coins: int) -> None:
    """Playing Schemes 2: by themselves or in addition."""
    assert act(holding(card, coins=0), 0, a.PlayScheme(card)).state.players[0].coins == coins


@pytest.mark.parametrize(
    ("card", "points"), [("muster_1", 1), ("muster_1_pay_1", 1), ("muster_1_coin_1", 1), ("muster_2", 2)]
)
def test_a_muster_card_gives_muster_points(card: str, points: int) -> None:
    """Playing Schemes 1, 2."""
    state = play(holding(card), 0, a.PlayScheme(card), *[a.MusterTroop("kiev")] * points)
    assert troops(state, 0, "kiev") == 2 + points
    assert asked(state) == ((0, "turn"),)


@pytest.mark.parametrize(("card", "points"), [("move_1", 1), ("move_2", 2), ("move_3", 3)])
def test_a_move_card_gives_movement_points(card: str, points: int) -> None:
    """Playing Schemes 1, 2."""
    state = play(holding(card), 0, a.PlayScheme(card))
    assert asked(state) == ((0, "move"),)
    assert state.flow.stack[-1].points == points


@pytest.mark.parametrize("card", ["attack_1", "attack_1_pay_1", "attack_1_coin_1"])
def test_an_attack_card_gives_an_attack_point_with_a_full_check(card: str) -> None:
    """Playing Schemes 1, 2: with warfare and a casualty check as usual."""
    state = on_top(holding(card), 0, "coin_2")
    state = play(state, 0, a.PlayScheme(card), a.AttackPlayer("kiev", 1))
    assert asked(state) == ((0, "casualty_check"),)
    state = play(state, 0, a.ChooseDeck(0))
    assert (troops(state, 1, "kiev"), state.players[0].warfare) == (0, 1)
    assert asked(state) == ((0, "turn"),)


@pytest.mark.parametrize(("card", "points"), [("tax_1", 1), ("tax_1_coin_1", 1), ("tax_2", 2)])
def test_a_tax_card_gives_tax_points(card: str, points: int) -> None:
    """Playing Schemes 1, 2, Tax 4."""
    state = play(holding(card), 0, a.PlayScheme(card))
    assert state.flow.stack[-1].tax == points
    assert good(play(state, 0, a.CollectGood("kiev")), 0, "wood") == 1


@pytest.mark.parametrize("card", ["build_1", "build_1_pay_1", "build_1_coin_1"])
def test_a_build_card_gives_a_build_point(card: str) -> None:
    """Playing Schemes 1, 2, Build 4."""
    state = play(holding(card), 0, a.PlayScheme(card), a.BuildStructure(Structure.MARKET, "kiev"))
    assert state.built[1][at("kiev")] == 0


@pytest.mark.parametrize("card", ["deed", "deed_pay_1", "deed_coin_1"])
def test_a_deed_card_takes_a_deed_from_the_row_which_is_refilled_at_once(card: str) -> None:
    """Playing Schemes 2: three schemes allow it in the action phase; C) Choose Deed Cards 1."""
    state = play(row_of(holding(card), "hoard", "trade_route", "new_beginning"), 0, a.PlayScheme(card))
    assert set(legal(state, 0)) == {a.TakeDeed("hoard"), a.TakeDeed("trade_route"), a.TakeDeed("new_beginning")}
    state = play(state, 0, a.TakeDeed("hoard"))
    assert [DEEDS[card].id for card in state.players[0].deeds] == ["hoard"]
    assert len(state.deed_row) == 3


def test_a_deed_taken_by_a_scheme_may_be_accomplished_in_the_same_turn() -> None:
    """Accomplishing Deeds 1, C) Choose Deed Cards 2 [ours]: it lies in the player area at once."""
    state = row_of(holding("deed", goods={0: {"fish": 3}}), "hoard", "trade_route", "new_beginning")
    state = play(state, 0, a.PlayScheme("deed"), a.TakeDeed("hoard"))
    assert a.AccomplishDeed("hoard") in legal(state, 0)


def test_exactly_three_schemes_take_a_deed() -> None:
    """Playing Schemes 2."""
    takers = [card for card in SCHEMES for effect in card.effects if effect.op == "take_deed_cards"]
    assert sum(card.count for card in takers) == 3


def test_most_schemes_equal_the_second_or_third_row_of_the_big_board() -> None:
    """Playing Schemes 2."""
    operations = {
        "muster_points": "muster",
        "movement_points": "move",
        "attack_points": "attack",
        "tax_points": "tax",
        "build_points": "build",
    }
    alike = 0
    for card in SCHEMES:
        effect = card.effects[0]
        if effect.op in operations and len(card.effects) == 1:
            column = SPACES[4][COLUMNS.index(operations[effect.op])]
            alike += card.count * any(
                (space.icons, space.coin_cost) == (effect.amount, card.coin_cost) for space in column[1:3]
            )
    assert alike > 27 / 2


def test_one_scheme_a_turn() -> None:
    """Playing Schemes 1."""
    state = turn(scenario(hands={0: ("coin_2", "coin_2")}), 0)
    assert not offered(play(state, 0, a.PlayScheme("coin_2")), 0, a.PlayScheme)


def test_points_of_a_scheme_that_is_not_tax_or_build_are_spent_at_once() -> None:
    """Playing Schemes 1: immediately; the main action follows."""
    state = play(holding("muster_2"), 0, a.PlayScheme("muster_2"))
    assert not offered(state, 0, a.TakeAction)
    assert a.TakeAction(Column.SCHEME, 2) in legal(play(state, 0, a.Done()), 0)


def test_a_card_may_be_played_for_nothing() -> None:
    """Playing Schemes 1 [ours]: an attack card without anybody to attack only leaves the hand."""
    state = turn(scenario(hands={0: ("attack_1",)}), 0)
    state = play(state, 0, a.PlayScheme("attack_1"))
    assert asked(state) == ((0, "turn"),)
