"""Rule on drawing schemes, on the decks and on the first player marker (Scheme)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import SCHEME_INDEX, SCHEMES, SPACES
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.frames.schemes import DrawSchemes
from engine.games.rurik.ids import COLUMNS, HIDDEN
from engine.games.rurik.state import State, audit
from tests.games.rurik.scenario import act, asked, hand, leave, legal, main, on_top, place, play, ready, scenario, told

TOP = ("coin_2", "tax_1", "move_2")


def drawing(row: int = 1, *top: str) -> State:
    """Return a position in which seat 0 chooses its deck, with known cards on top of deck 0."""
    return main(on_top(scenario(), 0, *(top or TOP)), "scheme", row)


def names(deck: list[int], count: int) -> list[str]:
    """Return the top cards of a deck, topmost first."""
    return [SCHEMES[card].id for card in reversed(deck[-count:])]


@pytest.mark.parametrize(("seats", "icons"), [(2, [3, 2, 1]), (3, [3, 2, 1, 1]), (4, [3, 2, 1, 1])])
def test_a_scheme_space_gives_its_icons_in_cards(seats: int, icons: list[int]) -> None:
    """Scheme 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("scheme")]] == icons


def test_cards_are_drawn_from_one_deck_of_choice() -> None:
    """Scheme 1."""
    state = drawing()
    assert legal(state, 0) == (a.ChooseDeck(0), a.ChooseDeck(1))
    sizes = list(map(len, state.decks))
    after = act(state, 0, a.ChooseDeck(1)).state
    assert list(map(len, after.decks)) == [sizes[0], sizes[1] - 3]


def test_one_of_the_cards_drawn_is_kept() -> None:
    """Scheme 1."""
    state = act(drawing(), 0, a.ChooseDeck(0)).state
    assert {action.card for action in legal(state, 0)} == set(TOP)
    state = act(state, 0, a.KeepScheme("tax_1")).state
    assert hand(state, 0) == ["tax_1"]


def test_the_others_go_back_on_the_same_deck_in_chosen_order() -> None:
    """Scheme 1: on top, face down; the last one put back lies on top."""
    state = play(drawing(), 0, a.ChooseDeck(0), a.KeepScheme("tax_1"))
    assert asked(state) == ((0, "put_back_scheme"),)
    state = play(state, 0, a.PutBackScheme("move_2"))
    assert names(state.decks[0], 2) == ["coin_2", "move_2"]


def test_of_two_cards_the_other_goes_back_without_a_question() -> None:
    """Scheme 1: with one card there is no order to choose."""
    state = play(drawing(2), 0, a.ChooseDeck(0), a.KeepScheme("coin_2"))
    assert hand(state, 0) == ["coin_2"]
    assert names(state.decks[0], 1) == ["tax_1"]


def test_a_single_card_drawn_is_kept() -> None:
    """Scheme 1 [note 3]."""
    state = play(drawing(3), 0, a.ChooseDeck(0))
    assert hand(state, 0) == ["coin_2"]


def test_two_cards_of_a_kind_are_asked_all_the_same() -> None:
    """Scheme 1: that there is nothing to choose must not show."""
    state = play(drawing(2, "coin_2", "coin_2"), 0, a.ChooseDeck(0))
    assert legal(state, 0) == (a.KeepScheme("coin_2"),)


def test_a_hand_has_no_limit() -> None:
    """Scheme 1 [ours]: none is stated."""
    cards = ("coin_2", "coin_2", "build_1", "tax_1", "move_2", "attack_1", "muster_1")
    state = main(scenario(hands={0: cards}), "scheme", 3)
    assert len(hand(play(state, 0, a.ChooseDeck(0)), 0)) == 8


def test_a_depleted_deck_and_the_discards_and_the_other_deck_become_two_new_decks() -> None:
    """Scheme 2 [note 3]: at once when the last card has been taken."""
    state = leave(on_top(scenario(), 0, "coin_2"), 0, 1)
    state = main(state, "scheme", 3)
    step = act(state, 0, a.ChooseDeck(0))
    assert told(step, e.SchemesShuffled) == [e.SchemesShuffled(13, 13)]
    assert step.state.discard == []
    assert step.barrier


