"""Follows price levels, blocking."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from types import TracebackType

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Exchange
from firmquote.client.settings import ClientSettings
from firmquote.client.transport import BodyReader, collect, failure, is_event_stream, prepare
from firmquote.errors import FirmquoteError
from firmquote.levels.session import MAX_SILENCE, Disconnected, LevelsChange, LevelsSession
from firmquote.types.requests import LevelsRequest
from firmquote.types.responses import LevelBook


class Levels:
    """Books of price levels that are live, followed over one connection after another.

    Iterate over it, in a thread of its own if need be, and look at `books()` from wherever. What expires or is
    withdrawn disappears by itself, and so does everything when the connection ends, falls silent or loses a message;
    the next connection begins with all books.
    """

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.Client,
        settings: ClientSettings,
        clock: Clock,
        request: LevelsRequest,
    ) -> None:
        """Made by `Client.follow_levels`; nothing is sent before the first `changed`."""
        self._exchange = exchange
        self._pool = pool
        self._settings = settings
        self._clock = clock
        self._operation = exchange.operations.level_stream(request)
        self._session = LevelsSession(clock, exchange.randomness)
        self._pending: deque[LevelsChange] = deque()
        self._closing = threading.Event()
        self._pause = 0.0
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def books(self) -> tuple[LevelBook, ...]:
        """The books that are live at this moment. Any thread may call this."""
        return self._session.books()

    @property
    def is_complete(self) -> bool:
        """Whether all books of the present connection have arrived."""
        return self._session.is_complete

    def changed(self) -> LevelsChange | None:
        """Waits until something changes; `None` after `close`.

        Raises:
            FirmquoteError: a new connection cannot mend it, as with refused credentials or an unknown pair.
        """
        while not self._pending and not self._closing.is_set():
            try:
                changes = self._read() if self._response is not None else self._open()
            except FirmquoteError as error:
                self._disconnect()
                changes = [self._session.ended(error)]
            self._pending.extend(changes)
            for change in changes:
                if isinstance(change, Disconnected):
                    self._disconnect()
                    self._pause = change.retry_after
        if self._closing.is_set():
            self._disconnect()
            return None
        return self._pending.popleft()

    def close(self) -> None:
        """Ends the iteration: a pause at once, a connection with the next message, 5 seconds later at most."""
        self._closing.set()

    def __iter__(self) -> Iterator[LevelsChange]:
        while (change := self.changed()) is not None:
            yield change

    def __enter__(self) -> Levels:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._disconnect()

    def _open(self) -> list[LevelsChange]:
        if self._pause > 0 and self._clock.wait(self._closing, self._pause):
            return []
        self._pause = 0.0
        send = self._exchange.request(self._operation)
        body = BodyReader(send, self._settings, self._clock)
        try:
            response = self._pool.send(prepare(send, self._settings, read_timeout=MAX_SILENCE), stream=True)
            if not is_event_stream(response):
                refusal = collect(response, body)
                raise self._exchange.not_a_stream(self._operation, refusal, send.request_id)
        except httpx.HTTPError as error:
            raise failure(error, send, self._settings) from error
        self._response, self._chunks = response, response.iter_raw()
        self._session.opened(send.request_id)
        return []

    def _read(self) -> list[LevelsChange]:
        try:
            chunk = next(self._chunks, None)
        except httpx.TimeoutException:
            return [self._session.silent()]
        except httpx.HTTPError:
            chunk = None
        return [self._session.finished()] if chunk is None else self._session.receive(chunk)

    def _disconnect(self) -> None:
        response, self._response = self._response, None
        if response is not None:
            response.close()
