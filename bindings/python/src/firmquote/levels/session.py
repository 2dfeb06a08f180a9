"""The live books of a stream of levels, across its connections. Reads no socket and waits for nothing.

Expiry is by the monotonic clock of this machine: no clock has to agree with that of the service. A book ends
`valid_until_ms - published_ms` after it arrived, or `valid_until_ms - server_time_ms` after `hello` arrived, whichever
is first; after a renewal, by the times of the renewal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from firmquote.client.clock import Clock
from firmquote.client.exchange import backoff
from firmquote.client.settings import RetryPolicy
from firmquote.errors import FirmquoteError, Interrupted, InvalidResponse, Retry
from firmquote.levels.messages import Goodbye, Hello, Message, Renew, SnapshotEnd, Withdraw, read_message
from firmquote.levels.sse import EventDecoder, EventTooLong
from firmquote.types.decode import DecodeError
from firmquote.types.responses import LevelBook

MAX_SILENCE = 15.0
"""Seconds without a message after which a connection is given up: three heartbeats."""

MAX_REQUESTED_PAUSE = 60.0
"""The longest pause that a service can ask for, in seconds."""

RECONNECT = RetryPolicy(first_pause=0.25, max_pause=10.0)
"""The pauses between connections, which double from failure to failure."""


@dataclass(frozen=True, slots=True)
class BooksChanged:
    """A book arrived, replaced another, holds for longer, or is gone."""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection ended, and with it all books; another follows by itself."""

    cause: FirmquoteError | None
    """What ended it; `None` if the service said goodbye."""
    retry_after: float
    """Seconds until the next attempt."""


LevelsChange = BooksChanged | Disconnected
"""What changed."""


@dataclass(frozen=True, slots=True)
class _LiveBook:
    book: LevelBook
    ends_at: float
    """By the monotonic clock."""


class LevelsSession:
    """The books of a stream over one connection after another."""

    def __init__(self, clock: Clock, randomness: random.Random) -> None:
        self._clock = clock
        self._random = randomness
        self._failures = 0
        # Replaced, never changed in place: another thread may look.
        self._live: dict[tuple[str, str, str], _LiveBook] = {}
        self._reset("")

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment. Any thread may call this."""
        now = self._clock.monotonic()
        return tuple(live.book for live in self._live.values() if now < live.ends_at)

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._is_complete

    def opened(self, request_id: str) -> None:
        """A connection was accepted, which begins with all books."""
        self._reset(request_id)

    def seconds_to_silence(self) -> float:
        """Seconds until the connection has been silent for too long; zero or less if it has."""
        return self._heard_at + MAX_SILENCE - self._clock.monotonic()

    def seconds_to_expiry(self) -> float | None:
        """Seconds until the next book ends; `None` if there is none."""
        ends = [live.ends_at for live in self._live.values()]
        return min(ends) - self._clock.monotonic() if ends else None

    def receive(self, chunk: bytes) -> list[LevelsChange]:
        """Takes what arrived. A `Disconnected` is last: the connection is of no more use.

        Raises:
            InvalidResponse: a message cannot be read.
        """
        was_live = len(self._live)
        self._drop_expired()
        changes: list[LevelsChange] = [BooksChanged()] if len(self._live) != was_live else []
        for message in self._messages(chunk):
            change = self._apply(message)
            if isinstance(change, Disconnected):
                return [*changes, change]
            if change and not changes:
                changes.append(change)
        if self.seconds_to_silence() <= 0:
            changes.append(self.silent())
        return changes

    def expire(self) -> list[LevelsChange]:
        """Drops what has ended; a change if anything has."""
        was_live = len(self._live)
        self._drop_expired()
        return [BooksChanged()] if len(self._live) != was_live else []

    def silent(self) -> Disconnected:
        """The connection was silent for too long."""
        return self.ended(Interrupted(f"nothing arrived for {MAX_SILENCE:g} s", self._request_id))

    def finished(self) -> Disconnected:
        """The stream ended without a goodbye."""
        return self.ended(Interrupted("the stream ended", self._request_id))

    def ended(self, cause: FirmquoteError) -> Disconnected:
        """The connection ended, or could not be made.

        Raises:
            FirmquoteError: `cause`, where another connection cannot mend it.
        """
        self._reset(self._request_id)
        reaction = cause.reaction
        if not isinstance(reaction, Retry):
            raise cause
        self._failures += 1
        pause = backoff(RECONNECT, self._failures, self._random)
        return Disconnected(cause, max(pause, min(reaction.after or 0.0, MAX_REQUESTED_PAUSE)))

    def _reset(self, request_id: str) -> None:
        self._live = {}
        self._request_id = request_id
        self._decoder = EventDecoder()
        self._last_number = 0
        self._heard_at = self._clock.monotonic()
        self._service_clock: float | None = None
        self._is_complete = False

    def _messages(self, chunk: bytes) -> Iterator[Message | Disconnected]:
        try:
            for text in self._decoder.feed(chunk):
                number, message = read_message(text)
                self._heard_at = self._clock.monotonic()
                self._last_number += 1
                if number != self._last_number:
                    yield self.ended(Interrupted("a message is missing", self._request_id))
                    return
                yield message
        except (DecodeError, EventTooLong) as error:
            raise InvalidResponse(str(error)[:300], 200, self._request_id) from None

    def _apply(self, message: Message | Disconnected) -> LevelsChange | None:
        now = self._clock.monotonic()
        if isinstance(message, Disconnected):
            return message
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
