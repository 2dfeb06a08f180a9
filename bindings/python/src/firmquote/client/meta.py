"""What the headers of a response say: the request id, the rate limit, and when to come back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from firmquote.errors.failures import RateLimit

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_ITEM = re.compile(r'"([A-Za-z0-9._-]{1,64})"((?:;[a-z]=\d{1,18})*)', re.ASCII)
_SECONDS = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class ResponseMeta:
    """What is known of a response besides its body."""

    operation: str
    """The `operationId` in the OpenAPI document."""
    status: int
    """HTTP status."""
    request_id: str
    """The id by which the operator finds the request in the log."""
    attempt: int
    """Counts the attempts at the request, from 1."""
    rate_limit: RateLimit | None
    """The state of the rate limit; `None` if requests are not limited."""
    deprecation: str | None
    """`Deprecation` (RFC 9745), which answers to Basic credentials carry."""
    sunset: str | None
    """`Sunset` (RFC 8594): when Basic ends, if the operator set a time."""


def is_request_id(text: str) -> bool:
    """Whether the service accepts `text` as a request id."""
    return _REQUEST_ID.fullmatch(text) is not None


def request_id_of(headers: Mapping[str, str], sent: str) -> str:
    """The request id of a response; `sent` if it has none of its own."""
    received = headers.get("x-request-id", "")
    return received if is_request_id(received) else sent


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """`Retry-After` in seconds. A date, which this service never sends, counts as absent."""
    found = _SECONDS.fullmatch(headers.get("retry-after", ""))
    return float(found[1]) if found else None


def rate_limit_of(headers: Mapping[str, str]) -> RateLimit | None:
    """The state of the rate limit; the quota only if the policy has the same name."""
    state = _item(headers.get("ratelimit", ""))
    if state is None or not {"r", "t"} <= state[1].keys():
        return None
    policy = _item(headers.get("ratelimit-policy", ""))
    rule = policy[1] if policy and policy[0] == state[0] else {}
    return RateLimit(state[0], state[1]["r"], state[1]["t"], rule.get("q"), rule.get("w"))


def _item(text: str) -> tuple[str, dict[str, int]] | None:
    """Name and parameters of the single item of a field (RFC 9651)."""
    found = _ITEM.fullmatch(text)
    if found is None:
        return None
    pairs = (part.split("=") for part in found[2].split(";") if part)
    return found[1], {name: int(value) for name, value in pairs}
