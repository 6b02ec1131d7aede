"""Rule on what a seat may know: hands, agendas, stickers, decks, what was put back, windows that must not tell."""

import random
from typing import Any

import pytest

from engine.core.events import seen_by
from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import AGENDAS, DEEDS, SCHEMES
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.frames.deeds import ChooseDeed
from engine.games.rurik.frames.schemes import DrawSchemes
from engine.games.rurik.ids import Column, Phase
from engine.games.rurik.state import State
from engine.games.rurik.table import Reward, Table
from tests.games.rurik.scenario import act, asked, hand, legal, main, on_top, place, play, ready, scenario, turn

TOP = ("coin_2", "tax_1", "move_2")


def table(state: State, seat: int | None) -> Table:
    seen: Table = RULES.observe(state, seat).table
    return seen


def everything(state: State, seat: int | None) -> tuple[Any, bytes]:
    view = RULES.observe(state, seat)
    return view.table, view.flow


def drawn(count: int = 3) -> State:
    """Return a position in which seat 0 has drawn known cards."""
    row = {3: 1, 2: 2, 1: 3}[count]
    return play(main(on_top(scenario(), 0, *TOP), "scheme", row), 0, a.ChooseDeck(0))


@pytest.mark.parametrize("other", [1, None])
def test_a_hand_is_a_number_to_others(other: int | None) -> None:
    """Playing Schemes 1: a card is revealed when it is played."""
    state = turn(scenario(hands={0: ("coin_2", "tax_1")}), 1)
    assert (table(state, other).players[0].hand, table(state, other).players[0].cards_in_hand) == ((), 2)
    assert set(table(state, 0).players[0].hand) == {"coin_2", "tax_1"}


@pytest.mark.parametrize("other", [1, None])
def test_an_agenda_is_secret_until_the_end(other: int | None) -> None:
    """Game Setup 10, Paths to Victory 7: face down."""
    state = turn(scenario(agendas={0: "regal"}), 0)
    assert table(state, 0).players[0].agenda == "regal"
    assert table(state, other).players[0].agenda is None
    assert table(state, other).players[0].agendas == ()
    over = ready(scenario(agendas={0: "regal"}, round_=4, phase=Phase.CLAIM))
    assert table(over, other).players[0].agenda == "regal"


def test_the_choice_of_an_agenda_tells_others_only_that_it_was_made() -> None:
    """Game Setup 10."""
    state = RULES.initial_state(RULES.config(2, {"leaders": "random"}), 5)
    step = act(state, 1, legal(state, 1)[0])
    (emitted,) = step.events
    assert seen_by(emitted, 0) == seen_by(emitted, None) == e.AgendaChosen(1, None)
    assert seen_by(emitted, 1).agenda in {card.id for card in AGENDAS}
    assert [d.seat for d in RULES.observe(step.state, 0).pending] == [0]


def test_points_shown_leave_agendas_out() -> None:
    """End of the Game 4: they would tell."""
    state = turn(scenario(coins={0: 9}, agendas={0: "wealthy"}, claims={0: {"rule": 3}}), 0)
    assert [table(state, seat).players[0].points for seat in (0, 1, None)] == [3, 3, 3]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_sticker_of_a_rebel_is_hidden_until_it_is_defeated(seat: int | None) -> None:
    """Game Setup 5, Attack 2."""
    one = turn(scenario(rebels={"kiev": 0}), 0)
    other = turn(scenario(rebels={"kiev": 4}), 0)
    assert everything(one, seat) == everything(other, seat)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_order_of_the_decks_is_hidden(seat: int | None) -> None:
    """Game Setup 6, 7: face down."""
    state = turn(scenario(), 0)
    other = state.clone()
    for pile in (*other.decks, other.deed_deck, other.reward_tokens):
        pile.reverse()
    assert everything(state, seat) == everything(other, seat)
    assert table(state, seat).scheme_decks == (14, 13)


def test_the_discard_pile_and_the_deed_row_lie_open() -> None:
    """Playing Schemes 1, Game Setup 7: face up."""
    state = play(turn(scenario(hands={0: ("coin_2",)}), 0), 0, a.PlayScheme("coin_2"))
    assert table(state, None).scheme_discard == ("coin_2",)
    assert table(state, None).deed_row == tuple(DEEDS[card].id for card in state.deed_row)


