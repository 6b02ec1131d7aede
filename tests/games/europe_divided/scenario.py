"""Set a position up in words, so that a ruling is tested on the board that it speaks of.

The board of a scenario is empty but for what the keywords place; cards are moved, never made, so that the invariants of
the game hold and `act` can check them after every action.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES_OF, CARD_INDEX, CARDS, GREY_CARDS, START_CARDS
from engine.games.europe_divided.data import CONTESTED, REGION_INDEX, REGIONS, SPACE_INDEX
from engine.games.europe_divided.flow import Game, HeadlinesSegment
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.turn import Turn
from engine.games.europe_divided.ids import FACTIONS, NONE, Faction, Phase
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES, SEA_INDEX
from engine.games.europe_divided.state import State, audit, sea_power
from tests.games.referee import Referee

EUROPE, RUSSIA = 0, 1
EU, NATO, RUS = Faction.EU, Faction.NATO, Faction.RUSSIA

_referee = Referee(RULES, audit, Game)
ready = _referee.ready
act = _referee.act
play = _referee.play
legal = _referee.legal
offered = _referee.offered
asked = _referee.asked
told = _referee.told


def scenario(
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    *,
    dice: Mapping[Faction, Mapping[str, int]] | None = None,
    armies: Mapping[int, Mapping[str, int]] | None = None,
    money: Mapping[int, int] | None = None,
    tokens: Mapping[str, int] | None = None,
    advantages: Mapping[int, Sequence[str]] | None = None,
    taken: Mapping[int, Iterable[str]] | None = None,
    seas: Mapping[str, Faction] | None = None,
    turn: int = 1,
) -> State:
    """Return a position between two turns: an empty board and what the keywords place, by seat or faction.

    Both sides have 20 money unless `money` says otherwise, no advantage card in hand, no grey card but those of
    `taken`, which lie in their discard piles; sea cards are with the powers that their influence gives them to.
    """
    state = RULES.initial_state(RULES.config(2, dict(options or {})), seed)
    state.dice = [[0] * CONTESTED for _ in FACTIONS]
    for faction, values in (dice or {}).items():
        for region, value in values.items():
            state.dice[FACTIONS.index(faction)][at(region)] = value
    state.armies = [[0] * len(REGIONS) for _ in (EUROPE, RUSSIA)]
    for seat, counts in (armies or {}).items():
        for region, count in counts.items():
            state.armies[seat][at(region)] = count
    for space, count in (tokens or {}).items():
        state.tokens[SPACE_INDEX[space]] = count
    for seat, player in enumerate(state.players):
        player.money = (money or {}).get(seat, 20)
        held = [ADVANTAGE_INDEX[name] for name in (advantages or {}).get(seat, ())]
        player.advantages = held
        player.advantage_deck = []
        player.set_aside = [card for card in ADVANTAGES_OF[seat] if card not in held]
        for region in (taken or {}).get(seat, ()):
            player.taken.append(at(region))
            player.discard.append(GREY_CARDS[seat][at(region)])
    for sea in range(len(state.seas)):
        state.seas[sea] = sea_power(state, sea)
    for sea, holder in (seas or {}).items():
        state.seas[SEA_INDEX[sea]] = FACTIONS.index(holder)
    state.turn, state.phase = turn, Phase.ACTIONS
    state.flow.stack = [Game()]
    return state


def choose(state: State, seat: int, *names: str) -> State:
    """Make these the cards that a seat has chosen; a grey one is taken if it is not yet."""
    player = state.players[seat]
    for name in names:
        card = CARD_INDEX[seat][name]
        if CARDS[card].grey and CARDS[card].region not in player.taken:
            player.taken.append(CARDS[card].region)
            player.discard.append(card)
        for pile in (player.hand, player.deck, player.discard):
            if card in pile:
                pile.remove(card)
        player.chosen.append(card)
    return state


def hand(state: State, seat: int, *names: str) -> State:
    """Make these the hand of a seat, the rest of its cards its deck."""
    player = state.players[seat]
    wanted = [CARD_INDEX[seat][name] for name in names]
    for card in wanted:
        if CARDS[card].grey and CARDS[card].region not in player.taken:
            player.taken.append(CARDS[card].region)
    rest = [card for card in (*player.hand, *player.deck) if card not in wanted]
    player.discard = [card for card in player.discard if card not in wanted]
    player.hand, player.deck = sorted(wanted), rest
    return state


def discarded(state: State, seat: int, *names: str) -> State:
    """Move these cards of a seat's hand or deck to its discard pile."""
    player = state.players[seat]
    for name in names:
        card = CARD_INDEX[seat][name]
        (player.hand if card in player.hand else player.deck).remove(card)
        player.discard.append(card)
    return state


