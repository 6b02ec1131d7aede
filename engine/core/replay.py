"""Keep a match as what was decided, and play it again."""

from typing import Any

import msgspec

from engine.core.errors import Divergence, IllegalAction, WrongVersion
from engine.core.rules import Rules


class Entry(msgspec.Struct, frozen=True):
    """Hold one applied action with its seat and its actor: seat, bot, automa, clock or admin."""

    seat: int
    action: Any
    actor: str = "seat"


class Record(msgspec.Struct, frozen=True):
    """Hold all that makes a match: game, versions, seats, options, seed and the actions in order."""

    game: str
    rules_version: str
    data_version: str
    seats: int
    options: dict[str, Any]
    seed: int
    entries: tuple[Entry, ...] = ()


def replay(rules: Rules, record: Record) -> Any:
    """Return the state that a record leads to.

    Raises WrongVersion when it was written under other rules or other data, Divergence at the first entry that is not
    legal any more.
    """
    written = (record.game, record.rules_version, record.data_version)
    here = (rules.info.id, rules.info.rules_version, rules.info.data_version)
    if written != here:
        raise WrongVersion(f"record of {' '.join(written)}; here are {' '.join(here)} (game, rules, data)")
    state = rules.initial_state(rules.config(record.seats, record.options), record.seed)
    for index, entry in enumerate(record.entries):
        try:
            state = rules.apply(state, entry.seat, entry.action).state
        except IllegalAction as error:
            raise Divergence(index, str(error)) from error
    return state
