"""Read a game's data tables: their bytes make the data version, their sources are counted, every fault is named."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.core import registry
from engine.core.errors import BadData

T = TypeVar("T")

#: What a source may rest on: the rulebook, public code or pictures, derived from those, or proposed here.
KINDS = ("rulebook", "public", "derived", "proposed")


class Tables:
    """Hold the tables of a game as they were read; whatever is wrong with them is BadData and names file and field."""

    def __init__(self, game: str, names: Iterable[str]) -> None:
        digest = hashlib.sha256()
        sources: Counter[str] = Counter()
        self._paths: dict[str, Path] = {}
        self._raw: dict[str, dict[Any, Any]] = {}
        for name in names:
            path, content = registry.table(game, name)
            digest.update(content)
            try:
                raw = msgspec.yaml.decode(content)
            except msgspec.DecodeError as error:
                raise BadData(f"{path}: not YAML: {error}") from error
            if not isinstance(raw, dict):
                raise BadData(f"{path}: must be a map of fields; got {type(raw).__name__}")
            self._paths[name], self._raw[name] = path, raw
            _count_sources(path, raw, sources)
        #: SHA-256 of the tables in effect.
        self.version = digest.hexdigest()
        #: How many sources are of which kind.
        self.provenance: dict[str, int] = dict(sorted(sources.items()))

    def place(self, table: str, record: str) -> str:
        """Return where a record stands, for messages."""
        return f"{self._paths[table]}: {record}"

    def refuse(self, table: str, what: str) -> BadData:
        """Return the error that names a table's file."""
        return BadData(self.place(table, what))

    def require(self, right: bool, table: str, what: str) -> None:
        """Raise BadData that says what must be, unless it is so."""
        if not right:
            raise self.refuse(table, what)

    def whole(self, kind: type[T], table: str) -> T:
        """Return a table as one record; raise BadData."""
        try:
            return msgspec.convert(self._raw[table], kind)
        except msgspec.ValidationError as error:
            raise self.refuse(table, str(error)) from error

    def field(self, kind: Any, table: str, field: str) -> Any:
        """Return a field by its dotted path, as a type; raise BadData."""
        value: Any = self._raw[table]
        for step in field.split("."):
            # Keys may be numbers in a table.
            found = {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}
            if step not in found:
                raise self.refuse(table, f"{field}: missing")
            value = found[step]
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self.refuse(table, f"{field}: {error}") from error

    def records(self, kind: type[T], table: str, field: str, key: str = "id") -> tuple[T, ...]:
        """Return the records of a list, which differ in `key`; raise BadData that names the record too."""
        found = []
        seen: set[Any] = set()
        for number, entry in enumerate(self.field(list[Any], table, field), 1):
            named = isinstance(entry, dict) and isinstance(entry.get(key), str | int)
            name = entry[key] if named else f"record {number}"
            try:
                found.append(msgspec.convert(entry, kind))
            except msgspec.ValidationError as error:
                raise self.refuse(table, f"{field}, {name}: {error}") from error
            self.require(name not in seen, table, f"{field}: {name} occurs twice")
            seen.add(name)
        return tuple(found)


def _count_sources(path: Path, node: Any, sources: Counter[str]) -> None:
    if isinstance(node, dict):
        for key, value in node.items():
            if str(key).endswith("source"):
                # One record may name a source for each of its fields.
                for text in value.values() if isinstance(value, dict) else [value]:
                    sources[_kind(path, text)] += 1
            else:
                _count_sources(path, value, sources)
    elif isinstance(node, list):
        for child in node:
            _count_sources(path, child, sources)


def _kind(path: Path, source: Any) -> str:
    """Return the kind that a source names first."""
    named = [kind for kind in KINDS if kind in source] if isinstance(source, str) else []
    if not named:
        raise BadData(f"{path}: a source names one of {', '.join(KINDS)}; got {source!r}")
    return min(named, key=source.index)
