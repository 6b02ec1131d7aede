"""Solo Mode: what stays in the box, Rebellion Setup, Game Board Setup."""

import pytest

from engine.core.errors import BadConfig
from engine.games.rurik import RULES, scoring
from engine.games.rurik import actions as a
from engine.games.rurik.data import AGENDAS, DEEDS, KIEV, LEADERS, MATS, REBELLION_CARDS, REGIONS, STICKERS
from engine.games.rurik.ids import NONE, PRIORITIES, SVIATOPOLK, Colour, Difficulty
from engine.games.rurik.state import State, audit, is_rebellion
from tests.games.rurik.scenario import legal
from tests.games.rurik.solo import CARDS, on_board, the

EVERY = [(seat, difficulty) for seat in (0, 1) for difficulty in Difficulty]


def fresh(difficulty: str = "easy", seat: int = 1, seed: int = 5, **options: object) -> State:
    return RULES.initial_state(RULES.config(2, {"automa": {seat: difficulty}, **options}), seed)


def test_three_deeds_and_three_agendas_go_back_to_the_box() -> None:
    """Solo Mode, NOTE: Enforce Peace, Grand Hunter, Law Giver; Courageous, Dignified, Wealthy."""
    out = {deed.id for deed in DEEDS if not deed.solo}
    assert out == {"enforce_peace", "grand_hunter", "law_giver"}
    assert {agenda.id for agenda in AGENDAS if not agenda.solo} == {"courageous", "dignified", "wealthy"}
    for seed in range(20):
        state = fresh(seed=seed)
        deeds = [DEEDS[card] for card in (*state.deed_deck, *state.deed_row)]
        assert len(deeds) == 23
        assert all(deed.solo for deed in deeds)
        assert all(AGENDAS[card].solo for card in state.players[0].agendas)


def test_the_board_is_that_of_two_players() -> None:
    """Solo Mode: follow the set-up for a two-player game: eight regions, each with its good."""
    state = fresh()
    assert len(state.icons) == 8
    assert all(state.goods)
    assert RULES.observe(state, 0).table.regions[-1].id == "pereyaslavl"


@pytest.mark.parametrize(("seat", "difficulty"), EVERY)
def test_the_rebellion_has_the_fifteen_rebels_as_its_troops(seat: int, difficulty: str) -> None:
    """Rebellion Setup 1: all pieces of a colour but the troops, instead of which it has the 15 rebel miniatures."""
    state = fresh(difficulty, seat)
    rebels = state.players[seat]
    assert sum(rebels.troops) + rebels.supply == len(STICKERS) == 15
    assert rebels.supply == 9
    assert rebels.structures == [3, 3, 3]
    assert rebels.advisors == [1, 2, 4, 5]
    assert rebels.claims == [0, 0, 0]
    assert rebels.agendas == ()
    assert is_rebellion(state, seat)
    assert audit(state) == []


def test_the_rebellion_takes_a_colour_that_the_person_left() -> None:
    """Rebellion Setup 1: select a player colour for the Rebellion."""
    state = fresh(leaders="random")
    state = RULES.apply(state, 0, legal(state, 0)[0]).state
    state = RULES.apply(state, 0, a.ChooseColour(Colour.BLUE)).state
    assert state.players[1].colour not in (NONE, state.players[0].colour)


def test_sviatopolk_always_leads_the_rebellion() -> None:
    """Rebellion Setup 2: the Rebellion always has Sviatopolk, so that nobody else can."""
    state = fresh()
    assert state.players[1].leader == SVIATOPOLK
    assert a.ChooseLeader("sviatopolk") not in legal(state, 0)
    assert len(legal(state, 0)) == 7
    for seed in range(20):
        assert LEADERS[fresh(leaders="random", seed=seed).players[0].leader] != "sviatopolk"


def test_sviatopolk_of_the_rebellion_has_the_solo_leader_card_and_not_his_ability() -> None:
    """Rebellion Setup 2: the solo leader card; no rebel of the board ever counts as somebody else's."""
    assert fresh().leaders[SVIATOPOLK] == NONE


def test_the_rebellion_cards_are_shuffled_and_the_deck_lies_face_up() -> None:
    """Rebellion Setup 3: its top card is open to all, the cards below are not."""
    decks = {tuple(the(fresh(seed=seed)).deck) for seed in range(10)}
    assert len(decks) == 10
    assert all(sorted(deck) == list(range(CARDS)) for deck in decks)
    state = fresh()
    shown = RULES.observe(state, 0).table.rebellion
    assert shown is not None
    assert shown.top_card == REBELLION_CARDS[the(state).deck[-1]].number
    assert shown.seen_cards == (shown.top_card,)
    assert shown.rows_read == ()


