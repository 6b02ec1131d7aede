"""Solo Mode: how the Rebellion attacks."""

from typing import Any

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.automa import RebellionTurn
from engine.games.rurik.data import SCHEMES
from engine.games.rurik.frames.attack import CasualtyCheck
from engine.games.rurik.frames.rebellion import RebellionAttack
from engine.games.rurik.ids import NONE
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, asked, at, legal, on_top, place, play, troops
from tests.games.rurik.solo import REBELLION, YOU, Played, let, solo

#: Scheme cards without the casualty icon; "move_3" has it.
SAFE = ("muster_1", "move_1")


def attacked(points: int, fewer: int = 9, **named: Any) -> Played:
    """Attack so that no check is made unless `fewer` is given."""
    return let(solo(**named), RebellionAttack(REBELLION, points, fewer))


@pytest.mark.parametrize("priority", ["attack", "build", "rule"])
def test_the_person_is_attacked_before_neutral_troops(priority: str) -> None:
    """Attack, first paragraph: if both occupy a region, always you first."""
    played = attacked(2, troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 3}}, neutrals={"kiev": 2}, priority=priority)
    assert played.steps == [a.AttackPlayer("kiev", YOU), a.AttackNeutral("kiev")]


@pytest.mark.parametrize("priority", ["attack", "build", "rule"])
def test_all_attacks_go_to_one_region_while_anybody_is_left_there(priority: str) -> None:
    """Attack, first paragraph: in a single region before attacking in other regions."""
    played = attacked(
        4,
        troops={YOU: {"kiev": 2, "volyn": 3}, REBELLION: {"kiev": 1, "volyn": 1}},
        neutrals={"kiev": 1},
        priority=priority,
    )
    assert played.steps == [
        a.AttackPlayer("kiev", YOU),
        a.AttackPlayer("kiev", YOU),
        a.AttackNeutral("kiev"),
        a.AttackPlayer("volyn", YOU),
    ]


def test_a_region_that_comes_to_be_ruled_is_attacked_to_the_end() -> None:
    """Attack, first paragraph: attack priority; the first blow makes Kiev ruled, Volyn is not, Kiev goes on."""
    troops_now = {YOU: {"kiev": 2, "volyn": 3}, REBELLION: {"kiev": 2, "volyn": 1}}
    played = attacked(2, troops=troops_now, priority="attack")
    assert played.steps == [a.AttackPlayer("kiev", YOU)] * 2


RULED_AND_NOT = {YOU: {"kiev": 1, "volyn": 3, "rostov": 1, "novgorod": 5}, REBELLION: {"kiev": 2, "volyn": 1}}


def both(**more: int) -> dict[int, dict[str, int]]:
    return {YOU: RULED_AND_NOT[YOU], REBELLION: {**RULED_AND_NOT[REBELLION], **more}}


def test_in_attack_priority_regions_not_ruled_come_first() -> None:
    """Attack priority: regions that they do not rule, in location order, then those that they rule."""
    played = attacked(6, troops=both(rostov=3, novgorod=1), priority="attack")
    regions = [step.region for step in played.steps]
    assert regions == ["volyn"] * 3 + ["novgorod"] * 3
    played = attacked(9, troops=both(rostov=3), priority="attack")
    assert [step.region for step in played.steps] == ["volyn"] * 3 + ["kiev", "rostov"]


@pytest.mark.parametrize("priority", ["build", "rule"])
def test_in_rule_and_build_priority_ruled_regions_come_first(priority: str) -> None:
    """Rule and build priority: regions that they rule, in location order, then those that they do not rule."""
    played = attacked(4, troops=both(rostov=3), priority=priority)
    assert [step.region for step in played.steps] == ["kiev", "rostov", "volyn", "volyn"]


def test_the_person_loses_a_troop_before_the_leader() -> None:
    """Attack, last paragraph: you must remove one of your troops; leaders fall last."""
    played = attacked(2, troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 3}}, leader_at={YOU: "kiev"})
    assert [event.leader for event in played.told(e.PlayerAttacked)] == [False, True]
    you = played.state.players[YOU]
    assert (you.leader_at, you.supply) == (NONE, 12)


def test_the_rebellion_advances_on_the_warfare_track() -> None:
    """Attack, last paragraph: one space for each attack on the person."""
    played = attacked(2, troops={YOU: {"kiev": 2}, REBELLION: {"kiev": 3}})
    assert played.state.players[REBELLION].warfare == 2
    assert [event.warfare for event in played.told(e.PlayerAttacked)] == [1, 2]
    assert played.state.players[YOU].warfare == 0


def test_a_neutral_troop_falls_without_warfare_and_without_a_check() -> None:
    """Attack, last paragraph: it goes back to the box."""
    played = attacked(1, fewer=0, troops={REBELLION: {"kiev": 3}}, neutrals={"kiev": 2})
    assert played.steps == [a.AttackNeutral("kiev")]
    assert played.state.neutrals[at("kiev")] == 1
    assert played.state.players[REBELLION].warfare == 0
    assert asked(played.state) == ()


def test_the_person_chooses_the_deck_of_the_casualty_check() -> None:
    """Attack, last paragraph: you choose which scheme deck they reveal cards from."""
    played = attacked(1, fewer=0, troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 3}})
    assert asked(played.state) == ((YOU, "casualty_check"),)
    assert not RULES.pending(played.state)[0].automa
    assert legal(played.state, YOU) == (a.ChooseDeck(0), a.ChooseDeck(1))
    step = act(played.state, YOU, a.ChooseDeck(1))
    (checked,) = [emitted.event for emitted in step.events if isinstance(emitted.event, e.CasualtyChecked)]
    assert (checked.seat, checked.deck, len(checked.cards)) == (REBELLION, 1, 1)


