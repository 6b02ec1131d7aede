"""Lay the game out up to the first decision (Game Setup)."""

from engine.core import frames, rng
from engine.core.frames import Flow, Frame
from engine.games.rurik import automa
from engine.games.rurik.config import Config
from engine.games.rurik.data import (
    AGENDAS,
    AGENDAS_DEALT,
    BOARDS,
    DEED_ROW,
    DEEDS,
    GOODS_TOKENS,
    ICONS,
    LEADERS,
    MATS,
    REBELLION_CARDS,
    SCHEME_CARDS,
    START_COINS,
    STICKERS,
    STRUCTURES_EACH,
    TROOPS,
)
from engine.games.rurik.flow import Game, hand_out_advisors
from engine.games.rurik.frames.setting_up import (
    PickAgendas,
    PickColours,
    PickLeaders,
    PlaceLeaders,
    PlaceTroops,
    people,
)
from engine.games.rurik.ids import COLUMNS, HIDDEN, NONE, PRIORITIES, STRUCTURES, SVIATOPOLK, TRACKS
from engine.games.rurik.state import Known, Player, Rebellion, State, StateOf, is_rebellion


def initial_state(config: Config, seed: int) -> State:
    """Return the state at the first decision; all chance comes from `seed`."""
    source = rng.from_seed(seed)
    size = BOARDS[config.seats].size
    solo = bool(config.automa)
    schemes = sorted(SCHEME_CARDS)
    source.shuffle("scheme_decks", schemes)
    half = (len(schemes) + 1) // 2
    decks = [schemes[:half], schemes[half:]]
    deeds = [i for i, deed in enumerate(DEEDS) if deed.solo or not solo]
    source.shuffle("deeds", deeds)
    stickers = list(STICKERS)
    source.shuffle("rebels", stickers)
    tokens = list(STICKERS)
    source.shuffle("reward_tokens", tokens)
    icons = list(ICONS[:size])
    if config.alternate_board:
        icons = list(GOODS_TOKENS[config.seats])
        source.shuffle("goods_tokens", icons)
    state: State = StateOf(
        config=config,
        rng=source,
        flow=Flow([], automa=tuple(config.automa)),
        players=[_player(size) for _ in range(config.seats)],
        columns=[()] * len(COLUMNS),
        rebels=[NONE] * size if solo else stickers[:size],
        neutrals=[0] * size,
        icons=tuple(icons),
        goods=[True] * size,
        built=[[NONE] * size for _ in STRUCTURES],
        decks=decks,
        discard=[],
        deed_deck=deeds[DEED_ROW:],
        deed_row=deeds[:DEED_ROW],
        deed_discard=[],
        reward_tokens=tokens if config.rebel_rewards else [],
        leaders=[NONE] * len(LEADERS),
        known=[
            Known([[HIDDEN] * len(deck) for deck in decks], [[] for _ in range(config.seats)])
            for _ in range(config.seats)
        ],
    )
    _add_rebellion(state)
    state.first_player = state.marker = _first_player(state)
    _deal_agendas(state)
    _give_random_leaders(state)
    hand_out_advisors(state)
    stack: list[Frame] = [Game(), PlaceLeaders(), PlaceTroops(), PickColours(), PickAgendas()]
    state.flow.stack = stack if config.leaders == "random" else [*stack, PickLeaders()]
    frames.start(state)
    return state


def _player(regions: int) -> Player:
    return Player(
        troops=[0] * regions,
        supply=TROOPS,
        coins=START_COINS,
        goods=[0] * 5,
        structures=list(STRUCTURES_EACH),
        advisors=[],
        claims=[0] * len(TRACKS),
        hand=[],
        deeds=[],
        accomplished=[],
        rebels=[],
    )


def _first_player(state: State) -> int:
    """Return the first player: the person in solo, the option's seat, or one drawn (Setup 15)."""
    people_only = [seat for seat in range(len(state.players)) if not is_rebellion(state, seat)]
    if len(people_only) == 1:
        return people_only[0]
    if state.config.first_player != NONE:
        return state.config.first_player
    return state.rng.below("first_player", len(people_only))


def _deal_agendas(state: State) -> None:
    """Deal two agenda cards to each person (Setup 10); three cards are not for solo."""
    cards = [i for i, agenda in enumerate(AGENDAS) if agenda.solo or state.rebellion is None]
    state.rng.shuffle("agendas", cards)
    for i, seat in enumerate(people(state)):
        state.players[seat].agendas = tuple(sorted(cards[AGENDAS_DEALT * i : AGENDAS_DEALT * (i + 1)]))


def _give_random_leaders(state: State) -> None:
    """Give leaders out at random where the option says so (Setup 8)."""
    if state.config.leaders != "random":
        return
    leaders = [i for i in range(len(LEADERS)) if not (state.rebellion is not None and i == SVIATOPOLK)]
    state.rng.shuffle("leaders", leaders)
    for seat, leader in zip(people(state), leaders, strict=False):
        state.players[seat].leader = leader
        state.leaders[leader] = seat


def _add_rebellion(state: State) -> None:
    """Add the Rebellion with its shuffled deck and its mat (Rebellion Setup)."""
    for seat, difficulty in state.config.automa.items():
        mat = MATS[difficulty]
        deck = list(range(len(REBELLION_CARDS)))
        state.rng.shuffle("rebellion_deck", deck)
        coins = [[space.covered_by_coin for space in column] for column in mat.columns]
        state.rebellion = Rebellion(seat, deck, coins, PRIORITIES.index(mat.starting_priority))
        automa.set_up(state)
