"""Answer the engine contract for Rurik, one delegation a line."""

from collections.abc import Mapping
from typing import Any

from engine.core.frames import FrameRules
from engine.core.rules import Outcome, RulesInfo, Types, View
from engine.games.rurik import config as config_module
from engine.games.rurik import data, scoring, setup, view
from engine.games.rurik.actions import Action
from engine.games.rurik.describe import describe
from engine.games.rurik.events import Event
from engine.games.rurik.flow import StackFrame
from engine.games.rurik.state import State, StateOf
from engine.games.rurik.table import Table

#: Raised by one whenever the same seed and actions lead elsewhere than before.
RULES_VERSION = "3"


class Rurik(FrameRules):
    """Be the rules of Rurik: Dawn of Kiev; see engine.core.rules.Rules for each member."""

    info = RulesInfo(
        id="rurik",
        name="Rurik: Dawn of Kiev",
        rules_version=RULES_VERSION,
        data_version=data.DATA_VERSION,
        min_seats=2,
        max_seats=4,
        options=config_module.OPTIONS,
        flags=("hidden_information", "simultaneous_decisions", "automa"),
        max_decisions=2500,
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


RULES = Rurik()
