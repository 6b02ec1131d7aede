"""Tell an action, an event or a decision in one plain line."""

from functools import lru_cache
from typing import Any, get_args

from engine.core.decision import Decision
from engine.core.rules import View
from engine.games.rurik import actions as a
from engine.games.rurik import texts as t
from engine.games.rurik.data import CONVERSIONS, SPACES
from engine.games.rurik.ids import COLUMNS, TOKENS, Column, MarketBonus
from engine.games.rurik.narrate import narrate
from engine.games.rurik.step import Step, build_step
from engine.games.rurik.view import seen

_GIVES = {
    Column.MUSTER: "muster point",
    Column.MOVE: "movement point",
    Column.ATTACK: "attack point",
    Column.TAX: "tax point",
    Column.BUILD: "build point",
}

_ASKS = {
    "choose_leader": "choose a leader",
    "choose_agenda": "choose which agenda card to keep",
    "choose_colour": "choose a colour",
    "place_troop": "place a starting troop",
    "place_leader": "place the leader",
    "place_advisor": "place an advisor on the strategy board",
    "add_bribe": "add coins to advisor",
    "turn": "take the turn: resolve an advisor, take bonus actions",
    "muster": "spend muster points",
    "move": "spend movement points",
    "relocate": "move troops anywhere",
    "attack": "spend attack points",
    "casualty_check": "choose the scheme deck to reveal from",
    "casualty": "choose which troop falls",
    "church": "choose whom the church converts",
    "draw_schemes": "choose the scheme deck to draw from",
    "keep_scheme": "choose the scheme card to keep",
    "put_back_scheme": "choose the scheme card that goes back first",
    "give_marker": "give the first player marker to a seat",
    "choose_deed": "take a deed card from the row",
    "spend_goods": "choose a good to spend",
    "spend_same_goods": "choose the type of goods to spend",
    "remove_troops": "choose a troop to remove",
    "remove_structure": "choose a structure to remove",
    "discard_scheme": "choose a scheme card to discard",
}

#: Asked of every line, where `isinstance` would try one class of the union after the other.
_ACTIONS = frozenset(get_args(a.Action))


def describe(thing: Any, view: View) -> str:
    """Return a line about an action, event or decision, from what the view's seat may know."""
    if isinstance(thing, Decision):
        step = build_step(seen(view.flow))
        asked = _ASKS.get(thing.kind, "do what the card says")
        return t.sentence(f"{t.who(thing.seat, view)}: {asked if step is None else asked + _of(thing, step, view)}")
    if type(thing) in _ACTIONS:
        return _plain(thing) or _by_view(thing, view)
    return narrate(thing, view)


@lru_cache(maxsize=4096)
def _plain(action: a.Action) -> str:
    """Return the line of an action that reads alike whoever looks, kept as most come again; else nothing."""
    return _setup_or_strategy(action) or _turn(action) or _step(action)


def _of(decision: Decision, step: Step, view: View) -> str:
    """Return what a question is about: where, by which deed, how much is left."""
    where = "" if step.region is None else f" in {t.region(step.region)}"
    deed = "" if step.deed is None else f" for {t.deed_name(step.deed)}"
    match decision.kind:
        case "add_bribe":
            return f" {step.advisor} in {step.column}"
        case "muster" | "move" | "relocate" | "attack":
            return f", {step.points} left"
        case "casualty_check":
            whose = "" if step.seat == decision.seat else f" of {t.who(step.seat, view)}"
            return f" for the attack{whose}{where}: {t.count(step.left, 'card')}"
        case "draw_schemes":
            return f": {t.count(step.left, 'card')}"
        case "spend_goods" | "spend_same_goods" | "remove_troops":
            return f"{deed}, {step.left} left"
        case "remove_structure" | "discard_scheme":
            return deed
    return where


def _setup_or_strategy(action: a.Action) -> str:
    match action:
        case a.ChooseLeader(leader):
            return f"Take {t.leader(leader)}: {t.ABILITIES[leader]}"
        case a.ChooseAgenda(agenda):
            return f"Keep the agenda {t.agenda(agenda)}"
        case a.ChooseColour(colour):
            return f"Play {colour}"
        case a.PlaceTroop(region):
            return f"Place a troop in {t.region(region)}"
        case a.PlaceLeader(region):
            return f"Place your leader in {t.region(region)}"
        case a.PlaceAdvisor(advisor, column):
            return f"Place advisor {advisor} in {column}"
        case a.AddBribe(0):
            return "Place it without a bribe"
        case a.AddBribe(coins):
            return f"Add {t.count(coins, 'coin')}"
    return ""


