"""Follows the events of a client's own quotes."""

from __future__ import annotations

from firmquote.events.messages import QuoteEvent
from firmquote.events.session import EventsReset, EventsSession, UpToDate
from firmquote.stream.async_follower import AsyncFollower
from firmquote.stream.follower import Follower


class QuoteEvents(Follower[QuoteEvent | EventsReset | UpToDate]):
    """Events of this client's quotes on a chain, followed over one connection after another.

    Every event arrives at least once, those of a quote in order; each connection continues after the last event of the
    one before. Iterate over it, in a thread of its own if need be.
    """

    _session: EventsSession

    @property
    def last_event_id(self) -> str | None:
        """The cursor after what has arrived, for another stream to continue there within ten minutes."""
        return self._session.last_event_id


class AsyncQuoteEvents(AsyncFollower[QuoteEvent | EventsReset | UpToDate]):
    """Events of this client's quotes on a chain, followed over one connection after another.

    Every event arrives at least once, those of a quote in order; each connection continues after the last event of the
    one before. Iterate over it in a task.
    """

    _session: EventsSession

    @property
    def last_event_id(self) -> str | None:
        """The cursor after what has arrived, for another stream to continue there within ten minutes."""
        return self._session.last_event_id
