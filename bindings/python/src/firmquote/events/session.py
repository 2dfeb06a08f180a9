"""The events of a client's own quotes, across connections."""

from __future__ import annotations

import random
from dataclasses import dataclass

from firmquote.client.clock import Clock
from firmquote.client.operations import Operation, Operations
from firmquote.events.messages import Notice, QuoteEvent, read_event
from firmquote.stream.session import Disconnected, Session


@dataclass(frozen=True, slots=True)
class EventsReset:
    """Events may be missing: read the status of the quotes that are open."""

    id: str
    """The cursor at which the stream continues."""


@dataclass(frozen=True, slots=True)
class UpToDate:
    """Everything until now has arrived on this connection; what follows arrives as it happens."""

    id: str
    """The cursor after what has arrived."""


EventsChange = QuoteEvent | EventsReset | UpToDate | Disconnected
"""What a stream of events reports."""


class EventsSession(Session[QuoteEvent | EventsReset | UpToDate]):
    """Each connection continues after the last event of the one before."""

    def __init__(self, chain_id: int, after: str | None, clock: Clock, randomness: random.Random) -> None:
        super().__init__(clock, randomness)
        self._chain_id = chain_id
        self.last_event_id = after
        """The cursor after the changes that were returned."""
        self._received_id = after
        self._begin()

    def operation(self, operations: Operations) -> Operation[None]:
        """The request that opens the next connection."""
        return operations.events(self._chain_id, self._received_id)

    def returned(self, change: EventsChange) -> None:
        """A change was returned to the consumer."""
        if not isinstance(change, Disconnected):
            self.last_event_id = change.id

    def drained(self) -> None:
        """Every change so far was returned to the consumer."""
        self.last_event_id = self._received_id

    def _begin(self) -> None:
        self._is_up_to_date = False

    def _take(self, text: str) -> EventsChange | None:
        message = read_event(text)
        if message is None:
            return None
        self._received_id = message.id
        if not isinstance(message, Notice):
            return message
        if message.event == "reset":
            return EventsReset(message.id)
        was_up_to_date, self._is_up_to_date = self._is_up_to_date, True
        if was_up_to_date:
            return None
        self._failures = 0
        return UpToDate(message.id)
