"""Rule on the components and the set-up of a game (Game Components, Game Setup)."""

from collections import Counter
from typing import Any

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik.data import (
    AGENDAS,
    BOARDS,
    BOAT,
    CLAIMS,
    CONVERSIONS,
    DEEDS,
    GOODS_TOKENS,
    ICONS,
    LEADERS,
    REGIONS,
    ROUNDS,
    SCHEME_CARDS,
    SCHEMES,
    SPACES,
    STICKERS,
)
from engine.games.rurik.ids import COLOURS, COLUMNS, GOODS, HIDDEN, NONE, Column, Phase
from engine.games.rurik.state import State, audit
from tests.games.rurik.scenario import act, asked, at, legal, offered, troops

SEATS = (2, 3, 4)
each_seat_count = pytest.mark.parametrize("seats", SEATS)


def fresh(seats: int, seed: int = 1, **options: Any) -> State:
    return RULES.initial_state(RULES.config(seats, {"first_player": 0, **options}), seed)


def until(state: State, kind: str) -> State:
    """Take the first legal action until the decision of this kind is open."""
    while kind not in {k for _, k in asked(state)}:
        seat = asked(state)[0][0]
        state = act(state, seat, legal(state, seat)[0]).state
    return state


@pytest.mark.parametrize(("seats", "regions"), [(2, 8), (3, 11), (4, 15)])
def test_eight_eleven_or_fifteen_regions_are_in_play(seats: int, regions: int) -> None:
    """Game Setup 1: green, yellow and brown regions by the number of players."""
    assert len(fresh(seats).icons) == BOARDS[seats].size == regions


def test_a_border_counts_only_between_regions_in_play() -> None:
    """Game Setup 1: Kiev borders Galich, which is not in play for two."""
    assert at("galich") not in BOARDS[2].adjacent[at("kiev")]
    assert at("galich") in BOARDS[3].adjacent[at("kiev")]


def test_borders_go_both_ways() -> None:
    """Game Components, game board: 15 regions with a good each."""
    adjacent = BOARDS[4].adjacent
    assert all(a in adjacent[b] for a in range(15) for b in adjacent[a])
    assert len(REGIONS) == len(ICONS) == 15


def test_the_strategy_board_has_three_rows_for_two_and_four_for_more() -> None:
    """Game Setup 2: the side of the strategy board for the number of players; six columns (Game Components)."""
    assert [{len(column) for column in SPACES[n]} for n in SEATS] == [{3}, {4}, {4}]
    assert all(len(SPACES[n]) == len(COLUMNS) == 6 for n in SEATS)


@each_seat_count
def test_everybody_starts_with_three_coins_and_two_conversion_tokens(seats: int) -> None:
    """Game Setup 4."""
    for player in fresh(seats).players:
        assert player.coins == 3
        assert player.tokens == 0
    assert len(CONVERSIONS) == 2


@each_seat_count
def test_every_region_starts_with_a_rebel_and_its_good(seats: int) -> None:
    """Game Setup 5."""
    state = fresh(seats)
    assert NONE not in state.rebels
    assert all(state.goods)
    assert state.icons == ICONS[: len(state.icons)]


def test_rebels_are_placed_at_random() -> None:
    """Game Setup 5: which rebel stands where differs from game to game."""
    assert len({tuple(fresh(2, seed).rebels) for seed in range(5)}) > 1
    assert len(STICKERS) == 15
    assert not Counter(fresh(4).rebels) - Counter(STICKERS)


@each_seat_count
def test_scheme_cards_lie_in_two_decks_of_about_equal_size(seats: int) -> None:
    """Game Setup 6; 27 cards (Game Components)."""
    state = fresh(seats)
    assert sorted(map(len, state.decks)) == [13, 14]
    assert len(SCHEME_CARDS) == 27
    assert not state.discard


def test_three_deed_cards_lie_open() -> None:
    """Game Setup 7; 26 cards (Game Components)."""
    state = fresh(3)
    assert (len(state.deed_row), len(state.deed_deck)) == (3, 23)
    assert len(DEEDS) == 26


