"""Measure: `python -m tests.bench [engine ...] [--seconds S]`; all parts when none is named."""

import argparse
import sys
from importlib import import_module

#: Part to module; each has a `main(seconds)` that prints its figures and returns an exit code.
PARTS = {"engine": "tests.bench.engine", "service": "tests.bench.service", "streams": "tests.bench.streams"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: everything)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of one measurement (default 4)")
    args = parser.parse_args()
    failed = 0
    for part in args.parts or PARTS:
        print(f"== {part}", flush=True)
        failed |= import_module(PARTS[part]).main(args.seconds)
    return failed


if __name__ == "__main__":
    sys.exit(main())
