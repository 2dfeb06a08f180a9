"""Reads responses that are no success, and looks for credentials where none may be."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from firmquote.client.meta import rate_limit_of, retry_after_of
from firmquote.errors.failures import InvalidField, RefusalBody, Refused
from firmquote.errors.refusals import refusal
from firmquote.types.decode import DecodeError, decode, parse_json
from firmquote.types.responses import Quote
from firmquote.types.wire import Number

T = TypeVar("T")

MIN_SECRET_CHARS = 8
"""Shorter texts appear in responses by chance."""

MAX_MILLISECONDS = 10**15
"""No time to wait is longer: more digits are not those of the service."""


def contains_secret(secrets: tuple[str, ...], text: str, headers: Mapping[str, str]) -> bool:
    """Whether a response contains a secret, also one that its JSON writes with escapes."""
    told = [text, *headers.values()]
    if "\\" in text:
        with contextlib.suppress(ValueError, RecursionError):
            told.append(json.dumps(json.loads(text), ensure_ascii=False))
    long_enough = [secret for secret in secrets if len(secret) >= MIN_SECRET_CHARS]
    return any(secret in part or json.dumps(secret)[1:-1] in part for secret in long_enough for part in told)


def read_refusal(
    status: int,
    headers: Mapping[str, str],
    text: str,
    request_id: str,
    check_fresh_quote: Callable[[Quote], str | None] = lambda _: None,
) -> Refused:
    """Reads an Error object. A body that is none counts as empty, so that its status decides.

    A fresh quote for which `check_fresh_quote` returns a problem is discarded.
    """
    members = _error_members(text)
    after_ms = _milliseconds(members, "retry_after_ms")
    fresh_quote = _optional(Quote, members.get("fresh_quote"))
    if fresh_quote is not None and check_fresh_quote(fresh_quote) is not None:
        fresh_quote = None
    return refusal(
        RefusalBody(
            status=status,
            message=_text(members, "errorMessage") or "",
            error_type=_text(members, "errorType") or "",
            error_code=_integer(members, "errorCode"),
            data=_invalid_fields(members.get("data")),
            reason=_text(members, "reason"),
            field=_text(members, "field"),
            max_amount=_amount(members, "max_amount"),
            min_amount=_amount(members, "min_amount"),
            largest_trade_in_usd=_optional(Number, members.get("largest_trade_in_usd")),
            output_left=_amount(members, "output_left"),
            moved_bps=_optional(Number, members.get("moved_bps")),
            fresh_quote=fresh_quote,
            retry_after=retry_after_of(headers) if after_ms is None else after_ms / 1000,
            request_id=request_id,
            rate_limit=rate_limit_of(headers),
        )
    )


def _error_members(text: str) -> dict[str, object]:
    try:
        body = parse_json(text)
    except DecodeError:
        return {}
    is_error = isinstance(body, dict) and all(isinstance(body.get(name), str) for name in ("errorMessage", "errorType"))
    return body if is_error and isinstance(body, dict) else {}


def _amount(members: dict[str, object], name: str) -> int | None:
    digits = _text(members, name)
    return int(digits) if digits is not None and re.fullmatch("[0-9]{1,78}", digits) else None


def _text(members: dict[str, object], name: str) -> str | None:
    value = members.get(name)
    return value if isinstance(value, str) else None


def _integer(members: dict[str, object], name: str) -> int | None:
    value = members.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _milliseconds(members: dict[str, object], name: str) -> int | None:
    value = _integer(members, name)
    return value if value is not None and 0 <= value < MAX_MILLISECONDS else None


def _optional(kind: type[T], value: object) -> T | None:
    """What can be read of a member that may be absent; a malformed one is no worse than none."""
    try:
        return None if value is None else decode(kind, value)
    except DecodeError:
        return None


def _invalid_fields(data: object) -> tuple[InvalidField, ...]:
    items = data if isinstance(data, list) else []
    return tuple(_invalid_field(item) for item in items if isinstance(item, dict))


def _invalid_field(item: dict[str, object]) -> InvalidField:
    steps = item.get("loc")
    path = steps if isinstance(steps, list) else []
    return InvalidField(
        type=_text(item, "type") or "",
        loc=tuple(step for step in path if isinstance(step, str | int)),
        msg=_text(item, "msg") or "",
        input=item.get("input"),
        url=_text(item, "url") or "",
    )