def test_each_leader_is_taken_once_in_turn_order() -> None:
    """Game Setup 8; eight leaders (Game Components)."""
    state = fresh(3, first_player=1)
    assert asked(state) == ((1, "choose_leader"),)
    assert offered(state, 1, a.ChooseLeader) == [a.ChooseLeader(name) for name in LEADERS]
    state = act(state, 1, a.ChooseLeader("maria")).state
    assert asked(state) == ((2, "choose_leader"),)
    assert len(legal(state, 2)) == 7
    assert a.ChooseLeader("maria") not in legal(state, 2)


def test_leaders_may_be_given_out_at_random() -> None:
    """Game Setup 8: assigned randomly, by option."""
    state = fresh(4, leaders="random")
    assert {kind for _, kind in asked(state)} == {"choose_agenda"}
    assert len({player.leader for player in state.players}) == 4
    assert len({tuple(p.leader for p in fresh(4, seed, leaders="random").players) for seed in range(5)}) > 1


def test_everybody_keeps_one_of_two_agendas_at_the_same_time() -> None:
    """Game Setup 10; eleven cards, all different (Game Components)."""
    state = until(fresh(3), "choose_agenda")
    assert asked(state) == ((0, "choose_agenda"), (1, "choose_agenda"), (2, "choose_agenda"))
    dealt = [card for player in state.players for card in player.agendas]
    assert len(set(dealt)) == 6
    assert len(AGENDAS) == 11
    keep = legal(state, 2)[1]
    after = act(state, 2, keep).state
    assert AGENDAS[after.players[2].agenda].id == keep.agenda
    assert [seat for seat, _ in asked(after)] == [0, 1]


def test_each_colour_is_taken_once() -> None:
    """Game Setup 11."""
    state = until(fresh(4), "choose_colour")
    assert len(legal(state, 0)) == len(COLOURS) == 4
    state = act(state, 0, legal(state, 0)[2]).state
    assert len(legal(state, 1)) == 3


@each_seat_count
def test_the_pieces_of_a_colour_are_twelve_troops_and_three_structures_of_each_type(seats: int) -> None:
    """Game Setup 11, 12: troops, structures, advisors, a leader of one's own."""
    for player in fresh(seats).players:
        assert player.supply == 12
        assert player.structures == [3, 3, 3]
        assert player.leader_at == NONE


def test_all_markers_start_below_their_tracks() -> None:
    """Game Setup 13; three claim tracks and the warfare track (Game Components)."""
    for player in fresh(4).players:
        assert player.claims == [0, 0, 0]
        assert player.warfare == 0
    assert len(CLAIMS) == 3


@each_seat_count
def test_advisors_two_and_three_wait_beside_the_round_track(seats: int) -> None:
    """Game Setup 11, 14: the first round is played with 1, 2, 4 and 5."""
    state = fresh(seats)
    assert (state.round, ROUNDS) == (1, 4)
    assert all(player.advisors == [1, 2, 4, 5] for player in state.players)


def test_the_first_player_is_drawn_and_holds_the_marker() -> None:
    """Game Setup 15 [ours]: nobody can measure who knows most, so one is drawn."""
    drawn = [RULES.initial_state(RULES.config(4, {}), seed) for seed in range(30)]
    assert {state.first_player for state in drawn} == {0, 1, 2, 3}
    assert all(state.marker == state.first_player for state in drawn)


def test_the_first_player_may_be_named_by_option() -> None:
    """Game Setup 15."""
    assert all(fresh(3, seed, first_player=2).first_player == 2 for seed in range(5))


def test_three_troops_each_are_placed_one_at_a_time_in_turn_order() -> None:
    """Game Setup 16."""
    state = until(fresh(3, first_player=2), "place_troop")
    order = []
    while asked(state)[0][1] == "place_troop":
        seat = asked(state)[0][0]
        order.append(seat)
        state = act(state, seat, a.PlaceTroop("kiev")).state
    assert order == [2, 0, 1] * 3
    assert [player.troops[at("kiev")] for player in state.players] == [3, 3, 3]


