"""Describe what a seat has to decide."""

import msgspec


class Decision(msgspec.Struct, frozen=True):
    """Hold one open decision.

    `id` is "<opening version>.<seat>" and is never reused; `kind` is the tag of the frame that asks; `automa` marks a
    seat whose moves its own cards dictate. `open` names kinds of action, by tag, of which more are allowed than the
    legal list shows: offers that a seat words itself.
    """

    seat: int
    id: str
    kind: str
    automa: bool = False
    open: tuple[str, ...] = ()
