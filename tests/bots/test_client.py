"""What every client of the engine does alike."""

import asyncio

import grpc
import pytest

from bots.client import aio_channel, channel
from bots.console.__main__ import main
from tests.tls import gateway


def test_an_engine_behind_tls_is_reached_when_its_authority_is_trusted(tmp_path, monkeypatch):
    async def reach(address):
        async with aio_channel(address) as made, asyncio.timeout(10):
            await made.channel_ready()

    with gateway(tmp_path) as (address, authority):
        monkeypatch.setenv("VECHE_CA_FILE", str(authority))
        with channel(address) as made:
            grpc.channel_ready_future(made).result(timeout=10)
        asyncio.run(reach(address))


def test_an_engine_behind_tls_whose_authority_is_unknown_is_not_talked_to(tmp_path, monkeypatch):
    monkeypatch.delenv("VECHE_CA_FILE", raising=False)
    with gateway(tmp_path) as (address, _), channel(address) as made, pytest.raises(grpc.FutureTimeoutError):
        grpc.channel_ready_future(made).result(timeout=1)


def test_a_ca_file_that_is_not_there_is_told_by_name(monkeypatch, capsys):
    monkeypatch.setenv("VECHE_CA_FILE", "/nowhere/ca.pem")
    assert main(["--engine", "tls://localhost:1"]) == 1
    assert "/nowhere/ca.pem" in capsys.readouterr().err