def test_a_starting_troop_may_go_to_any_region_in_play() -> None:
    """Game Setup 16: with rebels only, with opponents or with own troops."""
    state = until(fresh(2), "place_troop")
    state = act(state, 0, a.PlaceTroop("kiev")).state
    assert legal(state, 1) == tuple(a.PlaceTroop(r) for r in REGIONS[:8])
    state = act(state, 1, a.PlaceTroop("kiev")).state
    assert a.PlaceTroop("kiev") in legal(state, 0)


def test_leaders_are_placed_in_turn_order_beside_an_own_troop() -> None:
    """Game Setup 17."""
    state = until(fresh(2), "place_troop")
    for seat, region in ((0, "kiev"), (1, "volyn"), (0, "rostov"), (1, "volyn"), (0, "kiev"), (1, "novgorod")):
        state = act(state, seat, a.PlaceTroop(region)).state
    assert asked(state) == ((0, "place_leader"),)
    assert set(legal(state, 0)) == {a.PlaceLeader("kiev"), a.PlaceLeader("rostov")}
    state = act(state, 0, a.PlaceLeader("rostov")).state
    state = act(state, 1, a.PlaceLeader("volyn")).state
    assert (troops(state, 0, "rostov"), troops(state, 1, "volyn")) == (2, 3)
    assert state.phase == Phase.STRATEGY


def test_a_leader_with_one_region_to_go_to_is_placed_by_itself() -> None:
    """Game Setup 17: no choice is left when all three troops stand together."""
    state = until(fresh(2), "place_troop")
    while asked(state)[0][1] == "place_troop":
        seat = asked(state)[0][0]
        state = act(state, seat, a.PlaceTroop("pereyaslavl")).state
    assert [troops(state, seat, "pereyaslavl") for seat in (0, 1)] == [4, 4]


def test_every_region_produces_the_good_printed_on_it() -> None:
    """Game Components, game board and goods: five goods, as printed."""
    printed = {REGIONS[r]: GOODS[ICONS[r]] for r in range(8)}
    assert printed == {
        "novgorod": "wood",
        "rostov": "ore",
        "polotsk": "ore",
        "smolensk": "honey",
        "volyn": "fish",
        "kiev": "wood",
        "chernigov": "fish",
        "pereyaslavl": "fur",
    }
    assert {seats: len(tokens) for seats, tokens in GOODS_TOKENS.items()} == {2: 8, 3: 11, 4: 15}


def test_the_boat_has_eleven_slots_in_five_columns() -> None:
    """Game Components, household mat: as many as the top of the trade track needs."""
    assert dict(zip(GOODS, BOAT, strict=True)) == {"wood": 3, "ore": 2, "fish": 3, "honey": 2, "fur": 1}


def test_nine_scheme_cards_carry_a_casualty_icon() -> None:
    """Game Components, scheme cards [gap 1]: composition derived, not confirmed."""
    assert sum(card.count for card in SCHEMES if card.casualty) == 9


def test_only_the_top_scheme_space_carries_the_marker() -> None:
    """Game Components, first player marker."""
    marked = [(n, c, s.row) for n in SEATS for c in range(6) for s in SPACES[n][c] if s.first_player_marker]
    assert marked == [(n, COLUMNS.index(Column.SCHEME), 1) for n in SEATS]


@each_seat_count
def test_a_fresh_game_breaks_no_invariant_and_nobody_knows_a_card(seats: int) -> None:
    """Game Setup 6, 7: decks lie face down."""
    state = fresh(seats)
    assert audit(state) == []
    assert {card for known in state.known for deck in known.decks for card in deck} == {HIDDEN}


def test_every_figure_is_counted_by_the_kind_of_its_source() -> None:
    """Provenance: the rulebook, public code, derived or proposed; nothing else."""
    assert set(RULES.info.provenance) == {"rulebook", "public", "derived", "proposed"}
    assert RULES.info.provenance["proposed"] == 3
