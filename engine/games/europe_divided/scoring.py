"""Judge headlines, score dominance and kept advantage cards, and find the winner (Headlines, Determining Victory)."""

from engine.core.frames import Ctx
from engine.core.rules import Outcome
from engine.games.europe_divided import events as e
from engine.games.europe_divided.data import REGIONS, SETUP
from engine.games.europe_divided.ids import EUROPE, NONE, RUSSIA, SIDES, Phase
from engine.games.europe_divided.stakes import HEADLINES, Pred
from engine.games.europe_divided.state import (
    FROM_ADVANTAGES,
    FROM_DOMINANCE,
    FROM_HEADLINES,
    State,
    dominated,
)


def meets(state: State, pred: Pred, region: int) -> bool:
    """Return whether a predicate of a headline holds in a region; no die counts as 0, a tie is not more."""
    match pred.kind:
        case "army":
            return state.armies[pred.a][region] >= pred.n
        case "gt":
            return state.dice[pred.a][region] > state.dice[pred.b][region]
        case _:
            return state.dice[pred.a][region] == pred.n


def condition(state: State, headline: int) -> tuple[Pred, ...]:
    """Return a headline's predicates, read by the legend of the icons or as the row is printed."""
    card = HEADLINES[headline]
    return card.literal if state.config.headline_conditions == "literal" else card.condition


def is_met(state: State, headline: int) -> bool:
    """Return whether all conditions of a headline hold in each of its regions (Conditions)."""
    preds = condition(state, headline)
    return all(meets(state, pred, region) for region in HEADLINES[headline].regions for pred in preds)


def score_dominance(ctx: Ctx) -> None:
    """Score a prestige for each contested region with an own 6, once a region (Turn 10, Turn 20)."""
    for seat in (EUROPE, RUSSIA):
        found = dominated(ctx.state, seat)
        prestige = SETUP.dominance.prestige * len(found)
        ctx.state.players[seat].prestige[FROM_DOMINANCE] += prestige
        ctx.emit(e.DominanceScored, seat, tuple(REGIONS[region] for region in found), prestige)


def score_advantages(ctx: Ctx) -> None:
    """Score a prestige for each advantage card kept, and remove it from the game unseen (Turn 10, Turn 20)."""
    for seat in (EUROPE, RUSSIA):
        player = ctx.state.players[seat]
        count = len(player.advantages)
        prestige = SETUP.advantage.prestige * count
        player.prestige[FROM_ADVANTAGES] += prestige
        player.set_aside += player.advantages
        player.advantages = []
        ctx.emit(e.AdvantagesScored, seat, count, prestige)


def open_points(state: State, seat: int) -> dict[str, int]:
    """Return a seat's prestige by source as it stands; before the end kept advantage cards count as they would."""
    prestige = state.players[seat].prestige
    kept = SETUP.advantage.prestige * len(state.players[seat].advantages)
    return {
        "headlines": prestige[FROM_HEADLINES],
        "dominance": prestige[FROM_DOMINANCE],
        "advantages": prestige[FROM_ADVANTAGES] + kept,
    }


def outcome(state: State) -> Outcome | None:
    """Return the result, or None before the end."""
    return final(state) if state.phase == Phase.OVER else None


def final(state: State) -> Outcome:
    """Return ranks and scores; a tie goes to grey cards taken, then armies on the board with money, then Europe."""
    breakdown = tuple(open_points(state, seat) for seat in (EUROPE, RUSSIA))
    scores = [sum(points.values()) for points in breakdown]
    taken = [len(player.taken) for player in state.players]
    wealth = [sum(state.armies[seat]) + state.players[seat].money for seat in (EUROPE, RUSSIA)]
    trail: list[str] = []
    winner = NONE
    for name, numbers in (
        ("prestige", scores),
        ("contested region action cards taken", taken),
        ("armies on the board and money", wealth),
    ):
        if numbers[EUROPE] != numbers[RUSSIA]:
            winner = EUROPE if numbers[EUROPE] > numbers[RUSSIA] else RUSSIA
            if trail:
                trail.append(f"most {name}: {SIDES[winner]}, {max(numbers)} to {min(numbers)}")
            break
        trail.append(f"tied at {scores[0]} prestige" if name == "prestige" else f"{name}: both {numbers[0]}")
    if winner == NONE:
        winner = EUROPE
        trail.append("the Europe player wins a tie that nothing breaks")
    ranks = (1, 2) if winner == EUROPE else (2, 1)
    return Outcome(ranks, tuple(scores), breakdown, tuple(trail), "end of turn 20")