def turn(state: State, seat: int, *cards: str) -> State:
    """Begin the actions of a seat with cards it has chosen; the other side acts no more in this turn."""
    return ready(choose(state, seat, *cards), HeadlinesSegment(), DrawCards(), Turn(seat))


def using(state: State, seat: int, card: str) -> State:
    """Return the position in which a seat is asked for the action of a card, its only one in this turn."""
    state = turn(state, seat, card)
    return play(state, seat, a.PlayCard(card)) if asked(state) == ((seat, "turn"),) else state


def advantage(state: State, card: str) -> State:
    """Return the position after an advantage card was used in its owner's turn; `advantages` must give it."""
    seat = EUROPE if ADVANTAGE_INDEX[card] in ADVANTAGES_OF[EUROPE] else RUSSIA
    fill = "sweden" if seat == EUROPE else "news_media"
    return act(turn(state, seat, fill), seat, a.PlayAdvantage(card)).state


def headlines(state: State, *current: str, forthcoming: Sequence[str] = ()) -> State:
    """Lay headlines on the board, in place of those that lie there; each is exchanged with one of its kind."""
    # What lay there counts as missed.
    state.missed += [*state.current, *state.forthcoming]
    state.current, state.forthcoming = [], []
    _lay(state, state.current, current)
    _lay(state, state.forthcoming, forthcoming)
    return state


def _lay(state: State, spaces: list[int], names: Sequence[str]) -> None:
    # A card that is out of the game changes places with one of its kind, so that the counts of the set-up hold.
    for name in names:
        card = HEADLINE_INDEX[name]
        for pile in (state.headline_deck, state.missed, *(player.headlines for player in state.players)):
            if card in pile:
                pile.remove(card)
                break
        else:
            kin = [c for c in state.headline_deck if _kind(c) == _kind(card)]
            kin += [c for player in state.players for c in player.headlines if _kind(c) == _kind(card)]
            kin += [c for c in state.missed if _kind(c) == _kind(card)]
            for pile in (state.headline_deck, *(player.headlines for player in state.players), state.missed):
                if kin and kin[0] in pile:
                    pile.remove(kin[0])
                    break
        spaces.append(card)


def _kind(card: int) -> tuple[int, int]:
    return HEADLINES[card].period, HEADLINES[card].banner


def at(region: str) -> int:
    """Return a region's index."""
    return REGION_INDEX[region]


def die(state: State, faction: Faction, region: str) -> int:
    """Return what a die shows."""
    return state.dice[FACTIONS.index(faction)][at(region)]


def armies(state: State, seat: int, region: str) -> int:
    """Return how many armies a seat has in a region."""
    return state.armies[seat][at(region)]


def money(state: State, seat: int) -> int:
    """Return a seat's money."""
    return state.players[seat].money


def names(cards: Iterable[int]) -> list[str]:
    """Return the ids of action cards."""
    return [CARDS[card].id for card in cards]


def holder(state: State, sea: str) -> Faction | None:
    """Return who holds a sea card."""
    found = state.seas[SEA_INDEX[sea]]
    return None if found == NONE else FACTIONS[found]


def targets(state: State, seat: int) -> dict[str, int]:
    """Return where the army being moved may go, and what that costs."""
    return {action.target: action.cost for action in offered(state, seat, a.MoveTo)}


def start_cards(seat: int) -> list[str]:
    """Return the ids of the cards that a seat starts with."""
    return names(START_CARDS[seat])
