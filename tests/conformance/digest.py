"""Print a digest of games as this process plays them: `python -m tests.conformance.digest SEED...`."""

import hashlib
import sys

from engine.core import codec
from tests.conformance.cases import CASES, Case, rules_of
from tests.conformance.walk import packed, viewers, walk


def digest(case: Case, seed: int) -> str:
    """Return a digest of every state, event, list of actions, view and line of a random game."""
    rules = rules_of(case)
    total = hashlib.sha256()
    for moment in walk(case, seed):
        total.update(codec.encode(rules, moment.step.state))
        total.update(codec.encode_events(moment.step.events))
        total.update(packed(moment.legal))
        if moment.index % 5 == 0:
            for seat in viewers(case):
                view = rules.observe(moment.state, seat)
                total.update(packed(view))
                total.update("\n".join(rules.describe(action, view) for action in moment.legal).encode())
    return total.hexdigest()


if __name__ == "__main__":
    for case in CASES:
        for word in sys.argv[1:]:
            print(case, word, digest(case, int(word)))
