"""What the README shows is run as it stands."""

import json
import re
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format

from veche.v1 import match_pb2, match_pb2_grpc

pytestmark = pytest.mark.processes

README = Path(__file__).parents[2] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), re.DOTALL)


def test_the_python_client_plays_a_match_to_its_end(host):
    engine = host.engine()
    host.worker(engine)
    (program,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", program.replace("127.0.0.1:50051", engine.address)],
        env=host.environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert re.search(r"^seat 1: rank [12], \d+ points$", done.stdout, re.MULTILINE)


def test_the_grpcurl_calls_create_a_match_read_it_answer_a_decision_and_watch(host):
    engine = host.engine()
    host.worker(engine)
    (commands,) = [block for block in blocks("sh") if "grpcurl" in block]
    values: dict[str, str] = {}
    called = []
    for line in commands.splitlines():
        words = words_of(line, values)
        method = words[-1].rpartition("/")[2]
        called.append(method)
        text = words[words.index("-d") + 1]
        metadata = []
        if "-H" in words:
            name, _, value = words[words.index("-H") + 1].partition(": ")
            metadata.append((name, value))
        reply = call(engine.address, method, text, metadata)
        if isinstance(reply, match_pb2.CreateMatchResponse):
            values |= {"MATCH": reply.match.id, "TOKEN": reply.seat_tokens[0].token}
        if isinstance(reply, match_pb2.GetViewResponse):
            values["DECISION"] = reply.view.choice.decision.id
        if isinstance(reply, match_pb2.SubmitActionsResponse):
            assert reply.applied == 1
    assert called == ["CreateMatch", "GetView", "SubmitActions", "WatchMatch"]


def words_of(line: str, values: dict[str, str]) -> list[str]:
    """Return the arguments that a shell with these variables gives to grpcurl."""
    script = f"grpcurl() {{ printf '%s\\0' \"$@\"; }}\n{line}\n"
    said = subprocess.check_output(["sh", "-eu", "-c", script], env=values, text=True, timeout=20)
    return said.split("\0")[:-1]


def call(address: str, method: str, text: str, metadata: list[tuple[str, str]]) -> object:
    """Make one call as grpcurl would: JSON in, the first reply out."""
    descriptor = match_pb2.DESCRIPTOR.services_by_name["MatchService"].methods_by_name[method]
    request = json_format.ParseDict(json.loads(text), getattr(match_pb2, descriptor.input_type.name)())
    with grpc.insecure_channel(address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        reply = getattr(stub, method)(request, metadata=metadata, timeout=20)
        return next(iter(reply)) if descriptor.server_streaming else reply


def test_the_options_of_make_run_are_those_of_the_makefile():
    documented = set(re.findall(r"^\| `([A-Z]+)=1?` \|", README.read_text(), re.MULTILINE))
    makefile = (README.parent / "Makefile").read_text()
    assert documented
    assert documented <= set(re.findall(r"\$\((?:filter-out 0,\$\()?([A-Z]+)\)", makefile))


def test_every_file_it_links_to_exists():
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text()):
        assert (README.parent / target).exists(), target
