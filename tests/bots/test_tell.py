"""The end of a match is told in words."""

import pytest

from bots.console import tell
from veche.v1 import common_pb2


@pytest.mark.parametrize(
    ("by", "reason", "line"),
    [
        ("HOST", "the guests went home", "The match was closed by its host before its end: the guests went home"),
        ("ADMIN", "", "The match was closed by the operator before its end."),
        ("UNSPECIFIED", "", "The match was closed before its end."),
    ],
)
def test_a_closed_match_is_told_with_who_closed_it_and_why(by, reason, line):
    match = common_pb2.Match(
        status=common_pb2.MATCH_STATUS_CLOSED,
        close_reason=reason,
        closed_by=common_pb2.ActorKind.Value(f"ACTOR_KIND_{by}"),
    )
    said = []
    assert not tell.finish(match, said.append)
    assert said == [line]
