"""Matches are created, listed, joined, left, filled with bots and started; seats are what their tokens say."""

import random

import pytest

from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, DEADLINE, Client, Seats, bearer, fresh, refusal
from veche.v1 import admin_pb2, catalog_pb2, common_pb2, match_pb2

DAY_MS = 24 * 3600 * 1000


async def lobby(client: Client, seats: int = 3, **fields: object) -> Seats:
    request = match_pb2.CreateMatchRequest(
        **{"request_id": fresh(), "game": "rurik", "seat_count": seats, **fields}  # type: ignore[arg-type]
    )
    return Seats(client, await client.matches.CreateMatch(request, timeout=DEADLINE))


async def join(seats: Seats, **fields: object) -> match_pb2.JoinMatchResponse:
    request = match_pb2.JoinMatchRequest(match_id=seats.id, request_id=fresh(), **fields)  # type: ignore[arg-type]
    reply: match_pb2.JoinMatchResponse = await seats.client.matches.JoinMatch(request, timeout=DEADLINE)
    seats.tokens[reply.seat_token.seat] = reply.seat_token.token
    return reply


async def start(seats: Seats) -> common_pb2.Match:
    request = match_pb2.StartMatchRequest(match_id=seats.id, request_id=fresh())
    reply = await seats.client.matches.StartMatch(request, timeout=DEADLINE, metadata=bearer(seats.host))
    match: common_pb2.Match = reply.match
    return match


async def test_seats_are_taken_in_order_or_by_choice_and_the_host_starts(client: Client) -> None:
    seats = await lobby(client)
    assert (await join(seats, name="Olga")).seat_token.seat == 0
    assert (await join(seats, name="Igor", seat=2)).seat_token.seat == 2
    reply = await client.matches.AddBot(
        match_pb2.AddBotRequest(match_id=seats.id, request_id=fresh(), policy="greedy"), metadata=bearer(seats.host)
    )
    kinds = [(seat.kind, seat.name, seat.policy) for seat in reply.match.seats]
    assert kinds == [
        (common_pb2.SEAT_KIND_CLIENT, "Olga", ""),
        (common_pb2.SEAT_KIND_BOT, "", "greedy"),
        (common_pb2.SEAT_KIND_CLIENT, "Igor", ""),
    ]
    match = await start(seats)
    assert match.status == common_pb2.MATCH_STATUS_ACTIVE
    assert len(match.seed_commitment) == 64
    assert not match.seed
    view = await seats.view(2)
    assert view.seat == 2
    assert view.pending


async def test_the_last_seat_starts_a_match_that_starts_by_itself(client: Client) -> None:
    seats = await lobby(client, 2, auto_start=True)
    assert (await join(seats)).match.status == common_pb2.MATCH_STATUS_LOBBY
    assert (await join(seats)).match.status == common_pb2.MATCH_STATUS_ACTIVE


async def test_a_seat_given_back_is_open_and_its_token_void(client: Client) -> None:
    seats = await lobby(client)
    await join(seats)
    request = match_pb2.LeaveMatchRequest(match_id=seats.id, request_id=fresh())
    reply = await client.matches.LeaveMatch(request, metadata=bearer(seats.tokens[0]))
    assert reply.match.seats[0].kind == common_pb2.SEAT_KIND_OPEN
    told = await refusal(
        client.matches.GetMatch(match_pb2.GetMatchRequest(match_id=seats.id), metadata=bearer(seats.tokens[0]))
    )
    assert told.reason == "TOKEN_UNKNOWN"
    old = seats.tokens[0]
    assert (await join(seats)).seat_token.token != old


async def test_two_clients_never_get_one_seat(client: Client) -> None:
    import asyncio

    seats = await lobby(client, 4)
    replies = await asyncio.gather(*(join(seats) for _ in range(4)))
    assert sorted(reply.seat_token.seat for reply in replies) == [0, 1, 2, 3]
    assert len({reply.seat_token.token for reply in replies}) == 4


async def test_options_travel_to_the_match_and_back(client: Client) -> None:
    options = common_pb2.GameOptions()
    options.rurik.automa[1] = 3
    seats = await client.create(2, automa={1}, options=options)
    match = await seats.match()
    assert match.options == options
    assert (match.seats[1].kind, match.seats[1].difficulty) == (common_pb2.SEAT_KIND_AUTOMA, "hard")


