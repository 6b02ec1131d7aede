"""Types that agree with toy.proto, and its descriptors compiled on the spot."""

import tempfile
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_tools import protoc


class Good(StrEnum):
    DRIED_FISH = "dried_fish"
    FUR = "fur"


class Pass(msgspec.Struct, frozen=True, tag_field="type", tag="pass"):
    pass


class Offer(msgspec.Struct, frozen=True):
    coins: Annotated[int, msgspec.Meta(ge=0, le=99)]
    note: str | None


class Trade(msgspec.Struct, frozen=True, tag_field="type", tag="trade"):
    give: Good
    want: Good | None
    offer: Offer


Action = Pass | Trade


class Table(msgspec.Struct, frozen=True):
    open: bool
    dice: tuple[int, ...]
    market: tuple[Good, ...]
    offers: tuple[Offer, ...]
    stock: dict[str, int]
    by_seat: dict[int, Offer]
    swaps: dict[str, Good]
    prices: dict[Good, int]
    last: Pass | Trade | None
    winner: int | None
    best: Offer | None
    history: tuple[Pass | Trade, ...]


@cache
def pool() -> DescriptorPool:
    folder = Path(__file__).parent
    with tempfile.TemporaryDirectory() as scratch:
        image = Path(scratch) / "toy.binpb"
        assert protoc.main(["protoc", f"-I{folder}", f"--descriptor_set_out={image}", "toy.proto"]) == 0
        files = descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes())
    made = DescriptorPool()
    for file in files.file:
        made.Add(file)
    return made


def descriptor(name: str) -> Descriptor:
    return pool().FindMessageTypeByName(f"toy.v1.{name}")
