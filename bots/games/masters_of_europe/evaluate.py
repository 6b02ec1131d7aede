"""Say how good a position of Masters of Europe is for a seat: chips, what control will still bring, and cards."""

from bots.games.masters_of_europe.hands import PATIENCE, hand_value, kept_value, offer_value
from engine.games.masters_of_europe.data import CARDS, COUNTRY_INDEX, POINTS
from engine.games.masters_of_europe.frames.melds import (
    Aftermath,
    MeldCountry,
    MeldNumber,
    country_options,
    pretenders,
)
from engine.games.masters_of_europe.ids import NONE, MeldAction, Phase
from engine.games.masters_of_europe.scoring import final
from engine.games.masters_of_europe.state import State

#: Rounds that a match takes, more or less: control counts for each score phase that is left.
ROUNDS = 5
#: The least that control counts for.
LEAST = 0.7
#: Of what a country gives: the share for controlling it by one token, more for each further one, up to three more; for
#: being tied; for being behind, by how close.
CONTROL, MARGIN, TIED, BEHIND = 0.7, 0.1, 0.3, 0.25
#: The share of rivals' chips and control that is taken off: of all together, and more of the one ahead.
RIVALS, FOREMOST = 0.4, 0.3
#: What a card in a rival's hand costs.
RIVAL_CARD = 0.5
#: What six fresh cards are worth: they do not make the end of a turn look good.
FRESH = 7.0
VICTORY = 40.0


def evaluate(state: State, seat: int) -> float:
    """Return the seat's worth in chips, a share of its rivals' taken off."""
    weights = _weights(state, seat)
    total = 0.0
    for player, weight in zip(state.players, weights, strict=True):
        total += weight * (player.chips + RIVAL_CARD * len(player.hand) * (weight < 0))
    if state.phase is Phase.OVER:
        return total + VICTORY * (final(state).ranks[seat] == 1)
    left = _score_phases_left(state)
    columns = [[player.tokens[c] for player in state.players] for c in range(len(POINTS))]
    total += _after(state, seat, columns)
    total += sum(left * (POINTS[c] + state.cubes[c]) * _control(columns[c], weights) for c in range(len(POINTS)))
    return total + _cards(state, seat) + _meld(state, seat, weights, left)


def _weights(state: State, seat: int) -> list[float]:
    """Return by what each seat's chips count: 1 for the own ones, below 0 for those of rivals."""
    rivals = [other for other in range(len(state.players)) if other != seat]
    first = max(rivals, key=lambda other: state.players[other].chips)
    weights = [-RIVALS / len(rivals)] * len(state.players)
    weights[first] -= FOREMOST
    weights[seat] = 1.0
    return weights


def _score_phases_left(state: State) -> float:
    scored = state.round - 1 + (state.phase in (Phase.SCORE, Phase.END))
    return max(LEAST, ROUNDS - scored)


def _control(tokens: list[int], weights: list[float]) -> float:
    """Return the share of a country that counts for the seat with weight 1, less what counts for the others."""
    best = max(tokens)
    if not best:
        return 0.0
    leading = [seat for seat, count in enumerate(tokens) if count == best]
    if len(leading) == 1:
        second = max((count for seat, count in enumerate(tokens) if seat != leading[0]), default=0)
        total = weights[leading[0]] * (CONTROL + MARGIN * min(best - second, 3))
    else:
        total = sum(weights[seat] for seat in leading) * TIED / len(leading)
    return total + sum(BEHIND * weights[seat] * count / best for seat, count in enumerate(tokens) if 0 < count < best)


def _after(state: State, seat: int, columns: list[list[int]]) -> float:
    """Put what follows a removal of tokens into the columns; return the chips that follow it."""
    below = state.flow.stack[-2] if len(state.flow.stack) > 1 else None
    if not isinstance(below, Aftermath) or below.seat != seat:
        return 0.0
    if below.action is MeldAction.WAR:
        columns[below.country][seat] += below.number
        return 0.0
    return min(below.number, state.players[below.victim].chips)


def _cards(state: State, seat: int) -> float:
    player = state.players[seat]
    if state.phase is not Phase.TRADE:
        return kept_value(player.hand)
    promised = sum(offer_value(player, offer) for offer in state.offers if offer.seat == seat)
    return hand_value(player.hand) - FRESH + promised - PATIENCE * player.offers


def _meld(state: State, seat: int, weights: list[float], left: float) -> float:
    """Return what the meld that the seat is putting together promises."""
    top = state.flow.stack[-1] if state.flow.stack else None
    if not isinstance(top, MeldCountry | MeldNumber) or top.seat != seat:
        return 0.0
    number = max((CARDS[card].value for card in state.players[seat].hand), default=0)
    if isinstance(top, MeldNumber):
        return _promise(state, seat, top.action, top.countries, number, weights, left)
    places = {COUNTRY_INDEX[action.country] for action in country_options(state, seat, top.action, top.countries)}
    return max(
        (_promise(state, seat, top.action, (*top.countries, place), number, weights, left) for place in sorted(places)),
        default=0.0,
    )


def _promise(
    state: State,
    seat: int,
    action: MeldAction,
    countries: tuple[int, ...],
    number: int,
    weights: list[float],
    left: float,
) -> float:
    """Return the gain of a meld with these countries, as far as it can be told before it is resolved."""
    total = 0.0
    for country in countries:
        tokens = [player.tokens[country] for player in state.players]
        before = _control(tokens, weights)
        stake = left * (POINTS[country] + state.cubes[country])
        chips, cubes = _change(state, seat, action, country, number, tokens, weights)
        total += chips + stake * (_control(tokens, weights) - before) + left * cubes * max(0.0, before)
    return total


def _change(
    state: State, seat: int, action: MeldAction, country: int, number: int, tokens: list[int], weights: list[float]
) -> tuple[float, int]:
    """Change a country's tokens as a meld would; return the worth of its chips and cards, and its cubes."""
    match action:
        case MeldAction.WAR:
            _strike(tokens, seat, number)
            tokens[seat] += number
        case MeldAction.MARRIAGE:
            tokens[seat] += number
            return number, 0
        case MeldAction.ROYALTY:
            tokens[seat] += number
            return 0.7, 0
        case MeldAction.INDUSTRY:
            return number, number
        case MeldAction.TREATY:
            return 0.8 * number + 0.7, 0
        case MeldAction.REVOLUTION:
            victim = max(range(len(tokens)), key=tokens.__getitem__)
            tokens[victim] = max(0, tokens[victim] - number)
            return min(number, state.players[victim].chips) * (1.0 - weights[victim]), 0
        case MeldAction.ABSOLUTISM:
            victim = min(
                pretenders(state, seat, country),
                key=lambda other: weights[other] * min(number, state.players[other].chips),
                default=NONE,
            )
            if victim != NONE:
                tokens[victim] = max(0, tokens[victim] - number)
                return -weights[victim] * min(number, state.players[victim].chips), 0
        case MeldAction.ALLIANCE:
            tokens[seat] += number
    return 0.0, 0


def _strike(tokens: list[int], seat: int, number: int) -> None:
    """Take tokens away from whoever else has the most, one at a time."""
    for _ in range(number):
        victim = max((other for other in range(len(tokens)) if other != seat), key=tokens.__getitem__)
        if tokens[victim]:
            tokens[victim] -= 1
