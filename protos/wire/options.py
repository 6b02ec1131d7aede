"""Convert a game's options between the dict that `Rules.config` takes and the game's Options message."""

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine.core.rules import OptionInfo
from protos.wire import shapes
from protos.wire.errors import WireError

_TYPES = {
    "bool": frozenset({FieldDescriptor.TYPE_BOOL}),
    "int": frozenset({FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32}),
    "str": frozenset({FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_ENUM}),
}


class OptionsPlan:
    """Convert the options of one game: fields are named like the options, an enum is a str with closed choices."""

    def __init__(self, options: tuple[OptionInfo, ...], descriptor: Descriptor) -> None:
        self.options = options
        self.descriptor = descriptor
        self._message_class = GetMessageClass(descriptor)
        self._readers = {field.name: _reader(field) for field in descriptor.fields}
        self._writers = {field.name: _writer(field) for field in descriptor.fields}

    def differences(self) -> list[str]:
        """List where the message and `info.options` differ; empty when they agree."""
        found: list[str] = []
        here = {option.name: option for option in self.options}
        there = self.descriptor.fields_by_name
        found.extend(f"Options.{name}: missing in the proto" for name in sorted(here.keys() - there.keys()))
        found.extend(f"Options.{name}: missing in the engine" for name in sorted(there.keys() - here.keys()))
        for name in sorted(here.keys() & there.keys()):
            found.extend(_option_differences(here[name], there[name]))
        return found

    def from_message(self, message: Any) -> dict[str, Any]:
        """Return the options that are set, fit for `Rules.config`; raise WireError for an unknown enum number."""
        out: dict[str, Any] = {}
        for field, value in message.ListFields():
            try:
                out[field.name] = self._readers[field.name](value)
            except WireError as error:
                raise error.under(field.name) from None
        return out

    def to_message(self, options: Mapping[str, Any]) -> Message:
        """Return options as a message; raise WireError for one that does not exist or whose value does not fit."""
        message = self._message_class()
        for name, value in options.items():
            try:
                message.MergeFrom(self._message_class(**{name: self._writers[name](value)}))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise WireError(name, "no such option or value") from error
        return message


def _option_differences(option: OptionInfo, field: FieldDescriptor) -> list[str]:
    path = f"Options.{option.name}"
    if shapes.is_map(field) or field.is_repeated:
        return [f"{path}: {option.type} is a map or repeated in the proto"] if option.type in _TYPES else []
    found = []
    if field.type not in _TYPES.get(option.type, ()):
        found.append(f"{path}: {option.type} is another type in the proto")
    if not field.has_presence:
        found.append(f"{path}: must be optional in the proto")
    if field.enum_type is not None and set(_names(field.enum_type).values()) != set(option.choices):
        found.append(f"{path}: the choices differ from the values of {field.enum_type.name}")
    return found


def _names(enum: EnumDescriptor) -> dict[int, str]:
    prefix = shapes.enum_prefix(enum.name)
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values if value.number}


def _one_reader(field: FieldDescriptor) -> Callable[[Any], Any]:
    if field.enum_type is None:
        return lambda value: value
    names = _names(field.enum_type)

    def read(number: int) -> str:
        if number not in names:
            raise WireError("", f"must be one of {', '.join(names.values())}")
        return names[number]

    return read


def _one_writer(field: FieldDescriptor) -> Callable[[Any], Any]:
    if field.enum_type is None:
        return lambda value: value
    return {name: number for number, name in _names(field.enum_type).items()}.__getitem__


def _reader(field: FieldDescriptor) -> Callable[[Any], Any]:
    if shapes.is_map(field):
        one = _one_reader(shapes.message_of(field).fields_by_name["value"])
        return lambda value: {key: one(item) for key, item in sorted(value.items())}
    one = _one_reader(field)
    return (lambda value: tuple(one(item) for item in value)) if field.is_repeated else one


def _writer(field: FieldDescriptor) -> Callable[[Any], Any]:
    if shapes.is_map(field):
        entry = shapes.message_of(field).fields_by_name
        one = _one_writer(entry["value"])
        key: Callable[[Any], Any] = str if entry["key"].type == FieldDescriptor.TYPE_STRING else int
        return lambda value: {key(name): one(item) for name, item in value.items()}
    one = _one_writer(field)
    return (lambda value: [one(item) for item in value]) if field.is_repeated else one
