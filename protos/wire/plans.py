"""Convert between engine types and messages by plans that are compiled once for each pair of type and message.

An engine value becomes plain dicts, lists and enum numbers, from which protobuf builds the whole message in one call; a
message becomes frozen Structs by closures that know each field's kind beforehand.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec.inspect as mi
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from protos.wire import shapes
from protos.wire.errors import Mismatch, WireError

Convert = Callable[[Any], Any]


class Plan:
    """Convert one engine type to one message type and back."""

    def __init__(self, kind: Any, descriptor: Descriptor) -> None:
        """Compile the plan; raise Mismatch when the type and the message differ anywhere."""
        found = shapes.differences(kind, descriptor)
        if found:
            raise Mismatch(found)
        info = mi.type_info(kind)
        self.message_class = GetMessageClass(descriptor)
        #: Engine value -> dict of keyword arguments for the message.
        self.to_dict = _message_encoder(info, descriptor, {})
        #: Message -> engine value; raises WireError.
        self.from_message = _message_decoder(info, descriptor, {})

    def to_message(self, value: Any) -> Message:
        """Return a value as a fresh message; raise WireError when it does not fit."""
        try:
            return self.message_class(**self.to_dict(value))
        except (TypeError, ValueError, KeyError) as error:
            raise WireError("", f"{type(value).__name__} does not fit {self.message_class.__name__}") from error


def enum_numbers(kind: type[Any], enum: EnumDescriptor) -> dict[Any, int]:
    """Return member -> number of a StrEnum and its proto enum."""
    prefix = shapes.enum_prefix(enum.name)
    return {member: enum.values_by_name[shapes.enum_value_name(prefix, member.value)].number for member in kind}


# Encoding. A converter of None means that protobuf takes the value as it is.


def _message_encoder(kind: mi.Type, message: Descriptor, table: dict[Any, Convert]) -> Convert:
    union = shapes.arms(kind, message)
    if union is None:
        return _struct_encoder(shapes.struct_of(kind), message, table)
    by_class = {
        arm.cls: (str(arm.tag), _struct_encoder(arm, shapes.message_of(message.fields_by_name[str(arm.tag)]), table))
        for arm in union
    }

    def encode(value: Any) -> dict[str, Any]:
        tag, convert = by_class[type(value)]
        return {tag: convert(value)}

    return encode


def _struct_encoder(kind: mi.StructType, message: Descriptor, table: dict[Any, Convert]) -> Convert:
    key = (kind.cls, message.full_name)
    if key in table:
        return table[key]
    plain: list[str] = []
    optional: list[str] = []
    converted: list[tuple[str, Convert]] = []

    def encode(value: Any) -> dict[str, Any]:
        # What a message holds anyway (0, "", False, an empty list) need not be set.
        out = {name: item for name in plain if (item := getattr(value, name))}
        for name in optional:
            out[name] = getattr(value, name)
        for name, convert in converted:
            item = getattr(value, name)
            if item is not None:
                out[name] = convert(item)
        return out

    table[key] = encode  # entered before its fields are compiled, so that a type may contain itself
    for struct_field in kind.fields:
        convert = _field_encoder(struct_field.type, message.fields_by_name[struct_field.name], table)
        if convert is not None:
            converted.append((struct_field.name, convert))
        else:
            (optional if shapes.unwrap(struct_field.type)[1] else plain).append(struct_field.name)
    return encode


def _field_encoder(kind: mi.Type, field: FieldDescriptor, table: dict[Any, Convert]) -> Convert | None:
    inner, _ = shapes.unwrap(kind)
    if isinstance(inner, mi.VarTupleType):
        return _tuple_encoder(_value_encoder(inner.item_type, field, table))
    if isinstance(inner, mi.DictType):
        value = _value_encoder(inner.value_type, shapes.message_of(field).fields_by_name["value"], table)
        return _dict_encoder(str if isinstance(inner.key_type, mi.EnumType) else None, value)
    return _value_encoder(inner, field, table)


def _tuple_encoder(convert: Convert | None) -> Convert | None:
    if convert is None:
        return None
    return lambda items: [convert(item) for item in items]


def _dict_encoder(key: Convert | None, convert: Convert | None) -> Convert | None:
    if key is None and convert is None:
        return None
    return lambda items: {
        (name if key is None else key(name)): (item if convert is None else convert(item))
        for name, item in items.items()
    }


def _value_encoder(kind: mi.Type, field: FieldDescriptor, table: dict[Any, Convert]) -> Convert | None:
    if isinstance(kind, mi.EnumType):
        return enum_numbers(kind.cls, shapes.enum_of(field)).__getitem__
    if field.message_type is not None:
        return _message_encoder(kind, field.message_type, table)
    return None


# Decoding. A reader takes the whole message and returns the field's value; a converter takes the value.


def _message_decoder(kind: mi.Type, message: Descriptor, table: dict[Any, Convert]) -> Convert:
    union = shapes.arms(kind, message)
    if union is None:
        return _struct_decoder(shapes.struct_of(kind), message, table)
    oneof = next(oneof.name for oneof in message.oneofs if not oneof.name.startswith("_"))
    by_tag = {
        str(arm.tag): _struct_decoder(arm, shapes.message_of(message.fields_by_name[str(arm.tag)]), table)
        for arm in union
    }

    def decode(value: Any) -> Any:
        tag = value.WhichOneof(oneof)
        if tag is None:
            raise WireError("", f"one of its alternatives must be set, for example {next(iter(by_tag))}")
        try:
            return by_tag[tag](getattr(value, tag))
        except WireError as error:
            raise error.under(tag) from None

    return decode


def _struct_decoder(kind: mi.StructType, message: Descriptor, table: dict[Any, Convert]) -> Convert:
    key = (kind.cls, message.full_name)
    if key in table:
        return table[key]
    readers: list[Convert] = []
    names = [struct_field.name for struct_field in kind.fields]
    cls = kind.cls

    def decode(value: Any) -> Any:
        values: list[Any] = []
        try:
            for read in readers:
                values.append(read(value))  # noqa: PERF401 - the count of fields done is the index of the one at fault
        except WireError as error:
            raise error.under(names[len(values)]) from None
        return cls(*values)

    table[key] = decode
    readers.extend(_reader(field.type, message.fields_by_name[field.name], table) for field in kind.fields)
    return decode


def _reader(kind: mi.Type, field: FieldDescriptor, table: dict[Any, Convert]) -> Convert:
    inner, optional = shapes.unwrap(kind)
    get = attrgetter(field.name)
    if isinstance(inner, mi.VarTupleType):
        return _tuple_reader(get, _value_decoder(inner.item_type, field, table))
    if isinstance(inner, mi.DictType):
        return _dict_reader(get, inner, field, table)
    convert = _value_decoder(inner, field, table)
    if optional:
        return _optional_reader(get, field.name, convert)
    if field.message_type is not None and convert is not None:
        return _required_reader(get, field.name, convert)
    return get if convert is None else lambda message: convert(get(message))


def _tuple_reader(get: Convert, convert: Convert | None) -> Convert:
    if convert is None:
        return lambda message: tuple(get(message))

    def read(message: Any) -> Any:
        items: list[Any] = []
        try:
            for item in get(message):
                items.append(convert(item))  # noqa: PERF401 - the count of items done is the index of the one at fault
        except WireError as error:
            raise error.under(f"[{len(items)}]") from None
        return tuple(items)

    return read


def _dict_reader(get: Convert, kind: mi.DictType, field: FieldDescriptor, table: dict[Any, Convert]) -> Convert:
    convert = _value_decoder(kind.value_type, shapes.message_of(field).fields_by_name["value"], table)
    members = {str(key): key for key in kind.key_type.cls} if isinstance(kind.key_type, mi.EnumType) else None

    def read(message: Any) -> Any:
        items: dict[Any, Any] = {}
        # Sorted, because a protobuf map keeps no order and equal messages must give values that encode equally.
        for name, item in sorted(get(message).items(), key=lambda pair: pair[0]):
            try:
                key = name if members is None else members[name]
                items[key] = item if convert is None else convert(item)
            except KeyError:
                raise WireError(f"[{name}]", f"the key must be one of {', '.join(members or ())}") from None
            except WireError as error:
                raise error.under(f"[{name}]") from None
        return items

    return read


def _optional_reader(get: Convert, name: str, convert: Convert | None) -> Convert:
    if convert is None:
        return lambda message: get(message) if message.HasField(name) else None
    return lambda message: convert(get(message)) if message.HasField(name) else None


def _required_reader(get: Convert, name: str, convert: Convert) -> Convert:
    def read(message: Any) -> Any:
        if not message.HasField(name):
            raise WireError("", "must be set")
        return convert(get(message))

    return read


def _value_decoder(kind: mi.Type, field: FieldDescriptor, table: dict[Any, Convert]) -> Convert | None:
    if isinstance(kind, mi.EnumType):
        return _enum_decoder(kind.cls, shapes.enum_of(field))
    if field.message_type is not None:
        return _message_decoder(kind, field.message_type, table)
    if isinstance(kind, mi.IntType):
        return _bounded(kind)
    return None


def _enum_decoder(kind: type[Any], enum: EnumDescriptor) -> Convert:
    members = {number: member for member, number in enum_numbers(kind, enum).items()}
    names = ", ".join(enum.values_by_number[number].name for number in members)

    def decode(number: int) -> Any:
        member = members.get(number)
        if member is None:
            what = "must be set" if number == 0 else f"has no value {number}"
            raise WireError("", f"{what}; it is one of {names}")
        return member

    return decode


def _bounded(kind: mi.IntType) -> Convert | None:
    low = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    high = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if low is None and high is None:
        return None

    def decode(number: int) -> int:
        if (low is not None and number < low) or (high is not None and number > high):
            limits = " and ".join([f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None))
            raise WireError("", f"must be {limits}")
        return number

    return decode
