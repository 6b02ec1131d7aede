"""Play single moves of a game, checking its invariants after each, and say what is asked and told."""

from collections.abc import Callable
from typing import Any

from engine.core import frames
from engine.core.frames import Frame
from engine.core.rules import Rules, Step


class Referee:
    """Hold the rules of a game, what audits a state of it, and the frame that lies at the bottom of its stack."""

    def __init__(self, rules: Rules, audit: Callable[[Any], list[str]], root: Callable[[], Frame]) -> None:
        self.rules = rules
        self.audit = audit
        self.root = root

    def ready(self, state: Any, *stack: Frame) -> Any:
        """Put frames on the stack, the last one on top, and run to the first decision."""
        state.flow.stack = [self.root(), *stack]
        frames.start(state)
        return state

    def act(self, state: Any, seat: int, action: Any) -> Step:
        """Play an action and check the invariants of the game."""
        step = self.rules.apply(state, seat, action)
        assert self.audit(step.state) == []
        return step

    def play(self, state: Any, seat: int, *acts: Any) -> Any:
        """Play several actions of one seat."""
        for action in acts:
            state = self.act(state, seat, action).state
        return state

    def legal(self, state: Any, seat: int) -> tuple[Any, ...]:
        """Return what a seat may do."""
        return self.rules.legal_actions(state, seat)

    def offered(self, state: Any, seat: int, kind: Any) -> list[Any]:
        """Return the legal actions of a kind."""
        return [action for action in self.legal(state, seat) if isinstance(action, kind)]

    def asked(self, state: Any) -> tuple[tuple[int, str], ...]:
        """Return who is asked what."""
        return tuple((decision.seat, decision.kind) for decision in self.rules.pending(state))

    @staticmethod
    def told(step: Step, kind: Any) -> list[Any]:
        """Return the events of a kind, in full."""
        return [emitted.event for emitted in step.events if isinstance(emitted.event, kind)]
