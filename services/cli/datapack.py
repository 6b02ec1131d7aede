"""Write a game's data tables as a pack to be corrected, or check a pack.

A pack is a directory with <game>/<table>.yaml; tables that are left out stay as built in. Use it with --data-pack.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from engine.core import registry
from engine.core.errors import BadData
from services.cli.home import home
from services.cli.say import step

_HEADER = """\
# Data pack of Veche: {game}, table {table}. Correct values here; delete this file if nothing in it changes.
# Keep the names of fields, the ids and the kinds of values. `source` says where a figure comes from: change it too.
# Check the pack with:  python -m services.cli datapack --game {game} --check {folder}
# Fields:
"""
_DEEPEST = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `datapack`."""
    parser.add_argument("--game", required=True, choices=list(registry.GAMES), help="which game")
    parser.add_argument("--to", type=Path, metavar="DIR", help="where to write (default: .veche/datapack)")
    parser.add_argument("--check", type=Path, metavar="DIR", help="check this pack instead of writing one")


def main(args: argparse.Namespace) -> int:
    """Write or check; return 0. Raises BadData for a pack that cannot be used."""
    if args.check is not None:
        return check(args.check, args.game)
    folder = args.to or home() / "datapack"
    count = write(folder, args.game)
    step(f"wrote {count} tables of {args.game} to {folder / args.game}")
    return 0


def write(folder: Path, game: str) -> int:
    """Write all tables of a game that are not there yet; return how many. Nothing that exists is overwritten."""
    target = folder / game
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for source in sorted(_builtin(game).glob("*.yaml")):
        path = target / source.name
        if path.exists():
            step(f"{path} is there already and stays as it is")
            continue
        text = source.read_text()
        header = _HEADER.format(game=game, table=source.stem, folder=folder)
        fields = "".join(f"#   {line}\n" for line in schema(yaml.safe_load(text)))
        path.write_text(f"{header}{fields}\n{text}")
        count += 1
    return count


def check(folder: Path, game: str) -> int:
    """Load a game with a pack as an engine pod would; return 0, raise BadData naming file, record and field."""
    names = {path.name for path in _builtin(game).glob("*.yaml")}
    if not (folder / game).is_dir():
        raise BadData(f"{folder / game}: no such directory; a pack holds one directory for each game it changes")
    for path in sorted((folder / game).iterdir()):
        if path.name not in names:
            raise BadData(f"{path}: {game} has no such table; its tables are {', '.join(sorted(names))}")
    registry.load([folder])
    info = registry.GAMES[game].info
    step(f"{folder} is a good pack for {info.name}: data version {info.data_version[:12]}")
    return 0


def schema(node: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    """Yield a line for each field of a table: its path and the kinds of its values in all records."""
    if isinstance(node, dict) and depth < _DEEPEST:
        for key, value in node.items():
            yield from schema(value, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(node, list) and node and all(isinstance(item, dict) for item in node) and depth < _DEEPEST:
        merged: dict[Any, list[Any]] = {}
        for key, value in itertools.chain.from_iterable(item.items() for item in node):
            merged.setdefault(key, []).append(value)
        for key, values in merged.items():
            kinds = " or ".join(sorted({_kind(value) for value in values}))
            optional = "" if len(values) == len(node) else ", may be left out"
            yield f"{path}[].{key}: {kinds}{optional}"
    else:
        yield f"{path}: {_kind(node)}"


def _kind(value: Any) -> str:
    if isinstance(value, list):
        kinds = sorted({_kind(item) for item in value})
        return f"list of {' or '.join(kinds)}" if kinds else "list"
    names = {bool: "true/false", int: "whole number", str: "text", dict: "record", float: "number"}
    return names.get(type(value), "nothing")


def _builtin(game: str) -> Path:
    return Path(registry.__file__).parent.parent / "games" / game / "data"
