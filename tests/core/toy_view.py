"""Say what a seat of the toy game may see, and guess the rest."""

from typing import Any

import msgspec

from engine.core import rng as rng_module
from engine.core.decision import Decision
from engine.core.rules import View


class Table(msgspec.Struct, frozen=True):
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    deck: int
    discard: tuple[int, ...]
    scores: tuple[int, ...]
    chosen: tuple[bool, ...]
    known: dict[int, int]


#: What stands in a redacted bid for "has chosen".
CHOSEN = -1


def observe(rules: Any, state: Any, seat: int | None) -> View:
    """Build the view of a seat field by field."""
    from tests.core import toy

    stack = [frame.__copy__() for frame in state.flow.stack]
    chosen: tuple[bool, ...] = ()
    if stack and isinstance(stack[-1], toy.BidFrame):
        chosen = tuple(bool(card) for card in stack[-1].choices)
        stack[-1].choices = tuple(
            card if other == seat or not card else CHOSEN for other, card in enumerate(stack[-1].choices)
        )
    table = Table(
        tuple(state.hands[seat]) if seat is not None else (),
        tuple(map(len, state.hands)),
        len(state.deck),
        tuple(state.discard),
        tuple(state.scores),
        chosen,
        dict(sorted(state.known[seat].items())) if seat is not None else {},
    )
    pending = rules.pending(state)
    decision = next((d for d in pending if d.seat == seat), None)
    flow = toy.Flow(stack, state.flow.automa, state.flow.version, state.flow.opened)
    hidden = (state.config, state.round, flow)
    return View(
        "toy",
        rules.info.rules_version,
        rules.info.data_version,
        state.flow.version,
        seat,
        lambda: table,
        msgspec.msgpack.encode(hidden),
        pending,
        decision,
        rules.legal_actions(state, seat) if seat is not None else (),
        rules.outcome(state),
    )


def determinize(view: View, rng: Any) -> Any:
    """Deal the unseen cards anew, those the seat knows of to where they are."""
    from tests.core import toy

    config, round_, flow = msgspec.msgpack.decode(view.flow, type=tuple[toy.Config, int, toy.Flow[toy.AnyFrame]])
    table = view.table
    known = dict(table.known)
    unseen = [card for card in range(1, toy.CARDS + 1) if card not in {*table.hand, *table.discard, *known}]
    rng.shuffle(unseen)
    hands = []
    for seat, size in enumerate(table.hand_sizes):
        hand = list(table.hand) if seat == view.seat else [card for card, place in known.items() if place == seat]
        hands.append(sorted(hand + [unseen.pop() for _ in range(size - len(hand))]))
    top = [card for card, place in known.items() if place == toy.TOP]
    deck = unseen + top
    if flow.stack and isinstance(flow.stack[-1], toy.BidFrame):
        flow.stack[-1].choices = choose(config, hands, flow.stack[-1].choices, rng)
    return toy.State(
        config,
        rng_module.rekeyed(rng),
        flow,
        hands,
        deck,
        list(table.discard),
        list(table.scores),
        [dict(known) if seat == view.seat else {} for seat in range(config.seats)],
        round_,
    )


def choose(config: Any, hands: list[list[int]], choices: tuple[int, ...], rng: Any) -> tuple[int, ...]:
    """Guess the bids that others made: any card of theirs, an automa's highest."""
    return tuple(
        card if card != CHOSEN else (hands[seat][-1] if seat in config.automa else rng.choice(hands[seat]))
        for seat, card in enumerate(choices)
    )


def SECRETS(state: Any, seat: int | None, rng: Any) -> Any:  # noqa: N802 - the name every game's view module has
    """Return a state that differs in all that `seat` must not know: unseen cards permuted wherever they occur."""
    from tests.core import toy

    seen = {*state.discard}
    if seat is not None:
        seen |= {*state.hands[seat], *state.known[seat]}
    cards = [card for card in range(1, toy.CARDS + 1) if card not in seen]
    swap = dict(zip(cards, rng.sample(cards, len(cards)), strict=True))
    other = state.clone()
    other.rng = rng_module.rekeyed(rng)
    other.flow.legal = None
    other.hands = [sorted(swap.get(card, card) for card in hand) for hand in state.hands]
    other.deck = [swap.get(card, card) for card in state.deck]
    other.known = [{swap.get(card, card): place for card, place in known.items()} for known in state.known]
    if other.flow.stack and isinstance(other.flow.stack[-1], toy.BidFrame):
        choices = other.flow.stack[-1].choices
        redacted = tuple(card if s == seat or not card else CHOSEN for s, card in enumerate(choices))
        other.flow.stack[-1].choices = choose(state.config, other.hands, redacted, rng)
    return other


def describe(thing: Any, view: View) -> str:
    """Return one plain line."""
    if isinstance(thing, Decision):
        return f"seat {thing.seat} decides: {thing.kind}"
    fields = msgspec.structs.asdict(thing)
    words = ", ".join(f"{name} {value}" for name, value in fields.items() if value is not None)
    return f"{thing.__struct_config__.tag.replace('_', ' ')} {words}".strip()
