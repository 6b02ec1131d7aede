"""Say what a seat may know, and make up the rest.

`redact` builds a state field by field in which all that a seat must not know reads HIDDEN; the flow of a view is that
state, the table is built from the flow, and from nothing else.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

import msgspec

from engine.core import frames, rng
from engine.core.frames import Flow
from engine.core.rules import RulesInfo, View
from engine.games.rurik import actions as a
from engine.games.rurik import scoring
from engine.games.rurik.data import AGENDAS, DEEDS, REBELLION_CARDS, SCHEME_CARDS, STICKERS
from engine.games.rurik.flow import StackFrame
from engine.games.rurik.ids import HIDDEN, NONE, Phase
from engine.games.rurik.state import Known, Player, Rebellion, State, StateOf
from engine.games.rurik.table import build_table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(StateOf[StackFrame]).decode


@lru_cache(maxsize=64)
def seen(flow: bytes) -> State:
    """Return the state that a view's flow holds, kept because every line about the view asks it: nobody changes it."""
    return _decode(flow)


def observe(info: RulesInfo, state: State, seat: int | None) -> View:
    """Return what a seat (None: a spectator) may know, with its own decision and legal actions."""
    flow = _encode(redact(state, seat))
    return frames.view(info, state, seat, lambda: build_table(seen(flow), seat), flow, scoring.outcome(state))


def redact(state: State, seat: int | None) -> State:
    """Return a new state with only what a seat may know in it."""
    flow = state.flow
    over = state.phase == Phase.OVER
    return StateOf(
        config=state.config,
        rng=rng.HIDDEN,
        flow=Flow([_redact_frame(f, seat) for f in flow.stack], flow.automa, flow.version, flow.opened),
        players=[_redact_player(p, own=i == seat, over=over) for i, p in enumerate(state.players)],
        columns=state.columns,
        rebels=[NONE if r == NONE else HIDDEN for r in state.rebels],
        neutrals=state.neutrals,
        icons=state.icons,
        goods=state.goods,
        built=state.built,
        decks=[[HIDDEN] * len(deck) for deck in state.decks],
        discard=state.discard,
        deed_deck=[HIDDEN] * len(state.deed_deck),
        deed_row=state.deed_row,
        deed_discard=state.deed_discard,
        reward_tokens=[HIDDEN] * len(state.reward_tokens),
        leaders=state.leaders,
        known=[known if i == seat else _nothing_known(state) for i, known in enumerate(state.known)],
        rebellion=None if state.rebellion is None else _redact_rebellion(state.rebellion),
        round=state.round,
        phase=state.phase,
        first_player=state.first_player,
        marker=state.marker,
    )


def _redact_frame(frame: Any, seat: int | None) -> Any:
    cards = getattr(frame, "cards", None)
    if cards is None or frame.seat == seat:
        return frame
    return msgspec.structs.replace(frame, cards=(HIDDEN,) * len(cards))


def _redact_player(player: Player, *, own: bool, over: bool) -> Player:
    if own:
        return player
    return Player(
        troops=player.troops,
        supply=player.supply,
        coins=player.coins,
        goods=player.goods,
        structures=player.structures,
        advisors=player.advisors,
        claims=player.claims,
        hand=[HIDDEN] * len(player.hand),
        deeds=player.deeds,
        accomplished=player.accomplished,
        rebels=player.rebels,
        leader=player.leader,
        leader_at=player.leader_at,
        colour=player.colour,
        warfare=player.warfare,
        agendas=(HIDDEN,) * len(player.agendas),
        agenda=player.agenda if over or player.agenda == NONE else HIDDEN,
        tokens=player.tokens,
        ability_used=player.ability_used,
    )


def _nothing_known(state: State) -> Known:
    return Known([[HIDDEN] * len(deck) for deck in state.decks], [[] for _ in state.players])


def _redact_rebellion(rebellion: Rebellion) -> Rebellion:
    """Show the top card, the cards turned before it, and what the rows read say of the bottom one."""
    deck = rebellion.deck
    hidden = max(0, len(deck) - rebellion.turned - 1)
    shown = [HIDDEN] * hidden + deck[hidden:]
    bottom: tuple[int, ...] = ()
    if hidden and rebellion.rows:
        read = _rows(deck[0], rebellion.rows)
        bottom = tuple(card for card in sorted(deck[:hidden]) if _rows(card, rebellion.rows) == read)
    return Rebellion(
        rebellion.seat, shown, rebellion.coins, rebellion.priority, rebellion.turned, rebellion.rows, bottom
    )


def _rows(card: int, count: int) -> list[Any]:
    return [column[:count] for column in REBELLION_CARDS[card].strategy]


def determinize(view: View, source: Any) -> State:
    """Return a full state that fits a view, its unseen parts drawn with `source`, a `random.Random`."""
    state = _decode(view.flow)
    _fill(state, view.seat, source)
    return state


