"""Follows the events of a client's own quotes."""

from __future__ import annotations

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Exchange
from firmquote.client.settings import ClientSettings
from firmquote.events.messages import QuoteEvent
from firmquote.events.session import EventsReset, EventsSession, UpToDate
from firmquote.stream.async_follower import AsyncFollower
from firmquote.stream.follower import Follower


class QuoteEvents(Follower[QuoteEvent | EventsReset | UpToDate]):
    """Events of this client's quotes on a chain, followed over one connection after another.

    Every event arrives at least once, those of a quote in order; each connection continues after the last event of the
    one before. Iterate over it, in a thread of its own if need be.
    """

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.Client,
        settings: ClientSettings,
        clock: Clock,
        chain_id: int,
        after: str | None,
    ) -> None:
        """Made by `Client.follow_events`; nothing is sent before the first `changed`."""
        self._events = EventsSession(chain_id, after, clock, exchange.randomness)
        super().__init__(exchange, pool, settings, clock, self._events)

    @property
    def last_event_id(self) -> str | None:
        """The cursor after what has arrived, for another stream to continue there within ten minutes."""
        return self._events.last_event_id


class AsyncQuoteEvents(AsyncFollower[QuoteEvent | EventsReset | UpToDate]):
    """Events of this client's quotes on a chain, followed over one connection after another.

    Every event arrives at least once, those of a quote in order; each connection continues after the last event of the
    one before. Iterate over it in a task.
    """

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.AsyncClient,
        settings: ClientSettings,
        clock: Clock,
        chain_id: int,
        after: str | None,
    ) -> None:
        """Made by `AsyncClient.follow_events`; nothing is sent before the first `changed`."""
        self._events = EventsSession(chain_id, after, clock, exchange.randomness)
        super().__init__(exchange, pool, settings, clock, self._events)

    @property
    def last_event_id(self) -> str | None:
        """The cursor after what has arrived, for another stream to continue there within ten minutes."""
        return self._events.last_event_id
