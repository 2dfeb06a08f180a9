"""A stub of the service on a port of its own, and clocks that only tests move."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeVar

from firmquote import AsyncClient, Client, ClientSettings
from firmquote.client.clock import Clock

StubT = TypeVar("StubT", bound="Stub")

KINDS = ("blocking", "asynchronous")
"""Both clients: what is tested of one is tested of the other."""


@dataclass(frozen=True)
class Answer:
    """What the stub says to one request."""

    body: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    missing_bytes: int = 0
    """How many bytes the body lacks when the connection ends."""
    events: Sequence[str] | None = None
    """The messages of a stream instead of a body."""
    holds: bool = False
    """Whether the connection stays open, silently, until the stub stops: without an answer, or after the events."""


def json_answer(value: object, status: int = 200, **headers: str) -> Answer:
    """A JSON body."""
    return Answer(json.dumps(value), status, {name.replace("_", "-"): text for name, text in headers.items()})


@dataclass(frozen=True)
class Received:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: str


class Stub:
    """A server that gives scripted answers in order; the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.received: list[Received] = []
        self._released = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                stub._answer(self)

            def do_POST(self) -> None:
                stub._answer(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def settings(self, **changes: Any) -> ClientSettings:
        return replace(ClientSettings(self.url, api_key="an-api-key-of-tests"), **changes)

    def __enter__(self: StubT) -> StubT:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def respond(self, received: Received) -> Answer:
        """The answer to a request: the next of the script."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        body = handler.rfile.read(length).decode()
        self.received.append(Received(handler.command, handler.path, headers, body))
        answer = self.respond(self.received[-1])
        if answer.events is not None:
            self._stream(handler, answer)
        elif answer.holds:
            self._released.wait()
            handler.close_connection = True
        else:
            content = answer.body.encode()
            handler.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                handler.send_header(name, value)
            handler.send_header("content-length", str(len(content) + answer.missing_bytes))
            handler.end_headers()
            handler.wfile.write(content)
            handler.close_connection = handler.close_connection or answer.missing_bytes > 0

    def _stream(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("connection", "close")
        handler.end_headers()
        for event in answer.events or ():
            handler.wfile.write(f"data: {event}\n\n".encode())
            handler.wfile.flush()
        if answer.holds:
            self._released.wait()
        handler.close_connection = True


class TestClock(Clock):
    """A clock that moves only when it is told to, or slept on."""

    __test__ = False

    def __init__(self, unix: float = 1_700_000_000.0) -> None:
        self.now = 1000.0
        self._zero = unix - self.now
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def unix(self) -> float:
        return self._zero + self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.sleep(seconds)
        return event.is_set()

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


def call(kind: str, settings: ClientSettings, use: Callable[[Any], Any], clock: Clock | None = None) -> Any:
    """Uses a client of this kind: `use` makes one call and returns what the method returns."""
    if kind == "blocking":
        with Client(settings, clock=clock) as client:
            return use(client)

    async def run() -> Any:
        async with AsyncClient(settings, clock=clock) as client:
            return await use(client)

    return asyncio.run(run())