@pytest.mark.parametrize("difficulty", Difficulty)
def test_each_difficulty_has_its_mat_and_its_starting_priority(difficulty: Difficulty) -> None:
    """Rebellion Setup 4 and 5: the marker lies above the column with the axe."""
    printed = {
        "easy": ("build", 6, 1),
        "medium": ("rule", 7, 2),
        "hard": ("attack", 8, 2),
        "very_hard": ("build", 9, 3),
    }
    priority, covered, uncovered = printed[difficulty]
    state = fresh(difficulty)
    assert PRIORITIES[the(state).priority] == priority
    spaces = [space for column in MATS[difficulty].columns for space in column]
    assert sum(space.covered_by_coin for space in spaces) == covered
    assert sum(not space.covered_by_coin for space in spaces) == uncovered


@pytest.mark.parametrize("difficulty", Difficulty)
def test_three_coins_lie_on_the_dock_and_one_on_each_outlined_space(difficulty: Difficulty) -> None:
    """Rebellion Setup 6."""
    state = fresh(difficulty)
    assert state.players[1].coins == 3
    printed = [[space.covered_by_coin for space in column] for column in MATS[difficulty].columns]
    assert the(state).coins == printed


def test_no_rebel_stands_in_a_region_by_itself() -> None:
    """Game Board Setup, first paragraph: do not place one rebel in each region."""
    assert set(fresh().rebels) == {NONE}


@pytest.mark.parametrize(("seat", "difficulty"), EVERY)
def test_sviatopolk_and_two_rebels_start_in_kiev_and_two_in_each_of_two_regions(seat: int, difficulty: str) -> None:
    """Game Board Setup, first paragraph: the first two regions of the top card that are not Kiev."""
    for seed in range(20):
        state = fresh(difficulty, seat, seed)
        order = [r for r in REBELLION_CARDS[the(state).deck[-1]].location_order if r != KIEV]
        assert state.players[seat].leader_at == KIEV
        assert on_board(state, seat) == {"kiev": 2, REGIONS[order[0]]: 2, REGIONS[order[1]]: 2}


def test_a_neutral_troop_stands_in_each_of_the_other_five_regions() -> None:
    """Game Board Setup, second paragraph."""
    for seed in range(20):
        state = fresh(seed=seed)
        held = [bool(troops) for troops in state.players[1].troops]
        assert state.neutrals == [0 if occupied else 1 for occupied in held]
        assert sum(state.neutrals) == 5


def test_the_person_starts_in_none_of_the_three_regions_of_the_rebels() -> None:
    """Game Board Setup, third paragraph: three troops and the leader as normal, except there."""
    state = fresh(leaders="random")
    state = RULES.apply(state, 0, legal(state, 0)[0]).state
    state = RULES.apply(state, 0, legal(state, 0)[0]).state
    free = [r for r in REGIONS[:8] if r not in on_board(state)]
    for _ in range(3):
        assert [action.region for action in legal(state, 0)] == free
        state = RULES.apply(state, 0, legal(state, 0)[0]).state
    assert on_board(state, 0) == {free[0]: 3}
    assert state.players[0].leader_at == state.players[0].troops.index(3)


@pytest.mark.parametrize("automa", [{0: "easy", 1: "easy"}, {2: "easy"}, {1: "nightmare"}, {"b": "easy"}, 1])
def test_the_rebellion_takes_exactly_one_of_two_seats_at_a_known_difficulty(automa: object) -> None:
    """Rebellion Setup 4: there are four difficulty levels."""
    with pytest.raises(BadConfig, match="automa"):
        RULES.config(2, {"automa": automa})


def test_three_seats_cannot_play_against_the_rebellion() -> None:
    """Solo Mode: one person against the Rebellion."""
    with pytest.raises(BadConfig, match="automa"):
        RULES.config(3, {"automa": {1: "easy"}})


@pytest.mark.parametrize("seat", [0, 1])
def test_the_person_is_first_player_from_the_start(seat: int) -> None:
    """Gameplay Differences for You: you are always the first player."""
    state = fresh(seat=seat)
    assert state.first_player == state.marker == 1 - seat
    assert scoring.outcome(state) is None
