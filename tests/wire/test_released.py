"""What a released proto said stays true: old clients can talk to new servers; `buf breaking` tells more in CI.

A release renews the image: `buf build protos --exclude-source-info -o protos/released.binpb`.
"""

from importlib import import_module
from pathlib import Path

from google.protobuf import descriptor_pb2

PROTOS = Path(__file__).parents[2] / "protos"
RELEASED = descriptor_pb2.FileDescriptorSet.FromString((PROTOS / "released.binpb").read_bytes())


def own(files):
    """Return the files of Veche among those of an image, which holds what they import too."""
    return [file for file in files if file.package.startswith("veche.")]


def current(name):
    """Return a proto file as its stubs state it; a file that was moved fails here, as it would at a client."""
    made = descriptor_pb2.FileDescriptorProto()
    import_module(f"{name.removesuffix('.proto')}_pb2".replace("/", ".")).DESCRIPTOR.CopyToProto(made)
    return made


def facts(files):
    """Return what a client may rely on: path of each field, value and call -> number, type and shape."""
    found = {}
    for file in files:
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


def test_nothing_released_was_changed_or_taken_away():
    files = own(RELEASED.file)
    released = facts(files)
    now = facts([current(file.name) for file in files])
    assert released
    assert {path: now.get(path) for path in released} == released
