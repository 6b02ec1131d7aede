"""Say what a seat may know, and make up the rest.

`redact` builds a state field by field in which all that a seat must not know reads HIDDEN; the flow of a view is that
state, the table is built from the flow, and from nothing else.
"""

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import msgspec

from engine.core import frames, rng
from engine.core.frames import Flow
from engine.core.rules import RulesInfo, View
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import scoring
from engine.games.europe_divided.cards import ADVANTAGES_OF, CARDS
from engine.games.europe_divided.data import SETUP
from engine.games.europe_divided.flow import StackFrame
from engine.games.europe_divided.ids import EUROPE, HIDDEN, NONE, RUSSIA
from engine.games.europe_divided.stakes import HEADLINES
from engine.games.europe_divided.state import Player, State, StateOf, owned
from engine.games.europe_divided.table import build_table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(StateOf[StackFrame]).decode


@lru_cache(maxsize=64)
def seen(flow: bytes) -> State:
    """Return the state that a view's flow holds, kept because every line about the view asks it: nobody changes it."""
    return _decode(flow)


def observe(info: RulesInfo, state: State, seat: int | None) -> View:
    """Return what a seat (None: a spectator) may know, with its own decision and legal actions."""
    flow = _encode(redact(state, seat))
    return frames.view(info, state, seat, lambda: build_table(seen(flow)), flow, scoring.outcome(state))


def redact(state: State, seat: int | None) -> State:
    """Return a new state with only what a seat may know in it; frames hold nothing hidden."""
    flow = state.flow
    return StateOf(
        config=state.config,
        rng=rng.HIDDEN,
        flow=Flow(flow.stack, flow.automa, flow.version, flow.opened),
        players=[_redact_player(player, own=i == seat) for i, player in enumerate(state.players)],
        dice=state.dice,
        armies=state.armies,
        tokens=state.tokens,
        seas=state.seas,
        current=state.current,
        forthcoming=state.forthcoming,
        headline_deck=_hidden(state.headline_deck),
        missed=state.missed,
        sea_used=state.sea_used,
        fracture=state.fracture,
        turn=state.turn,
        phase=state.phase,
        first=state.first,
        initiative=state.initiative,
    )


def _hidden(cards: list[int]) -> list[int]:
    return [HIDDEN] * len(cards)


def _redact_player(player: Player, *, own: bool) -> Player:
    """Show a side its own cards, decks left out; to all others what lies open and how many cards there are."""
    return Player(
        money=player.money,
        hand=player.hand if own else _hidden(player.hand),
        deck=_hidden(player.deck),
        discard=player.discard,
        chosen=player.chosen if own else _hidden(player.chosen),
        played=player.played,
        extra=player.extra,
        held=player.held,
        taken=player.taken,
        advantages=player.advantages if own else _hidden(player.advantages),
        advantage_deck=_hidden(player.advantage_deck),
        set_aside=player.set_aside if own else _hidden(player.set_aside),
        spent=player.spent,
        headlines=player.headlines if own else _hidden(player.headlines),
        shelved=player.shelved if own else _hidden(player.shelved),
        awarded=player.awarded,
        prestige=player.prestige,
        placing=player.placing if own or player.placing == NONE else HIDDEN,
        denied=player.denied,
    )


def determinize(view: View, source: Any) -> State:
    """Return a full state that fits a view, its unseen parts drawn with `source`, a `random.Random`."""
    state = _decode(view.flow)
    _fill(state, source)
    return state


def SECRETS(state: State, seat: int | None, source: Any) -> State:  # noqa: N802 - the contract's name
    """Return a copy of a true state in which all that a seat must not know is dealt anew: it must look the same."""
    other = state.clone()
    other.flow.legal = None
    other.players = [_redact_player(player, own=i == seat).clone() for i, player in enumerate(other.players)]
    other.headline_deck = _hidden(other.headline_deck)
    _fill(other, source)
    return other


def _fill(state: State, source: Any) -> None:
    """Deal everything that reads HIDDEN, in keeping with what lies open; the generator is keyed anew."""
    state.rng = rng.rekeyed(source)
    for seat in (EUROPE, RUSSIA):
        _fill_cards(state, seat, source)
        _fill_advantages(state.players[seat], seat, source)
    _fill_headlines(state, source)


