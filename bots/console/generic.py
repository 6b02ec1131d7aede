"""Draw the table of a game that has no drawing of its own: every field by name, as much as fits. Pure functions."""

from collections.abc import Iterator
from typing import Any

import msgspec

from bots.console.text import WIDTH, clip, paint, wrap

#: Lines that a table may take on the main screen.
_ROWS = 24


def draw(table: Any, own: int | None) -> list[str]:
    """Return the table in at most 24 lines; the page of key t has all of it."""
    lines = full(table, own)
    if len(lines) > _ROWS:
        lines = [*lines[: _ROWS - 1], paint(f"... {len(lines) - _ROWS + 1} more lines: t", "dim")]
    return lines


def full(table: Any, own: int | None) -> list[str]:
    """Return all fields: plain ones together on top, then a line for each record of a list."""
    who = "watching" if own is None else f"you are seat {own}"
    plain = [f"{name} {_value(value)}" for name, value in _fields(table) if not _is_long(value)]
    lines = wrap(" · ".join([who, *plain]), WIDTH)
    for name, value in _fields(table):
        if _is_long(value):
            lines.append(paint(name.replace("_", " "), "bold"))
            lines += [clip(f" {text}", WIDTH) for text in _records(value)]
    return lines


def _fields(struct: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(struct, field.name)) for field in msgspec.structs.fields(struct)]


def _is_long(value: Any) -> bool:
    return isinstance(value, msgspec.Struct | dict) or (
        isinstance(value, tuple) and any(isinstance(item, msgspec.Struct) for item in value)
    )


def _records(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{key}: {_value(item)}" for key, item in value.items())
    elif isinstance(value, tuple):
        yield from map(_value, value)
    else:
        yield _value(value)


def _value(value: Any) -> str:
    if isinstance(value, msgspec.Struct):
        return " ".join(f"{name}={_value(item)}" for name, item in _fields(value) if item not in (None, (), "", {}))
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_value, value)) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(item)}" for key, item in value.items()) + "}"
    return str(value)
