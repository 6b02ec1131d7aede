"""Describe what a seat has to decide."""

import msgspec


class Decision(msgspec.Struct, frozen=True):
    """Hold one open decision.

    `id` is "<opening version>.<seat>" and is never reused; `kind` is the tag of the frame that asks; `automa` marks a
    seat whose moves its own cards dictate.
    """

    seat: int
    id: str
    kind: str
    automa: bool = False
