import ast
import hashlib
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.e2e import host as hosting
from tests.e2e import third_party_bot
from veche.games.rurik.v1 import rurik_pb2
from veche.v1 import common_pb2, match_pb2

pytestmark = pytest.mark.processes
BOT = Path(third_party_bot.__file__)


def test_the_bot_imports_nothing_of_ours_but_the_stubs():
    imported = set()
    for node in ast.walk(ast.parse(BOT.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported - set(sys.stdlib_module_names) == {"grpc", "veche"}


def test_the_bot_plays_a_solo_match_to_its_end_as_a_process_of_its_own(host):
    engine = host.engine()
    host.worker(engine)
    options = common_pb2.GameOptions(rurik=rurik_pb2.Options(automa={1: rurik_pb2.DIFFICULTY_EASY}))
    created = hosting.create(engine.stub(), 2, options=options)
    done = subprocess.run(
        [sys.executable, str(BOT), engine.address, created.match.id, "--seed", "3"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr + host.log("engine-1")
    assert "seat 1: rank" in done.stdout
    match = engine.stub().GetMatch(match_pb2.GetMatchRequest(match_id=created.match.id), timeout=20).match
    assert match.status == common_pb2.MATCH_STATUS_FINISHED
    assert [seat.kind for seat in match.seats] == [common_pb2.SEAT_KIND_CLIENT, common_pb2.SEAT_KIND_AUTOMA]
    seed = bytes.fromhex(match.seed)
    assert hashlib.sha256(match.id.encode() + seed).hexdigest() == match.seed_commitment


def test_a_private_match_takes_the_bot_with_the_join_code_alone(host):
    engine = host.engine()
    host.worker(engine)
    rival = match_pb2.SeatSetup(seat=0, bot=match_pb2.SeatBot(policy="random"))
    created = hosting.create(engine.stub(), 2, visibility=common_pb2.VISIBILITY_PRIVATE, seats=[rival])
    bot = third_party_bot.Bot(engine.address, created.match.id, seed=1)
    with pytest.raises(third_party_bot.grpc.RpcError) as refused:
        bot.join("stranger")
    assert refused.value.code() in {
        third_party_bot.grpc.StatusCode.NOT_FOUND,
        third_party_bot.grpc.StatusCode.PERMISSION_DENIED,
    }
    bot.join("guest", created.join_code)
    assert bot.play().status == common_pb2.MATCH_STATUS_FINISHED


@pytest.mark.slow
def test_kill_9_of_engine_and_worker_in_the_middle_loses_nothing_and_hangs_nothing(host):
    engine = host.engine()
    worker = host.worker(engine)
    rival = match_pb2.SeatSetup(seat=1, bot=match_pb2.SeatBot(policy="random"))
    created = hosting.create(engine.stub(), 2, seats=[rival])
    bot = third_party_bot.Bot(engine.address, created.match.id, seed=2)
    bot.join("survivor")
    player = Player(bot)
    player.start()
    for round_ in range(2):
        wait_for_moves(bot, 5 * (round_ + 1), player)
        engine.kill()
        engine.start()
        wait_for_moves(bot, 5 * (round_ + 1) + 2, player)
        worker.kill()
        worker.wait()
        worker = host.worker(engine)
    match = player.result()
    assert match.status == common_pb2.MATCH_STATUS_FINISHED
    reply, entries = hosting.record(engine.stub(), match.id)
    assert [entry.version for entry in entries] == list(range(1, reply.match.version + 1))
    assert sum(entry.actor.kind == common_pb2.ACTOR_KIND_SEAT for entry in entries) == bot.moves


def test_two_engines_and_four_racing_clients_apply_every_accepted_move_exactly_once(host):
    engines = [host.engine(), host.engine()]
    claims = [match_pb2.SeatSetup(seat=seat, claim=match_pb2.SeatClaim(name=f"seat {seat}")) for seat in range(2)]
    created = hosting.create(engines[0].stub(), 2, seats=claims)
    # Each seat is played by two clients that do not know of each other, one on each engine.
    players = [
        Player(Racer(engine.address, created.match.id, seed=10 * number + seat.seat, token=seat.token))
        for number, engine in enumerate(engines)
        for seat in created.seat_tokens
    ]
    for player in players:
        player.start()
    matches = [player.result() for player in players]
    assert {match.status for match in matches} == {common_pb2.MATCH_STATUS_FINISHED}
    reply, entries = hosting.record(engines[1].stub(), created.match.id)
    assert [entry.version for entry in entries] == list(range(1, reply.match.version + 1))
    assert {entry.actor.kind for entry in entries} == {common_pb2.ACTOR_KIND_SEAT}
    assert sum(player.bot.moves for player in players) == len(entries)
    assert sum(player.bot.moves > 0 for player in players) > 2


class Racer(third_party_bot.Bot):
    """Hesitate a moment before each call, longer after a move, so that not the same client is first each time."""

    told = 0

    def call(self, method, request):
        time.sleep(self.rng.uniform(0, 0.01) + 0.1 * (self.moves > self.told))
        self.told = self.moves
        return super().call(method, request)


class Player(threading.Thread):
    """Let a bot play in the background; `result` waits for the end and raises what went wrong."""

    def __init__(self, bot):
        super().__init__(daemon=True)
        self.bot = bot
        self.match = None
        self.error = None

    def run(self):
        try:
            self.match = self.bot.play()
        except Exception as error:  # noqa: BLE001 - told to the test by result()
            self.error = error

    def result(self):
        self.join(240)
        assert not self.is_alive(), "the match hangs"
        if self.error is not None:
            raise self.error
        return self.match


def wait_for_moves(bot, count, player):
    end = time.monotonic() + 120
    while bot.moves < count and player.is_alive():
        assert time.monotonic() < end, f"stuck after {bot.moves} moves"
        time.sleep(0.01)
