"""Turn states, actions, events and configs into bytes and back: msgpack, with game and rules version in front."""

from functools import cache
from typing import Any

import msgspec

from engine.core.errors import WrongVersion
from engine.core.events import Emitted
from engine.core.rules import Rules

_encoder = msgspec.msgpack.Encoder()
_header = msgspec.msgpack.Decoder(tuple[str, str, msgspec.Raw])


def snake_case(name: str) -> str:
    """Return a class name as the tag it is encoded with: PlaceToken is place_token."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


def encode(rules: Rules, state: Any) -> bytes:
    """Return a state as bytes; the cache of legal actions stays behind."""
    flow = state.flow
    legal, flow.legal = flow.legal, None
    try:
        return _encoder.encode((rules.info.id, rules.info.rules_version, state))
    finally:
        flow.legal = legal


def decode(rules: Rules, data: bytes) -> Any:
    """Return the state held by `data`; raise WrongVersion when other rules wrote it."""
    game, version, body = _header.decode(data)
    if (game, version) != (rules.info.id, rules.info.rules_version):
        raise WrongVersion(f"state of {game} {version}; here are {rules.info.id} {rules.info.rules_version}")
    return _decoder(rules.types.state).decode(body)


def encode_action(action: Any) -> bytes:
    """Return an action as bytes."""
    return _encoder.encode(action)


def decode_action(rules: Rules, data: bytes) -> Any:
    """Return the action held by `data`; raise msgspec.ValidationError when it is none of this game."""
    return _decoder(rules.types.action).decode(data)


def encode_config(config: Any) -> bytes:
    """Return a config as bytes."""
    return _encoder.encode(config)


def decode_config(rules: Rules, data: bytes) -> Any:
    """Return the config held by `data`."""
    return _decoder(rules.types.config).decode(data)


def encode_events(events: tuple[Emitted, ...]) -> bytes:
    """Return events with their audiences as bytes: for the store, never for a client."""
    return _encoder.encode([(e.event, e.audience, e.public) for e in events])


def decode_events(rules: Rules, data: bytes) -> tuple[Emitted, ...]:
    """Return the events held by `data`."""
    kind = list[tuple[rules.types.event, tuple[int, ...] | None, rules.types.event | None]]  # type: ignore[name-defined]
    return tuple(Emitted(*entry) for entry in _decoder(kind).decode(data))
