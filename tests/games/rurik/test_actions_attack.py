"""Rule on attacks and casualty checks (Attack)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import REWARDS, SCHEME_INDEX, SPACES, WARFARE_SPACES
from engine.games.rurik.ids import COLUMNS, NONE, Column
from engine.games.rurik.state import State
from tests.games.rurik.scenario import (
    act,
    asked,
    at,
    good,
    leave,
    legal,
    main,
    offered,
    on_top,
    play,
    scenario,
    told,
    troops,
)

SAFE = ("move_2", "tax_1", "coin_2")
HIT = "muster_2"
HERE = a.AttackPlayer("kiev", 1)


def fight(mine: int = 2, theirs: int = 1, top: tuple[str, ...] = SAFE, **more: object) -> State:
    """Return a position in which seat 0 has two points to attack seat 1 in Kiev, known cards on top of deck 0."""
    more.setdefault("leaders", ("agatha", "mstislav", "sudislav", "maria"))
    state = scenario(troops={0: {"kiev": mine}, 1: {"kiev": theirs}}, **more)  # type: ignore[arg-type]
    return main(on_top(state, 0, *top), "attack")


def cards(state: State) -> int:
    """Return how many cards the attack in Kiev reveals where none has an icon."""
    step = act(state, 0, HERE)
    if asked(step.state) != ((0, "casualty_check"),):
        return 0
    return len(told(act(step.state, 0, a.ChooseDeck(0)), e.CasualtyChecked)[0].cards)


@pytest.mark.parametrize(("seats", "icons"), [(2, [2, 1, 1]), (3, [2, 1, 1, 1]), (4, [2, 1, 1, 1])])
def test_an_attack_space_gives_its_icons_in_points(seats: int, icons: list[int]) -> None:
    """Attack 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("attack")]] == icons


def test_rebels_and_opponents_are_attacked_only_where_one_has_a_troop() -> None:
    """Attack 1."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1, "volyn": 1}}, rebels=["kiev", "volyn"])
    assert legal(main(state, "attack"), 0) == (a.AttackRebel("kiev"), HERE, a.Done())


def test_attack_points_are_resolved_one_at_a_time() -> None:
    """Attack 1: the first attack ends before the second is chosen, which may be elsewhere."""
    state = scenario(troops={0: {"kiev": 1, "volyn": 1}, 1: {"kiev": 1}}, rebels=["volyn"])
    state = main(on_top(state, 0, *SAFE), "attack")
    state = play(state, 0, HERE, a.ChooseDeck(0))
    assert legal(state, 0) == (a.AttackRebel("volyn"), a.Done())


def test_attack_points_need_not_all_be_spent() -> None:
    """Attack 1: you may."""
    assert asked(play(fight(), 0, a.Done())) == ((1, "turn"),)


@pytest.mark.parametrize("sticker", range(len(REWARDS)))
def test_a_defeated_rebel_gives_the_reward_on_its_sticker(sticker: int) -> None:
    """Attack 2: a good or coins."""
    state = main(scenario(troops={0: {"kiev": 1}}, rebels={"kiev": sticker}, coins={0: 0}), "attack")
    step = act(state, 0, a.AttackRebel("kiev"))
    reward, player = REWARDS[sticker], step.state.players[0]
    if reward.good is None:
        assert (player.coins, sum(player.goods)) == (reward.amount, 0)
    else:
        assert (player.coins, good(step.state, 0, reward.good)) == (0, reward.amount)
    assert step.state.rebels[at("kiev")] == NONE
    assert player.rebels == [sticker]
    assert step.barrier


def test_a_rebel_brings_no_warfare_and_no_casualty_check() -> None:
    """Attack 2, 3 [note 3]."""
    state = main(scenario(troops={0: {"kiev": 1}}, rebels=["kiev"]), "attack")
    step = act(state, 0, a.AttackRebel("kiev"))
    assert step.state.players[0].warfare == 0
    assert not told(step, e.CasualtyChecked)


def test_an_attacked_opponent_loses_a_troop_to_its_supply() -> None:
    """Attack 3 [note 2]: lost pieces can be mustered again."""
    state = act(fight(theirs=2), 0, HERE).state
    assert (troops(state, 1, "kiev"), state.players[1].supply) == (1, 11)


def test_the_leader_is_the_last_troop_to_be_removed() -> None:
    """Attack 3."""
    state = fight(theirs=1, leader_at={1: "kiev"})
    state = play(state, 0, HERE, a.ChooseDeck(0))
    assert state.players[1].leader_at == at("kiev")
    assert troops(state, 1, "kiev") == 1
    state = play(state, 0, HERE)
    assert state.players[1].leader_at == NONE


def test_each_attack_on_an_opponent_advances_warfare_by_one() -> None:
    """Attack 3: before the casualty check [note 3]."""
    state = act(fight(theirs=2), 0, HERE).state
    assert asked(state) == ((0, "casualty_check"),)
    assert state.players[0].warfare == 1
    state = play(state, 0, a.ChooseDeck(0), HERE)
    assert state.players[0].warfare == 2


def test_a_warfare_marker_stays_on_the_last_space() -> None:
    """Attack 3 [gap 6]: an eleventh attack is legal."""
    state = act(fight(warfare={0: WARFARE_SPACES}), 0, HERE).state
    assert state.players[0].warfare == WARFARE_SPACES == 10


def test_one_card_is_revealed_by_default() -> None:
    """Attack 5."""
    assert cards(fight(mine=2, theirs=1)) == 1


def test_a_ruling_opponent_makes_it_two_cards() -> None:
    """Attack 6."""
    assert cards(fight(mine=1, theirs=2)) == 2


def test_the_opponents_rule_counts_before_its_loss() -> None:
    """Attack 6 [note 3]: when you attack, so before the troop is removed."""
    state = fight(mine=2, theirs=3)
    assert cards(state) == 2
    assert troops(act(state, 0, HERE).state, 1, "kiev") == 2


def test_the_rule_of_a_third_player_adds_no_card() -> None:
    """Attack 6: only the opponent's own rule does."""
    state = scenario(3, troops={0: {"kiev": 1}, 1: {"kiev": 1}, 2: {"kiev": 4}}, leaders=("agatha", "maria", "boris"))
    assert cards(main(on_top(state, 0, *SAFE), "attack")) == 1


