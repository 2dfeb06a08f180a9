"""A stream over one connection after another. Reads no socket and waits for nothing."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from firmquote.client.clock import Clock
from firmquote.client.exchange import backoff
from firmquote.client.operations import Operation, Operations
from firmquote.client.settings import RetryPolicy
from firmquote.errors import FirmquoteError, Interrupted, InvalidResponse, Retry
from firmquote.stream.sse import EventDecoder, EventTooLong
from firmquote.types.decode import DecodeError

MAX_SILENCE = 15.0
"""Seconds without a message after which a connection is given up: three heartbeats."""

MAX_REQUESTED_PAUSE = 60.0
"""The longest pause that a service can ask for, in seconds."""

RECONNECT = RetryPolicy(first_pause=0.25, max_pause=10.0)
"""The pauses between connections, which double from failure to failure."""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection ended, and with it all books if it was one of levels; another follows by itself."""

    cause: FirmquoteError | None
    """What ended it; `None` if the service said goodbye."""
    retry_after: float
    """Seconds until the next attempt."""


Change = TypeVar("Change")


class Session(ABC, Generic[Change]):
    """A stream of changes of one kind, in which connections end and others follow."""

    _merges_changes: ClassVar[bool] = False
    """Whether one change stands for all that arrive together."""

    def __init__(self, clock: Clock, randomness: random.Random) -> None:
        self._clock = clock
        self._random = randomness
        self._failures = 0
        self._request_id = ""
        self._decoder = EventDecoder()
        self._heard_at = clock.monotonic()
        self._failure: InvalidResponse | None = None

    @abstractmethod
    def operation(self, operations: Operations) -> Operation[None]:
        """The request that opens the next connection."""

    @abstractmethod
    def _begin(self) -> None:
        """Forgets what belongs to one connection."""

    @abstractmethod
    def _take(self, text: str) -> Change | Disconnected | None:
        """Takes one message.

        Raises:
            DecodeError: it cannot be read.
        """

    def opened(self, request_id: str) -> None:
        """A connection was accepted."""
        self._reset(request_id)

    def seconds_to_silence(self) -> float:
        """Seconds until the connection has been silent for too long; zero or less if it has."""
        return self._heard_at + MAX_SILENCE - self._clock.monotonic()

    def seconds_to_expiry(self) -> float | None:
        """Seconds until something changes by itself; `None` if nothing will."""
        return None

    def expire(self) -> list[Change | Disconnected]:
        """What has changed by itself."""
        return []

    def returned(self, change: Change | Disconnected) -> None:
        """A change was returned to the consumer."""

    def drained(self) -> None:
        """Every change so far was returned to the consumer."""

    def receive(self, chunk: bytes) -> list[Change | Disconnected]:
        """Takes what arrived. A `Disconnected` is last: the connection is of no more use.

        Raises:
            InvalidResponse: a message cannot be read.
        """
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        changes = self.expire()
        try:
            for change in self._changes(chunk):
                if isinstance(change, Disconnected):
                    return [*changes, change]
                if not (changes and self._merges_changes):
                    changes.append(change)
        except InvalidResponse as error:
            if not changes:
                raise
            # What came before is returned first.
            self._failure = error
        if self.seconds_to_silence() <= 0:
            changes.append(self.silent())
        return changes

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
        self._request_id = request_id
        self._failure = None
        self._decoder = EventDecoder()
        self._heard_at = self._clock.monotonic()
        self._begin()

    def _changes(self, chunk: bytes) -> Iterator[Change | Disconnected]:
        try:
            for text in self._decoder.feed(chunk):
                self._heard_at = self._clock.monotonic()
                change = self._take(text)
                if change is not None:
                    yield change
                if isinstance(change, Disconnected):
                    return
        except (DecodeError, EventTooLong) as error:
            raise InvalidResponse(str(error)[:300], 200, self._request_id) from None
