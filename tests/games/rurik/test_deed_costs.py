"""Rule on what each of the 26 deeds costs and gives (Deed Card Reference)."""

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.ids import CHURCH, MARKET, NONE, Good, Structure
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, asked, at, good, hand, legal, offered, on_top, play, told, troops, turn
from tests.games.rurik.test_deeds import BELT, POSITIONS, built, position

W, R, F, H, U = Good.WOOD, Good.ORE, Good.FISH, Good.HONEY, Good.FUR


def begun(deed: str, **more: object) -> State:
    """Return the position after the deed has been chosen, with the least that it takes."""
    state = turn(position(deed, {**POSITIONS[deed][0], **more}), 0)
    return act(state, 0, a.AccomplishDeed(deed)).state


def wealth(state: State) -> tuple[int, int]:
    """Return how many coins and goods seat 0 has."""
    return state.players[0].coins, sum(state.players[0].goods)


def points(state: State, kind: str) -> int:
    assert asked(state) == ((0, kind),)
    return int(state.flow.stack[-1].points)


def draws_two_and_keeps_one(state: State) -> None:
    assert asked(state) == ((0, "draw_schemes"),)
    before = len(hand(state, 0))
    state = act(on_top(state, 0, "tax_1", "move_2"), 0, a.ChooseDeck(0)).state
    assert {action.card for action in legal(state, 0)} == {"tax_1", "move_2"}
    state = act(state, 0, a.KeepScheme("tax_1")).state
    assert len(hand(state, 0)) == before + 1
    assert asked(state) == ((0, "turn"),)


def moves_two_troops_anywhere(state: State, source: str) -> None:
    assert points(state, "relocate") == 2
    state = play(state, 0, a.RelocateTroop(source, "rostov"), a.RelocateTroop("rostov", "volyn"))
    assert troops(state, 0, "volyn") >= 1
    assert asked(state) == ((0, "turn"),)


def attacks_with_one_card_less(deed: str, **more: object) -> None:
    """Seat 1 rules Kiev: two cards less one."""
    state = begun(deed, troops={0: {"kiev": 1}, 1: {"kiev": 3}}, **more)
    assert points(state, "attack") == 1
    state = play(on_top(state, 0, "coin_2", "muster_2"), 0, a.AttackPlayer("kiev", 1))
    step = act(state, 0, a.ChooseDeck(0))
    assert told(step, e.CasualtyChecked)[0].cards == ("coin_2",)


def test_amass_forces_costs_nothing_and_gives_a_movement_point() -> None:
    """Deed Card Reference 1."""
    state = begun("amass_forces")
    assert troops(state, 0, "kiev") == 6
    assert points(state, "move") == 1


def test_amass_forces_counts_the_leader() -> None:
    """Deed Card Reference 1 [note 2]: a leader is a troop."""
    begun("amass_forces", troops={0: {"kiev": 5}}, leader_at={0: "kiev"})


def test_border_patrols_takes_a_troop_from_three_regions_and_moves_two_anywhere() -> None:
    """Deed Card Reference 2."""
    regions = ("kiev", "volyn", "rostov", "smolensk")
    state = begun("border_patrols", troops={0: dict.fromkeys(regions, 2)})
    assert set(legal(state, 0)) == {a.RemoveTroop(r) for r in ("rostov", "smolensk")}
    state = play(state, 0, a.RemoveTroop("rostov"), a.RemoveTroop("volyn"))
    assert [troops(state, 0, r) for r in regions] == [1, 1, 1, 2]
    moves_two_troops_anywhere(state, "smolensk")


def test_the_leader_may_be_removed_for_border_patrols() -> None:
    """Deed Card Reference 2 [note 4]: a leader counts as a troop."""
    state = begun("border_patrols", troops={0: {"kiev": 1, "volyn": 1}}, leader_at={0: "rostov"})
    assert state.players[0].leader_at == NONE


def test_capital_city_costs_nothing_and_gives_a_tax_point() -> None:
    """Deed Card Reference 3."""
    state = begun("capital_city")
    assert state.flow.stack[-1].tax == 1
    assert state.built[CHURCH][at("kiev")] == 0


def test_defensive_belt_gives_an_attack_with_one_card_less() -> None:
    """Deed Card Reference 4."""
    attacks_with_one_card_less("defensive_belt", built=built("stronghold", *BELT))


def test_dispatch_messengers_gives_two_muster_points() -> None:
    """Deed Card Reference 5 [note 4]: for two players that is every region."""
    assert points(begun("dispatch_messengers"), "muster") == 2


def test_enforce_peace_spends_wood_and_honey_and_attacks_with_one_card_less() -> None:
    """Deed Card Reference 6."""
    assert wealth(begun("enforce_peace")) == (0, 0)
    attacks_with_one_card_less("enforce_peace")


