"""The messages of a stream of events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from firmquote.types.decode import DecodeError, decode, parse_json
from firmquote.types.responses import Settlement
from firmquote.types.wire import Address, QuoteId


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteEvent:
    """Something happened to a signed quote of this client."""

    event: str
    """`signed`, `settled`, `lapsed`, or `reorged`: a reorganization of the chain undid the outcome."""
    id: str
    """The cursor after this event."""
    quote_id: QuoteId
    """The quote."""
    chain_id: int
    """The chain id (EIP-155)."""
    pool_address: Address
    """The pool contract."""
    recorded_at: datetime
    """When the quote was signed, or the service recorded the outcome."""
    settled: Settlement | None
    """The execution; `None` unless the swap is settled. Its `confirmations` are `None`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A message about the stream itself."""

    event: str
    """`heartbeat` or `reset`."""
    id: str
    """The cursor at which the stream continues."""


QUOTE_EVENTS = frozenset({"signed", "settled", "lapsed", "reorged"})
NOTICES = frozenset({"heartbeat", "reset"})


def read_event(text: str) -> QuoteEvent | Notice | None:
    """Reads a message; `None` for one of a later release.

    Raises:
        DecodeError: a member is missing or malformed.
    """
    body = parse_json(text)
    kind = body.get("event") if isinstance(body, dict) else None
    if not isinstance(kind, str):
        raise DecodeError("a message has no event")
    if kind in QUOTE_EVENTS:
        return decode(QuoteEvent, body)
    return decode(Notice, body) if kind in NOTICES else None