def test_chosen_deeds_lie_open() -> None:
    """C) Choose Deed Cards 1: face up beside the mat."""
    state = turn(scenario(deeds={0: ("hoard",)}), 0)
    assert table(state, 1).players[0].deeds == ("hoard",)


def test_cards_drawn_are_shown_to_the_drawer_alone() -> None:
    """Scheme 1."""
    state = drawn()
    assert set(table(state, 0).step.drawn) == set(TOP)
    assert table(state, 1).step.drawn == table(state, None).step.drawn == ()
    other = main(on_top(scenario(), 0, *TOP), "scheme", 1)
    deck = other.decks[0]
    deck[-3:], deck[:3] = deck[:3], deck[-3:]
    other = play(other, 0, a.ChooseDeck(0))
    assert set(table(other, 0).step.drawn) != set(TOP)
    assert everything(state, 1) == everything(other, 1)


def test_drawing_tells_others_how_many_not_which() -> None:
    """Scheme 1."""
    state = main(on_top(scenario(), 0, *TOP), "scheme", 1)
    step = act(state, 0, a.ChooseDeck(0))
    told = [seen_by(emitted, 1) for emitted in step.events]
    assert told == [e.SchemesDrawn(0, 0, 3, ())]
    assert set(seen_by(step.events[0], 0).cards) == set(TOP)
    assert step.barrier


def test_who_puts_cards_back_knows_them_and_their_order() -> None:
    """Scheme 1: face down, in an order of one's own choice."""
    state = play(drawn(), 0, a.KeepScheme("tax_1"), a.PutBackScheme("move_2"))
    assert table(state, 0).known_first == ("coin_2", "move_2")
    assert table(state, 1).known_first == table(state, None).known_first == ()


def test_putting_back_in_another_order_looks_the_same_to_others() -> None:
    """Scheme 1."""
    one = play(drawn(), 0, a.KeepScheme("tax_1"), a.PutBackScheme("move_2"))
    two = play(drawn(), 0, a.KeepScheme("tax_1"), a.PutBackScheme("coin_2"))
    assert everything(one, 1) == everything(two, 1)
    assert everything(one, None) == everything(two, None)


def test_what_was_put_back_is_kept_when_the_rest_is_made_up() -> None:
    """Scheme 1: a player who remembers is not fooled by a made-up deck."""
    state = play(drawn(), 0, a.KeepScheme("tax_1"), a.PutBackScheme("move_2"))
    for seed in range(5):
        made_up = RULES.determinize(RULES.observe(state, 0), random.Random(seed))
        assert [SCHEMES[card].id for card in made_up.decks[0][-2:]] == ["move_2", "coin_2"]


def test_a_known_card_drawn_by_another_is_known_in_its_hand() -> None:
    """Scheme 1: seat 0 put it on top, seat 1 drew that one card."""
    state = play(drawn(2), 0, a.KeepScheme("tax_1"))
    assert table(state, 0).known_first == ("coin_2",)
    place(state, "move", 1, 1, 4)
    state = play(ready(state, ActionPhase(1), DrawSchemes(1, 1)), 1, a.ChooseDeck(0))
    assert hand(state, 1) == ["coin_2"]
    for seed in range(5):
        assert hand(RULES.determinize(RULES.observe(state, 0), random.Random(seed)), 1) == ["coin_2"]


def test_a_card_that_is_played_is_known_no_longer_in_the_hand() -> None:
    """Playing Schemes 1."""
    state = play(drawn(2), 0, a.KeepScheme("tax_1"))
    state = play(ready(state, ActionPhase(1), DrawSchemes(1, 1)), 1, a.ChooseDeck(0))
    assert state.known[0].hands[1]
    state = play(turn(state, 1), 1, a.PlayScheme("coin_2"))
    assert state.known[0].hands[1] == []


def test_a_turn_does_not_show_that_no_scheme_could_be_played() -> None:
    """Playing Schemes 1: with cards in hand the end of a turn is asked, whether one could be paid for or not."""
    for card in ("coin_2", "build_1_pay_1"):
        state = turn(scenario(hands={0: (card,)}, coins={0: 0}), 0, resolved=True)
        assert asked(state) == ((0, "turn"),)
        assert RULES.observe(state, 1).pending == RULES.pending(state)


def test_an_empty_hand_ends_a_turn_without_a_question() -> None:
    """Playing Schemes 1: that no card is in hand is known to all."""
    assert asked(turn(scenario(), 0, resolved=True)) == ((1, "turn"),)


