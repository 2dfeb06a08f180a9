"""What the blocking and the asynchronous transport share: limits, and what is made of errors of httpx."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import RawResponse, Send
from firmquote.client.settings import ClientSettings
from firmquote.errors import FirmquoteError, Interrupted, InvalidResponse, TimedOut, Unreachable

POOL_LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=15.0)
"""Connections of a client. An idle one is kept for 15 seconds, less than servers and load balancers keep theirs."""


def pool_options(settings: ClientSettings) -> dict[str, Any]:
    """The options of an httpx client. Redirects are not followed, and the environment names no proxies."""
    verify = settings.ssl_context if settings.ssl_context is not None else True
    return {"verify": verify, "limits": POOL_LIMITS, "follow_redirects": False, "trust_env": False}


def prepare(send: Send, settings: ClientSettings, read_timeout: float | None = None) -> httpx.Request:
    """Writes a request for httpx. `read_timeout` bounds the silence of a stream."""
    timeout = httpx.Timeout(
        settings.timeout if read_timeout is None else read_timeout,
        connect=min(settings.connect_timeout, settings.timeout),
    )
    extensions = {"timeout": timeout.as_dict()}
    return httpx.Request(send.method, send.url, headers=dict(send.headers), content=send.content, extensions=extensions)


def failure(error: Exception, send: Send, settings: ClientSettings) -> FirmquoteError:
    """The error for one of httpx, in one line and without the URL."""
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return Unreachable(f"the service cannot be reached: {_one_line(error)}", send.request_id)
    if isinstance(error, httpx.TimeoutException | asyncio.TimeoutError):
        return timed_out(send, settings)
    return Interrupted(f"the connection ended before the response was complete: {_one_line(error)}", send.request_id)


def timed_out(send: Send, settings: ClientSettings) -> TimedOut:
    """The error for a response that is not complete in time."""
    return TimedOut(f"no response within {settings.timeout:g} s", send.request_id)


def lower_headers(response: httpx.Response) -> dict[str, str]:
    """The headers of a response by name in lower case."""
    return {name.lower(): value for name, value in response.headers.items()}


class BodyReader:
    """Collects a body within the limits of size and time."""

    def __init__(self, send: Send, settings: ClientSettings, clock: Clock) -> None:
        self._send = send
        self._settings = settings
        self._clock = clock
        self._deadline = clock.monotonic() + settings.timeout
        self._chunks = bytearray()

    def add(self, chunk: bytes, response: httpx.Response) -> None:
        """Adds what arrived.

        Raises:
            InvalidResponse: the body is too long.
            TimedOut: the time is over.
        """
        self._chunks += chunk
        if len(self._chunks) > self._settings.max_response_bytes:
            reason = f"it is longer than {self._settings.max_response_bytes} bytes"
            raise InvalidResponse(reason, response.status_code, self._send.request_id)
        if self._clock.monotonic() > self._deadline:
            raise timed_out(self._send, self._settings)

    def finish(self, response: httpx.Response) -> RawResponse:
        """The complete response."""
        return RawResponse(response.status_code, lower_headers(response), bytes(self._chunks))


def collect(response: httpx.Response, body: BodyReader) -> RawResponse:
    """Reads a response to its end, and closes it."""
    try:
        for chunk in response.iter_raw():
            body.add(chunk, response)
    finally:
        response.close()
    return body.finish(response)


async def collect_async(response: httpx.Response, body: BodyReader) -> RawResponse:
    """Reads a response to its end, and closes it."""
    try:
        async for chunk in response.aiter_raw():
            body.add(chunk, response)
    finally:
        await response.aclose()
    return body.finish(response)


def is_event_stream(response: httpx.Response) -> bool:
    """Whether a response is a stream of events, whose body has no end."""
    content_type = str(response.headers.get("content-type", "")).partition(";")[0].strip()
    return response.status_code == 200 and content_type == "text/event-stream"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
