"""Answer the engine contract for Masters of Europe, one delegation a line."""

from collections.abc import Mapping
from typing import Any

from engine.core.frames import FrameRules
from engine.core.rules import Outcome, RulesInfo, Types, View
from engine.games.masters_of_europe import config as config_module
from engine.games.masters_of_europe import data, scoring, setup, view
from engine.games.masters_of_europe.actions import Action
from engine.games.masters_of_europe.describe import describe
from engine.games.masters_of_europe.events import Event
from engine.games.masters_of_europe.flow import StackFrame
from engine.games.masters_of_europe.state import State, StateOf
from engine.games.masters_of_europe.table import Table

#: Raised by one whenever the same seed and actions lead elsewhere than before.
RULES_VERSION = "2"


#: 30 rounds of 8 seats. A trade phase: 96 offers, each answered by seven and withdrawn, after each trade all declare
#: themselves done. Then at most 96 melds (each takes three cards and draws at most two) of ten decisions, and discards.
_MOST_DECISIONS = 30 * (96 * (1 + 7 + 1) + 8 * (96 + 1) + 96 * 10 + 8 + 96) + 80


class MastersOfEurope(FrameRules):
    """Be the rules of Masters of Europe; see engine.core.rules.Rules for each member."""

    info = RulesInfo(
        id="masters_of_europe",
        name="Masters of Europe",
        rules_version=RULES_VERSION,
        data_version=data.DATA_VERSION,
        min_seats=data.MIN_SEATS,
        max_seats=data.MAX_SEATS,
        options=config_module.OPTIONS,
        flags=("hidden_information", "simultaneous_decisions"),
        max_decisions=_MOST_DECISIONS,
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


RULES = MastersOfEurope()
