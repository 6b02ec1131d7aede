"""Hold the whole state of a game as plain data, copy it, and ask it what the rulebook asks.

Regions, goods, structures, leaders and cards are small integers here: indices into the tuples of `ids` and `data`.
"""

from collections import Counter
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.frames import Flow
from engine.core.rng import Rng
from engine.games.rurik.config import Config
from engine.games.rurik.data import (
    BOARDS,
    BOAT,
    DEEDS,
    REBELLION_CARDS,
    REBELLION_TROOPS,
    SCHEME_CARDS,
    STICKERS,
    TROOPS,
    Board,
)
from engine.games.rurik.ids import HIDDEN, NONE, STRONGHOLD, SVIATOPOLK, YAROSLAV, Phase

F = TypeVar("F")


class Known(msgspec.Struct, array_like=True):
    """Hold what a seat has learned of hidden cards.

    `decks` runs parallel to the two scheme decks, HIDDEN where the seat does not know the card; `hands` lists, by
    seat, the scheme cards it knows that seat to hold.
    """

    decks: list[list[int]]
    hands: list[list[int]]

    def clone(self) -> "Known":
        """Return an independent copy."""
        return Known([deck.copy() for deck in self.decks], [hand.copy() for hand in self.hands])


class Player(msgspec.Struct, array_like=True):
    """Hold a seat's pieces and player area.

    `troops` counts non-leader troops by region; `leader_at` is a region or NONE; `claims` are spaces reached on the
    three tracks; `tokens` is a bit mask of face-down conversion tokens; `rebels` lists rewards of defeated rebels.
    """

    troops: list[int]
    supply: int
    coins: int
    goods: list[int]
    structures: list[int]
    advisors: list[int]
    claims: list[int]
    hand: list[int]
    deeds: list[int]
    accomplished: list[int]
    rebels: list[int]
    leader: int = NONE
    leader_at: int = NONE
    colour: int = NONE
    warfare: int = 0
    agendas: tuple[int, ...] = ()
    agenda: int = NONE
    tokens: int = 0
    ability_used: bool = False

    def clone(self) -> "Player":
        """Return an independent copy."""
        return Player(
            self.troops.copy(),
            self.supply,
            self.coins,
            self.goods.copy(),
            self.structures.copy(),
            self.advisors.copy(),
            self.claims.copy(),
            self.hand.copy(),
            self.deeds.copy(),
            self.accomplished.copy(),
            self.rebels.copy(),
            self.leader,
            self.leader_at,
            self.colour,
            self.warfare,
            self.agendas,
            self.agenda,
            self.tokens,
            self.ability_used,
        )


class Rebellion(msgspec.Struct, array_like=True):
    """Hold the solo opponent beside its player area.

    `deck` lists rebellion cards, the bottom one first and the top one last; `turned` counts how many have come from
    the bottom to the top; `rows` how many rows of the bottom card have been read; `coins` are the coins still
    covering bonus spaces, by priority column, top first. In a view `bottom` lists the cards that the bottom one may
    be, by its rows read.
    """

    seat: int
    deck: list[int]
    coins: list[list[bool]]
    priority: int
    turned: int = 0
    rows: int = 0
    bottom: tuple[int, ...] = ()

    def clone(self) -> "Rebellion":
        """Return an independent copy."""
        return Rebellion(
            self.seat,
            self.deck.copy(),
            [c.copy() for c in self.coins],
            self.priority,
            self.turned,
            self.rows,
            self.bottom,
        )


#: An advisor on the strategy board: seat, number, coins of bribe.
Placed = tuple[int, int, int]


