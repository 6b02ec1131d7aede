"""Set the Rebellion up in words and let it play: what solo tests share beside `scenario`."""

from typing import Any

import msgspec

from engine.core import frames
from engine.core.events import Emitted
from engine.core.frames import Frame
from engine.games.rurik import RULES
from engine.games.rurik.data import MATS, REBELLION_CARDS, REGIONS
from engine.games.rurik.flow import hand_out_advisors
from engine.games.rurik.ids import PRIORITIES, Difficulty
from engine.games.rurik.state import Rebellion, State
from tests.games.rurik.scenario import act, scenario

#: The person and the Rebellion, unless a test swaps them.
YOU, REBELLION = 0, 1

#: Location order of card 1, the top card unless a test names another.
ORDER = ("kiev", "volyn", "pereyaslavl", "chernigov", "polotsk", "smolensk", "rostov", "novgorod")

CARDS = len(REBELLION_CARDS)


class Played(msgspec.Struct):
    """Hold where the Rebellion's steps led, the steps and all events told from the first frame on."""

    state: State
    steps: list[Any]
    events: list[Any]

    def told(self, kind: Any) -> list[Any]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def solo(
    difficulty: str = "easy",
    *,
    rebellion: int = REBELLION,
    card: int = 1,
    bottom: int = 18,
    priority: str = "attack",
    unlocked: tuple[tuple[str, int], ...] = (),
    in_hand: bool = False,
    **named: Any,
) -> State:
    """Return a scenario against the Rebellion, with the advisors of the round in hand if `in_hand` says so.

    `card` and `bottom` are the numbers of the cards on top of its deck and under it; `unlocked` lists spaces (priority
    column, space from 0 at the top) without a coin beside those that never had one.
    """
    options = {"automa": {rebellion: difficulty}, **named.pop("options", {})}
    state = scenario(2, options, **{"first_player": 1 - rebellion, **named})
    hand_out_advisors(state)
    if not in_hand:
        for player in state.players:
            player.advisors = []
    automa = the(state)
    between = [i for i in range(CARDS) if i not in (card - 1, bottom - 1)]
    automa.deck = [bottom - 1, *between, card - 1]
    automa.priority = PRIORITIES.index(priority)
    automa.coins = [[space.covered_by_coin for space in column] for column in MATS[Difficulty(difficulty)].columns]
    for column, space in unlocked:
        automa.coins[PRIORITIES.index(column)][space] = False
    return state


def the(state: State) -> Rebellion:
    """Return the Rebellion."""
    assert state.rebellion is not None
    return state.rebellion


def let(state: State, *stack: Frame) -> Played:
    """Let the Rebellion play from given frames up to the person's next decision or the end of the frames."""
    events: list[Any] = []
    if stack:
        state.flow.stack = list(stack)
        state.flow.legal = None
        told: list[Emitted] = []
        frames.start(state, told)
        events += [emitted.event for emitted in told]
    steps = []
    while any(decision.automa for decision in RULES.pending(state)):
        seat = RULES.pending(state)[0].seat
        (action,) = RULES.legal_actions(state, seat)
        steps.append(action)
        step = act(state, seat, action)
        events += [emitted.event for emitted in step.events]
        state = step.state
    return Played(state, steps, events)


def on_board(state: State, seat: int = REBELLION) -> dict[str, int]:
    """Return a seat's troops by region, the leader left out."""
    return {REGIONS[region]: count for region, count in enumerate(state.players[seat].troops) if count}
