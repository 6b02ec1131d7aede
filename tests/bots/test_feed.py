import time

import grpc
import pytest

from bots.console import tell
from bots.console.feed import Feed
from bots.console.play import Seat
from bots.console.terminal import Terminal
from bots.console.text import HEIGHT, WIDTH, plain, width
from engine.core.registry import GAMES
from protos.wire import view_to_message
from tests.bots import fake
from veche.v1 import common_pb2, match_pb2, match_pb2_grpc

RULES = GAMES["rurik"]


@pytest.fixture
def engine():
    engine = fake.Engine()
    yield engine
    engine.close()


@pytest.fixture
def matches(engine):
    with grpc.insecure_channel(engine.address) as channel:
        yield match_pb2_grpc.MatchServiceStub(channel)


def message(version: int, **alternative) -> match_pb2.WatchMatchResponse:
    position = match_pb2.ResumeToken(version=version, epoch="e")
    return match_pb2.WatchMatchResponse(position=position, **alternative)


def update(version: int, text: str, kind: str = "TroopPlaced") -> match_pb2.WatchMatchResponse:
    event = common_pb2.GameEvent()
    if kind == "TurnStarted":
        event.rurik.turn_started.seat = 0
    else:
        event.rurik.troop_placed.seat = 0
    seen = common_pb2.SeenEvent(event=event, text=text)
    return message(version, update=match_pb2.WatchUpdate(actor=common_pb2.Actor(seat=0), events=[seen]))


def finished(version: int = 9) -> match_pb2.WatchMatchResponse:
    results = [
        common_pb2.SeatResult(seat=0, rank=2, score=3, breakdown={"rule": 3}),
        common_pb2.SeatResult(seat=1, rank=1, score=5, breakdown={"rule": 1, "deeds": 4}),
    ]
    match = common_pb2.Match(
        id="m",
        game="rurik",
        status=common_pb2.MATCH_STATUS_FINISHED,
        version=version,
        seats=[
            common_pb2.Seat(seat=0, kind=common_pb2.SEAT_KIND_CLIENT, name="Olga"),
            common_pb2.Seat(seat=1, kind=common_pb2.SEAT_KIND_AUTOMA, difficulty="easy"),
        ],
        outcome=common_pb2.Outcome(results=results),
    )
    return message(version, finished=match_pb2.WatchFinished(match=match))


def versions(feed: Feed) -> list[int]:
    return [m.position.version for m in feed]


def test_a_feed_ends_with_the_match(engine, matches):
    engine.streams.put([update(1, "a"), update(2, "b"), finished(2), fake.END])
    assert versions(Feed(matches, "m", None, views=False)) == [1, 2, 2]


@pytest.mark.parametrize("end", [fake.END, fake.BREAK], ids=["ended", "broken"])
def test_a_feed_goes_on_where_the_last_stream_stopped(engine, matches, end):
    engine.streams.put([update(1, "a"), update(2, "b"), end])
    engine.streams.put([update(3, "c"), finished(3), fake.END])
    assert versions(Feed(matches, "m", "token", views=True)) == [1, 2, 3, 3]
    first, second = engine.calls("WatchMatch")
    assert not first.HasField("resume")
    assert (second.resume.version, second.resume.epoch) == (2, "e")
    assert {bearer for _, _, bearer in engine.heard} == {"Bearer token"}


def test_a_pod_that_goes_away_names_where_to_go_on(engine, matches):
    going = match_pb2.WatchGoingAway(resume=match_pb2.ResumeToken(version=7, epoch="x"))
    going.delay.FromMilliseconds(10)
    engine.streams.put([update(1, "a"), message(1, going_away=going), fake.HANG])
    engine.streams.put([finished(8), fake.END])
    assert versions(Feed(matches, "m", None, views=False)) == [1, 8]
    assert engine.calls("WatchMatch")[1].resume.version == 7


def test_a_silent_stream_is_replaced(engine, matches):
    engine.streams.put([update(1, "a"), fake.HANG])
    engine.streams.put([finished(2), fake.END])
    assert versions(Feed(matches, "m", None, views=False, silence=2.0)) == [1, 2]


