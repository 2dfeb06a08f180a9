"""Follows a stream, blocking."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Exchange
from firmquote.client.settings import ClientSettings
from firmquote.client.transport import BodyReader, collect, failure, is_event_stream, prepare
from firmquote.errors import FirmquoteError
from firmquote.stream.session import MAX_SILENCE, Change, Disconnected, Session

FollowerT = TypeVar("FollowerT", bound="Follower[Any]")


class Follower(Generic[Change]):
    """A stream that is followed over one connection after another.

    Iterate over it, in a thread of its own if need be.
    """

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.Client,
        settings: ClientSettings,
        clock: Clock,
        session: Session[Change],
    ) -> None:
        """Made by the client; nothing is sent before the first `changed`."""
        self._exchange = exchange
        self._pool = pool
        self._settings = settings
        self._clock = clock
        self._session = session
        self._operation = session.operation(exchange.operations)
        self._pending: deque[Change | Disconnected] = deque()
        self._closing = threading.Event()
        self._pause = 0.0
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def changed(self) -> Change | Disconnected | None:
        """Waits until something changes; `None` after `close`.

        Raises:
            FirmquoteError: a new connection cannot mend it, as with refused credentials or an unknown pair.
        """
        while not self._pending and not self._closing.is_set():
            self._session.drained()
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
        change = self._pending.popleft()
        self._session.returned(change)
        return change

    def close(self) -> None:
        """Ends the iteration: a pause at once, a connection with the next message, 5 seconds later at most."""
        self._closing.set()

    def __iter__(self) -> Iterator[Change | Disconnected]:
        while (change := self.changed()) is not None:
            yield change

    def __enter__(self: FollowerT) -> FollowerT:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._disconnect()

    def _open(self) -> list[Change | Disconnected]:
        if self._pause > 0 and self._clock.wait(self._closing, self._pause):
            return []
        self._pause = 0.0
        self._operation = self._session.operation(self._exchange.operations)
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

    def _read(self) -> list[Change | Disconnected]:
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
