"""Say how good a position of Europe Divided is for a seat: prestige now and likely, and means to gain more."""

from engine.games.europe_divided import RULES
from engine.games.europe_divided.cards import CARDS, Card
from engine.games.europe_divided.data import CONTESTED, LAST_TURN, REGION_INDEX
from engine.games.europe_divided.ids import EU, EUROPE, FACTIONS_OF, NONE, SEAT_OF
from engine.games.europe_divided.scoring import condition, meets
from engine.games.europe_divided.stakes import HEADLINES
from engine.games.europe_divided.state import State, can_raise, purse, unlocked

#: What a die promises by the value it shows, short of the dominance that it may come to.
DIE = (0.0, 0.12, 0.22, 0.34, 0.5, 0.72, 0.8)
#: A 6 scores at the end of each period: what one promises while so many of these are to come.
DOMINANCE = (0.0, 0.75, 1.2)
#: A grey card taken: it breaks ties, and widens the deck.
GREY = 0.2
MONEY, MONEY_LATE, ENOUGH = 0.13, 0.04, 8
#: An army on the board, one in a contested region, and one that keeps the opponent from a 6 there, by its die's value.
ARMY, PRESENT, WATCH = 0.05, 0.1, 0.03
SEA = 0.25
#: Likelihood that a headline whose conditions hold now still holds when it is resolved; that one which misses them
#: comes to hold, where it lies; and the share of it that partly fulfilled conditions earn.
HOLDS_CURRENT, HOLDS_FORTHCOMING, HOLDS_IN_HAND = 0.85, 0.6, 0.2
PARTLY = 0.3
DENIED, FRACTURED = 0.05, 0.3


def evaluate(state: State, seat: int) -> float:
    """Return the seat's worth in prestige, the opponent's taken off."""
    worth = _side(state, seat) - _side(state, 1 - seat)
    worth += _headlines(state, seat)
    worth += sum(_card(state, seat, CARDS[card], card) for card in state.players[seat].chosen)
    top = state.flow.stack[-1] if state.flow.stack else None
    if top is not None and top.__struct_config__.tag == "move_to" and top.seat == seat:
        moves = RULES.legal_actions(state, seat)
        worth += max(_arrival(state, seat, REGION_INDEX[m.target]) - MONEY * m.cost for m in moves)
        worth -= _arrival(state, seat, top.source) if state.armies[seat][top.source] == 1 else 0.0
    return worth


def _arrival(state: State, seat: int, region: int) -> float:
    """Return roughly what an own army in a region is worth beyond being on the board, if it were the only one there."""
    rival = 1 - seat
    if state.armies[rival][region]:
        return PRESENT if region < CONTESTED else 0.0
    if region >= CONTESTED or state.armies[seat][region] > 1:
        return 0.0
    value = max(state.dice[faction][region] for faction in FACTIONS_OF[rival])
    if value == len(DIE) - 1:
        return DIE[-1] - DIE[-2] + DOMINANCE[1] - ARMY
    asked = sum(
        HEADLINES[card].prestige
        for card in (*state.current, *state.forthcoming)
        if HEADLINES[card].banner == seat and region in HEADLINES[card].regions
        if any(pred.kind == "army" for pred in condition(state, card))
    )
    return PRESENT + WATCH * value + PARTLY * asked


def _side(state: State, seat: int) -> float:
    """Return what lies open of a side: prestige scored, dice, armies, money, cards."""
    player = state.players[seat]
    scorings = 0 if not state.flow.stack else 2 if state.turn <= LAST_TURN // 2 else 1
    total = float(sum(player.prestige)) + len(player.advantages) + GREY * len(player.taken)
    for region in range(CONTESTED):
        best = 0
        for faction in FACTIONS_OF[seat]:
            value = state.dice[faction][region]
            total += DIE[value] if scorings else 0.0
            best = max(best, value)
        if best == len(DIE) - 1:
            total += DOMINANCE[scorings]
        armies = state.armies[seat][region]
        if armies:
            rival = max(state.dice[faction][region] for faction in FACTIONS_OF[1 - seat])
            total += PRESENT + WATCH * rival
    total += ARMY * sum(state.armies[seat])
    total += MONEY * min(player.money, ENOUGH) + MONEY_LATE * max(player.money - ENOUGH, 0)
    total += SEA * sum(holder != NONE and SEAT_OF[holder] == seat for holder in state.seas)
    total -= DENIED * player.money * player.denied
    if seat == EUROPE and state.fracture != NONE:
        total -= FRACTURED
    return total


def _headlines(state: State, seat: int) -> float:
    """Return what headlines on the board and in the own hand promise the seat, less what they promise the opponent."""
    player = state.players[seat]
    total = 0.0
    for cards, holds in (
        (state.current, HOLDS_CURRENT),
        (state.forthcoming, HOLDS_FORTHCOMING),
        ([player.placing] if player.placing != NONE else [], HOLDS_FORTHCOMING),
        (player.headlines, HOLDS_IN_HAND),
    ):
        for card in cards:
            headline = HEADLINES[card]
            if cards is player.headlines and headline.banner != seat:
                continue
            worth = _likelihood(state, card, holds) * headline.prestige
            total += worth if headline.banner == seat else -worth
    return total


def _likelihood(state: State, card: int, holds: float) -> float:
    tests = [meets(state, pred, r) for r in HEADLINES[card].regions for pred in condition(state, card)]
    met = sum(tests)
    return holds if met == len(tests) else PARTLY * holds * met / len(tests)


def _card(state: State, seat: int, card: Card, index: int) -> float:
    """Return what a card chosen and not yet played promises: its best action as things stand."""
    money = purse(state, seat)
    best = 0.0
    for action in card.actions:
        if not unlocked(state, index, action.faction):
            continue
        match action.op:
            case "increase_influence":
                if any(can_raise(state, action.faction, region) for region in range(CONTESTED)):
                    best = max(best, 0.14 * action.amount + 0.02 * (action.faction == EU))
            case "gain_money":
                tokens = 0 if card.space == NONE else state.tokens[card.space]
                best = max(best, MONEY * (action.amount + tokens))
            case "place_influence":
                best = max(best, 0.2 if action.cost <= money else 0.0)
            case "build_army":
                best = max(best, 0.1 if action.cost <= money else 0.0)
            case _:
                best = max(best, 0.1)
    if card.action is not None:
        best = max(best, 0.3)
    return best
