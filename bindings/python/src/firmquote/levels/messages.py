"""The messages of a stream of levels."""

from __future__ import annotations

from dataclasses import dataclass

from firmquote.types.decode import DecodeError, decode, parse_json
from firmquote.types.levels import is_concave
from firmquote.types.responses import LevelBook
from firmquote.types.wire import LevelsId

PROTOCOL = "firmquote-levels/1"
"""The protocol that this package reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The first message of a connection."""

    protocol: str
    epoch: str
    """Identifies the connection."""
    server_time_ms: int
    """Unix milliseconds at the service."""
    chain_id: int
    heartbeat_ms: int
    """The longest time without a message."""
    min_interval_ms: int
    """The shortest time between two books of a pair and direction, on average."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotEnd:
    """Every live book was sent once."""

    books: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Renew:
    """Nothing moved, and prices or reserves are newer: these books hold for longer."""

    levels_ids: tuple[LevelsId, ...]
    as_of_ms: int
    published_ms: int
    valid_until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Nothing is quoted for these books any more."""

    levels_ids: tuple[LevelsId, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """Nothing else was sent for a while; says nothing about the books."""

    server_time_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye:
    """The last message: the service stops, or has a new configuration."""

    reason: str
    reconnect_after_ms: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """A message of a later release, which counts and means nothing."""

    type: str


Message = Hello | LevelBook | SnapshotEnd | Renew | Withdraw | Heartbeat | Goodbye | Unknown

MESSAGES: dict[str, type[Message]] = {
    "hello": Hello,
    "book": LevelBook,
    "snapshot_end": SnapshotEnd,
    "renew": Renew,
    "withdraw": Withdraw,
    "heartbeat": Heartbeat,
    "goodbye": Goodbye,
}
"""The class for each `type`."""


def read_message(text: str) -> tuple[int, Message]:
    """Reads a message, and its number on the connection.

    Raises:
        DecodeError: a member is missing or malformed, the protocol is another, or prices within a book must not rise.
    """
    body = parse_json(text)
    if not isinstance(body, dict) or not isinstance(body.get("type"), str):
        raise DecodeError("a message has no type")
    number = decode(int, body.get("n"), "n")
    kind = MESSAGES.get(body["type"])
    if kind is None:
        return number, Unknown(body["type"])
    message = decode(kind, body)
    if isinstance(message, Hello) and message.protocol != PROTOCOL:
        raise DecodeError(f"the protocol is not {PROTOCOL}")
    if isinstance(message, LevelBook) and not is_concave(message):
        raise DecodeError("prices within a book must not rise")
    return number, message
