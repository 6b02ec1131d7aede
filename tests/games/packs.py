"""Write data packs for tests, and try them: what a pack does is seen in a process of its own, which reads it first."""

import os
import random
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
_TRY = (
    "import sys, pathlib; from engine.core import errors, registry; registry.load([pathlib.Path(sys.argv[1])])\n"
    "try: print(registry.GAMES[sys.argv[2]].info.data_version)\n"
    "except errors.BadData as error: print(error)"
)


def tried(folder, game):
    """Return what the engine says to a pack: an error, or a data version."""
    command = [sys.executable, "-c", _TRY, str(folder), game]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout


def content(game, table):
    return yaml.safe_load((ROOT / "engine" / "games" / game / "data" / f"{table}.yaml").read_text())


def write(folder, game, table, tables):
    (folder / game).mkdir(parents=True)
    (folder / game / f"{table}.yaml").write_text(yaml.safe_dump(tables, sort_keys=False))
    return folder


def pack(folder, game, table, path, value):
    """Write a pack in which one field has another value, or is missing (None)."""
    tables = content(game, table)
    write(folder, game, table, changed(tables, path, value))
    return folder


def changed(tables, path, value):
    *way, last = path
    place = tables
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return tables


def fields(node, path=()):
    """Yield the paths to all fields, of a list only those of its first and last entry."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        if isinstance(node, dict) or key in (0, len(node) - 1):
            yield (*path, key)
            yield from fields(value, (*path, key))


def _outcome(folder, game, table, path, value):
    """Return what becomes of a match with a damaged pack, told by a child process: "refused", "plays" or the fault."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.write(writer, _play(folder, game, table, path, value).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        found = told.read()
    os.waitpid(child, 0)
    return found


def _play(folder, game, table, path, value):
    from engine.core import registry
    from engine.core.errors import BadData

    try:
        registry.load([pack(folder, game, table, path, value)])
        rules = registry.GAMES[game]
    except BadData:
        return "refused"
    except Exception as error:  # noqa: BLE001 - whatever else happens is what is looked for
        return f"{table} {path}: {value!r}: reading it ends in {error!r}"
    try:
        for seats in (rules.info.min_seats, rules.info.max_seats):
            dice = random.Random(seats)
            state = rules.initial_state(rules.config(seats, {}), seats)
            for _ in range(150):
                if not (open_ := rules.pending(state)):
                    break
                seat = dice.choice(open_).seat
                rules.advance(state, seat, dice.choice(rules.legal_actions(state, seat)))
    except Exception as error:  # noqa: BLE001 - whatever else happens is what is looked for
        return f"{table} {path}: {value!r}: a match with it ends in {error!r}"
    return "plays"


def main():
    """Damage fields of a game's tables at random, one at a time, and tell what is neither refused nor playable."""
    game, count, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    dice = random.Random(1)
    tables = sorted(path.stem for path in (ROOT / "engine" / "games" / game / "data").glob("*.yaml"))
    places = [
        (table, path)
        for table in tables
        for path in fields(content(game, table))
        if not any(str(step).endswith("source") for step in path)
    ]
    for number, (table, path) in enumerate(dice.choices(places, k=count)):
        value = dice.choice([None, "zzz", 0, -1, 1, 2, 40, [], {}, True])
        print(_outcome(folder / str(number), game, table, path, value))


if __name__ == "__main__":
    main()
