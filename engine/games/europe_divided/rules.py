"""Answer the engine contract for Europe Divided, one delegation a line."""

from collections.abc import Mapping
from typing import Any

from engine.core.frames import FrameRules
from engine.core.rules import Outcome, RulesInfo, Types, View
from engine.games.europe_divided import config as config_module
from engine.games.europe_divided import data, scoring, setup, view
from engine.games.europe_divided.actions import Action
from engine.games.europe_divided.describe import describe
from engine.games.europe_divided.events import Event
from engine.games.europe_divided.flow import StackFrame
from engine.games.europe_divided.state import State, StateOf
from engine.games.europe_divided.table import Table

#: Raised by one whenever the same seed and actions lead elsewhere than before.
RULES_VERSION = "3"


class EuropeDivided(FrameRules):
    """Be the rules of Europe Divided; see engine.core.rules.Rules for each member."""

    info = RulesInfo(
        id="europe_divided",
        name="Europe Divided",
        rules_version=RULES_VERSION,
        data_version=data.DATA_VERSION,
        min_seats=2,
        max_seats=2,
        options=config_module.OPTIONS,
        flags=("hidden_information", "simultaneous_decisions"),
        max_decisions=1200,
        provenance=data.PROVENANCE,
    )
    types = Types(config_module.Config, StateOf[StackFrame], Action, Event, Table)

    def config(self, seats: int, options: Mapping[str, Any]) -> config_module.Config:
        """Return a checked Config; raise BadConfig naming the field."""
        return config_module.config(seats, options)

    def initial_state(self, config: config_module.Config, seed: int) -> State:
        """Return the state at the first decision."""
        return setup.initial_state(config, seed)

    def observe(self, state: State, seat: int | None) -> View:
        """Return what a seat may know."""
        return view.observe(self.info, state, seat)

    def determinize(self, view_: View, rng: Any) -> State:
        """Return a full state that fits a view."""
        return view.determinize(view_, rng)

    def default_action(self, state: State, seat: int) -> Any:
        """Return a harmless action."""
        return view.default_action(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result after the end."""
        return scoring.outcome(state)

    def describe(self, thing: Any, view_: View) -> str:
        """Return a plain line about an action, event or decision."""
        return describe(thing, view_)


RULES = EuropeDivided()
