"""Keep the launcher's folders under `.veche/`: one for each run, held by a lock, and one for `serve`."""

import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import msgspec

#: Names another place than the project's own `.veche`.
VARIABLE = "VECHE_HOME"
_ROOT = Path(__file__).resolve().parent.parent.parent
#: A run's folder younger than this may be about to be locked by its launcher, in seconds.
_YOUNG = 60.0


class NoSuchRun(ValueError):
    """Say that no run is kept for a resume token."""


class Run(msgspec.Struct, frozen=True):
    """Name a run's folder; `session` exists while its match is unfinished and holds the resume token."""

    folder: Path

    @property
    def session(self) -> Path:
        """Return the file that holds the resume token of the unfinished match."""
        return self.folder / "session"


def home() -> Path:
    """Return the folder for everything the launcher keeps, made if missing."""
    folder = Path(os.environ.get(VARIABLE) or _ROOT / ".veche")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@contextmanager
def run(resume: str | None) -> Iterator[Run]:
    """Hold a run's folder: a new one, or the one whose session is the resume token; raise NoSuchRun for a wrong one.

    The folder is removed at the end unless its match is unfinished.
    """
    runs = home() / "runs"
    runs.mkdir(mode=0o700, exist_ok=True)
    sweep(runs)
    folder = _find(runs, resume) if resume else runs / secrets.token_hex(4)
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = _lock(folder)
    if lock is None:
        raise NoSuchRun("this match is being played in another terminal")
    held = Run(folder)
    try:
        yield held
    finally:
        if not held.session.exists():
            shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def sweep(runs: Path) -> None:
    """Remove the folders of runs that were killed before a match began or after it ended."""
    for folder in runs.iterdir():
        with suppress(OSError):
            if (folder / "session").exists() or time.time() - folder.stat().st_mtime < _YOUNG:
                continue
            lock = _lock(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()


def _find(runs: Path, resume: str) -> Path:
    for folder in runs.iterdir():
        session = folder / "session"
        if session.is_file() and session.read_text().strip() == resume.strip():
            return folder
    raise NoSuchRun("no unfinished match is kept for this token; copy it whole, as it was printed")


def _lock(folder: Path) -> TextIO | None:
    """Return an open file that holds the folder's lock until it is closed; None when another process holds it."""
    lock = (folder / "launcher.lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