def test_a_deck_that_runs_out_in_a_draw_is_made_anew_and_the_draw_goes_on() -> None:
    """Scheme 2 [note 3]: the cards already drawn are not shuffled in."""
    state = leave(on_top(scenario(), 0, "coin_2"), 0, 1)
    state = main(state, "scheme", 1)
    step = act(state, 0, a.ChooseDeck(0))
    drawn = told(step, e.SchemesDrawn)[0].cards
    assert len(drawn) == 3
    assert drawn[0] == "coin_2"
    assert sum(map(len, step.state.decks)) == 24
    assert abs(len(step.state.decks[0]) + 2 - len(step.state.decks[1])) <= 1


def test_new_decks_make_everybody_forget() -> None:
    """Scheme 2: what was known of the old decks holds no more."""
    state = leave(on_top(scenario(), 0, "coin_2"), 0, 1)
    state.known[1].decks[1][-1] = state.decks[1][-1]
    state = play(main(state, "scheme", 3), 0, a.ChooseDeck(0))
    assert {card for known in state.known for deck in known.decks for card in deck} == {HIDDEN}


def test_cards_that_run_short_are_drawn_as_far_as_they_go() -> None:
    """Scheme 2 [ours]: nearly all cards in hands, one left to draw."""
    state = scenario()
    everything = sorted([*state.decks[0], *state.decks[1]])
    state.players[1].hand = everything[1:]
    state.decks = [[everything[0]], []]
    for known in state.known:
        known.decks = [[HIDDEN], []]
    state = main(state, "scheme", 2)
    assert state.players[0].hand == [everything[0]]
    assert audit(state) == []


def test_a_draw_without_any_card_left_gives_nothing() -> None:
    """Scheme 2 [ours]: all cards in hands."""
    state = scenario()
    state.players[1].hand = sorted([*state.decks[0], *state.decks[1]])
    state.decks = [[], []]
    for known in state.known:
        known.decks = [[], []]
    place(state, "muster", 3, 1, 5)
    ready(state, ActionPhase(1), DrawSchemes(0, 2))
    assert state.players[0].hand == []
    assert asked(state) == ((1, "turn"),)


def test_the_taker_of_the_top_space_gives_the_marker_to_anyone() -> None:
    """Scheme 3: also to oneself."""
    state = play(drawing(), 0, a.ChooseDeck(0), a.KeepScheme("tax_1"), a.PutBackScheme("coin_2"))
    assert legal(state, 0) == (a.GiveMarker(0), a.GiveMarker(1))
    state = play(state, 0, a.GiveMarker(1))
    assert state.marker == 1


def test_turn_order_changes_only_at_the_claim_phase() -> None:
    """Scheme 3 [note 3]: the marker's holder becomes first player then."""
    state = play(drawing(), 0, a.ChooseDeck(0), a.KeepScheme("tax_1"), a.PutBackScheme("coin_2"), a.GiveMarker(1))
    state = play(state, 0, a.EndTurn())
    assert (state.marker, state.first_player) == (1, 0)
    state = play(state, 1, a.ForfeitAction(COLUMNS[0], 3))
    assert state.first_player == 1
    assert asked(state) == ((1, "choose_deed"),)


def test_the_lower_scheme_spaces_move_no_marker() -> None:
    """Scheme 3: if nobody takes the top space the marker stays."""
    state = play(drawing(2), 0, a.ChooseDeck(0), a.KeepScheme("coin_2"), a.EndTurn())
    assert asked(state) == ((1, "turn"),)
    assert state.marker == 0


def test_the_marker_is_given_once_by_each_taking_of_the_space_only() -> None:
    """Scheme 3: a deed's or a scheme's draw moves no marker."""
    state = scenario(goods={0: {"fish": 3}}, deeds={0: ("hoard",)})
    state = play(main(state, "scheme", 3), 0, a.ChooseDeck(0), a.AccomplishDeed("hoard"))
    state = play(state, 0, a.ChooseDeck(0))
    state = play(state, 0, legal(state, 0)[0])
    assert "give_marker" not in {kind for _, kind in asked(state)}


def test_a_played_card_goes_face_up_on_the_discard_pile() -> None:
    """Scheme 2, Playing Schemes 1."""
    state = main(scenario(hands={0: ("coin_2",)}, troops={0: {"kiev": 1}}), "tax", 2)
    state = play(state, 0, a.PlayScheme("coin_2"))
    assert state.discard == [SCHEME_INDEX["coin_2"]]