class StateOf(msgspec.Struct, Generic[F], array_like=True):
    """Hold a game.

    `columns` are the six action columns, top advisor first; `rebels` the sticker of the rebel in each region or
    NONE; `icons` the good each region produces, `goods` whether it lies there; `built` owners of structures by
    structure and region; `decks` and `deed_deck` end with their top card; `leaders` the seat of each leader or
    NONE; `marker` who holds the first player marker, `first_player` who is first player of this round.
    """

    config: Config
    rng: Rng
    flow: Flow[F]
    players: list[Player]
    columns: list[tuple[Placed, ...]]
    rebels: list[int]
    neutrals: list[int]
    icons: tuple[int, ...]
    goods: list[bool]
    built: list[list[int]]
    decks: list[list[int]]
    discard: list[int]
    deed_deck: list[int]
    deed_row: list[int]
    deed_discard: list[int]
    reward_tokens: list[int]
    leaders: list[int]
    known: list[Known]
    rebellion: Rebellion | None = None
    round: int = 1
    phase: Phase = Phase.SETUP
    first_player: int = 0
    marker: int = 0

    def clone(self) -> "StateOf[F]":
        """Return an independent copy."""
        return StateOf(
            self.config,
            self.rng.clone(),
            self.flow.clone(),
            [player.clone() for player in self.players],
            self.columns.copy(),
            self.rebels.copy(),
            self.neutrals.copy(),
            self.icons,
            self.goods.copy(),
            [owners.copy() for owners in self.built],
            [deck.copy() for deck in self.decks],
            self.discard.copy(),
            self.deed_deck.copy(),
            self.deed_row.copy(),
            self.deed_discard.copy(),
            self.reward_tokens.copy(),
            self.leaders.copy(),
            [known.clone() for known in self.known],
            None if self.rebellion is None else self.rebellion.clone(),
            self.round,
            self.phase,
            self.first_player,
            self.marker,
        )


#: Frames act on the state and the state holds frames: rules write State, the codec names the union of frames.
State = StateOf[Any]


def board(state: State) -> Board:
    """Return the regions in play."""
    return BOARDS[state.config.seats]


def is_rebellion(state: State, seat: int) -> bool:
    """Return whether a seat is the Rebellion's."""
    return state.rebellion is not None and state.rebellion.seat == seat


def clockwise(state: State, first: int) -> tuple[int, ...]:
    """Return all seats in clockwise order from `first`."""
    return _CLOCKWISE[len(state.players)][first]


#: By number of seats and first seat.
_CLOCKWISE = {n: tuple(tuple((first + i) % n for i in range(n)) for first in range(n)) for n in BOARDS}


def troops_in(player: Player, region: int) -> int:
    """Return how many troops a player has in a region, the leader counted."""
    return player.troops[region] + (player.leader_at == region)


def occupied(player: Player) -> list[int]:
    """Return the regions where a player has troops, in order of the map."""
    leader_at = player.leader_at
    return [r for r, count in enumerate(player.troops) if count or r == leader_at]


def is_on_board(player: Player) -> bool:
    """Return whether a player has any troop on the board."""
    return player.leader_at != NONE or any(player.troops)


def is_silenced(state: State, seat: int, region: int) -> bool:
    """Return whether Yaroslav takes the abilities of a seat's structures in a region (Leaders: Yaroslav)."""
    yaroslav = state.leaders[YAROSLAV]
    return yaroslav not in (NONE, seat) and state.players[yaroslav].leader_at == region


def has_structure(state: State, seat: int, structure: int, region: int) -> bool:
    """Return whether a seat owns a structure in a region and its ability works there."""
    return state.built[structure][region] == seat and not is_silenced(state, seat, region)


def ruler(state: State, region: int) -> int:
    """Return the seat that rules a region, or NONE.

    Strictly more troops than each other player, the rebels and the neutral troops; a stronghold counts as one (Ruling
    Regions, Build: Stronghold). Sviatopolk's rebels count for him; Yaroslav wins ties in his region (Leaders).
    """
    players, leaders = state.players, state.leaders
    best, who, of_yaroslav = state.neutrals[region], NONE, NONE
    sviatopolk = NONE
    # A rebel stands with Sviatopolk where he is, and else against everybody.
    if state.rebels[region] != NONE:
        sviatopolk = leaders[SVIATOPOLK]
        if sviatopolk == NONE or players[sviatopolk].leader_at != region:
            sviatopolk = NONE
            best += 1
    # Yaroslav takes the strength of other seats' strongholds where he is.
    stronghold, yaroslav = state.built[STRONGHOLD][region], leaders[YAROSLAV]
    if yaroslav != NONE:
        if players[yaroslav].leader_at != region:
            yaroslav = NONE
        elif stronghold != yaroslav:
            stronghold = NONE
    for seat, player in enumerate(players):
        strength = player.troops[region]
        if player.leader_at == region:
            strength += 1
        if seat == stronghold:
            strength += 1
        if seat == sviatopolk:
            strength += 1
        if seat == yaroslav:
            of_yaroslav = strength
        if strength > best:
            best, who = strength, seat
        elif strength == best:
            who = NONE
    return yaroslav if of_yaroslav == best else who


def rules(state: State, seat: int) -> list[int]:
    """Return the regions that a seat rules: none where it has neither a troop nor a stronghold."""
    player, strongholds = state.players[seat], state.built[STRONGHOLD]
    leader_at = player.leader_at
    return [
        region
        for region, count in enumerate(player.troops)
        if (count or region == leader_at or strongholds[region] == seat) and ruler(state, region) == seat
    ]