async def test_the_listing_shows_public_matches_newest_first_in_pages(client: Client) -> None:
    made = [(await lobby(client)).id for _ in range(12)]
    hidden = await lobby(client, visibility=common_pb2.VISIBILITY_PRIVATE)
    found: list[str] = []
    token = ""
    while True:
        request = match_pb2.ListMatchesRequest(page_size=5, page_token=token)
        reply = await client.matches.ListMatches(request, timeout=DEADLINE)
        found += [match.id for match in reply.matches]
        token = reply.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(made)
    assert hidden.id not in found
    times = {m.id: m.create_time.ToMilliseconds() for m in [await match_of(client, i) for i in found]}
    assert [times[i] for i in found] == sorted(times.values(), reverse=True)


async def match_of(client: Client, match_id: str) -> common_pb2.Match:
    reply = await client.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id), timeout=DEADLINE)
    match: common_pb2.Match = reply.match
    return match


async def test_the_listing_is_filtered_by_game_status_and_open_seats(client: Client) -> None:
    waiting, playing = await lobby(client), await client.create()
    closed = await client.create()
    await client.matches.CloseMatch(
        match_pb2.CloseMatchRequest(match_id=closed.id, request_id=fresh()), metadata=bearer(closed.host)
    )

    async def listed(**fields: object) -> set[str]:
        request = match_pb2.ListMatchesRequest(**fields)  # type: ignore[arg-type]
        return {match.id for match in (await client.matches.ListMatches(request, timeout=DEADLINE)).matches}

    assert await listed() == {waiting.id, playing.id, closed.id}
    assert await listed(statuses=[common_pb2.MATCH_STATUS_ACTIVE]) == {playing.id}
    assert await listed(statuses=[common_pb2.MATCH_STATUS_CLOSED]) == {closed.id}
    assert await listed(with_open_seats=True) == {waiting.id}
    assert await listed(game="europe_divided") == set()
    told = await refusal(client.matches.ListMatches(match_pb2.ListMatchesRequest(statuses=[77])))
    assert (told.reason, told.field) == ("INVALID_FIELD", "statuses[0]")


async def test_a_match_whose_time_is_over_leaves_the_listing(client: Client, stored: Stored) -> None:
    seats = await lobby(client)
    for key in stored.client.keys(f"*:m:{seats.id}*"):
        stored.client.delete(key)
    reply = await client.matches.ListMatches(match_pb2.ListMatchesRequest())
    assert not reply.matches
    assert not stored.client.keys("*:i:*")


async def test_the_catalog_tells_what_a_match_needs(client: Client) -> None:
    games = (await client.catalog.ListGames(catalog_pb2.ListGamesRequest(), timeout=DEADLINE)).games
    rurik = next(game for game in games if game.id == "rurik")
    assert (rurik.min_seats, rurik.max_seats) == (2, 4)
    assert list(rurik.policies) == ["random", "greedy"]
    assert {option.name for option in rurik.options} >= {"automa", "leaders"}
    assert [game.id for game in games] == sorted(game.id for game in games)
    one = await client.catalog.GetGame(catalog_pb2.GetGameRequest(game="rurik"), timeout=DEADLINE)
    assert one.game == rurik


async def test_a_record_shows_a_seat_its_own_moves_and_everybody_all_after_the_end(client: Client) -> None:
    seats = await client.create()
    await seats.play(60, random.Random(4))

    async def record(token: str) -> list[match_pb2.RecordEntry]:
        entries: list[match_pb2.RecordEntry] = []
        page = ""
        while True:
            request = match_pb2.GetRecordRequest(match_id=seats.id, page_size=25, page_token=page)
            reply = await client.matches.GetRecord(request, timeout=DEADLINE, metadata=bearer(token))
            entries += reply.entries
            page = reply.next_page_token
            if not page:
                return entries

    for seat, token in [*seats.tokens.items(), (None, ""), (None, seats.host)]:
        entries = await record(token)
        assert [entry.version for entry in entries] == list(range(1, 61))
        assert {entry.actor.seat for entry in entries if entry.HasField("action")} == ({seat} - {None})
    await seats.play(2500, random.Random(5))
    entries = await record("")
    assert all(entry.HasField("action") for entry in entries)
    assert len(entries) == (await seats.match()).version


async def test_a_match_that_nobody_touches_expires_by_its_status(client: Client, stored: Stored) -> None:
    def check(seats: Seats, days: int) -> None:
        lives = [stored.client.pttl(key) for key in stored.client.keys(f"*:m:{seats.id}*")]
        assert all(days * DAY_MS - 60_000 < life <= days * DAY_MS for life in lives)

    waiting, playing = await lobby(client), await client.create()
    check(waiting, 7)
    check(playing, 90)
    await playing.play(5, random.Random(1))
    check(playing, 90)
    await client.matches.CloseMatch(
        match_pb2.CloseMatchRequest(match_id=playing.id, request_id=fresh()), metadata=bearer(playing.host)
    )
    check(playing, 30)


