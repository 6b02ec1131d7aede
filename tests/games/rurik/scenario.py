"""Set a position up in words, so that a ruling is tested on the board that it speaks of.

The board of a scenario is empty but for what the keywords place; cards are taken from the decks, so that the invariants
of the game hold and `act` can check them after every action.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik.data import (
    AGENDA_INDEX,
    AGENDAS,
    DEED_INDEX,
    LEADERS,
    REBELLION_TROOPS,
    REGION_INDEX,
    REWARDS,
    SCHEME_INDEX,
    TROOPS,
)
from engine.games.rurik.flow import ActionPhase, Game
from engine.games.rurik.frames.advisors import EMPTY
from engine.games.rurik.frames.turn import Turn
from engine.games.rurik.ids import COLUMNS, GOODS, HIDDEN, NONE, STRUCTURES, TRACKS, Phase
from engine.games.rurik.state import State, audit, is_on_board, is_rebellion, troops_in
from tests.games.referee import Referee

#: Leaders by seat unless a scenario names others: none of their abilities shows without a situation made for it.
PLAIN_LEADERS = ("agatha", "boris", "mstislav", "sudislav")
#: A reward by its name in a scenario, as the sticker's index.
COIN = next(i for i, r in enumerate(REWARDS) if r.good is None and r.amount == 1)

Troops = Mapping[int, Mapping[str, int]]

_referee = Referee(RULES, audit, Game)
ready = _referee.ready
act = _referee.act
play = _referee.play
legal = _referee.legal
offered = _referee.offered
asked = _referee.asked
told = _referee.told


def scenario(
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    *,
    leaders: Sequence[str] = PLAIN_LEADERS,
    troops: Troops | None = None,
    leader_at: Mapping[int, str] | None = None,
    supply: Mapping[int, int] | None = None,
    coins: Mapping[int, int] | None = None,
    goods: Mapping[int, Mapping[str, int]] | None = None,
    built: Mapping[tuple[str, str], int] | None = None,
    rebels: Iterable[str] | Mapping[str, int] = (),
    neutrals: Mapping[str, int] | None = None,
    taxed: Iterable[str] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
    deeds: Mapping[int, Sequence[str]] | None = None,
    agendas: Mapping[int, str] | None = None,
    defeated: Mapping[int, int] | None = None,
    warfare: Mapping[int, int] | None = None,
    claims: Mapping[int, Mapping[str, int]] | None = None,
    round_: int = 1,
    phase: Phase = Phase.ACTION,
    first_player: int = 0,
    marker: int | None = None,
) -> State:
    """Return a position past set-up: an empty board and what the keywords place, by seat, with names of the data files.

    `troops` counts non-leader troops by seat and region; `built` maps (structure, region) to its owner; `rebels` names
    regions, or maps them to the sticker's index; `taxed` lists regions without a good; `supply` limits troops in supply
    by sending the others to the last region in play. The automa's seat has its own leader, whatever `leaders` says.
    """
    options = dict(options or {})
    state = RULES.initial_state(RULES.config(seats, {"first_player": first_player, **options}), seed)
    state.first_player = first_player
    state.marker = first_player if marker is None else marker
    state.round, state.phase = round_, phase
    size = len(state.icons)
    state.rebels = [NONE] * size
    for region in rebels:
        state.rebels[at(region)] = rebels[region] if isinstance(rebels, Mapping) else COIN
    state.neutrals = [0] * size
    for region, count in (neutrals or {}).items():
        state.neutrals[at(region)] = count
    for region in taxed:
        state.goods[at(region)] = False
    state.leaders = [NONE] * len(LEADERS)
    for seat, player in enumerate(state.players):
        player.colour = seat
        if not is_rebellion(state, seat):
            player.leader = LEADERS.index(leaders[seat])
            state.leaders[player.leader] = seat
        player.leader_at = NONE
        if phase is not Phase.STRATEGY:
            player.advisors = []
        _place_troops(state, seat, (troops or {}).get(seat, {}), (supply or {}).get(seat))
        player.coins = (coins or {}).get(seat, player.coins)
        for good, count in (goods or {}).get(seat, {}).items():
            player.goods[GOODS.index(good)] = count
        player.rebels = [COIN] * (defeated or {}).get(seat, 0)
        player.warfare = (warfare or {}).get(seat, 0)
        for track, space in (claims or {}).get(seat, {}).items():
            player.claims[TRACKS.index(track)] = space
    for seat, region in (leader_at or {}).items():
        state.players[seat].leader_at = at(region)
    for (structure, region), seat in (built or {}).items():
        state.built[STRUCTURES.index(structure)][at(region)] = seat
        state.players[seat].structures[STRUCTURES.index(structure)] -= 1
    _deal(state, hands or {}, deeds or {}, agendas or {})
    state.flow.stack = [Game()]
    return state


def _place_troops(state: State, seat: int, troops: Mapping[str, int], supply: int | None) -> None:
    player = state.players[seat]
    total = REBELLION_TROOPS if is_rebellion(state, seat) else TROOPS
    player.troops = [0] * len(state.icons)
    for region, count in troops.items():
        player.troops[at(region)] = count
    player.supply = total - sum(player.troops)
    if supply is not None:
        player.troops[-1] += player.supply - supply
        player.supply = supply


def _deal(
    state: State, hands: Mapping[int, Sequence[str]], deeds: Mapping[int, Sequence[str]], agendas: Mapping[int, str]
) -> None:
    for seat, cards in hands.items():
        for card in cards:
            _take_scheme(state, SCHEME_INDEX[card])
            state.players[seat].hand.append(SCHEME_INDEX[card])
        state.players[seat].hand.sort()
    _forget(state)
    for seat, names in deeds.items():
        for name in names:
            card = DEED_INDEX[name]
            if card in state.deed_row:
                state.deed_row[state.deed_row.index(card)] = state.deed_deck.pop(0)
            else:
                state.deed_deck.remove(card)
            state.players[seat].deeds.append(card)
    _deal_agendas(state, agendas)


def _deal_agendas(state: State, agendas: Mapping[int, str]) -> None:
    kept = {seat: AGENDA_INDEX[name] for seat, name in agendas.items()}
    solo = state.rebellion is not None
    pool = [i for i, card in enumerate(AGENDAS) if i not in kept.values() and (card.solo or not solo)]
    for seat, player in enumerate(state.players):
        if not is_rebellion(state, seat):
            player.agenda = kept[seat] if seat in kept else pool.pop()
            player.agendas = tuple(sorted((player.agenda, pool.pop())))


def _take_scheme(state: State, card: int) -> None:
    pile = next(pile for pile in (*state.decks, state.discard) if card in pile)
    pile.remove(card)


def _forget(state: State) -> None:
    for known in state.known:
        known.decks = [[HIDDEN] * len(deck) for deck in state.decks]


def on_top(state: State, deck: int, *cards: str) -> State:
    """Put known scheme cards on top of a deck, the first named one topmost; nobody knows them."""
    for card in cards:
        _take_scheme(state, SCHEME_INDEX[card])
    state.decks[deck] += [SCHEME_INDEX[card] for card in reversed(cards)]
    _forget(state)
    return state


def leave(state: State, deck: int, count: int) -> State:
    """Leave `count` cards in a deck, its top ones, and discard the others."""
    gone = len(state.decks[deck]) - count
    state.discard += state.decks[deck][:gone]
    state.decks[deck] = state.decks[deck][gone:]
    _forget(state)
    return state


def row_of(state: State, *deeds: str) -> State:
    """Make these deed cards the face-up row."""
    for name in deeds:
        card = DEED_INDEX[name]
        if card not in state.deed_row:
            state.deed_deck.remove(card)
            state.deed_deck.insert(0, state.deed_row.pop(0))
            state.deed_row.append(card)
    state.deed_row.sort(key=lambda card: deeds.index(_deed_name(card)) if _deed_name(card) in deeds else len(deeds))
    return state


def _deed_name(card: int) -> str:
    return next(name for name, index in DEED_INDEX.items() if index == card)


def place(state: State, column: str, row: int, seat: int, advisor: int, coins: int = 0) -> State:
    """Put an advisor on a space of the strategy board, free spaces above it."""
    index = COLUMNS.index(column)
    spaces = list(state.columns[index])
    spaces += [EMPTY] * (row - len(spaces))
    spaces[row - 1] = (seat, advisor, coins)
    state.columns[index] = tuple(spaces)
    if advisor in state.players[seat].advisors:
        state.players[seat].advisors.remove(advisor)
    return state


def turn(state: State, seat: int = 0, column: str = "scheme", row: int = 2, advisor: int = 1, **done: Any) -> State:
    """Begin a seat's turn, its advisor on a space; the next seat's turn is still to come.

    `done` sets fields of the turn: resolved, tax, build, ...; with resolved=True no advisor of the seat stands.
    """
    after = (seat + 1) % len(state.players)
    if not done.get("resolved"):
        place(state, column, row, seat, advisor)
    place(state, "muster" if column == "scheme" else "scheme", 3, after, 5)
    return ready(state, ActionPhase(after), Turn(seat, **{"may_return": not is_on_board(state.players[seat]), **done}))


def main(state: State, column: str, row: int = 1, seat: int = 0, advisor: int = 1) -> State:
    """Return the position after a seat has resolved its advisor on a space by taking its action."""
    turn(state, seat, column, row, advisor)
    return act(state, seat, a.TakeAction(COLUMNS[COLUMNS.index(column)], row)).state


def at(region: str) -> int:
    """Return a region's index."""
    return REGION_INDEX[region]


def troops(state: State, seat: int, region: str) -> int:
    """Return how many troops a seat has in a region, the leader counted."""
    return troops_in(state.players[seat], at(region))


def good(state: State, seat: int, name: str) -> int:
    """Return how many of a good a seat has."""
    return state.players[seat].goods[GOODS.index(name)]


def hand(state: State, seat: int) -> list[str]:
    """Return a seat's scheme cards."""
    names = {index: name for name, index in SCHEME_INDEX.items()}
    return [names[card] for card in state.players[seat].hand]
