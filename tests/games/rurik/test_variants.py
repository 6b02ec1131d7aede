"""Rule on the three variants (Variants)."""

from collections import Counter
from typing import Any

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import DEED_INDEX, GOODS_TOKENS, ICONS, REWARDS, STICKERS
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.ids import GOODS, Column
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, at, good, legal, main, offered, place, play, ready, row_of, scenario, told

BOARD, REWARD, ROW = {"alternate_board": True}, {"rebel_rewards": True}, {"deed_row": True}


def fresh(seats: int, seed: int = 1, **options: Any) -> State:
    return RULES.initial_state(RULES.config(seats, options), seed)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shuffled_goods_tokens_replace_the_printed_icons(seats: int) -> None:
    """Alternate Board Variant 1 [gap 3]: those for the number of players, one in each region in play."""
    layouts = {fresh(seats, seed, **BOARD).icons for seed in range(5)}
    assert len(layouts) > 1
    assert {tuple(sorted(icons)) for icons in layouts} == {tuple(sorted(GOODS_TOKENS[seats]))}
    assert Counter(GOODS_TOKENS[seats]) == Counter(ICONS[: len(GOODS_TOKENS[seats])])


def test_tax_and_replenishing_follow_the_goods_tokens() -> None:
    """Alternate Board Variant 1."""
    state = scenario(options=BOARD, troops={0: {"kiev": 1}}, seed=3)
    state.icons = tuple(GOODS.index("fur") if r == at("kiev") else icon for r, icon in enumerate(state.icons))
    state = play(main(state, "tax", 2), 0, a.CollectGood("kiev"))
    assert (good(state, 0, "fur"), good(state, 0, "wood")) == (1, 0)


def test_without_the_variant_goods_lie_as_printed() -> None:
    """Alternate Board Variant 1: a variant is chosen."""
    assert {fresh(3, seed).icons for seed in range(4)} == {ICONS[:11]}


def test_a_reward_token_stands_in_for_the_sticker() -> None:
    """Rebel Rewards Variant 1: the top one is flipped and goes back to the box."""
    state = scenario(options=REWARD, troops={0: {"kiev": 1}}, rebels=["kiev"], coins={0: 0})
    fur = next(i for i, reward in enumerate(REWARDS) if reward.good == "fur")
    state.reward_tokens.remove(fur)
    state.reward_tokens.append(fur)
    left = len(state.reward_tokens)
    state = play(main(state, "attack"), 0, a.AttackRebel("kiev"))
    assert (good(state, 0, "fur"), state.players[0].coins) == (1, 0)
    assert len(state.reward_tokens) == left - 1


def test_reward_tokens_lie_in_a_shuffled_pile() -> None:
    """Rebel Rewards Variant 1 [gap 3]: fifteen, with the rewards of the stickers."""
    piles = {tuple(fresh(4, seed, **REWARD).reward_tokens) for seed in range(5)}
    assert len(piles) > 1
    assert all(Counter(pile) == Counter(STICKERS) for pile in piles)
    assert fresh(4).reward_tokens == []


def test_the_tokens_suffice_for_every_rebel() -> None:
    """Rebel Rewards Variant 1: fifteen tokens for at most fifteen rebels."""
    state = fresh(4, **REWARD)
    assert len(state.reward_tokens) == len(state.rebels) == 15


def choosing(options: dict[str, bool]) -> State:
    state = row_of(scenario(options=options), "hoard", "trade_route", "new_beginning")
    place(state, "scheme", 2, 0, 5)
    state = ready(state, ActionPhase(0))
    return play(state, 0, a.ForfeitAction(Column.SCHEME, 2))


def test_after_the_last_choice_of_a_round_the_row_is_renewed() -> None:
    """Deed Row Variant 1: the two left are discarded and three revealed; not after the first choice."""
    state = play(choosing(ROW), 0, a.TakeDeed("hoard"))
    assert len(legal(state, 1)) == 3
    assert {a.TakeDeed("trade_route"), a.TakeDeed("new_beginning")} < set(legal(state, 1))
    third = state.deed_row[-1]
    step = act(state, 1, a.TakeDeed("trade_route"))
    assert set(step.state.deed_discard) == {DEED_INDEX["new_beginning"], third}
    assert len(told(step, e.DeedRowRefilled)[0].row) == 3
    assert not set(step.state.deed_row) & {DEED_INDEX["new_beginning"], third}


def test_without_the_variant_the_row_is_only_refilled() -> None:
    """Deed Row Variant 1, C) Choose Deed Cards 1."""
    state = play(play(choosing({}), 0, a.TakeDeed("hoard")), 1, a.TakeDeed("trade_route"))
    assert DEED_INDEX["new_beginning"] in state.deed_row
    assert state.deed_discard == []


def test_a_scheme_that_takes_a_deed_does_not_renew_the_row() -> None:
    """Deed Row Variant 1: only the last choice of the claim phase."""
    state = row_of(scenario(options=ROW, hands={0: ("deed",)}), "hoard", "trade_route", "new_beginning")
    place(state, "scheme", 2, 0, 1)
    state = play(ready(state, ActionPhase(0)), 0, a.PlayScheme("deed"), a.TakeDeed("hoard"))
    assert state.deed_discard == []
    assert DEED_INDEX["trade_route"] in state.deed_row


def test_when_the_deed_deck_runs_dry_the_discarded_deeds_are_shuffled_in() -> None:
    """Deed Row Variant 1 [note 4]: proposed, the book is silent."""
    state = choosing(ROW)
    state.deed_discard = state.deed_deck[1:]
    state.deed_deck = state.deed_deck[:1]
    state = play(play(state, 0, a.TakeDeed("hoard")), 1, a.TakeDeed("trade_route"))
    assert len(state.deed_row) == 3
    assert state.deed_discard == []


def test_the_variants_go_together() -> None:
    """Variants: each is an option of its own."""
    state = fresh(3, alternate_board=True, rebel_rewards=True, deed_row=True)
    assert (state.config.alternate_board, state.config.rebel_rewards, state.config.deed_row) == (True, True, True)
    assert offered(state, state.first_player, a.ChooseLeader)