def boat(player: Player) -> list[int]:
    """Return how many of each good lie on the boat: goods move freely, so it is always as full as can be."""
    return list(map(min, player.goods, BOAT))


def full_columns(player: Player) -> int:
    """Return how many columns of the boat are filled."""
    return sum(count >= slots for count, slots in zip(player.goods, BOAT, strict=True))


def largest_group(state: State, seat: int) -> int:
    """Return the size of the largest connected set of regions that each hold a structure of the seat."""
    adjacent = board(state).adjacent
    left: set[int] = set()
    for owners in state.built:
        if seat in owners:
            left.update([region for region, owner in enumerate(owners) if owner == seat])
    best = 0
    while left:
        group = [left.pop()]
        for region in group:
            for near in adjacent[region]:
                if near in left:
                    left.discard(near)
                    group.append(near)
        best = max(best, len(group))
    return best


def audit(state: State) -> list[str]:
    """Return the invariants that a state breaks; empty when it is sane. For tests: hidden cards must be in it."""
    return [*_lost_pieces(state), *_lost_cards(state), *_false_memories(state)]


def _lost_pieces(state: State) -> list[str]:
    broken = []
    for seat, player in enumerate(state.players):
        total = REBELLION_TROOPS if is_rebellion(state, seat) else TROOPS
        if sum(player.troops) + player.supply != total:
            broken.append(f"seat {seat} has {sum(player.troops)} troops on the board and {player.supply} off it")
        for structure, owners in enumerate(state.built):
            if owners.count(seat) + player.structures[structure] != 3:
                broken.append(f"seat {seat} has lost count of structure {structure}")
        numbers = [player.coins, player.supply, *player.troops, *player.goods, *player.structures]
        if min(numbers) < 0:
            broken.append(f"seat {seat} has a negative count")
        placed = [number for column in state.columns for owner, number, _ in column if owner == seat]
        if Counter([*placed, *player.advisors]) - Counter((1, 2, 2, 3, 4, 5)):
            broken.append(f"seat {seat} has an advisor too many")
    return broken


def _lost_cards(state: State) -> list[str]:
    broken = []
    in_hands = [card for player in state.players for card in player.hand]
    in_frames = [card for frame in state.flow.stack for card in getattr(frame, "cards", ())]
    in_play = [frame.played for frame in state.flow.stack if hasattr(frame, "played")]
    schemes = [*state.decks[0], *state.decks[1], *state.discard, *in_hands, *in_frames, *in_play]
    if Counter(schemes) != Counter(SCHEME_CARDS):
        broken.append(f"{len(schemes)} scheme cards are not the {len(SCHEME_CARDS)} of the game")
    taken = [card for player in state.players for card in (*player.deeds, *player.accomplished)]
    deeds = [*state.deed_deck, *state.deed_row, *state.deed_discard, *taken]
    if len(deeds) != len(set(deeds)) or len(deeds) != sum(deed.solo or state.rebellion is None for deed in DEEDS):
        broken.append("deed cards are lost or doubled")
    agendas = [card for player in state.players for card in player.agendas]
    if len(set(agendas)) != len(agendas) or any(p.agenda not in (NONE, *p.agendas) for p in state.players):
        broken.append("agenda cards are doubled, or kept without having been dealt")
    stickers = Counter(reward for reward in state.rebels if reward != NONE)
    rewards = Counter(reward for player in state.players for reward in player.rebels)
    if (stickers if state.config.rebel_rewards else stickers + rewards) - Counter(STICKERS):
        broken.append("there are more rebels than stickers")
    if state.config.rebel_rewards and rewards + Counter(state.reward_tokens) != Counter(STICKERS):
        broken.append("reward tokens are lost or doubled")
    if state.rebellion is not None and sorted(state.rebellion.deck) != list(range(len(REBELLION_CARDS))):
        broken.append("rebellion cards are lost or doubled")
    return broken


def _false_memories(state: State) -> list[str]:
    broken = []
    for known in state.known:
        for deck, memory in zip(state.decks, known.decks, strict=True):
            if len(deck) != len(memory) or any(m not in (HIDDEN, c) for c, m in zip(deck, memory, strict=False)):
                broken.append("a seat remembers a scheme card that is not there")
        for player, memory in zip(state.players, known.hands, strict=True):
            if Counter(memory) - Counter(player.hand):
                broken.append("a seat remembers a card in a hand that is not there")
    return broken