def _fill_cards(state: State, seat: int, source: Any) -> None:
    """Deal a side's chosen cards, hand and deck: the chosen ones must have the announced sum, `held` be among them."""
    player = state.players[seat]
    seen = {*player.discard, *player.played, *player.extra, *player.hand, *player.chosen}
    pool = [card for card in owned(state, seat) if card not in seen]
    if HIDDEN in player.chosen:
        player.chosen = _choose(state, seat, pool, source)
        pool = [card for card in pool if card not in player.chosen]
    if HIDDEN in player.hand:
        certain = [card for card in pool if card in player.held]
        others = [card for card in pool if card not in certain]
        source.shuffle(others)
        missing = len(player.hand) - len(certain)
        player.hand = sorted([*certain, *others[:missing]])
        pool = others[missing:]
    source.shuffle(pool)
    player.deck = pool


def _choose(state: State, seat: int, pool: list[int], source: Any) -> list[int]:
    """Return cards that the seat may have chosen, each choice as likely as the hands are that go with it."""
    player = state.players[seat]
    count, size = len(player.chosen), len(player.hand)
    wanted = None
    if state.initiative:
        wanted = state.initiative[seat] - sum(CARDS[card].initiative for card in player.played)
    choices, weights = [], []
    for cards in combinations(pool, count):
        if wanted is None or sum(CARDS[card].initiative for card in cards) == wanted:
            certain = sum(card in player.held and card not in cards for card in pool)
            unsure = len(pool) - count - certain
            if certain <= size:
                choices.append(cards)
                weights.append(comb(unsure, size - certain))
    return list(source.choices(choices, weights)[0])


def _fill_advantages(player: Player, seat: int, source: Any) -> None:
    seen = {*player.spent, *player.advantages, *player.set_aside}
    pool = [card for card in ADVANTAGES_OF[seat] if card not in seen]
    source.shuffle(pool)
    player.set_aside = [pool.pop() if card == HIDDEN else card for card in player.set_aside]
    player.advantages = sorted(pool.pop() if card == HIDDEN else card for card in player.advantages)
    player.advantage_deck = pool


def _fill_headlines(state: State, source: Any) -> None:
    """Deal unseen headlines of each period to deck, hands and face-down discards.

    Of each colour so many stay out of the game as the set-up removes; the deck holds the first period above the second.
    """
    seen = {*state.current, *state.forthcoming, *state.missed}
    for player in state.players:
        seen.update(player.headlines, player.shelved, player.awarded, (player.placing,))
    pools: list[list[int]] = []
    for period in SETUP.periods:
        pool: list[int] = []
        for seat in (EUROPE, RUSSIA):
            cards = [
                i
                for i, card in enumerate(HEADLINES)
                if (card.period, card.banner) == (period.period, seat) and i not in seen
            ]
            source.shuffle(cards)
            pool += cards[period.removed_per_colour :]
        source.shuffle(pool)
        pools.append(pool)
    for player in state.players:
        own = player.shelved
        player.shelved = [_take(pools, n >= _FIRST_SHELVED) if own[n] == HIDDEN else own[n] for n in range(len(own))]
        late = bool(own)
        if player.placing == HIDDEN:
            player.placing = _take(pools, late)
        player.headlines = sorted(_take(pools, late) if card == HIDDEN else card for card in player.headlines)
    state.headline_deck = [*pools[1], *pools[0]]


#: Of the headlines discarded face down the first two are of period 1; whoever has discarded them holds period 2 alone.
_FIRST_SHELVED = 2


def _take(pools: list[list[int]], late: bool) -> int:
    first, second = pools[late], pools[not late]
    return first.pop() if first else second.pop()


def default_action(state: State, seat: int) -> Any:
    """Return a harmless move: decline, end, play a card, gain money; else the first thing legal."""
    legal = frames.legal_actions(state, seat)
    for kind in (a.Done, a.EndTurn, a.PlayCard, a.GainMoney):
        for action in legal:
            if isinstance(action, kind):
                return action
    return legal[0]
