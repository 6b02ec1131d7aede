"""What a released proto said stays true: old clients can talk to new servers; `buf breaking` tells more in CI.

A release renews the image: `buf build protos --exclude-source-info -o protos/released.binpb`.
"""

from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

PROTOS = Path(__file__).parents[2] / "protos"
RELEASED = descriptor_pb2.FileDescriptorSet.FromString((PROTOS / "released.binpb").read_bytes())


@pytest.fixture(scope="module")
def current(tmp_path_factory):
    image = tmp_path_factory.mktemp("image") / "current.binpb"
    files = [str(path.relative_to(PROTOS)) for path in sorted((PROTOS / "veche").rglob("*.proto"))]
    assert protoc.main(["protoc", f"-I{PROTOS}", f"--descriptor_set_out={image}", *files]) == 0
    return facts(descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes()))


def facts(files):
    """Return what a client may rely on: path of each field, value and call -> number, type and shape."""
    found = {}
    for file in files.file:
        for message in file.message_type:
            found |= message_facts(f"{file.package}.{message.name}", message)
        for enum in file.enum_type:
            found |= {f"{file.package}.{enum.name}.{value.name}": value.number for value in enum.value}
        for service in file.service:
            for method in service.method:
                called = (method.input_type, method.output_type, method.client_streaming, method.server_streaming)
                found[f"{file.package}.{service.name}.{method.name}"] = called
    return found


def message_facts(path, message):
    found = {path: "message"}
    for field in message.field:
        real_oneof = field.HasField("oneof_index") and not field.proto3_optional
        oneof = message.oneof_decl[field.oneof_index].name if real_oneof else None
        shape = (field.number, field.type, field.type_name, field.label, field.proto3_optional, oneof)
        found[f"{path}.{field.name}"] = shape
    for nested in message.nested_type:
        found |= message_facts(f"{path}.{nested.name}", nested)
    return found


def test_nothing_released_was_changed_or_taken_away(current):
    released = facts(RELEASED)
    assert released
    assert {path: current.get(path) for path in released} == released
