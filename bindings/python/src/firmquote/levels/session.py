"""The live books of a stream of levels, across its connections. Reads no socket and waits for nothing.

Expiry is by the monotonic clock of this machine: no clock has to agree with that of the service. A book ends
`valid_until_ms - published_ms` after it arrived, or `valid_until_ms - server_time_ms` after `hello` arrived, whichever
is first; after a renewal, by the times of the renewal.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from firmquote.client.clock import Clock
from firmquote.client.operations import Operation, Operations
from firmquote.errors import Interrupted
from firmquote.levels.messages import Goodbye, Hello, Renew, SnapshotEnd, Withdraw, read_message
from firmquote.stream.session import MAX_REQUESTED_PAUSE, Disconnected, Session
from firmquote.types.requests import LevelsRequest
from firmquote.types.responses import LevelBook


@dataclass(frozen=True, slots=True)
class BooksChanged:
    """A book arrived, replaced another, holds for longer, or is gone."""


LevelsChange = BooksChanged | Disconnected
"""What changed."""


@dataclass(frozen=True, slots=True)
class _LiveBook:
    book: LevelBook
    ends_at: float
    """By the monotonic clock."""


class LevelsSession(Session[BooksChanged]):
    """The books of a stream over one connection after another."""

    _merges_changes = True

    def __init__(self, request: LevelsRequest, clock: Clock, randomness: random.Random) -> None:
        super().__init__(clock, randomness)
        self._request = request
        # Replaced, never changed in place: another thread may look.
        self._live: dict[tuple[str, str, str], _LiveBook] = {}
        self._begin()

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment. Any thread may call this."""
        now = self._clock.monotonic()
        return tuple(live.book for live in self._live.values() if now < live.ends_at)

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._is_complete

    def operation(self, operations: Operations) -> Operation[None]:
        """The request that opens the next connection."""
        return operations.level_stream(self._request)

    def seconds_to_expiry(self) -> float | None:
        """Seconds until the next book ends; `None` if there is none."""
        ends = [live.ends_at for live in self._live.values()]
        return min(ends) - self._clock.monotonic() if ends else None

    def expire(self) -> list[LevelsChange]:
        """Drops what has ended; a change if anything has."""
        was_live = len(self._live)
        self._drop_expired()
        return [BooksChanged()] if len(self._live) != was_live else []

    def _begin(self) -> None:
        self._live = {}
        self._last_number = 0
        self._service_clock: float | None = None
        self._is_complete = False

    def _take(self, text: str) -> LevelsChange | None:
        number, message = read_message(text)
        self._last_number += 1
        if number != self._last_number:
            return self.ended(Interrupted("a message is missing", self._request_id))
        now = self._clock.monotonic()
        if isinstance(message, Hello):
            self._service_clock = now - message.server_time_ms / 1000
            return None
        if isinstance(message, LevelBook):
            self._live = {**self._live, message.key: _LiveBook(message, self._end_of(message, now))}
        elif isinstance(message, Renew):
            self._live = {key: self._renewed(live, message, now) for key, live in self._live.items()}
        elif isinstance(message, Withdraw):
            gone = set(message.levels_ids)
            self._live = {key: live for key, live in self._live.items() if live.book.levels_id not in gone}
        elif isinstance(message, SnapshotEnd):
            self._failures, self._is_complete = 0, True
        elif isinstance(message, Goodbye):
            self._reset(self._request_id)
            asked = min(message.reconnect_after_ms / 1000, MAX_REQUESTED_PAUSE)
            # Not before the service asks for it, and not all clients at once.
            return Disconnected(None, asked * self._random.uniform(1.0, 2.0))
        else:
            return None
        return BooksChanged()

    def _renewed(self, live: _LiveBook, message: Renew, now: float) -> _LiveBook:
        if live.book.levels_id not in message.levels_ids:
            return live
        book = replace(
            live.book,
            as_of_ms=message.as_of_ms,
            published_ms=message.published_ms,
            valid_until_ms=message.valid_until_ms,
        )
        return _LiveBook(book, self._end_of(message, now))

    def _end_of(self, times: LevelBook | Renew, now: float) -> float:
        """When a book that arrived now ends, by the monotonic clock: the earlier bound on its zero of Unix time."""
        zero = now - times.published_ms / 1000
        if self._service_clock is not None:
            zero = min(zero, self._service_clock)
        return zero + times.valid_until_ms / 1000

    def _drop_expired(self) -> None:
        now = self._clock.monotonic()
        if any(live.ends_at <= now for live in self._live.values()):
            self._live = {key: live for key, live in self._live.items() if now < live.ends_at}
