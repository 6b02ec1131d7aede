"""State the contract between a game and everything that hosts or plays it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import msgspec

from engine.core.decision import Decision
from engine.core.events import Emitted


class OptionInfo(msgspec.Struct, frozen=True):
    """Describe an option of a game: `type` is bool, int, str or a map; `choices` lists the values, if closed."""

    name: str
    type: str
    default: str
    help: str
    choices: tuple[str, ...] = ()


class RulesInfo(msgspec.Struct, frozen=True):
    """Say what a game is and needs.

    No match with the options' defaults takes more than `max_decisions`; `provenance` counts data records by the kind of
    their source.
    """

    id: str
    name: str
    rules_version: str
    data_version: str
    min_seats: int
    max_seats: int
    options: tuple[OptionInfo, ...]
    flags: tuple[str, ...]
    max_decisions: int
    provenance: dict[str, int]


class Types(msgspec.Struct, frozen=True):
    """Name the msgspec types of a game, for the codec and the wire."""

    config: Any
    state: Any
    action: Any
    event: Any
    table: Any


class Step(msgspec.Struct, frozen=True):
    """Return what an action did: the state after it, what was told to whom, and whether undo must stop here."""

    state: Any
    events: tuple[Emitted, ...]
    barrier: bool


class Outcome(msgspec.Struct, frozen=True):
    """Hold the end of a game: per seat its rank (1 is first, ties share), score and score by source."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[dict[str, int], ...]
    tie_break: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class View:
    """Hold all that one seat may know (`seat` None: a spectator).

    `flow` is msgpack for `determinize`, valid for this rules_version only. `table` says the same to people and foreign
    clients; it is built from `flow` when it is first read, because search and most replies do without.
    """

    game: str
    rules_version: str
    data_version: str
    version: int
    seat: int | None
    build_table: Callable[[], Any] = field(repr=False, compare=False)
    flow: bytes
    pending: tuple[Decision, ...]
    decision: Decision | None
    legal: tuple[Any, ...]
    outcome: Outcome | None

    @cached_property
    def table(self) -> Any:
        """Return what the seat sees of the table."""
        return self.build_table()


class Rules(Protocol):
    """Be the stateless rules of one game; see each member for its contract."""

    info: RulesInfo
    types: Types

    def config(self, seats: int, options: Mapping[str, Any]) -> Any:
        """Return a validated frozen Config; raise BadConfig naming the field. `seats` counts automa seats too."""

    def initial_state(self, config: Any, seed: int) -> Any:
        """Return the state at the first decision; all chance comes from `seed`, an int in [0, 2**256)."""

    def pending(self, state: Any) -> tuple[Decision, ...]:
        """Return who must decide now; empty exactly when the game is over."""

    def legal_actions(self, state: Any, seat: int) -> tuple[Any, ...]:
        """Return all legal actions of a seat: ordered, without duplicates, never empty for a pending seat."""

    def apply(self, state: Any, seat: int, action: Any) -> Step:
        """Return the step that a legal action makes, the argument untouched; raise IllegalAction otherwise."""

    def advance(self, state: Any, seat: int, action: Any) -> None:
        """Play a legal action in place, unchecked and without events."""

    def observe(self, state: Any, seat: int | None) -> View:
        """Return what a seat may know, built field by field."""

    def determinize(self, view: View, rng: Any) -> Any:
        """Return a full state that fits the view and nothing else; `rng` is a `random.Random`."""

    def default_action(self, state: Any, seat: int) -> Any:
        """Return a legal, harmless action for a seat that does not answer."""

    def outcome(self, state: Any) -> Outcome | None:
        """Return the result, or None while the game goes on."""

    def describe(self, thing: Any, view: View) -> str:
        """Return one plain line about an action, event or decision, from what the view's seat may know."""
