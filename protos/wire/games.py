"""Convert the typed payloads of one game: options, actions, events and tables in their GameX envelopes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from google.protobuf.descriptor import Descriptor

from engine.core.rules import Rules
from protos.wire import shapes
from protos.wire.errors import Mismatch, WireError, WrongGame
from protos.wire.options import OptionsPlan
from protos.wire.plans import Plan
from veche.v1 import common_pb2

# A long game shows some thousands of different legal actions; the most used ones are kept encoded.
_ACTIONS_KEPT = 16384


class GameWire:
    """Hold the compiled plans of one game; make it once, with `for_game`."""

    def __init__(self, rules: Rules) -> None:
        """Compile; raise Mismatch where the game's types and its proto differ."""
        self.rules = rules
        self.game = game_field(rules.info.id)
        self._options = OptionsPlan(rules.info.options, self._message(common_pb2.GameOptions.DESCRIPTOR))
        found = self._options.differences()
        if found:
            raise Mismatch(found)
        self._action = Plan(rules.types.action, self._message(common_pb2.GameAction.DESCRIPTOR))
        self._event = Plan(rules.types.event, self._message(common_pb2.GameEvent.DESCRIPTOR))
        self._table = Plan(rules.types.table, self._message(common_pb2.GameTable.DESCRIPTOR))
        self._kept_action = lru_cache(_ACTIONS_KEPT)(self._encode_action)

    def check(self) -> list[str]:
        """List every difference between the engine's types and the game's proto; empty when they agree."""
        return [
            *self._options.differences(),
            *shapes.differences(self.rules.types.action, self._message(common_pb2.GameAction.DESCRIPTOR)),
            *shapes.differences(self.rules.types.event, self._message(common_pb2.GameEvent.DESCRIPTOR)),
            *shapes.differences(self.rules.types.table, self._message(common_pb2.GameTable.DESCRIPTOR)),
        ]

    def action_to_message(self, action: Any) -> common_pb2.GameAction:
        """Return an action in its envelope; other callers may hold the same message, so copy it before changing it."""
        return self._kept_action(action)

    def action_from_message(self, message: common_pb2.GameAction) -> Any:
        """Return the action of an envelope; raise WireError (WrongGame for another game's) with the path inside it."""
        return self._open(message, self._action)

    def event_to_message(self, event: Any) -> common_pb2.GameEvent:
        """Return an event in its envelope."""
        return common_pb2.GameEvent(**{self.game: self._event.to_dict(event)})

    def event_from_message(self, message: common_pb2.GameEvent) -> Any:
        """Return the event of an envelope; raise WireError."""
        return self._open(message, self._event)

    def table_to_message(self, table: Any) -> common_pb2.GameTable:
        """Return a table in its envelope."""
        return common_pb2.GameTable(**{self.game: self._table.to_dict(table)})

    def table_from_message(self, message: common_pb2.GameTable) -> Any:
        """Return the table of an envelope; raise WireError."""
        return self._open(message, self._table)

    def options_to_message(self, options: Mapping[str, Any]) -> common_pb2.GameOptions:
        """Return options, as `Rules.config` takes them, in an envelope; raise WireError for one that does not fit."""
        payload: Any = {self.game: self._options.to_message(options)}
        return common_pb2.GameOptions(**payload)

    def options_from_message(self, message: common_pb2.GameOptions) -> dict[str, Any]:
        """Return the options that are set, fit for `Rules.config`; an empty envelope gives none. Raises WireError."""
        if message.WhichOneof("game") is None:
            return {}
        payload = self._payload(message)
        try:
            return self._options.from_message(payload)
        except WireError as error:
            raise error.under(self.game) from None

    def _encode_action(self, action: Any) -> common_pb2.GameAction:
        return common_pb2.GameAction(**{self.game: self._action.to_dict(action)})

    def _message(self, envelope: Descriptor) -> Descriptor:
        return shapes.message_of(envelope.fields_by_name[self.game])

    def _open(self, message: Any, plan: Plan) -> Any:
        payload = self._payload(message)
        try:
            return plan.from_message(payload)
        except WireError as error:
            raise error.under(self.game) from None

    def _payload(self, message: Any) -> Any:
        game = message.WhichOneof("game")
        if game is None:
            raise WireError("", f"one game must be set, and the match is of {self.game}")
        if game != self.game:
            raise WrongGame(game, f"the match is of {self.game}")
        return getattr(message, game)


_loaded: dict[str, GameWire] = {}


def for_game(rules: Rules) -> GameWire:
    """Return the plans of a game, compiled on first use; raise Mismatch where its types and its proto differ."""
    wire = _loaded.get(rules.info.id)
    if wire is None or wire.rules is not rules:
        wire = _loaded[rules.info.id] = GameWire(rules)
    return wire


def game_field(game: str) -> str:
    """Return the field of a game in GameOptions, GameAction, GameTable and GameEvent; raise KeyError if none."""
    return common_pb2.GameAction.DESCRIPTOR.fields_by_name[game].name
