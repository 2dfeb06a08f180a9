"""Follows price levels."""

from __future__ import annotations

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Exchange
from firmquote.client.settings import ClientSettings
from firmquote.levels.session import BooksChanged, LevelsSession
from firmquote.stream.async_follower import AsyncFollower
from firmquote.stream.follower import Follower
from firmquote.types.requests import LevelsRequest
from firmquote.types.responses import LevelBook


class Levels(Follower[BooksChanged]):
    """Books of price levels that are live, followed over one connection after another.

    Iterate over it, in a thread of its own if need be, and look at `books()` from wherever. What expires or is
    withdrawn disappears by itself, and so does everything when the connection ends, falls silent or loses a message;
    the next connection begins with all books.
    """

    def __init__(
        self, exchange: Exchange, pool: httpx.Client, settings: ClientSettings, clock: Clock, request: LevelsRequest
    ) -> None:
        """Made by `Client.follow_levels`; nothing is sent before the first `changed`."""
        self._levels = LevelsSession(request, clock, exchange.randomness)
        super().__init__(exchange, pool, settings, clock, self._levels)

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment. Any thread may call this."""
        return self._levels.books()

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._levels.is_complete


class AsyncLevels(AsyncFollower[BooksChanged]):
    """Books of price levels that are live, followed over one connection after another.

    Iterate over it in a task, and look at `books()` from wherever in the event loop. What expires or is withdrawn
    disappears by itself, and so does everything when the connection ends, falls silent or loses a message; the next
    connection begins with all books.
    """

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.AsyncClient,
        settings: ClientSettings,
        clock: Clock,
        request: LevelsRequest,
    ) -> None:
        """Made by `AsyncClient.follow_levels`; nothing is sent before the first `changed`."""
        self._levels = LevelsSession(request, clock, exchange.randomness)
        super().__init__(exchange, pool, settings, clock, self._levels)

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment."""
        return self._levels.books()

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._levels.is_complete
