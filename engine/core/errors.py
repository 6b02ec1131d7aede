"""Name what can go wrong, one type per meaning."""


class EngineError(Exception):
    """Be the base of every error that the engine raises on purpose."""


class BadConfig(EngineError):
    """Say which field of a match configuration is wrong, and what would be right."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class IllegalAction(EngineError):
    """Refuse an action that is not legal for the seat; `kind` is that of its open decision (None: it has none)."""

    def __init__(self, seat: int, kind: str | None, message: str) -> None:
        super().__init__(message)
        self.seat = seat
        self.kind = kind


class WrongVersion(EngineError):
    """Refuse bytes or a record written by other rules or other data than the ones loaded here."""


class BadData(EngineError):
    """Name the file, record and field of a data table that cannot be used."""


class Divergence(EngineError):
    """Name the first entry of a record that does not replay."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(f"entry {index}: {message}")
        self.index = index


class RulesBug(EngineError):
    """Report a broken promise of the rules themselves; never the player's fault."""
