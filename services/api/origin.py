"""Tell where a call comes from, also when a gateway stands before the pod."""

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote

import grpc

_FORWARDED = "x-forwarded-for"
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Origin:
    """Name the host of a caller. What `proxies` (addresses or networks) say about their callers is believed."""

    def __init__(self, proxies: Sequence[str] = ()) -> None:
        self._proxies = [ipaddress.ip_network(proxy) for proxy in proxies]

    def of(self, context: "grpc.aio.ServicerContext[Any, Any]") -> str:
        """Return the host of a call."""
        return self.host(context.peer(), context.invocation_metadata() or () if self._proxies else ())

    def host(self, peer: str, metadata: Iterable[tuple[str, str | bytes]]) -> str:
        """Return the host of a peer as gRPC names it, or the caller that a trusted one speaks for.

        Each proxy adds at the end whom it got the call from; what stands further left may be the caller's invention.
        """
        name = peer.rpartition(":")[0]  # without the port
        address = _address(name.partition(":")[2]) if self._proxies else None
        if address is None or not self._trusts(address):
            return name
        hops = [hop for key, value in metadata if key == _FORWARDED for hop in str(value).split(",")]
        for hop in reversed(hops):
            said = _address(hop)
            if said is None:
                break
            address = said
            if not self._trusts(address):
                break
        return f"ipv{address.version}:{address}"

    def _trusts(self, address: _Address) -> bool:
        return any(address in proxy for proxy in self._proxies)


def _address(text: str) -> _Address | None:
    """Return an address as a peer or a proxy writes it, percent-coded, in brackets or with a port; None for none."""
    text = unquote(text).strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
