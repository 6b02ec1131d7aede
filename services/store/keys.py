"""Name every key: one table, with its owner, its life and the script that writes it.

A match lives on one of 64 virtual shards, and all its keys carry the shard's tag `{v:07}`, so that one script may
change them together on Redis Cluster. `TABLE` is checked against the keys that a whole match leaves behind.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from zlib import crc32

SHARDS: Final = 64
_DAY_MS: Final = 24 * 3600 * 1000
#: Milliseconds that a match is kept after its last change, by its status; commit.lua lets up to a day pass before
#: it writes the limit anew.
LIFE_MS: Final[Mapping[str, int]] = {
    "lobby": 7 * _DAY_MS,
    "active": 90 * _DAY_MS,
    "error": 90 * _DAY_MS,
    "finished": 30 * _DAY_MS,
    "closed": 30 * _DAY_MS,
}


class Key(NamedTuple):
    """Describe one kind of key."""

    pattern: str
    kind: str
    owner: str
    life: str


TABLE: Final = (
    Key("veche:shards", "string", "deployment", "for ever: the number of virtual shards, checked at start"),
    Key("veche:secret", "string", "deployment", "for ever: the secret that tokens and match ids are derived with"),
    Key("{v:SS}:tick", "string", "shard", "for ever: another number after each commit; the feed sweeps it"),
    Key("{v:SS}:m:MATCH", "hash", "match", "without a change: 7 days in the lobby, 90 once begun, 30 after the end"),
    Key("{v:SS}:m:MATCH:state", "string", "match", "as the match"),
    Key("{v:SS}:m:MATCH:log", "list", "match", "as the match; one entry per version"),
    Key("{v:SS}:m:MATCH:replies", "hash", "match", "as the match; the last 32 requests of each token and bot seat"),
    Key("{v:SS}:m:MATCH:incidents", "list", "match", "as the match; the last 20"),
    Key("{v:SS}:incidents", "zset", "shard", "the last 1,000, by time"),
    Key("{v:SS}:open", "zset", "shard", "an entry lives as long as its bot decision; by time of opening"),
    Key("{v:SS}:q:QUEUE", "zset", "shard", "an entry lives as long as its bot decision; by time it may be claimed"),
    Key("{v:SS}:l:QUEUE", "hash", "shard", "an entry lives as long as its bot decision: attempts and lease"),
    Key("{v:SS}:i:STATUS", "zset", "shard", "public matches by time of creation; swept when the match is gone"),
    Key("{v:SS}:p:STATUS", "zset", "shard", "private matches likewise; the operator alone lists them"),
)

SHARD_COUNT: Final = "veche:shards"
SECRET: Final = "veche:secret"

_TAGS: Final = tuple(f"{{v:{n:02}}}" for n in range(SHARDS))


def shard_of(match_id: str) -> int:
    """Return the virtual shard of a match, 0 to 63: the same for ever."""
    return crc32(match_id.encode()) % SHARDS


def tick(shard: int) -> str:
    """Return the key of what changes with each commit of a shard."""
    return f"{_TAGS[shard]}:tick"


def open_work(shard: int) -> str:
    """Return the key of a shard's open bot decisions by time of opening."""
    return f"{_TAGS[shard]}:open"


def incident_index(shard: int) -> str:
    """Return the key of a shard's incidents by time."""
    return f"{_TAGS[shard]}:incidents"


def queue(shard: int, name: str) -> str:
    """Return the key of a shard's bot decisions for one queue, by the time they may be claimed."""
    return f"{_TAGS[shard]}:q:{name}"


def leases(shard: int, name: str) -> str:
    """Return the key of the attempts and leases of one queue."""
    return f"{_TAGS[shard]}:l:{name}"


def index(shard: int, status: str, private: bool) -> str:
    """Return the key of a shard's public or private matches in one status, by time of creation."""
    return f"{_TAGS[shard]}:{'p' if private else 'i'}:{status}"


def match_channel(match_id: str) -> str:
    """Return the pub/sub channel of a match's changes."""
    return f"veche:match:{match_id}"


def work_channel(shard: int) -> str:
    """Return the pub/sub channel of the bot decisions that open on a shard."""
    return f"veche:work:{shard:02}"


class MatchKeys(NamedTuple):
    """Hold the keys of one match."""

    head: str
    state: str
    log: str
    replies: str
    incidents: str


def match(match_id: str) -> MatchKeys:
    """Return the keys of a match."""
    head = f"{_TAGS[shard_of(match_id)]}:m:{match_id}"
    return MatchKeys(head, f"{head}:state", f"{head}:log", f"{head}:replies", f"{head}:incidents")


def queue_name(game: str, rules_version: str, data_version: str, policy: str) -> str:
    """Return the name of the queue that only workers with exactly these versions and this policy may serve."""
    return f"{game}/{rules_version}/{data_version[:16]}/{policy}"


def rules_of_queue(name: str) -> str:
    """Return the game, the rules version and the beginning of the data version that a queue is for."""
    return name.rpartition("/")[0]