def SECRETS(state: State, seat: int | None, source: Any) -> State:  # noqa: N802 - the contract's name
    """Return a copy of a true state in which all that a seat must not know is dealt anew: it must look the same."""
    other = state.clone()
    other.flow.legal = None
    for i, player in enumerate(other.players):
        if i != seat:
            player.hand = [HIDDEN] * len(player.hand)
            player.agendas = (HIDDEN,) * len(player.agendas)
            if player.agenda != NONE and other.phase != Phase.OVER:
                player.agenda = HIDDEN
            other.known[i] = _nothing_known(other)
    other.decks = [[HIDDEN] * len(deck) for deck in other.decks]
    other.deed_deck = [HIDDEN] * len(other.deed_deck)
    other.rebels = [NONE if r == NONE else HIDDEN for r in other.rebels]
    other.flow.stack = [_redact_frame(frame, seat) for frame in other.flow.stack]
    if other.rebellion is not None:
        other.rebellion = _redact_rebellion(other.rebellion)
    _fill(other, seat, source)
    return other


def _fill(state: State, seat: int | None, source: Any) -> None:
    """Deal everything that reads HIDDEN, in keeping with what the seat knows; the generator is keyed anew."""
    state.rng = rng.rekeyed(source)
    _fill_schemes(state, seat, source)
    _fill_agendas(state, source)
    allowed = [i for i, deed in enumerate(DEEDS) if deed.solo or state.rebellion is None]
    taken = {card for player in state.players for card in (*player.deeds, *player.accomplished)}
    gone = {*taken, *state.deed_row, *state.deed_discard}
    state.deed_deck = [card for card in allowed if card not in gone]
    source.shuffle(state.deed_deck)
    _fill_rebels(state, source)
    if state.rebellion is not None:
        _fill_rebellion(state.rebellion, source)


def _unseen(everything: tuple[int, ...], seen: list[int], source: Any) -> list[int]:
    left = Counter(everything)
    left.subtract(card for card in seen if card != HIDDEN)
    cards = list(left.elements())
    source.shuffle(cards)
    return cards


def _fill_schemes(state: State, seat: int | None, source: Any) -> None:
    own = _nothing_known(state) if seat is None else state.known[seat]
    held = [frame for frame in state.flow.stack if getattr(frame, "cards", None)]
    seen = [*state.discard, *own.decks[0], *own.decks[1]]
    seen += [card for player in state.players for card in player.hand]
    seen += [card for hand in own.hands for card in hand]
    seen += [card for frame in held for card in frame.cards]
    seen += [frame.played for frame in state.flow.stack if hasattr(frame, "played")]
    pool = _unseen(SCHEME_CARDS, seen, source)
    state.decks = [[pool.pop() if card == HIDDEN else card for card in deck] for deck in own.decks]
    for player, remembered in zip(state.players, own.hands, strict=True):
        if HIDDEN in player.hand:
            unknown = len(player.hand) - len(remembered)
            player.hand = sorted([*remembered, *(pool.pop() for _ in range(unknown))])
    for frame in held:
        frame.cards = tuple(sorted(pool.pop() if card == HIDDEN else card for card in frame.cards))


def _fill_agendas(state: State, source: Any) -> None:
    allowed = tuple(i for i, agenda in enumerate(AGENDAS) if agenda.solo or state.rebellion is None)
    seen = [card for player in state.players if HIDDEN not in player.agendas for card in player.agendas]
    seen += [player.agenda for player in state.players if HIDDEN in player.agendas and player.agenda != NONE]
    pool = _unseen(allowed, seen, source)
    for player in state.players:
        if HIDDEN in player.agendas:
            kept = [player.agenda] if player.agenda >= 0 else []
            dealt = kept + [pool.pop() for _ in range(len(player.agendas) - len(kept))]
            if player.agenda == HIDDEN:
                player.agenda = dealt[0]
            player.agendas = tuple(sorted(dealt))


def _fill_rebels(state: State, source: Any) -> None:
    revealed = [reward for player in state.players for reward in player.rebels]
    tokens = state.config.rebel_rewards
    pool = _unseen(STICKERS, [] if tokens else revealed, source)
    state.rebels = [pool.pop() if reward == HIDDEN else reward for reward in state.rebels]
    if tokens:
        state.reward_tokens = _unseen(STICKERS, revealed, source)


def _fill_rebellion(rebellion: Rebellion, source: Any) -> None:
    hidden = rebellion.deck.count(HIDDEN)
    unseen = [card for card in range(len(REBELLION_CARDS)) if card not in rebellion.deck]
    source.shuffle(unseen)
    if rebellion.bottom:
        first = next(card for card in unseen if card in rebellion.bottom)
        unseen.remove(first)
        unseen.insert(0, first)
    rebellion.deck = unseen + rebellion.deck[hidden:]
    rebellion.bottom = ()


def default_action(state: State, seat: int) -> Any:
    """Return a harmless move: stop, end the turn, no bribe; else take the action; else the first thing legal."""
    legal = frames.legal_actions(state, seat)
    for kind in (a.Done, a.EndTurn, a.AddBribe, a.TakeAction, a.ForfeitAction):
        for action in legal:
            if isinstance(action, kind):
                return action
    return legal[0]
