"""Test who may read an event."""

from engine.core.events import Emitted, seen_by


def test_an_event_without_an_audience_is_for_everybody() -> None:
    assert seen_by(Emitted("e"), None) == "e"
    assert seen_by(Emitted("e"), 3) == "e"


def test_others_read_the_public_form_or_nothing() -> None:
    emitted = Emitted("secret", (0, 2), "public")
    assert [seen_by(emitted, seat) for seat in (0, 1, 2, None)] == ["secret", "public", "secret", "public"]
    assert seen_by(Emitted("secret", (0,)), 1) is None
    assert seen_by(Emitted("secret", ()), 0) is None


def test_seat_zero_is_a_seat_and_not_a_spectator() -> None:
    assert seen_by(Emitted("secret", (0,), "public"), None) == "public"