def test_an_opponents_stronghold_adds_a_card() -> None:
    """Attack 7, Build 8: here without rule, two against one and a stronghold."""
    assert cards(fight(mine=2, theirs=1, built={("stronghold", "kiev"): 1})) == 2


def test_rule_and_stronghold_make_it_three_cards() -> None:
    """Attack 5-7."""
    assert cards(fight(mine=1, theirs=2, built={("stronghold", "kiev"): 1})) == 3


def test_a_third_players_stronghold_adds_no_card() -> None:
    """Attack 7."""
    state = scenario(
        3,
        troops={0: {"kiev": 3}, 1: {"kiev": 1}},
        built={("stronghold", "kiev"): 2},
        leaders=("agatha", "maria", "boris"),
    )
    assert cards(main(on_top(state, 0, *SAFE), "attack")) == 1


def test_the_attacker_chooses_the_scheme_deck() -> None:
    """Attack 4: a single deck, of either."""
    state = act(fight(), 0, HERE).state
    assert legal(state, 0) == (a.ChooseDeck(0), a.ChooseDeck(1))


def test_revealing_stops_at_the_first_casualty_icon() -> None:
    """Attack 4: the second card stays on the deck."""
    state = act(fight(mine=2, theirs=4, top=(HIT, "coin_2")), 0, HERE).state
    before = len(state.decks[0])
    step = act(state, 0, a.ChooseDeck(0))
    check = told(step, e.CasualtyChecked)[0]
    assert (check.cards, check.casualty) == ((HIT,), True)
    assert len(step.state.decks[0]) == before - 1


def test_a_casualty_costs_one_troop_of_the_region() -> None:
    """Attack 4: one, however many cards were to come."""
    state = play(fight(mine=2, theirs=4, top=(HIT, "tax_2")), 0, HERE, a.ChooseDeck(0))
    assert (troops(state, 0, "kiev"), state.players[0].supply) == (1, 11)


def test_without_an_icon_nobody_is_lost() -> None:
    """Attack 4."""
    state = play(fight(mine=1, theirs=2), 0, HERE, a.ChooseDeck(0))
    assert troops(state, 0, "kiev") == 1


def test_all_revealed_cards_are_discarded() -> None:
    """Attack 4."""
    state = play(fight(mine=1, theirs=2, top=("coin_2", HIT)), 0, HERE, a.ChooseDeck(0))
    assert state.discard == [SCHEME_INDEX["coin_2"], SCHEME_INDEX[HIT]]


def test_the_attacker_chooses_which_troop_falls() -> None:
    """Attack 4 [note 3]: the leader may be it, unless the option says last."""
    state = play(fight(top=(HIT,), leader_at={0: "kiev"}), 0, HERE, a.ChooseDeck(0))
    assert legal(state, 0) == (a.RemoveTroop("kiev"), a.RemoveLeader("kiev"))
    state = play(state, 0, a.RemoveLeader("kiev"))
    assert (state.players[0].leader_at, troops(state, 0, "kiev")) == (NONE, 2)


def test_by_option_the_attackers_leader_falls_last() -> None:
    """Attack 3, 4 [note 3]: the other reading."""
    state = fight(top=(HIT,), leader_at={0: "kiev"}, options={"casualty_leader": "last"})
    state = play(state, 0, HERE, a.ChooseDeck(0))
    assert (state.players[0].leader_at, troops(state, 0, "kiev")) == (at("kiev"), 2)


def test_a_lone_leader_can_be_the_casualty() -> None:
    """Attack 4."""
    state = fight(mine=0, theirs=2, top=(HIT,), leader_at={0: "kiev"})
    assert play(state, 0, HERE, a.ChooseDeck(0)).players[0].leader_at == NONE


def test_who_fell_to_the_last_troop_cannot_attack_on_there() -> None:
    """Attack 1, 4 [note 3]: the second point is lost."""
    state = play(fight(mine=1, theirs=2, top=(HIT,)), 0, HERE, a.ChooseDeck(0))
    assert troops(state, 0, "kiev") == 0
    assert asked(state) == ((1, "turn"),)


def test_a_deck_that_runs_out_in_a_check_is_made_anew_and_the_check_goes_on() -> None:
    """Attack 4, Scheme 2 [note 3]: revealed cards are not shuffled in."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 3}}, built={("stronghold", "kiev"): 1})
    on_top(leave(state, 0, 0), 0, "coin_2")
    state = act(main(state, "attack"), 0, HERE).state
    step = act(state, 0, a.ChooseDeck(0))
    check = told(step, e.CasualtyChecked)[0]
    assert told(step, e.SchemesShuffled)
    assert check.cards[0] == "coin_2"
    assert len(check.cards) == 3 or check.casualty
    assert len(step.state.discard) == len(check.cards)


def test_an_attack_is_taken_from_the_top_space_with_two_points() -> None:
    """Attack 1, Taking Actions 1."""
    state = fight(theirs=3)
    assert offered(state, 0, a.AttackPlayer) == [HERE]
    assert state.flow.stack[-1].points == 2
    assert state.columns[COLUMNS.index(Column.ATTACK)][0][0] == NONE
