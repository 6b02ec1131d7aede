"""Behind a gateway each player counts for himself; nobody else is believed about whom he speaks for."""

import grpc
import pytest
from msgspec.structs import replace

from services.api.origin import Origin
from services.config import Settings, settings
from services.server import Pod
from tests.services.table import DEADLINE, Client, said
from veche.v1 import match_pb2

GATEWAYS = ("10.0.0.0/8", "fd00::/8")


@pytest.mark.parametrize(
    ("peer", "forwarded", "host"),
    [
        ("ipv4:10.1.2.3:999", "203.0.113.9", "ipv4:203.0.113.9"),
        ("ipv4:10.1.2.3:999", "6.6.6.6, 203.0.113.9", "ipv4:203.0.113.9"),
        ("ipv4:10.1.2.3:999", "203.0.113.9, 10.9.9.9", "ipv4:203.0.113.9"),
        ("ipv4:10.1.2.3:999", "203.0.113.9:4711", "ipv4:203.0.113.9"),
        ("ipv6:%5Bfd00::1%5D:999", "[2001:db8::7]:80", "ipv6:2001:db8::7"),
        ("ipv6:%5B::ffff:10.1.2.3%5D:999", "203.0.113.9", "ipv4:203.0.113.9"),
        ("ipv4:10.1.2.3:999", "nonsense", "ipv4:10.1.2.3"),
        ("ipv4:10.1.2.3:999", "", "ipv4:10.1.2.3"),
        ("ipv4:198.51.100.1:999", "203.0.113.9", "ipv4:198.51.100.1"),
        ("unix:", "203.0.113.9", "unix"),
    ],
)
def test_the_last_hop_that_is_no_trusted_proxy_is_the_caller(peer: str, forwarded: str, host: str) -> None:
    metadata = [("x-forwarded-for", forwarded)] if forwarded else []
    assert Origin(GATEWAYS).host(peer, metadata) == host


def test_without_trusted_proxies_nobody_is_believed() -> None:
    assert Origin().host("ipv4:10.1.2.3:999", [("x-forwarded-for", "203.0.113.9")]) == "ipv4:10.1.2.3"


@pytest.mark.parametrize(("proxies", "shared"), [(("127.0.0.1",), False), ((), True)])
async def test_one_abuser_behind_a_gateway_locks_out_the_others_only_if_it_is_not_trusted(
    config: Settings, proxies: tuple[str, ...], shared: bool
) -> None:
    pod = Pod(replace(config, rate=1.0, trusted_proxies=proxies))
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")

    async def asked(player: str) -> str:
        request = match_pb2.ListMatchesRequest()
        metadata = (("x-forwarded-for", player),)
        try:
            await client.matches.ListMatches(request, timeout=DEADLINE, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            return said(error).reason
        return "served"

    try:
        assert await asked("203.0.113.9") == "served"
        assert await asked("203.0.113.9") == "LIMIT_REACHED"
        assert await asked("203.0.113.10") == ("LIMIT_REACHED" if shared else "served")
    finally:
        await client.close()
        await pod.stop()


def test_proxies_that_are_no_networks_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    given = settings(["--redis-url", "redis://x", "--trusted-proxies", "10.0.0.0/8, 192.0.2.1"])
    assert given.trusted_proxies == ("10.0.0.0/8", "192.0.2.1")
    with pytest.raises(SystemExit):
        settings(["--redis-url", "redis://x", "--trusted-proxies", "10.0.0.1/8"])
    assert "--trusted-proxies" in capsys.readouterr().err
