"""Reach an engine: where it is, and over what."""

import os
from pathlib import Path

import grpc

from services.cli.home import home
from services.cli.stack import HOST, PORT

_TLS = "tls://"
HELP = "host:port, or tls://host:port (default: VECHE_ENGINE, else this machine's `serve`)"


def address(asked: str) -> str:
    """Return the engine to talk to: the asked one, else VECHE_ENGINE, else where this machine's `serve` listens."""
    announced = home() / "serve" / "engine.address"
    here = announced.read_text().strip() if announced.exists() else f"{HOST}:{PORT}"
    return asked or os.environ.get("VECHE_ENGINE") or here


def channel(engine: str) -> grpc.Channel:
    """Return a channel to `host:port`, or over TLS to `tls://host:port`.

    Trusted are public authorities, or those of VECHE_CA_FILE; raises OSError when that file is not there.
    """
    if not engine.startswith(_TLS):
        return grpc.insecure_channel(engine)
    authorities = os.environ.get("VECHE_CA_FILE")
    trusted = grpc.ssl_channel_credentials(Path(authorities).read_bytes() if authorities else None)
    return grpc.secure_channel(engine.removeprefix(_TLS), trusted)
