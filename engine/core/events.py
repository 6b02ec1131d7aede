"""Carry what happened, and to whom it may be told."""

from typing import Any

import msgspec


class Emitted(msgspec.Struct, frozen=True):
    """Pair an event with its audience.

    `audience` None means everybody; otherwise those seats read `event` and all others read `public`, or nothing when
    that is None.
    """

    event: Any
    audience: tuple[int, ...] | None = None
    public: Any = None


def seen_by(emitted: Emitted, seat: int | None) -> Any:
    """Return the event as `seat` (None: a spectator) may read it, or None when it may not read anything."""
    if emitted.audience is None or (seat is not None and seat in emitted.audience):
        return emitted.event
    return emitted.public