def test_establish_fortress_spends_two_wood_and_draws() -> None:
    """Deed Card Reference 7."""
    state = begun("establish_fortress", goods={0: {"wood": 3}})
    assert good(state, 0, "wood") == 1
    draws_two_and_keeps_one(state)


def test_generous_prince_spends_four_coins_and_gives_two_muster_points() -> None:
    """Deed Card Reference 8."""
    state = begun("generous_prince", coins={0: 5}, troops={0: {"kiev": 1}})
    assert wealth(state) == (1, 0)
    assert points(state, "muster") == 2


def test_grand_hunter_spends_two_fur_and_gives_a_movement_point() -> None:
    """Deed Card Reference 9: the marker itself is kept."""
    state = begun("grand_hunter", troops={0: {"kiev": 1}})
    assert wealth(state) == (0, 0)
    assert state.marker == 0
    assert points(state, "move") == 1


def test_the_marker_counts_for_grand_hunter_as_soon_as_it_is_handed_over() -> None:
    """Deed Card Reference 9 [note 3]: possession changes at once, turn order later."""
    state = turn(position("grand_hunter", {"goods": {0: {"fur": 2}}, "marker": 1}), 0, "scheme", 1)
    state = play(state, 0, a.TakeAction(legal(state, 0)[0].column, 1), a.ChooseDeck(0))
    while not offered(state, 0, a.GiveMarker):
        state = play(state, 0, legal(state, 0)[0])
    assert a.AccomplishDeed("grand_hunter") in legal(play(state, 0, a.GiveMarker(0)), 0)


def test_great_library_discards_a_scheme_and_spends_ore_for_a_build_point() -> None:
    """Deed Card Reference 10: the discarded card is chosen and shown."""
    state = begun("great_library", hands={0: ("coin_2", "tax_1")})
    assert set(legal(state, 0)) == {a.DiscardScheme("coin_2"), a.DiscardScheme("tax_1")}
    step = act(state, 0, a.DiscardScheme("tax_1"))
    assert told(step, e.SchemeDiscarded) == [e.SchemeDiscarded(0, "tax_1")]
    assert (hand(step.state, 0), wealth(step.state)) == (["coin_2"], (0, 0))
    assert step.state.flow.stack[-1].build == 1


def test_a_discarded_scheme_gives_no_reward() -> None:
    """Deed Card Reference 10, 13, 16, 25: it is discarded, not played."""
    state = begun("great_library")
    assert (hand(state, 0), state.players[0].coins) == ([], 0)
    assert len(state.discard) == 1
    assert not state.flow.stack[-1].scheme_played


def test_hire_mercenaries_spends_fish_ore_and_two_coins_and_attacks_with_one_card_less() -> None:
    """Deed Card Reference 11."""
    assert wealth(begun("hire_mercenaries")) == (0, 0)
    attacks_with_one_card_less("hire_mercenaries")


def test_hoard_spends_three_goods_of_one_type_and_draws() -> None:
    """Deed Card Reference 12 [note 4]: from boat and dock alike."""
    state = begun("hoard", goods={0: {"fish": 4, "fur": 3, "ore": 2}})
    assert legal(state, 0) == (a.SpendGood(F), a.SpendGood(U))
    state = play(state, 0, a.SpendGood(U))
    assert [good(state, 0, name) for name in ("fish", "fur", "ore")] == [4, 0, 2]
    draws_two_and_keeps_one(state)


def test_honorable_prince_discards_a_scheme_and_spends_three_coins_for_two_muster_points() -> None:
    """Deed Card Reference 13."""
    state = begun("honorable_prince", troops={0: {"kiev": 1}})
    assert (hand(state, 0), wealth(state)) == ([], (0, 0))
    assert points(state, "muster") == 2


def test_law_giver_spends_two_coins_keeps_the_rebels_and_draws() -> None:
    """Deed Card Reference 14."""
    state = begun("law_giver")
    assert wealth(state) == (0, 0)
    assert len(state.players[0].rebels) == 3
    draws_two_and_keeps_one(state)


def test_market_day_costs_nothing_and_draws() -> None:
    """Deed Card Reference 15."""
    draws_two_and_keeps_one(begun("market_day"))


def test_master_beekeeper_discards_a_scheme_and_spends_two_honey_for_a_build_point() -> None:
    """Deed Card Reference 16."""
    state = begun("master_beekeeper")
    assert (hand(state, 0), wealth(state)) == ([], (0, 0))
    assert state.flow.stack[-1].build == 1


