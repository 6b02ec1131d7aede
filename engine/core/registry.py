"""List the games, and where their data comes from."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from engine.core.errors import BadData
from engine.core.rules import Rules

#: Game id to package. A package is imported, and its data read, on first use; so core imports no game.
_PACKAGES = {
    "rurik": "engine.games.rurik",
    "masters_of_europe": "engine.games.masters_of_europe",
    "europe_divided": "engine.games.europe_divided",
}

_packs: list[Path] = []
_loaded: dict[str, Rules] = {}


class _Games(Mapping[str, Rules]):
    def __getitem__(self, game: str) -> Rules:
        if game not in _loaded:
            _loaded[game] = import_module(_PACKAGES[game]).RULES
        return _loaded[game]

    def __iter__(self) -> Iterator[str]:
        return iter(_PACKAGES)

    def __len__(self) -> int:
        return len(_PACKAGES)


#: Game id to its rules.
GAMES: Mapping[str, Rules] = _Games()


def load(data_dirs: Sequence[Path]) -> None:
    """Use data packs: in each directory, `<game>/<table>.yaml` stands in for the built-in table of that name.

    The last directory that has a table wins. Raises BadData when a game has been loaded already, for a directory that
    is missing, or for a game or table that does not exist.
    """
    if _loaded:
        raise BadData(f"data packs must be loaded before the first use of {', '.join(sorted(_loaded))}")
    for directory in data_dirs:
        if not directory.is_dir():
            raise BadData(f"{directory}: no such directory")
        for child in directory.iterdir():
            if child.is_dir() and child.name not in _PACKAGES:
                raise BadData(f"{child}: no game of that name; known are {', '.join(_PACKAGES)}")
            for path in child.glob("*.yaml") if child.is_dir() else ():
                if not (_builtin(child.name) / path.name).is_file():
                    raise BadData(f"{path}: {child.name} has no table of that name")
    _packs.extend(data_dirs)


def table(game: str, name: str) -> tuple[Path, bytes]:
    """Return the path, for messages, and the bytes of a game's `<name>.yaml`, from the last pack that has it."""
    for directory in [*(pack / game for pack in reversed(_packs)), _builtin(game)]:
        path = directory / f"{name}.yaml"
        if path.is_file():
            return path, path.read_bytes()
    raise BadData(f"{game}: no table {name}.yaml")


def _builtin(game: str) -> Path:
    return Path(__file__).parent.parent / "games" / game / "data"