def test_a_single_kind_to_discard_does_not_show() -> None:
    """Deed Card Reference 10: two equal cards are asked for like two different ones."""
    for cards in (("coin_2", "coin_2"), ("coin_2", "tax_1")):
        state = scenario(hands={0: cards}, deeds={0: ("great_library",)}, goods={0: {"ore": 1}})
        state = play(turn(state, 0), 0, a.AccomplishDeed("great_library"))
        assert asked(state) == ((0, "discard_scheme"),)


def test_legal_actions_are_shown_to_the_deciding_seat_alone() -> None:
    state = turn(scenario(hands={0: ("coin_2",)}), 0)
    assert RULES.observe(state, 0).legal == legal(state, 0)
    for other in (1, None):
        view = RULES.observe(state, other)
        assert (view.legal, view.decision) == ((), None)
        assert view.pending == RULES.pending(state)


def test_coins_goods_and_pieces_lie_open() -> None:
    """Game Components: mats and the board are on the table."""
    state = turn(scenario(coins={0: 7}, goods={0: {"wood": 4}}, troops={0: {"kiev": 3}}, defeated={0: 2}), 0)
    player = table(state, 1).players[0]
    assert (player.coins, player.troops_left, player.defeated_rebels) == (7, 9, 2)
    assert (player.goods[0].boat, player.goods[0].dock) == (3, 1)


def test_a_describe_line_tells_nothing_hidden() -> None:
    """Scheme 1: others read that a card was kept, not which."""
    step = act(drawn(), 0, a.KeepScheme("tax_1"))
    lines = [RULES.describe(seen_by(x, 1), RULES.observe(step.state, 1)) for x in step.events if seen_by(x, 1)]
    assert lines == ["Agatha kept a scheme card."]


def test_the_bribe_of_an_advisor_lies_open() -> None:
    """Adding Bribes 1: coins lie on the advisor."""
    state = scenario()
    place(state, "tax", 1, 0, 1, coins=2)
    space = table(ready(state, ActionPhase(0)), 1).columns[3].spaces[0]
    assert space.advisor is not None
    assert (space.advisor.number, space.advisor.coins) == (1, 2)
    assert table(state, 1).columns[3].column is Column.TAX


def test_every_card_is_told_in_words() -> None:
    """Game Components 18, Game Setup 12: what a reference card is for, the lines of describe do."""
    view = RULES.observe(turn(scenario(), 0), 0)
    for card in SCHEMES:
        assert RULES.describe(a.PlayScheme(card.id), view)
    for deed in DEEDS:
        assert deed.name in RULES.describe(a.AccomplishDeed(deed.id), view)
    for agenda in AGENDAS:
        assert agenda.name in RULES.describe(a.ChooseAgenda(agenda.id), view)


def test_who_draws_schemes_reads_their_casualty_icons() -> None:
    """Scheme 1, Attack 4: a card shows its icon to who chooses what goes back on top of a deck."""
    view = RULES.observe(turn(scenario(), 0), 0)
    for card in SCHEMES:
        for action in (a.KeepScheme(card.id), a.PutBackScheme(card.id)):
            assert RULES.describe(action, view).endswith(", casualty icon") == card.casualty


def test_a_card_seen_to_go_to_a_hand_is_remembered_by_who_saw_it() -> None:
    """Scheme 1: whoever put a card back knows what the next one draws there."""
    state = play(drawn(2), 0, a.KeepScheme(TOP[0]))
    state = play(main(state, "scheme", 3, seat=1), 1, a.ChooseDeck(0))
    assert table(state, 0).players[1].known_hand == (TOP[1],)
    assert table(state, 1).players[1].known_hand == table(state, None).players[1].known_hand == ()


def test_what_rebels_brought_lies_open() -> None:
    """Attack 2: the stickers left are the others."""
    state = play(main(scenario(troops={0: {"kiev": 1}}, rebels=["kiev"]), "attack"), 0, a.AttackRebel("kiev"))
    assert table(state, 1).players[0].rewards == (Reward(None, 1),)


def test_deed_cards_renewed_by_the_variant_lie_open() -> None:
    """Deed Row Variant: the row left over is discarded face up."""
    state = scenario(options={"deed_row": True})
    row = tuple(state.deed_row)
    state = ready(state, ChooseDeed(1, last=True))
    state = play(state, 1, RULES.legal_actions(state, 1)[0])
    assert table(state, 0).deed_discard == tuple(DEEDS[card].id for card in row[1:])
