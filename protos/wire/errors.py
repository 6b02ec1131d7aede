"""Name what can be wrong with a message, and with a proto."""

from typing import Self


class WireError(ValueError):
    """Refuse a message: `field` is the path of the field at fault, `message` says what it must be.

    Services answer it with INVALID_ARGUMENT and a field violation. Neither text holds anything but the message's own
    content.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field
        self.message = message

    def under(self, parent: str) -> Self:
        """Return the same error with `parent` put before its path."""
        glue = "." if self.field and parent and not self.field.startswith("[") else ""
        return type(self)(f"{parent}{glue}{self.field}", self.message)


class WrongGame(WireError):
    """Refuse a payload of another game than the match is."""


class Mismatch(TypeError):
    """List where an engine type and its proto message differ; a fault of the source, found when the game is loaded."""

    def __init__(self, differences: list[str]) -> None:
        super().__init__("\n".join(differences))
        self.differences = differences
