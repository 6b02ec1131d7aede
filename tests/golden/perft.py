"""Count the leaves of the tree of moves below named states: any change in what is legal changes a count."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from engine.core.rules import Rules
from tests.conformance.cases import case_named, rules_of
from tests.conformance.walk import walk

FOLDER = Path(__file__).parent


class Named(msgspec.Struct):
    """Be a state to count from: the first decision of a kind in the random game of a case and seed."""

    case: str
    seed: int
    kind: str
    leaves: list[int]


def files() -> list[Path]:
    """Return the count files of all games."""
    return sorted(FOLDER.glob("*/perft.toml"))


def read(path: Path) -> list[Named]:
    """Return the named states of a count file."""
    return msgspec.convert(tomllib.loads(path.read_text())["state"], list[Named])


def write(path: Path, states: list[Named]) -> None:
    """Write a count file."""
    head = "# Leaves of the tree of moves at depths 1, 2, ... below the first decision of a kind in a random game.\n"
    blocks = [
        f'\n[[state]]\ncase = "{s.case}"\nseed = {s.seed}\nkind = "{s.kind}"\nleaves = {s.leaves}\n' for s in states
    ]
    path.write_text(head + "".join(blocks))


def find(named: Named) -> Any:
    """Return the state that a name stands for; raise LookupError when its game never gets there."""
    for moment in walk(case_named(named.case), named.seed):
        if moment.decision.kind == named.kind:
            return moment.state
    raise LookupError(f"{named.case}, seed {named.seed}: no decision of kind {named.kind}")


def leaves(rules: Rules, state: Any, depth: int) -> int:
    """Return how many states lie `depth` decisions further on, the first open seat deciding each time."""
    pending = rules.pending(state)
    if not pending:
        return 0
    seat = pending[0].seat
    legal = rules.legal_actions(state, seat)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = state.clone()
        rules.advance(after, seat, action)
        total += leaves(rules, after, depth - 1)
    return total


def counts(named: Named) -> list[int]:
    """Return the counts of a named state at the depths it lists."""
    rules, state = rules_of(case_named(named.case)), find(named)
    return [leaves(rules, state, depth) for depth in range(1, len(named.leaves) + 1)]
