"""Serve AdminService: for the operator, who holds the admin token."""

import sys
from typing import Any

from engine.core import codec
from protos.wire import WireError, for_game
from services import security
from services.api import convert
from services.api.convert import match_message
from services.api.rpc import Call
from services.errors import Refusal
from services.matches.lifecycle import Lifecycle
from services.matches.plan import rules_of
from services.matches.record import Reader
from services.matches.tables import Tables, rules_for
from services.store.rows import Head, Incident
from services.store.store import Store
from veche.v1 import admin_pb2, common_pb2

_FROM_NEWEST = (sys.maxsize, "~")


class AdminServicer:
    """List matches and incidents, requeue and close matches."""

    def __init__(self, store: Store, tables: Tables, reader: Reader, lifecycle: Lifecycle, token: str) -> None:
        self._reader = reader
        self._store = store
        self._tables = tables
        self._lifecycle = lifecycle
        self._token = token

    def _operator(self, call: Call) -> None:
        if not call.token:
            raise Refusal("TOKEN_REQUIRED", "send the admin token of this deployment")
        if not security.same(call.token, self._token):
            raise Refusal("TOKEN_UNKNOWN", "not the admin token of this deployment; check VECHE_ADMIN_TOKEN")

    async def ListAllMatches(self, message: admin_pb2.ListAllMatchesRequest, call: Call) -> Any:  # noqa: N802
        self._operator(call)
        limit = convert.page_size(message.page_size, 50, 200)
        start = convert.page_start(message, _FROM_NEWEST)
        if message.game:
            rules_of(message.game)
        heads, following = await self._reader.listing(
            message.game, convert.statuses(message), False, start, limit, private=True
        )
        return admin_pb2.ListAllMatchesResponse(
            matches=[match_message(head) for head in heads],
            next_page_token=convert.page_token(message, following) if following else "",
        )

    async def ListIncidents(self, message: admin_pb2.ListIncidentsRequest, call: Call) -> Any:  # noqa: N802
        self._operator(call)
        limit = convert.page_size(message.page_size, 50, 200)
        start = convert.page_start(message, _FROM_NEWEST)
        if message.match_id:
            await self._tables.read(convert.match_id_of(message))
            named = [(i.time_ms, f"{i.match_id}|{i.id}") for i in await self._store.incidents(message.match_id)]
            names = [name for name in named if name < start][:limit]
        else:
            names = await self._store.index.incident_names(start, limit)
        match_ids = list(dict.fromkeys(name.partition("|")[0] for _, name in names))
        heads = dict(zip(match_ids, await self._store.heads(match_ids), strict=True))
        found = {i.id: i for match_id in match_ids for i in await self._store.incidents(match_id)}
        kept = [found[i] for _, name in names if (i := name.partition("|")[2]) in found]
        return admin_pb2.ListIncidentsResponse(
            incidents=[_incident(incident, heads[incident.match_id]) for incident in kept],
            next_page_token=convert.page_token(message, names[-1]) if len(names) == limit else "",
        )

    async def RequeueMatch(self, message: admin_pb2.RequeueMatchRequest, call: Call) -> bytes:  # noqa: N802
        self._operator(call)
        return await self._lifecycle.requeue(
            convert.match_id_of(message),
            convert.by_token(message, call.token),
            lambda table: admin_pb2.RequeueMatchResponse(match=match_message(table.head)).SerializeToString(),
        )

    async def TerminateMatch(self, message: admin_pb2.TerminateMatchRequest, call: Call) -> bytes:  # noqa: N802
        self._operator(call)
        return await self._lifecycle.close(
            convert.match_id_of(message),
            None,
            convert.text(message, "reason", convert.REASON),
            convert.by_token(message, call.token),
            lambda table: admin_pb2.TerminateMatchResponse(match=match_message(table.head)).SerializeToString(),
        )


def _incident(incident: Incident, head: Head | None) -> admin_pb2.Incident:
    action: common_pb2.GameAction | None = None
    rules = rules_for(head.info.game, head.info.rules_version, head.info.data_version) if head else None
    if rules is not None and incident.action:
        try:
            action = for_game(rules).action_to_message(codec.decode_action(rules, incident.action))
        except (WireError, ValueError):
            # The operator still gets the place in the code.
            action = None
    return admin_pb2.Incident(
        id=incident.id,
        match_id=incident.match_id,
        version=incident.version,
        actor=convert.actor_message(incident.actor, incident.seat),
        action=action,
        cause=incident.cause,
        time=convert.timestamp(incident.time_ms),
    )
