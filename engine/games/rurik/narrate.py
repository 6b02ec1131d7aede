"""Tell events in the past tense, one plain line each."""

from typing import Any

from engine.core.rules import View
from engine.games.rurik import events as e
from engine.games.rurik import texts as t
from engine.games.rurik.ids import MarketBonus


def narrate(event: Any, view: View) -> str:
    """Return what happened, from what the view's seat may know."""
    return t.sentence(_course(event, view) or _pieces(event, view) or _cards(event, view) or _rebellion(event, view))


def _piece(leader: bool, escorts: int = 0) -> str:
    if not leader:
        return "a troop"
    return f"the leader and {t.count(escorts, 'troop')}" if escorts else "the leader"


def _course(event: Any, view: View) -> str:
    match event:
        case e.LeaderChosen(seat, leader):
            return f"Seat {seat} plays {t.leader(leader)}."
        case e.AgendaChosen(seat, agenda):
            kept = "an agenda card" if agenda is None else f"the agenda {t.agenda(agenda)}"
            return f"{t.who(seat, view)} kept {kept}."
        case e.ColourChosen(seat, colour):
            return f"{t.who(seat, view)} plays {colour}."
        case e.TroopPlaced(seat, region):
            return f"{t.who(seat, view)} placed a troop in {t.region(region)}."
        case e.LeaderPlaced(seat, region):
            return f"{t.who(seat, view)} placed the leader in {t.region(region)}."
        case e.PhaseStarted(round_, phase, first_player):
            return f"Round {round_}, {phase} phase; first player is {t.who(first_player, view)}."
        case e.TurnStarted(seat):
            return f"Turn of {t.who(seat, view)}."
        case e.AdvisorAdded(advisor):
            return f"Everybody received an advisor {advisor}."
        case e.GameEnded(scores, ranks):
            parts = [f"{t.who(s, view)} {score} (rank {ranks[s]})" for s, score in enumerate(scores)]
            return f"The game is over: {', '.join(parts)}."
        case e.AdvisorPlaced(seat, advisor, column, row, coins):
            bribe = f" with {t.count(coins, 'coin')}" if coins else ""
            return f"{t.who(seat, view)} placed advisor {advisor}{bribe} in {column}, space {row}."
        case e.ActionTaken(seat, advisor, column, row, cost):
            paid = f" for {t.count(cost, 'coin')}" if cost else ""
            return f"{t.who(seat, view)} resolved advisor {advisor}: {column}, space {row}{paid}."
        case e.ActionForfeited(seat, advisor, column):
            return f"{t.who(seat, view)} resolved advisor {advisor} and forfeited {column}."
        case e.ClaimAdvanced(seat, track, space):
            return f"{t.who(seat, view)} advanced to space {space} of the {track} track."
        case e.IncomeEarned(seat, markers, columns):
            boat = f", {columns} for full columns of the boat" if columns else ""
            source = "by default" if t.rebels(seat, view) else "for markers not yet placed"
            return f"{t.who(seat, view)} earned {t.count(markers + columns, 'coin')}: {markers} {source}{boat}."
        case e.TokensRefreshed():
            return "Conversion tokens were refreshed."
        case e.GoodsReplenished(regions):
            places = ", ".join(map(t.region, regions)) or "no region"
            return f"Goods were replenished in {places}."
    return ""


