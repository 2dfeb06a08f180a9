"""Follows a stream on asyncio."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Exchange
from firmquote.client.settings import ClientSettings
from firmquote.client.transport import BodyReader, collect_async, failure, is_event_stream, prepare
from firmquote.errors import FirmquoteError
from firmquote.stream.session import MAX_SILENCE, Change, Disconnected, Session

FollowerT = TypeVar("FollowerT", bound="AsyncFollower[Any]")


class AsyncFollower(Generic[Change]):
    """A stream that is followed over one connection after another. Iterate over it, in a task."""

    def __init__(
        self,
        exchange: Exchange,
        pool: httpx.AsyncClient,
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
        self._pause = 0.0
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None
        self._reading: asyncio.Task[bytes | None] | None = None
        self._is_closed = False

    async def changed(self) -> Change | Disconnected | None:
        """Waits until something changes; `None` after `close`. Nothing is lost if the task is cancelled meanwhile.

        Raises:
            FirmquoteError: a new connection cannot mend it, as with refused credentials or an unknown pair.
        """
        while not self._pending and not self._is_closed:
            self._session.drained()
            try:
                changes = await (self._read() if self._response is not None else self._open())
            except FirmquoteError as error:
                await self._disconnect()
                changes = [self._session.ended(error)]
            self._pending.extend(changes)
            for change in changes:
                if isinstance(change, Disconnected):
                    self._pause = change.retry_after
                    await self._disconnect()
        if self._is_closed:
            return None
        change = self._pending.popleft()
        self._session.returned(change)
        return change

    async def close(self) -> None:
        """Ends the connection and the iteration."""
        self._is_closed = True
        await self._disconnect()

    async def __aiter__(self) -> AsyncIterator[Change | Disconnected]:
        while (change := await self.changed()) is not None:
            yield change

    async def __aenter__(self: FollowerT) -> FollowerT:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _open(self) -> list[Change | Disconnected]:
        if self._pause > 0:
            await self._clock.sleep_async(self._pause)
            self._pause = 0.0
        self._operation = self._session.operation(self._exchange.operations)
        send = self._exchange.request(self._operation)
        body = BodyReader(send, self._settings, self._clock)
        try:
            response = await self._pool.send(prepare(send, self._settings, read_timeout=MAX_SILENCE), stream=True)
            if not is_event_stream(response):
                refusal = await collect_async(response, body)
                raise self._exchange.not_a_stream(self._operation, refusal, send.request_id)
        except httpx.HTTPError as error:
            raise failure(error, send, self._settings) from error
        self._response, self._chunks = response, response.aiter_raw()
        self._session.opened(send.request_id)
        return []

    async def _read(self) -> list[Change | Disconnected]:
        assert self._chunks is not None  # noqa: S101 - set with the response
        self._reading = self._reading or asyncio.ensure_future(_next_chunk(self._chunks))
        expiry = self._session.seconds_to_expiry()
        silence = self._session.seconds_to_silence()
        patience = silence if expiry is None else min(expiry, silence)
        # Waiting does not cancel the task, so that no byte is lost when time is up.
        await asyncio.wait({self._reading}, timeout=max(patience, 0.0))
        if not self._reading.done():
            return [self._session.silent()] if self._session.seconds_to_silence() <= 0 else self._session.expire()
        reading, self._reading = self._reading, None
        try:
            chunk = reading.result()
        except httpx.TimeoutException:
            return [self._session.silent()]
        except httpx.HTTPError:
            chunk = None
        return [self._session.finished()] if chunk is None else self._session.receive(chunk)

    async def _disconnect(self) -> None:
        reading, self._reading = self._reading, None
        response, self._response = self._response, None
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        if response is not None:
            await response.aclose()


async def _next_chunk(chunks: AsyncIterator[bytes]) -> bytes | None:
    """The next piece of a body; `None` at its end."""
    async for chunk in chunks:
        return chunk
    return None