def _turn(action: a.Action) -> str:
    match action:
        case a.ForfeitAction(column, row):
            return f"Forfeit {column}, space {row}, for 1 coin"
        case a.PlayScheme(card):
            return f"Play a scheme: {t.scheme(card)}"
        case a.AccomplishDeed(deed):
            return f"Accomplish {t.deed(deed)}"
        case a.ConvertGoods(token, first, second):
            gain = " and ".join(t.effect(item) for item in CONVERSIONS[TOKENS.index(token)].effects)
            return f"Convert {first} and {second} into {gain}"
        case a.RecoverTroops(region):
            return f"Come back with your leader and a troop in {t.region(region)}"
        case a.CollectGood(region, MarketBonus.NONE):
            return f"Tax {t.region(region)}"
        case a.CollectGood(region, MarketBonus.GOOD):
            return f"Tax {t.region(region)}, your market adding a good"
        case a.CollectGood(region, _):
            return f"Tax {t.region(region)}, your market adding a coin"
        case a.BuildStructure(structure, region):
            return f"Build a {structure} in {t.region(region)}"
        case a.EndTurn():
            return "End the turn"
    return ""


def _with_escorts(escorts: int) -> str:
    return f" with {t.count(escorts, 'troop')}" if escorts else ""


def _step(action: a.Action) -> str:
    match action:
        case a.Done():
            return "Done"
        case a.MusterTroop(region):
            return f"Muster a troop in {t.region(region)}"
        case a.MusterLeader(region):
            return f"Muster your leader in {t.region(region)}"
        case a.MoveTroop(source, target) | a.RelocateTroop(source, target):
            return f"Move a troop from {t.region(source)} to {t.region(target)}"
        case a.MoveLeader(source, target, escorts) | a.RelocateLeader(source, target, escorts):
            return f"Move your leader from {t.region(source)} to {t.region(target)}{_with_escorts(escorts)}"
        case a.AttackRebel(region):
            return f"Attack the rebel in {t.region(region)}"
        case a.AttackNeutral(region):
            return f"Attack a neutral troop in {t.region(region)}"
        case a.RemoveTroop(region):
            return f"Remove a troop of yours from {t.region(region)}"
        case a.RemoveLeader(region):
            return f"Remove your leader from {t.region(region)}"
        case a.ConvertRebel():
            return "Convert the rebel"
        case a.ConvertNeutral():
            return "Convert a neutral troop"
        case a.KeepScheme(card):
            return f"Keep: {t.face(card)}"
        case a.PutBackScheme(card):
            return f"Put back first: {t.face(card)}"
        case a.SpendGood(good):
            return f"Spend {good}"
        case a.RemoveStructure(structure, region):
            return f"Remove your {structure} from {t.region(region)}"
        case a.DiscardScheme(card):
            return f"Discard: {t.scheme(card)}"
        case a.TakeDeed(deed):
            return f"Take {t.deed(deed)}"
        case a.UnlockBonus(priority):
            return f"Unlock the next bonus of {priority}"
    return ""


def _gives(column: Column, row: int, view: View) -> str:
    state = seen(view.flow)
    space = SPACES[state.config.seats][COLUMNS.index(column)][row - 1]
    if column is Column.SCHEME:
        gives = "draw 1 scheme" if space.icons == 1 else f"draw {space.icons} schemes and keep one"
        if space.first_player_marker and state.rebellion is None:
            gives += ", give the first player marker"
    else:
        gives = t.count(space.icons, _GIVES[column])
    return f"{gives} for {t.count(space.coin_cost, 'coin')}" if space.coin_cost else gives


def _by_view(action: a.Action, view: View) -> str:
    """Return the line of an action that names another seat or tells what a space or a deck holds."""
    match action:
        case a.TakeAction(column, row):
            return f"Take {column}, space {row}: {_gives(column, row, view)}"
        case a.ChooseDeck(deck):
            return f"Use scheme deck {deck + 1} ({t.count(len(seen(view.flow).decks[deck]), 'card')})"
        case a.AttackPlayer(region, seat):
            return f"Attack {t.who(seat, view)} in {t.region(region)}"
        case a.ConvertTroop(seat):
            return f"Convert a troop of {t.who(seat, view)}"
        case a.GiveMarker(seat):
            return f"Give the first player marker to {t.who(seat, view)}"
        case a.MoveOpponentTroop(seat, target):
            return f"Predslava: move a troop of {t.who(seat, view)} to {t.region(target)}"
        case a.MoveOpponentLeader(seat, target):
            return f"Predslava: move the leader of {t.who(seat, view)} to {t.region(target)}"
    raise TypeError(f"not an action of Rurik: {type(action).__name__}")