def test_a_stream_whose_engine_says_that_heartbeats_are_rare_is_waited_for(engine, matches):
    first = update(1, "a")
    first.heartbeat_interval.FromMilliseconds(3000)
    engine.streams.put([first, fake.HANG])
    engine.streams.put([finished(2), fake.END])
    begun = time.monotonic()
    assert versions(Feed(matches, "m", None, views=False, silence=2.0)) == [1, 2]
    assert time.monotonic() - begun > 4.8


def test_heartbeats_are_not_told(engine, matches):
    engine.streams.put([message(0, heartbeat=match_pb2.WatchHeartbeat()), finished(1), fake.END])
    assert versions(Feed(matches, "m", None, views=False)) == [1]


def test_an_error_that_will_not_pass_is_raised(engine, matches):
    def deny(request, context):
        fake.refuse(context, grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")
        yield

    engine.WatchMatch = deny
    engine.restart()
    with grpc.insecure_channel(engine.address) as channel, pytest.raises(grpc.RpcError, match="MATCH_NOT_FOUND"):
        versions(Feed(match_pb2_grpc.MatchServiceStub(channel), "m", None, views=False))


def test_a_told_match_has_headings_events_and_the_score(engine, matches):
    engine.streams.put([update(1, "Turn of Olga.", "TurnStarted"), update(2, "She places a troop."), finished(2)])
    said: list[str] = []
    assert tell.tell(Feed(matches, "m", None, views=False), matches, finished().finished.match, said.append)
    text = "\n".join(said)
    assert "seat 0 (Olga), seat 1 (automa easy)" in text
    assert "\x1b[1mTurn of Olga.\x1b[0m\n  She places a troop." in text
    rows = [line.split() for line in said]
    assert ["rule", "3", "1"] in rows
    assert ["deeds", "0", "4"] in rows
    assert ["total", "3", "5"] in rows
    assert "seat 1 (automa easy) wins" in text


def test_updates_that_a_stream_skipped_are_told_from_the_record(engine, matches):
    missed = update(2, "In between.").update.events
    engine.record = [
        match_pb2.RecordEntry(version=1, events=update(1, "First.").update.events),
        match_pb2.RecordEntry(version=2, events=missed),
        match_pb2.RecordEntry(version=3, events=update(3, "Third.").update.events),
    ]
    engine.streams.put([update(1, "First."), update(3, "Third."), finished(3)])
    said: list[str] = []
    tell.tell(Feed(matches, "m", None, views=False), matches, finished().finished.match, said.append)
    assert [line.strip() for line in said[1:4]] == ["First.", "In between.", "Third."]


def test_a_match_that_waits_for_players_is_told_from_its_start(engine, matches):
    lobby = common_pb2.Match(id="m", game="rurik", status=common_pb2.MATCH_STATUS_LOBBY, seats=[common_pb2.Seat()])
    waiting = message(0, snapshot=match_pb2.WatchSnapshot(match=lobby))
    begun = common_pb2.Match(id="m", game="rurik", status=common_pb2.MATCH_STATUS_ACTIVE)
    begun.seats.add(seat=0, name="Olga")
    start = message(0, lobby=match_pb2.WatchLobby(match=begun))
    engine.streams.put([waiting, start, update(1, "First."), finished(1)])
    said: list[str] = []
    tell.tell(Feed(matches, "m", None, views=False), matches, lobby, said.append)
    assert said[:3] == ["Waiting for players: seat 0", "seat 0 (Olga)", "  First."]


class Script(Terminal):
    """Type what a test has written down, and keep the screens."""

    def __init__(self, *typed: str) -> None:
        super().__init__(colour=False, unicode=True, clear=False)
        self.answers = list(typed)
        self.meanwhile: list[str] = []
        self.screens: list[list[str]] = []
        self.said: list[str] = []

    def say(self, line: str = "") -> None:
        self.said.append(line)

    def show(self, lines) -> None:
        self.screens.append(list(lines))
        super().show(lines)

    def ask(self, meanwhile=lambda: "") -> str:
        return self.answers.pop(0) if self.answers else "q"

    def typed(self) -> str | None:
        return self.meanwhile.pop(0) if self.meanwhile else None


def snapshot(seats: int = 2) -> match_pb2.WatchMatchResponse:
    state = RULES.initial_state(RULES.config(seats, {}), 4)
    seat = RULES.pending(state)[0].seat
    view = view_to_message(RULES, RULES.observe(state, seat), "m")
    match = common_pb2.Match(id="m", game="rurik", seats=[common_pb2.Seat(seat=s) for s in range(seats)])
    return message(0, snapshot=match_pb2.WatchSnapshot(match=match, view=view))


def without_choice(update: match_pb2.WatchMatchResponse) -> match_pb2.WatchMatchResponse:
    update.update.view.CopyFrom(snapshot().snapshot.view)
    update.update.view.ClearField("choice")
    return update


def play(engine, matches, script: Script, *stream: object) -> bool:
    engine.streams.put([snapshot(), *stream, fake.HANG])
    feed = Feed(matches, "m", "token", views=True)
    try:
        return Seat(matches, snapshot().snapshot.match, "token", script).play(feed)
    finally:
        feed.close()


def test_a_number_submits_that_move_once_with_the_seats_token(engine, matches):
    script = Script("2")
    engine.answer = lambda *_: engine.live.put(finished())
    assert play(engine, matches, script)
    (request,) = engine.calls("SubmitActions")
    assert request.submissions[0].index == 1
    assert request.submissions[0].decision_id == snapshot().snapshot.view.choice.decision.id
    assert "Seat 1 (automa easy) wins" in script.said


def test_a_move_whose_reply_is_lost_is_sent_again_with_the_same_id(engine, matches):
    failures = iter([grpc.StatusCode.UNAVAILABLE])

    def answer(request, context):
        for code in failures:
            fake.refuse(context, code, "STORE_UNAVAILABLE")
        engine.live.put(finished())

    engine.answer = answer
    assert play(engine, matches, Script("1"))
    assert len(engine.calls("SubmitActions")) == 2
    assert len({r.request_id for r in engine.calls("SubmitActions")}) == 1


def test_a_refused_move_is_explained_and_asked_again(engine, matches):
    def answer(request, context):
        if len(engine.calls("SubmitActions")) == 1:
            fake.refuse(context, grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION")
        engine.live.put(finished())

    engine.answer = answer
    script = Script("1", "1")
    assert play(engine, matches, script)
    assert any("refused: ILLEGAL_ACTION" in line for line in script.screens[1])


def test_quitting_leaves_the_match_open(engine, matches):
    assert not play(engine, matches, Script("q"))
    assert engine.calls("SubmitActions") == []


def test_pages_and_wrong_keys_come_back_to_the_question(engine, matches):
    script = Script("h", "", "c", "", "o", "", "b", "", "l", "", "n", "p", "", "0", "x", "q")
    assert not play(engine, matches, script)
    assert any("Type the number of a move" in line for line in script.screens[1])
    assert any("DEED ROW" in line for line in script.screens[3])
    assert any("BORDERS" in line for line in script.screens[7])
    assert any("There is no move 0" in line for line in script.said)
    for screen in script.screens:
        assert len(screen) < HEIGHT
        assert max(map(width, screen)) <= WIDTH


def test_who_waits_for_the_others_may_look_at_pages_and_quit(engine, matches):
    script = Script("1", "", "")
    script.meanwhile = ["1", "c", "l", "r", "q"]
    assert not play(engine, matches, script)
    assert len(engine.calls("SubmitActions")) == 1
    assert any("It is not your turn yet" in line for line in script.said)
    assert any("DEED ROW" in line for screen in script.screens for line in screen)
    assert any("Nothing has happened yet" in line for screen in script.screens for line in screen)
    feet = [screen[-1] for screen in script.screens if "waiting for" in screen[-1]]
    assert len(feet) == 4
    assert all("c cards" in foot and "q quit" in foot for foot in feet)


def test_a_waiting_screen_is_drawn_anew_once_it_is_quiet_after_a_change(engine, matches):
    script = Script("1")
    engine.answer = lambda *_: engine.live.put(without_choice(update(2, "Maria places a troop.")))
    script.typed = lambda: "q" if any("Maria places a troop." in line for line in script.screens[-1]) else None
    assert not play(engine, matches, script)


def test_who_waits_for_players_may_quit(engine, matches):
    open_seat = common_pb2.Seat(seat=1, kind=common_pb2.SEAT_KIND_OPEN)
    lobby = common_pb2.Match(id="m", game="rurik", status=common_pb2.MATCH_STATUS_LOBBY, seats=[open_seat])
    script = Script()
    script.meanwhile = ["h", "q"]
    engine.streams.put([message(0, snapshot=match_pb2.WatchSnapshot(match=lobby)), fake.HANG])
    feed = Feed(matches, "m", "token", views=True)
    try:
        assert not Seat(matches, lobby, "token", script).play(feed)
    finally:
        feed.close()
    assert any("--match m" in line for line in script.said)


def test_words_leave_the_moves_that_have_them_until_enter(engine, matches):
    script = Script("agatha", "", "q")
    assert not play(engine, matches, script)
    found, everything = script.screens[1:]
    assert any("the 1 of 8 moves with 'agatha'" in plain(line) for line in found)
    assert [line for line in found if "Take" in line] == [line for line in everything if "Agatha" in line]
    assert sum("Take" in line for line in everything) == 8


class Thinker(Script):
    """Answer the first question only after something else has happened, which begins when it is asked."""

    def __init__(self, begin, *typed: str) -> None:
        super().__init__(*typed)
        self.begin = [begin]

    def ask(self, meanwhile=lambda: "") -> str:
        if self.begin:
            self.begin.pop()()
            while (told := meanwhile()) == "":
                time.sleep(0.01)
            self.said.append(str(told))
        return super().ask()


def test_what_the_others_do_while_one_thinks_is_said_in_a_line_and_shown_at_the_next_look(engine, matches):
    happens = update(2, "Maria " + "places a troop " * 12)
    script = Thinker(lambda: engine.live.put(happens), "r")
    assert not play(engine, matches, script)
    assert any(line.startswith("Meanwhile: Maria places") and line.endswith(".. - r: look") for line in script.said)
    assert max(map(width, script.said)) <= WIDTH
    assert not any("Maria places" in line for line in script.screens[0])
    assert any("Maria places" in line for line in script.screens[1])


def test_a_match_that_ends_while_one_thinks_asks_no_more(engine, matches):
    script = Thinker(lambda: engine.live.put(finished()), "1")
    assert play(engine, matches, script)
    assert engine.calls("SubmitActions") == []
    assert "Seat 1 (automa easy) wins" in script.said


def entry(version: int, text: str, *, own: bool = False) -> match_pb2.RecordEntry:
    action = common_pb2.GameAction() if own else None
    return match_pb2.RecordEntry(version=version, action=action, events=update(version, text).update.events)


def test_who_comes_back_is_told_what_happened_since_the_own_last_move_and_finds_the_rest_in_the_log(engine, matches):
    engine.record = [
        entry(1, "Old news."),
        entry(2, "I moved.", own=True),
        entry(3, "Maria answered."),
        entry(4, "No."),
    ]
    script = Script("l", "", "q")
    back = snapshot()
    back.position.version = 3
    engine.streams.put([back, fake.HANG])
    feed = Feed(matches, "m", "token", views=True)
    try:
        assert not Seat(matches, back.snapshot.match, "token", script).play(feed)
    finally:
        feed.close()
    first, log = (" ".join(map(plain, lines)) for lines in script.screens[:2])
    assert "I moved. Maria answered." in first
    assert "Old news." not in first
    assert "Old news. I moved. Maria answered." in log
    assert "Maria answered. -" not in log


def test_news_that_a_stream_skipped_are_told_from_the_record_and_none_twice(engine, matches):
    engine.record = [entry(1, "First."), entry(2, "In between."), entry(3, "Third.")]
    script = Script("1", "l", "q")
    later = [without_choice(update(v, text)) for v, text in ((1, "First."), (3, "Third."), (3, "Third."))]
    later[-1].update.view.CopyFrom(snapshot().snapshot.view)
    later[-1].update.view.choice.decision.id = "9.0"
    engine.answer = lambda *_: [engine.live.put(message) for message in later]
    assert not play(engine, matches, script)
    assert "First. In between. Third." in " ".join(map(plain, script.screens[-1]))
    assert sum("Third." in line for line in script.screens[-1]) == 1
