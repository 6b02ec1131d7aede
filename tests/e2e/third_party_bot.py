"""Play one seat of a match with random legal moves, knowing nothing but the protos.

    python third_party_bot.py 127.0.0.1:50051 MATCH_ID --seed 7

What somebody would write who has the .proto files, their generated stubs and a gRPC library. It joins an open seat,
follows the match by WatchMatch, answers each own decision by the index of a legal action, survives a lost connection by
resuming where the stream stopped and by sending a doubtful move again with the same request_id, and prints the result.
"""

import argparse
import random
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import grpc

from veche.v1 import common_pb2, match_pb2, match_pb2_grpc

CALL_SECONDS = 20.0
STREAM_SECONDS = 60.0
PATIENCE_SECONDS = 120.0
#: Codes after which the same request may be sent again, and may have been stored already.
DOUBTFUL = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


class Bot:
    """Hold one seat of one match."""

    def __init__(self, target: str, match_id: str, seed: int = 0, token: str = "") -> None:
        self.stub = match_pb2_grpc.MatchServiceStub(grpc.insecure_channel(target))
        self.match_id = match_id
        self.rng = random.Random(seed)
        self.answered: set[str] = set()
        self.moves = 0
        self.position: match_pb2.ResumeToken | None = None
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def join(self, name: str, join_code: str = "") -> None:
        """Take an open seat and keep its token."""
        request = match_pb2.JoinMatchRequest(
            match_id=self.match_id, request_id=str(uuid.uuid4()), name=name, join_code=join_code
        )
        joined = self.call(self.stub.JoinMatch, request)
        self.metadata = (("authorization", f"Bearer {joined.seat_token.token}"),)
        print(f"seat {joined.seat_token.seat}, token {joined.seat_token.token}", flush=True)

    def play(self) -> common_pb2.Match:
        """Follow the match to its end and return it."""
        lost_since: float | None = None
        while True:
            try:
                for message in self.watch():
                    lost_since = None
                    if message.HasField("position"):
                        self.position = message.position
                    kind = message.WhichOneof("message")
                    if kind == "finished":
                        over: common_pb2.Match = message.finished.match
                        return over
                    if kind == "going_away":
                        time.sleep(message.going_away.delay.ToMilliseconds() / 1000)
                        break
                    if kind in {"resync", "rewound"}:
                        self.answered.clear()
                    if kind == "snapshot" and message.snapshot.view.HasField("choice"):
                        self.answer(message.snapshot.view.choice)
                    if kind == "update" and message.update.HasField("choice"):
                        self.answer(message.update.choice)
            except grpc.RpcError as error:
                if error.code() not in DOUBTFUL:
                    raise
                lost_since = lost_since or time.monotonic()
                if time.monotonic() - lost_since > PATIENCE_SECONDS:
                    raise
                time.sleep(0.2)

    def watch(self) -> Any:
        """Open the stream, where the last one stopped if there was one."""
        request = match_pb2.WatchMatchRequest(match_id=self.match_id, resume=self.position)
        return self.stub.WatchMatch(request, metadata=self.metadata, timeout=STREAM_SECONDS)

    def answer(self, choice: common_pb2.Choice) -> None:
        """Answer a decision, and those that the acknowledgements bring; one that was answered already is old news."""
        while choice.decision.id and choice.decision.id not in self.answered:
            request = match_pb2.SubmitActionsRequest(
                match_id=self.match_id,
                request_id=str(uuid.uuid4()),
                submissions=[
                    match_pb2.Submission(
                        decision_id=choice.decision.id, index=self.rng.choice(choice.legal_actions).index
                    )
                ],
            )
            self.answered.add(choice.decision.id)
            try:
                reply = self.call(self.stub.SubmitActions, request)
            except grpc.RpcError as error:
                if error.code() == grpc.StatusCode.FAILED_PRECONDITION:
                    return  # the match ended or the turn passed on meanwhile: the stream tells
                if error.code() != grpc.StatusCode.ABORTED:
                    raise
                # The decision is closed, or others write at the same time: look again before deciding anew.
                self.answered.discard(choice.decision.id)
                choice = self.call(self.stub.GetView, match_pb2.GetViewRequest(match_id=self.match_id)).view.choice
                continue
            self.moves += reply.applied
            choice = reply.choice

    def call(self, method: Callable[..., Any], request: Any) -> Any:
        """Make a call, again with the same request_id while it is in doubt whether it arrived."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        pause = 0.1
        while True:
            try:
                return method(request, metadata=self.metadata, timeout=CALL_SECONDS)
            except grpc.RpcError as error:
                if error.code() not in DOUBTFUL or time.monotonic() > give_up:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, 2.0)


def main() -> int:
    """Join, play, print the result; 0 when the match was finished by its rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", help="host:port of the service")
    parser.add_argument("match_id")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="third party")
    parser.add_argument("--join-code", default="")
    parser.add_argument("--token", default="", help="token of a seat taken before; without it the bot joins")
    args = parser.parse_args()
    bot = Bot(args.target, args.match_id, args.seed, args.token)
    if not args.token:
        bot.join(args.name, args.join_code)
    match = bot.play()
    for result in match.outcome.results:
        print(f"seat {result.seat}: rank {result.rank}, {result.score} points")
    print(f"moves sent: {bot.moves}")
    return 0 if match.status == common_pb2.MATCH_STATUS_FINISHED else 1


if __name__ == "__main__":
    sys.exit(main())
