"""Solo Mode: Gameplay Differences for You, and how leaders and churches of the person work against the Rebellion."""

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import REBELLION_TROOPS
from engine.games.rurik.flow import Game
from engine.games.rurik.frames.attack import Attack, CasualtyCheck
from engine.games.rurik.frames.build import Church
from engine.games.rurik.frames.turn import Turn
from engine.games.rurik.ids import CHURCH, MARKET, STRONGHOLD, Structure
from engine.games.rurik.state import has_structure, is_silenced, ruler
from tests.games.rurik.scenario import act, asked, at, legal, main, offered, on_top, play, ready, told, troops, turn
from tests.games.rurik.solo import REBELLION, YOU, let, on_board, solo

AGAINST = {YOU: {"kiev": 2}, REBELLION: {"kiev": 1}}


def test_the_person_stays_first_player_whatever_the_marker_does() -> None:
    """Gameplay Differences, first paragraph: ignore the marker that shows the Rebellion's priority."""
    state = let(solo(troops=AGAINST), Game()).state
    assert state.phase == "claim"
    assert state.first_player == state.marker == YOU
    state = play(state, YOU, legal(state, YOU)[0])
    assert (state.round, state.first_player) == (2, YOU)
    assert asked(state) == ((YOU, "place_advisor"),)


def test_the_bear_on_the_top_scheme_space_means_nothing_to_the_person() -> None:
    """Gameplay Differences, first paragraph: no marker is given away."""
    state = main(solo(troops=AGAINST), "scheme", row=1)
    assert asked(state) == ((YOU, "draw_schemes"),)
    state = play(state, YOU, legal(state, YOU)[0])
    assert asked(state) == ((YOU, "keep_scheme"),)
    assert state.marker == YOU


def test_an_attack_on_the_rebellion_is_an_attack_on_an_opponent() -> None:
    """Gameplay Differences, second paragraph: no reward, a step of warfare, a casualty check."""
    state = on_top(solo(troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 2}}, coins={YOU: 0}), 0, "attack_1")
    state = main(state, "attack")
    step = act(state, YOU, a.AttackPlayer("kiev", REBELLION))
    (attacked,) = told(step, e.PlayerAttacked)
    assert (attacked.victim, attacked.warfare, attacked.leader) == (REBELLION, 1, False)
    assert on_board(step.state) == {"kiev": 1}
    assert step.state.players[REBELLION].supply == REBELLION_TROOPS - 1
    assert step.state.players[YOU].rebels == []
    assert (step.state.players[YOU].coins, sum(step.state.players[YOU].goods)) == (0, 0)
    check = step.state.flow.stack[-1]
    assert isinstance(check, CasualtyCheck)
    # One card, and one more because they ruled when attacked.
    assert (check.count, check.chooser) == (2, YOU)


def test_sviatopolk_is_the_last_of_the_rebellion_to_fall_in_a_region() -> None:
    """Attack: a leader is always the last troop in a region to be removed."""
    state = solo(troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}, leader_at={REBELLION: "kiev"})
    state = ready(state, Attack(YOU, 2, 9))
    state = play(state, YOU, a.AttackPlayer("kiev", REBELLION))
    assert troops(state, REBELLION, "kiev") == 1
    step = act(state, YOU, a.AttackPlayer("kiev", REBELLION))
    assert told(step, e.PlayerAttacked)[0].leader
    assert troops(step.state, REBELLION, "kiev") == 0


def test_a_neutral_troop_attacked_is_simply_removed() -> None:
    """Gameplay Differences, third paragraph: back to the box; no reward, no warfare, no casualty check."""
    state = main(solo(troops=AGAINST, neutrals={"kiev": 1}, coins={YOU: 0}), "attack", row=1)
    step = act(state, YOU, a.AttackNeutral("kiev"))
    assert step.state.neutrals[at("kiev")] == 0
    assert step.state.players[YOU].warfare == 0
    assert (step.state.players[YOU].coins, sum(step.state.players[YOU].goods)) == (0, 0)
    assert step.state.players[YOU].rebels == []
    assert asked(step.state) == ((YOU, "attack"),)
    assert told(step, e.CasualtyChecked) == []
    assert a.AttackNeutral("kiev") not in legal(step.state, YOU)


def test_neutral_troops_are_rivals_for_rule_and_never_rule() -> None:
    """[note 7]: a tie with them is a tie; alone they rule for nobody."""
    state = solo(troops={YOU: {"kiev": 2}, REBELLION: {"rostov": 1}}, neutrals={"kiev": 1, "rostov": 1, "volyn": 2})
    assert ruler(state, at("kiev")) == YOU
    assert ruler(state, at("rostov")) == -1
    assert ruler(state, at("volyn")) == -1