async def test_a_move_writes_the_end_of_a_matchs_life_anew_once_a_day(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(2, random.Random(1))
    names = stored.client.keys(f"*:m:{seats.id}*")
    for gone, expected in ((DAY_MS // 2, 89.5), (DAY_MS * 2, 90.0)):
        for name in names:
            stored.client.pexpire(name, 90 * DAY_MS - gone)
        await seats.play(1, random.Random(2))
        assert {round(stored.client.pttl(name) / DAY_MS, 1) for name in names} == {expected}


async def test_every_key_is_in_the_table(client: Client, stored: Stored) -> None:
    import re

    from services.store.keys import TABLE

    kinds = {}
    for key in TABLE:
        pattern = re.escape(key.pattern)
        for word, stands_for in (("SS", r"\d\d"), ("MATCH", "[a-z2-7]{16}"), ("QUEUE", ".+"), ("STATUS", "[a-z]+")):
            pattern = pattern.replace(word, stands_for)
        kinds[pattern] = key.kind
    seats = await client.create(3, bots={1: "random"})
    await seats.play(20, random.Random(1))
    await lobby(client)
    for key in stored.client.scan_iter():
        (kind,) = {kind for pattern, kind in kinds.items() if re.fullmatch(pattern, key.decode())}
        assert stored.client.type(key).decode() == kind


async def test_a_match_of_other_rules_is_listed_read_and_closed_but_not_played(client: Client, stored: Stored) -> None:
    import msgspec

    from services.store import rows

    seats = await client.create()
    await seats.play(5, random.Random(1))
    (head,) = [key for key in stored.client.keys("*:m:*") if key.count(b":") == 3]
    info = rows.unpack_info(stored.client.hget(head, "info"))
    stored.client.hset(head, "info", rows.pack(msgspec.structs.replace(info, rules_version="0")))
    stored.client.hincrby(head, "rev")
    assert (await seats.match()).rules_version == "0"
    assert [m.id for m in (await client.matches.ListMatches(match_pb2.ListMatchesRequest())).matches] == [seats.id]
    record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=seats.id))
    assert len(record.entries) == 5
    request = match_pb2.SubmitActionsRequest(match_id=seats.id, request_id=fresh())
    request.submissions.add(decision_id="5.0", index=0)
    for call in (
        client.matches.GetView(match_pb2.GetViewRequest(match_id=seats.id)),
        seats.submit(request, 0),
        seats.watch(0).read(),
    ):
        told = await refusal(call)
        assert (told.code.name, told.reason) == ("UNAVAILABLE", "RULES_VERSION_UNAVAILABLE")
        assert told.wait > 0
    reply = await client.matches.CloseMatch(
        match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh()), metadata=bearer(seats.host)
    )
    assert reply.match.status == common_pb2.MATCH_STATUS_CLOSED


@pytest.mark.parametrize("ending", ["finished", "closed"])
async def test_the_seed_is_told_after_the_end_alone(client: Client, ending: str) -> None:
    seats = await client.create(seed="7")
    await seats.play(5, random.Random(1))
    assert not (await seats.match()).seed
    if ending == "closed":
        await client.matches.CloseMatch(
            match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh()), metadata=bearer(seats.host)
        )
    else:
        await seats.play(2500, random.Random(1))
    assert (await seats.match()).seed == f"{7:064x}"


@pytest.mark.parametrize("who", ["host", "operator"])
async def test_a_closed_match_tells_everybody_who_closed_it_and_why(client: Client, who: str) -> None:
    seats = await client.create()
    watching = aiter(seats.watch(1))
    await anext(watching)
    asked = {"match_id": seats.id, "request_id": fresh(), "reason": "the guests went home"}
    if who == "host":
        await client.matches.CloseMatch(match_pb2.CloseMatchRequest(**asked), metadata=bearer(seats.host))
    else:
        await client.admin.TerminateMatch(admin_pb2.TerminateMatchRequest(**asked), metadata=bearer(ADMIN_TOKEN))
    kind = {"host": common_pb2.ACTOR_KIND_HOST, "operator": common_pb2.ACTOR_KIND_ADMIN}[who]
    request = match_pb2.GetRecordRequest(match_id=seats.id)
    told = [
        await match_of(client, seats.id),
        (await client.matches.ListMatches(match_pb2.ListMatchesRequest())).matches[0],
        (await client.matches.GetRecord(request)).match,
        [message async for message in watching][-1].finished.match,
    ]
    assert [(match.close_reason, match.closed_by) for match in told] == [("the guests went home", kind)] * 4


async def test_a_match_that_was_not_closed_names_nobody(client: Client) -> None:
    match = await (await client.create()).match()
    assert (match.close_reason, match.closed_by) == ("", common_pb2.ACTOR_KIND_UNSPECIFIED)