def _pieces(event: Any, view: View) -> str:
    match event:
        case e.TroopMustered(seat, region, leader):
            return f"{t.who(seat, view)} mustered {_piece(leader)} in {t.region(region)}."
        case e.TroopMoved(seat, source, target, leader, escorts):
            moved = _piece(leader, escorts)
            return f"{t.who(seat, view)} moved {moved} from {t.region(source)} to {t.region(target)}."
        case e.OpponentMoved(seat, victim, source, target, leader):
            moved = f"{_piece(leader)} of {t.who(victim, view)}"
            return f"{t.who(seat, view)} moved {moved} from {t.region(source)} to {t.region(target)}."
        case e.RebelDefeated(seat, region, good, amount):
            reward = t.count(amount, "coin") if good is None else f"{amount} {good}"
            return f"{t.who(seat, view)} defeated the rebel in {t.region(region)} and gained {reward}."
        case e.PlayerAttacked(seat, victim, region, leader, warfare):
            lost = f"{t.who(victim, view)}, who lost {_piece(leader)}"
            return f"{t.who(seat, view)} attacked in {t.region(region)}: {lost} (warfare {warfare})."
        case e.NeutralRemoved(seat, region):
            return f"{t.who(seat, view)} removed a neutral troop from {t.region(region)}."
        case e.TroopRemoved(seat, region, leader):
            return f"{t.who(seat, view)} lost {_piece(leader)} in {t.region(region)}."
        case e.TroopsRecovered(seat, region):
            return f"{t.who(seat, view)} came back with the leader and a troop in {t.region(region)}."
        case e.CoinStolen(seat, victim):
            return f"{t.who(seat, view)} stole a coin from {t.who(victim, view)}."
        case e.CoinsGained(seat, coins):
            return f"{t.who(seat, view)} gained {t.count(coins, 'coin')}."
        case e.CoinsSpent(seat, coins):
            return f"{t.who(seat, view)} spent {t.count(coins, 'coin')}."
        case e.GoodTaxed(seat, region, good, points, market):
            added = {MarketBonus.NONE: "", MarketBonus.GOOD: f", and another {good}", MarketBonus.COIN: ", and a coin"}
            spent = t.count(points, "point")
            return f"{t.who(seat, view)} taxed {t.region(region)} for {spent}: {good}{added[market]}."
        case e.GoodSpent(seat, good):
            return f"{t.who(seat, view)} spent {good}."
        case e.StructureBuilt(seat, structure, region, points):
            return f"{t.who(seat, view)} built a {structure} in {t.region(region)} for {t.count(points, 'point')}."
        case e.StructureRemoved(seat, structure, region):
            return f"{t.who(seat, view)} removed a {structure} from {t.region(region)}."
        case e.ChurchConverted(seat, region, victim, neutral):
            whom = "a rebel" if victim is None else f"a troop of {t.who(victim, view)}"
            return f"The church in {t.region(region)} converted {'a neutral troop' if neutral else whom}."
        case e.GoodsConverted(seat, _, first, second):
            return f"{t.who(seat, view)} converted {first} and {second}."
    return ""


def _if_seen(card: str | None) -> str:
    return "" if card is None else f": {t.scheme(card)}"


def _cards(event: Any, view: View) -> str:
    match event:
        case e.CasualtyChecked(seat, region, deck, cards, casualty):
            drawn = t.count(len(cards), "card")
            result = "a casualty" if casualty else "no casualty"
            return (
                f"{drawn} of scheme deck {deck + 1} revealed for {t.who(seat, view)} in {t.region(region)}: {result}."
            )
        case e.SchemesDrawn(seat, deck, count, ()):
            return f"{t.who(seat, view)} drew {t.count(count, 'scheme')} from deck {deck + 1}."
        case e.SchemesDrawn(seat, deck, _, cards):
            return f"{t.who(seat, view)} drew from scheme deck {deck + 1}: {'; '.join(map(t.scheme, cards))}."
        case e.SchemeKept(seat, card):
            return f"{t.who(seat, view)} kept a scheme card{_if_seen(card)}."
        case e.SchemePutBack(seat, deck, card):
            return f"{t.who(seat, view)} put a scheme card back on deck {deck + 1}{_if_seen(card)}."
        case e.SchemePlayed(seat, card):
            return f"{t.who(seat, view)} played a scheme: {t.scheme(card)}."
        case e.SchemeDiscarded(seat, card):
            return f"{t.who(seat, view)} discarded a scheme: {t.scheme(card)}."
        case e.SchemesShuffled(first, second):
            return f"The scheme cards were shuffled into decks of {first} and {second}."
        case e.MarkerGiven(seat, to):
            return f"{t.who(seat, view)} gave the first player marker to {t.who(to, view)}."
        case e.DeedTaken(seat, deed):
            return f"{t.who(seat, view)} took the deed {t.deed_name(deed)}."
        case e.DeedRowRefilled(row):
            return f"Deed row: {', '.join(map(t.deed_name, row)) or 'empty'}."
        case e.DeedAccomplished(seat, deed):
            return f"{t.who(seat, view)} accomplished {t.deed(deed)}."
    return ""


def _rebellion(event: Any, view: View) -> str:
    match event:
        case e.PriorityAssigned(seat, priority):
            return f"{t.who(seat, view)} now gives priority to {priority}."
        case e.BonusUnlocked(seat, priority, on_action, bonus, amount):
            gain = f"{t.bonus(bonus, amount)} on {on_action}"
            return f"{t.who(seat, view)} unlocked a bonus of {priority}: {gain}."
        case e.CardTurned(_, card):
            return f"Rebellion card {card} lies on top."
        case e.BonusGained(seat, bonus, amount):
            return f"{t.who(seat, view)} gained a bonus: {t.bonus(bonus, amount)}."
    raise TypeError(f"not an event of Rurik: {type(event).__name__}")