@pytest.mark.parametrize(
    ("named", "cards"),
    [
        pytest.param({"troops": {YOU: {"kiev": 1}, REBELLION: {"kiev": 2}}}, 1, id="one-by-default"),
        pytest.param({"troops": {YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}}, 2, id="one-more-where-you-rule"),
        pytest.param(
            {"troops": {YOU: {"kiev": 1}, REBELLION: {"kiev": 3}}, "built": {("stronghold", "kiev"): YOU}},
            2,
            id="one-more-for-your-stronghold",
        ),
        pytest.param(
            {"troops": {YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}, "built": {("stronghold", "kiev"): YOU}},
            3,
            id="both",
        ),
        pytest.param(
            {"troops": {YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}, "leader_at": {REBELLION: "kiev"}},
            1,
            id="one-fewer-with-sviatopolk-there",
        ),
        pytest.param(
            {"troops": {YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}, "leader_at": {REBELLION: "volyn"}},
            2,
            id="sviatopolk-elsewhere-helps-nobody",
        ),
    ],
)
def test_as_many_cards_are_revealed_as_for_an_opponent(named: dict[str, Any], cards: int) -> None:
    """Attack (standard rules); solo leader card: one card fewer when Sviatopolk attacks you."""
    state = attacked(1, fewer=0, **named).state
    check = state.flow.stack[-1]
    assert isinstance(check, CasualtyCheck)
    assert check.count == cards


def test_with_no_card_left_to_reveal_nobody_is_asked() -> None:
    """Solo leader card: Sviatopolk in a region that the person does not rule needs no check."""
    played = attacked(1, fewer=0, troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 2}}, leader_at={REBELLION: "kiev"})
    assert asked(played.state) == ()


def test_each_open_bonus_of_that_kind_leaves_a_card_out() -> None:
    """Taking Actions: easy mat, second space of the attack column."""
    state = solo(
        troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 1}},
        unlocked=(("attack", 1),),
    )
    state = let(place(state, "attack", 2, REBELLION, 1), RebellionTurn(REBELLION)).state
    check = state.flow.stack[-1]
    assert isinstance(check, CasualtyCheck)
    assert check.count == 1


def checked(state: State) -> Played:
    """Attack once and let the person choose the first deck, with the third card of it bearing an icon."""
    on_top(state, 0, *SAFE, "move_3")
    state = let(state, RebellionAttack(REBELLION, 1)).state
    step = act(state, YOU, a.ChooseDeck(0))
    return Played(step.state, [], [emitted.event for emitted in step.events])


def test_the_check_ends_at_the_first_icon_and_all_revealed_cards_are_discarded() -> None:
    """Attack (standard rules): stop revealing; a single troop is lost; discard all revealed."""
    state = solo(troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 2}}, built={("stronghold", "kiev"): YOU})
    on_top(state, 0, "muster_1", "move_3", "muster_2")
    state = let(state, RebellionAttack(REBELLION, 1)).state
    step = act(state, YOU, a.ChooseDeck(0))
    (event,) = [emitted.event for emitted in step.events if isinstance(emitted.event, e.CasualtyChecked)]
    assert (event.cards, event.casualty) == (("muster_1", "move_3"), True)
    assert [SCHEMES[card].id for card in step.state.discard] == ["muster_1", "move_3"]
    assert troops(step.state, REBELLION, "kiev") == 1


def test_without_an_icon_nobody_falls() -> None:
    """Attack (standard rules): two cards revealed, the third not reached."""
    played = checked(solo(troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}))
    assert [event.casualty for event in played.told(e.CasualtyChecked)] == [False]
    assert troops(played.state, REBELLION, "kiev") == 1


def test_the_casualty_of_the_rebellion_is_a_rebel_before_sviatopolk() -> None:
    """[note 7]: the cards leave no choice, nobody is asked."""
    state = solo(troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 1}}, leader_at={REBELLION: "kiev"})
    on_top(state, 0, "move_3")
    state = play(let(state, RebellionAttack(REBELLION, 1)).state, YOU, a.ChooseDeck(0))
    assert asked(state) == ()
    assert state.players[REBELLION].leader_at == at("kiev")
    assert state.players[REBELLION].supply == 15


def test_sviatopolk_falls_when_no_rebel_is_with_him() -> None:
    """[note 7]: a casualty is one of the troops there, and a leader is a troop."""
    state = solo(troops={YOU: {"kiev": 3}}, leader_at={REBELLION: "kiev"})
    on_top(state, 0, "move_3")
    state = play(let(state, RebellionAttack(REBELLION, 1)).state, YOU, a.ChooseDeck(0))
    assert state.players[REBELLION].leader_at == NONE


def test_after_the_last_of_its_troops_there_has_fallen_it_attacks_elsewhere() -> None:
    """Attack: all attacks in a single region, if possible."""
    state = solo(
        troops={YOU: {"kiev": 3, "volyn": 2}, REBELLION: {"kiev": 1, "volyn": 1}}, leader_at={REBELLION: "volyn"}
    )
    on_top(state, 0, "move_3")
    state = let(state, RebellionAttack(REBELLION, 2)).state
    state = play(state, YOU, a.ChooseDeck(0))
    assert troops(state, REBELLION, "kiev") == 0
    assert let(state).steps == [a.AttackPlayer("volyn", YOU)]


def test_attack_points_without_anybody_to_attack_are_lost() -> None:
    """Attack: the person and neutral troops are the only targets."""
    played = attacked(3, troops={YOU: {"kiev": 1, "rostov": 2}, REBELLION: {"kiev": 3}})
    assert played.steps == [a.AttackPlayer("kiev", YOU)]
    assert asked(played.state) == ()
