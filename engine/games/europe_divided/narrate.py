"""Tell events in the past tense, one plain line each."""

from typing import Any

from engine.games.europe_divided import events as e
from engine.games.europe_divided import texts as t


def narrate(event: Any) -> str:
    """Return what happened."""
    return _course(event) or _board(event) or _advantages(event) or _headlines(event)


def _listed(names: tuple[str, ...]) -> str:
    return f": {', '.join(names)}" if names else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _course(event: Any) -> str:
    match event:
        case e.TurnStarted(turn, period):
            return f"Turn {turn} of 20, period {period}."
        case e.CardsChosen(seat, cards):
            return f"{t.side(seat)} chose two action cards{_listed(tuple(t.card(seat, c) for c in cards))}."
        case e.InitiativeAnnounced(sums, first):
            return f"Initiative: Europe {sums[0]}, Russia {sums[1]}; {t.side(first)} acts first."
        case e.ActionsStarted(seat):
            return f"Actions of {t.side(seat)}."
        case e.CardPlayed(seat, card, extra):
            return f"{t.side(seat)} played {t.card(seat, card)}{' from its hand' if extra else ''}."
        case e.CardForgone(seat, card):
            return f"{t.side(seat)} could do nothing with {t.card(seat, card)}."
        case e.SpecialTaken(seat, card):
            return f"{t.side(seat)} took the special action of {t.card(seat, card)}."
        case e.CardsDrawn(seat, count, cards):
            return (
                f"{t.side(seat)} drew {_count(count, 'action card')}{_listed(tuple(t.card(seat, c) for c in cards))}."
            )
        case e.DeckShuffled(seat, cards):
            return f"{t.side(seat)} shuffled {_count(cards, 'discarded card')} into a new deck."
        case e.CardTaken(seat, region):
            return f"{t.side(seat)} took its action card of {t.region(region)}."
        case e.CardLost(seat, card):
            return f"{t.side(seat)} lost {t.card(seat, card)} from its hand."
        case e.GameEnded(scores, ranks):
            winner = t.side(ranks.index(1))
            return f"The game is over: Europe {scores[0]}, Russia {scores[1]}; {winner} won."
    return ""


def _board(event: Any) -> str:
    match event:
        case e.InfluencePlaced(faction, region, cost):
            return f"{t.faction(faction)} influence was placed in {t.region(region)} ({t.money(cost)})."
        case e.InfluenceRaised(faction, region, value):
            return f"{t.faction(faction)} influence in {t.region(region)} rose to {value}."
        case e.InfluenceLowered(faction, region, value):
            return f"{t.faction(faction)} influence in {t.region(region)} fell to {value}."
        case e.MoneyGained(seat, amount):
            return f"{t.side(seat)} gained {amount} money."
        case e.SeaIncome(seat, sea, amount):
            return f"{t.side(seat)} gained {amount} money by the {t.sea(sea)} card."
        case e.ArmyBuilt(seat, region, cost):
            return f"{t.side(seat)} built an army in {t.region(region)} ({t.money(cost)})."
        case e.ArmyMoved(seat, source, target, cost):
            places = f"from {t.region(source)} to {t.region(target)}"
            return f"{t.side(seat)} moved an army {places} ({t.money(cost)})."
        case e.ArmiesClashed(region):
            return f"Both sides lost an army in {t.region(region)}."
        case e.ArmyStopped(seat, region):
            return f"{t.side(seat)} lost its army to the opposing 6 in {t.region(region)}."
        case e.SeaCardTaken(sea, faction):
            if faction is None:
                return f"Nobody holds the {t.sea(sea)} card any more."
            return f"{t.faction(faction)} took the {t.sea(sea)} card."
        case e.SeaCardUsed(seat, sea):
            return f"{t.side(seat)} used the {t.sea(sea)} card."
    return ""


def _advantages(event: Any) -> str:
    match event:
        case e.AdvantagesDealt(seat, count, cards):
            return f"{t.side(seat)} drew {_count(count, 'advantage card')}{_listed(tuple(map(t.advantage, cards)))}."
        case e.AdvantageSetAside(seat, card):
            return f"{t.side(seat)} removed {'an advantage card' if card is None else t.advantage(card)}."
        case e.AdvantagePlayed(seat, card):
            return f"{t.side(seat)} used {t.advantage(card)}."
        case e.AdvantageSold(seat, card, amount):
            return f"{t.side(seat)} discarded {t.advantage(card)} for {amount} money."
        case e.SpendingDenied(seat):
            return f"{t.side(seat)} may not spend money for the rest of the turn."
        case e.CountryFractured(region):
            return f"The EU fracture marker lies in {t.region(region)}: its card has no EU actions any more."
        case e.AdvantagesScored(seat, count, prestige):
            return f"{t.side(seat)} scored {prestige} prestige for {_count(count, 'advantage card')} kept."
    return ""


def _headlines(event: Any) -> str:
    match event:
        case e.HeadlinePlaced(seat, headline):
            return f"{t.side(seat)} placed {'a headline face down' if headline is None else t.headline(headline)}."
        case e.HeadlinesRevealed(headlines):
            return f"Forthcoming headlines{_listed(tuple(map(t.headline, headlines)))}."
        case e.HeadlinesShifted(headlines):
            return f"Current headlines{_listed(tuple(map(t.headline, headlines)))}."
        case e.HeadlineAwarded(seat, headline, prestige):
            return f"{t.side(seat)} was awarded {t.headline(headline)} for {prestige} prestige."
        case e.HeadlineMissed(headline):
            return f"The conditions of {t.headline(headline)} were not met."
        case e.TokenPlaced(space, tokens):
            return f"{t.region(space)} got a money token; {_count(tokens, 'token')} there now."
        case e.HeadlinesDiscarded(seat, count, headlines):
            names = _listed(tuple(map(t.headline, headlines)))
            return f"{t.side(seat)} discarded {_count(count, 'headline')} face down{names}."
        case e.HeadlinesDrawn(seat, count, headlines):
            return f"{t.side(seat)} drew {_count(count, 'headline')}{_listed(tuple(map(t.headline, headlines)))}."
        case e.DominanceScored(seat, regions, prestige):
            return f"{t.side(seat)} scored {prestige} prestige for dominance in {t.regions(regions)}."
    raise TypeError(f"not an event of Europe Divided: {type(event).__name__}")
