"""Solo Mode: Rebellion Cards. Every card in every priority: its strategy, location order and build order."""

from typing import Any

import pytest
import yaml

from engine.core import registry
from engine.games.rurik import actions as a
from engine.games.rurik.automa import Placement, RebellionTurn, set_up
from engine.games.rurik.data import REBELLION_CARDS, REGIONS
from engine.games.rurik.frames.rebellion import RebellionBuild, RebellionMuster
from engine.games.rurik.ids import COLUMNS, STRUCTURES, Column, Structure
from engine.games.rurik.state import State
from tests.games.rurik.scenario import place
from tests.games.rurik.solo import CARDS, REBELLION, YOU, let, on_board, solo, the

PRINTED: list[dict[str, Any]] = yaml.safe_load(registry.table("rurik", "solo_cards")[1])["cards"]

EVERY = [pytest.param(card, p, id=f"{card['number']}-{p['priority']}") for card in PRINTED for p in card["priorities"]]
EACH_CARD = [pytest.param(card, id=str(card["number"])) for card in PRINTED]


def strategy(card: dict[str, Any], column: dict[str, Any], round_: int) -> State:
    """Return a state of a round with a card under the deck, in the priority of one of its columns."""
    other = 1 + card["number"] % CARDS
    return solo(bottom=card["number"], card=other, priority=column["priority"], round_=round_, in_hand=True)


def test_there_are_eighteen_cards_with_numbers_of_their_own() -> None:
    """Rebellion Cards: each has a unique number."""
    assert [card.number for card in REBELLION_CARDS] == list(range(1, CARDS + 1))
    assert len(PRINTED) == CARDS


@pytest.mark.parametrize("card", EACH_CARD)
def test_a_card_lists_all_eight_regions(card: dict[str, Any]) -> None:
    """Rebellion Cards, Location Order."""
    assert sorted(card["location_order"]) == sorted(REGIONS[:8])


@pytest.mark.parametrize(("card", "column"), EVERY)
def test_a_card_lists_three_structures_and_six_advisors_in_each_priority(
    card: dict[str, Any], column: dict[str, Any]
) -> None:
    """Rebellion Cards, Build Order and Strategy; the rows name the same advisors in all three columns."""
    assert sorted(column["build_order"]) == sorted(Structure)
    advisors = [(row["advisor"], row["asterisk"]) for row in column["strategy"]]
    assert sorted(advisors) == [(1, False), (2, False), (2, True), (3, True), (4, False), (5, False)]
    assert advisors == [(row["advisor"], row["asterisk"]) for row in card["priorities"][0]["strategy"]]


@pytest.mark.parametrize(("card", "column"), EVERY)
def test_the_rebellion_places_its_advisors_as_the_card_says(card: dict[str, Any], column: dict[str, Any]) -> None:
    """Placing Advisors: row by row from the bottom, in the column of the priority, locked advisors left out."""
    for round_, locked in ((1, (2, 3)), (2, (2, 3)), (3, (3,)), (4, ())):
        state = strategy(card, column, round_)
        state.players[REBELLION].coins = 0
        rows = [row for row in column["strategy"] if not (row["asterisk"] and row["advisor"] in locked)]
        played = let(state, *(Placement(REBELLION) for _ in rows))
        assert played.steps == [a.PlaceAdvisor(row["advisor"], row["action"]) for row in rows]
        assert played.state.players[REBELLION].advisors == []


@pytest.mark.parametrize(("card", "column"), EVERY)
def test_the_rebellion_bribes_for_the_top_where_the_card_has_a_coin(
    card: dict[str, Any], column: dict[str, Any]
) -> None:
    """Adding Bribes, first case: as many coins as the top space takes; no coin where none is printed."""
    for row_number, row in enumerate(column["strategy"]):
        state = strategy(card, column, 4)
        state.players[YOU].advisors = []
        state.players[REBELLION].coins = 20
        the(state).rows = row_number
        for name, number in zip(Column, (1, 2, 2, 3, 4, 5), strict=True):
            place(state, name, 1, YOU, number, 7 - number)
        played = let(state, Placement(REBELLION))
        coins = 7 + 1 - row["advisor"]
        assert played.steps[1:] == ([a.AddBribe(coins)] if row["bribe_to_top"] else [])
        assert played.state.players[REBELLION].coins == (20 - coins if row["bribe_to_top"] else 20)
        top = played.state.columns[COLUMNS.index(row["action"])][0]
        assert (top[0] == REBELLION) is row["bribe_to_top"]


@pytest.mark.parametrize(("card", "column"), EVERY)
def test_the_rebellion_builds_in_the_build_order_of_its_priority(card: dict[str, Any], column: dict[str, Any]) -> None:
    """Rebellion Cards, Build Order: of the top card, the topmost structure first."""
    state = solo(
        card=card["number"],
        bottom=1 + card["number"] % CARDS,
        priority=column["priority"],
        troops={REBELLION: {"kiev": 4}},
        neutrals={"kiev": 1},
    )
    played = let(state, RebellionBuild(REBELLION, 3))
    built = [step for step in played.steps if isinstance(step, a.BuildStructure)]
    assert built == [a.BuildStructure(structure, "kiev") for structure in column["build_order"]]
    assert all(owners[REGIONS.index("kiev")] == REBELLION for owners in played.state.built)
    assert len(built) == len(STRUCTURES)


@pytest.mark.parametrize("card", EACH_CARD)
def test_the_rebellion_goes_by_the_location_order_of_its_top_card(card: dict[str, Any]) -> None:
    """Rebellion Cards, Location Order: from the top to the bottom, then from the top again."""
    order = card["location_order"]
    state = solo(
        card=card["number"],
        bottom=1 + card["number"] % CARDS,
        troops={REBELLION: dict.fromkeys(order[:5], 1)},
        leader_at={REBELLION: order[0]},
        neutrals=dict.fromkeys(order[:5], 6),
    )
    played = let(state, RebellionMuster(REBELLION, 7))
    assert played.steps == [a.MusterTroop(region) for region in (*order[:5], *order[:2])]


@pytest.mark.parametrize("card", EACH_CARD)
def test_the_top_card_says_where_rebels_start(card: dict[str, Any]) -> None:
    """Game Board Setup: the first two regions that are not Kiev."""
    state = solo(card=card["number"], bottom=1 + card["number"] % CARDS)
    set_up(state)
    assert set(on_board(state)) == {"kiev", *card["setup_regions"]}


def test_the_card_read_for_strategy_gives_the_orders_of_the_first_turn() -> None:
    """Strategy Phase, Resolving Advisors: the bottom card is read, then moved to the top."""
    state = solo(card=1, bottom=7, troops={REBELLION: {"kiev": 1}})
    place(state, "scheme", 1, REBELLION, 1)
    state = let(state, RebellionTurn(REBELLION)).state
    assert [REBELLION_CARDS[i].number for i in the(state).deck[-2:]] == [1, 7]