def test_boris_steals_from_the_rebellion() -> None:
    """[note 7]: Boris may steal; Leaders: one card fewer too."""
    state = solo(troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 2}}, leader_at={YOU: "kiev"}, leaders=("boris", ""))
    step = act(ready(state, Attack(YOU, 2)), YOU, a.AttackPlayer("kiev", REBELLION))
    assert told(step, e.CoinStolen) == [e.CoinStolen(YOU, REBELLION)]
    assert step.state.players[REBELLION].coins == 2
    # 2 against 2: nobody ruled, so that Boris leaves no card to reveal.
    assert asked(step.state) == ((YOU, "attack"),)


def test_boris_gains_nothing_from_neutral_troops() -> None:
    """[note 7]: neutral troops are no opponent."""
    state = solo(troops={YOU: {"kiev": 1}}, leader_at={YOU: "kiev"}, neutrals={"kiev": 2}, leaders=("boris", ""))
    step = act(ready(state, Attack(YOU, 2)), YOU, a.AttackNeutral("kiev"))
    assert told(step, e.CoinStolen) == []
    assert step.state.players[YOU].coins == state.players[YOU].coins


def test_predslava_moves_a_rebel_and_pays_the_rebellion() -> None:
    """[note 7]: Predslava pays the Rebellion its coin; she cannot move neutral troops."""
    state = solo(
        troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 1}},
        leader_at={YOU: "kiev", REBELLION: "kiev"},
        neutrals={"kiev": 1},
        leaders=("predslava", ""),
    )
    state = turn(state, YOU)
    moves = offered(state, YOU, a.MoveOpponentTroop)
    assert {action.seat for action in moves} == {REBELLION}
    assert len(offered(state, YOU, a.MoveOpponentLeader)) == 4
    state = play(state, YOU, a.MoveOpponentLeader(REBELLION, "volyn"))
    assert state.players[REBELLION].leader_at == at("volyn")
    assert state.players[REBELLION].coins == 4


def test_yaroslav_wins_ties_against_the_rebellion_and_neutral_troops() -> None:
    """[note 7]."""
    state = solo(
        troops={REBELLION: {"kiev": 1}}, neutrals={"kiev": 1}, leader_at={YOU: "kiev"}, leaders=("yaroslav", "")
    )
    assert ruler(state, at("kiev")) == YOU


def test_yaroslav_silences_the_structures_of_the_rebellion() -> None:
    """Leaders: Yaroslav: its strongholds do not count, its markets give nothing."""
    state = solo(
        troops={REBELLION: {"kiev": 1}},
        leader_at={YOU: "kiev"},
        leaders=("yaroslav", ""),
        built={("stronghold", "kiev"): REBELLION, ("market", "kiev"): REBELLION},
    )
    assert ruler(state, at("kiev")) == YOU
    assert is_silenced(state, REBELLION, at("kiev"))
    assert not has_structure(state, REBELLION, MARKET, at("kiev"))
    assert not has_structure(state, REBELLION, STRONGHOLD, at("kiev"))


def test_a_church_of_the_person_converts_a_rebel_or_a_neutral_troop_but_never_sviatopolk() -> None:
    """[note 7]: a rebel goes back to the Rebellion's supply, a neutral troop to the box."""
    state = solo(troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 1}}, neutrals={"kiev": 1})
    state = ready(state, Turn(YOU, resolved=True, build=1), Church(YOU, at("kiev")))
    assert legal(state, YOU) == (a.ConvertTroop(REBELLION), a.ConvertNeutral())
    rebel = play(state, YOU, a.ConvertTroop(REBELLION))
    assert (on_board(rebel), rebel.players[REBELLION].supply) == ({}, REBELLION_TROOPS)
    assert troops(rebel, YOU, "kiev") == 2
    neutral = play(state, YOU, a.ConvertNeutral())
    assert neutral.neutrals[at("kiev")] == 0
    assert troops(neutral, YOU, "kiev") == 2
    assert neutral.players[YOU].warfare == 0
    alone = solo(troops={YOU: {"kiev": 2}}, leader_at={REBELLION: "kiev"})
    alone = ready(alone, Turn(YOU, resolved=True, build=2))
    alone = play(alone, YOU, a.BuildStructure(Structure.CHURCH, "kiev"))
    assert asked(alone) == ((YOU, "turn"),)
    assert alone.built[CHURCH][at("kiev")] == YOU
    assert alone.players[REBELLION].leader_at == at("kiev")


def test_dispatch_messengers_needs_all_eight_regions_in_solo() -> None:
    """[note 7]: eight regions are all there are."""
    regions = RULES.observe(solo(), YOU).table.regions
    everywhere = {region.id: 1 for region in regions}
    state = turn(solo(troops={YOU: everywhere}, deeds={YOU: ["dispatch_messengers"]}), YOU)
    assert a.AccomplishDeed("dispatch_messengers") in legal(state, YOU)
    del everywhere["kiev"]
    state = turn(solo(troops={YOU: everywhere}, deeds={YOU: ["dispatch_messengers"]}), YOU)
    assert a.AccomplishDeed("dispatch_messengers") not in legal(state, YOU)
