"""Decodes JSON into the data classes of responses, guided by their annotations.

A missing or malformed member is an error; a member that a later release of the service adds is ignored. Nothing here
knows a particular response.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from .wire import MAX_WORD, DecimalText, Digits, Text

T = TypeVar("T")
Decoder = Callable[[object, str], Any]

MAX_DECIMAL_DIGITS = 100
"""The longest number with a fraction that is accepted, in digits before or after the point."""

MAX_DIGITS = 78
"""The length of 2^256 in decimal digits."""

_TIME = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00", re.ASCII)
_DIGITS = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")


class DecodeError(ValueError):
    """JSON that is not the expected response. The message names the member."""


def wire_name(member: Field[Any]) -> str:
    """The name of a field's member in JSON: `name` of its metadata, if that differs from its own."""
    return str(member.metadata.get("name", member.name))


def is_required(member: Field[Any]) -> bool:
    """Whether a response without the field's member is malformed: whether the field has no default."""
    return member.default is MISSING and member.default_factory is MISSING


def parse_json(text: str) -> object:
    """Parses JSON without losing a digit: numbers are `int`, or `Decimal` if they have a fraction or an exponent.

    Raises:
        DecodeError: the text is not JSON, or holds numbers beyond any meaning, `NaN` or `Infinity`.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_reject_constant)
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise DecodeError(f"not JSON: {error}") from None


def decode(kind: type[T], value: object, path: str = "") -> T:
    """Decodes `value` into `kind`, a data class or an annotated type.

    Raises:
        DecodeError: a member is missing or malformed; the message has the path to it.
    """
    decoder: Decoder = _decoder(kind)  # type: ignore[arg-type] # classes and annotated types are hashable
    result: T = decoder(value, path)
    return result


def _reject_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


@cache
def _decoder(kind: Any) -> Decoder:
    origin = get_origin(kind)
    if origin is Annotated:
        return _annotated(get_args(kind)[1])
    if origin in (Union, types.UnionType):
        (inner,) = (argument for argument in get_args(kind) if argument is not type(None))
        return _optional(_decoder(inner))
    if origin is tuple:
        return _tuple(get_args(kind))
    if isinstance(kind, type) and is_dataclass(kind):
        return _object(kind)
    return _PLAIN[kind]


def _annotated(form: object) -> Decoder:
    if isinstance(form, Digits):
        return lambda value, path: _digits(value, path, form.minimum)
    if isinstance(form, Text):
        pattern = re.compile(form.pattern)
        return lambda value, path: _text(value, path, pattern, form.meaning)
    if isinstance(form, DecimalText):
        return _decimal_text
    raise TypeError(f"no decoder for {form!r}")


def _optional(inner: Decoder) -> Decoder:
    return lambda value, path: None if value is None else inner(value, path)


def _tuple(arguments: tuple[Any, ...]) -> Decoder:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        item = _decoder(arguments[0])
        return lambda value, path: tuple(item(each, f"{path}[{at}]") for at, each in enumerate(_list(value, path)))
    items = [_decoder(argument) for argument in arguments]

    def fixed(value: object, path: str) -> tuple[Any, ...]:
        listed = _list(value, path)
        if len(listed) != len(items):
            raise DecodeError(f"{path} has {len(listed)} items instead of {len(items)}")
        return tuple(item(each, f"{path}[{at}]") for at, (item, each) in enumerate(zip(items, listed, strict=True)))

    return fixed


def _object(kind: type[Any]) -> Decoder:
    hints = get_type_hints(kind, include_extras=True)
    members = [
        (member.name, wire_name(member), _decoder(hints[member.name]), is_required(member))
        for member in fields(kind)
        if member.init
    ]

    def decode_object(value: object, path: str) -> Any:
        if not isinstance(value, dict):
            raise DecodeError(f"{path or 'the response'} is not an object")
        arguments = {}
        for name, on_wire, decoder, required in members:
            at = f"{path}.{on_wire}" if path else on_wire
            if on_wire in value:
                arguments[name] = decoder(value[on_wire], at)
            elif required:
                raise DecodeError(f"{at} is missing")
        return kind(**arguments)

    return decode_object


def _list(value: object, path: str) -> list[object]:
    if not isinstance(value, list):
        raise DecodeError(f"{path} is not a list")
    return value


def _text(value: object, path: str, pattern: re.Pattern[str], meaning: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise DecodeError(f"{path} is not {meaning}")
    return value


def _digits(value: object, path: str, minimum: int) -> int:
    if not isinstance(value, str) or len(value) > MAX_DIGITS or not _DIGITS.fullmatch(value):
        raise DecodeError(f"{path} is not a string of decimal digits")
    number = int(value)
    if not minimum <= number <= MAX_WORD:
        raise DecodeError(f"{path} is not from {minimum} to 2^256 - 1")
    return number


def _decimal_text(value: object, path: str) -> Decimal:
    if not isinstance(value, str) or len(value) > 2 * MAX_DECIMAL_DIGITS or not _DECIMAL.fullmatch(value):
        raise DecodeError(f"{path} is not a string with a decimal number")
    return Decimal(value)


def _integer(value: object, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_WORD:
        raise DecodeError(f"{path} is not an integer")
    return value


def _number(value: object, path: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise DecodeError(f"{path} is not a number")
    number = Decimal(value)
    exponent = number.as_tuple().exponent
    is_short = isinstance(exponent, int) and exponent >= -MAX_DECIMAL_DIGITS
    if not is_short or number.adjusted() > MAX_DECIMAL_DIGITS:
        raise DecodeError(f"{path} is a number beyond all bounds")
    return number


def _boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise DecodeError(f"{path} is neither true nor false")
    return value


def _string(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise DecodeError(f"{path} is not a string")
    return value


def _time(value: object, path: str) -> datetime:
    if isinstance(value, str) and _TIME.fullmatch(value):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise DecodeError(f"{path} is not a time in UTC with microseconds")


_PLAIN: dict[Any, Decoder] = {
    int: _integer,
    bool: _boolean,
    str: _string,
    Decimal: _number,
    datetime: _time,
    object: lambda value, _: value,
}
