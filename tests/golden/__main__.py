"""Compare playthroughs and counts with the files, or write them: `python -m tests.golden [--update] [--game G]`."""

import argparse
import difflib
import sys

from tests.golden import perft, playthrough


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the files anew and show what changed")
    parser.add_argument("--game", help="this game only")
    args = parser.parse_args()
    update, changed = args.update, 0
    for case in playthrough.cases():
        if args.game not in (None, case.game):
            continue
        path = playthrough.path_of(case)
        old = path.read_text().splitlines() if path.exists() else []
        new = playthrough.playthrough(case)
        if old != new:
            changed += 1
            sys.stdout.writelines(
                f"{line}\n" for line in difflib.unified_diff(old, new, str(path), "now", lineterm="", n=1)
            )
            if update:
                path.parent.mkdir(exist_ok=True)
                path.write_text("\n".join(new) + "\n")
    for path in perft.files():
        if args.game not in (None, path.parent.name):
            continue
        states = perft.read(path)
        for named in states:
            now = perft.counts(named)
            if now != named.leaves:
                changed += 1
                print(f"{path.parent.name}: {named.case}, seed {named.seed}, {named.kind}: {named.leaves} -> {now}")
                named.leaves = now
        if update:
            perft.write(path, states)
    print(f"{changed} changed{', written' if update and changed else ''}")
    return 0 if update else min(changed, 1)


if __name__ == "__main__":
    sys.exit(main())