def test_new_beginning_takes_back_a_structure_for_two_tax_points() -> None:
    """Deed Card Reference 17 [ours]: it returns to its owner, who may build it again."""
    state = begun("new_beginning", built=built("market", "kiev", "volyn") | built("church", "kiev", owner=1))
    assert set(legal(state, 0)) == {a.RemoveStructure(Structure.MARKET, r) for r in ("kiev", "volyn")}
    state = play(state, 0, a.RemoveStructure(Structure.MARKET, "kiev"))
    assert state.built[MARKET][at("kiev")] == NONE
    assert state.players[0].structures[MARKET] == 2
    assert state.flow.stack[-1].tax == 2


def test_peace_maker_removes_two_troops_of_one_ruled_region_and_draws() -> None:
    """Deed Card Reference 18: both from the same one."""
    state = begun("peace_maker", troops={0: {"kiev": 3, "volyn": 2, "rostov": 2}, 1: {"rostov": 2}})
    assert set(legal(state, 0)) == {a.RemoveTroop("kiev"), a.RemoveTroop("volyn")}
    state = play(state, 0, a.RemoveTroop("kiev"))
    assert (troops(state, 0, "kiev"), troops(state, 0, "volyn")) == (1, 2)
    draws_two_and_keeps_one(state)


def test_rule_for_peace_maker_is_checked_before_the_troops_go() -> None:
    """Deed Card Reference 18 [note 4]."""
    state = begun("peace_maker", troops={0: {"kiev": 3}, 1: {"kiev": 2}})
    assert troops(state, 0, "kiev") == 1
    draws_two_and_keeps_one(state)


def test_retire_veterans_removes_two_troops_of_anywhere_and_draws() -> None:
    """Deed Card Reference 19 [note 4]: the leader may be one of them."""
    state = begun("retire_veterans", troops={0: {"kiev": 1, "volyn": 1}}, leader_at={0: "kiev"})
    state = play(state, 0, a.RemoveTroop("volyn"))
    assert legal(state, 0) == (a.RemoveTroop("kiev"), a.RemoveLeader("kiev"))
    state = play(state, 0, a.RemoveLeader("kiev"))
    assert (troops(state, 0, "kiev"), troops(state, 0, "volyn")) == (1, 0)
    assert wealth(state) == (0, 0)
    draws_two_and_keeps_one(state)


def test_reward_laborers_spends_any_two_goods_and_two_coins_and_draws() -> None:
    """Deed Card Reference 20 [note 4]: of one type or of two."""
    state = begun("reward_laborers", goods={0: {"wood": 2, "fur": 1}}, coins={0: 3})
    assert good(state, 0, "wood") == 1
    assert set(legal(state, 0)) == {a.SpendGood(W), a.SpendGood(U)}
    state = play(state, 0, a.SpendGood(W))
    assert wealth(state) == (1, 1)
    draws_two_and_keeps_one(state)


def test_send_gifts_spends_fish_fur_and_two_coins_and_moves_two_troops_anywhere() -> None:
    """Deed Card Reference 21: regardless of distance, without movement points."""
    state = begun("send_gifts", troops={0: {"novgorod": 2}})
    assert wealth(state) == (0, 0)
    assert {action.target for action in offered(state, 0, a.RelocateTroop)} >= {"pereyaslavl", "volyn"}
    moves_two_troops_anywhere(state, "novgorod")


def test_splendid_feast_spends_fish_honey_and_two_coins_and_draws() -> None:
    """Deed Card Reference 22."""
    state = begun("splendid_feast")
    assert wealth(state) == (0, 0)
    draws_two_and_keeps_one(state)


def test_tithe_payments_costs_nothing_and_gives_three_coins() -> None:
    """Deed Card Reference 23."""
    assert wealth(begun("tithe_payments")) == (3, 0)


def test_trade_route_spends_three_different_goods_and_gives_two_coins() -> None:
    """Deed Card Reference 24."""
    state = begun("trade_route", goods={0: {"wood": 2, "fish": 1, "honey": 1, "fur": 1}})
    state = play(state, 0, a.SpendGood(W))
    assert set(legal(state, 0)) == {a.SpendGood(F), a.SpendGood(H)}
    state = play(state, 0, a.SpendGood(F), a.SpendGood(U))
    assert wealth(state) == (2, 2)
    assert good(state, 0, "honey") == 1


def test_victory_march_discards_a_scheme_and_removes_two_troops_to_move_two_anywhere() -> None:
    """Deed Card Reference 25."""
    state = begun("victory_march", troops={0: {"kiev": 4}})
    assert (troops(state, 0, "kiev"), hand(state, 0)) == (2, [])
    moves_two_troops_anywhere(state, "kiev")


def test_wilderness_forts_spends_ore_fur_and_wood_for_a_build_point() -> None:
    """Deed Card Reference 26."""
    state = begun("wilderness_forts")
    assert wealth(state) == (0, 0)
    assert state.flow.stack[-1].build == 1
