"""Convert between the engine's types and the protos: the only code that knows both sides.

Map: `shapes` compares types with descriptors, `plans` compiles converters from them, `options` does the same for a
game's options, `games` puts one game's payloads into their envelopes, `hosting` converts what all games share.
"""

from protos.wire.errors import Mismatch, WireError, WrongGame
from protos.wire.games import GameWire, for_game, game_field
from protos.wire.hosting import (
    choice_to_message,
    decision_to_message,
    events_to_messages,
    outcome_from_message,
    outcome_to_message,
    pending_to_messages,
    view_from_message,
    view_to_message,
)

__all__ = [
    "GameWire",
    "Mismatch",
    "WireError",
    "WrongGame",
    "choice_to_message",
    "decision_to_message",
    "events_to_messages",
    "for_game",
    "game_field",
    "outcome_from_message",
    "outcome_to_message",
    "pending_to_messages",
    "view_from_message",
    "view_to_message",
]
