"""One call: requests, pauses and what is made of the responses, without any input or output.

A call is a generator. It yields `Send` and `Pause`; its driver, blocking or not, does what it says and sends
the response back, or throws why there is none. So both clients share everything but the waiting.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from firmquote.client.clock import Clock
from firmquote.client.meta import ResponseMeta, rate_limit_of, request_id_of
from firmquote.client.operations import Operation, Operations
from firmquote.client.responses import contains_secret, read_refusal
from firmquote.client.settings import ClientSettings, RetryPolicy
from firmquote.errors import FirmquoteError, InvalidResponse, QuoteNotSigned, Retry
from firmquote.types.decode import DecodeError, parse_json
from firmquote.types.requests import QuoteRequest, SwapTerms
from firmquote.types.responses import QuotedSwap
from firmquote.version import Compatibility, __version__, compare_versions

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Send:
    """A request to send, complete with its credential."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    request_id: str

    def __repr__(self) -> str:
        return f"Send({self.method} {self.request_id})"


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait before the next step."""

    seconds: float


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A complete response of any status. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Call = Generator[Send | Pause, RawResponse | None, T]
"""A call that results in `T`, or raises a FirmquoteError."""


class Exchange:
    """Makes calls for one client."""

    def __init__(self, settings: ClientSettings, clock: Clock, randomness: random.Random) -> None:
        self._settings = settings
        self._clock = clock
        self.randomness = randomness
        self.operations = Operations(settings)

    def call(self, operation: Operation[T]) -> Call[T]:
        """Sends a request, again where that is safe and may help, and reads the response."""
        request = self.request(operation)
        attempt = 1
        while True:
            try:
                response = yield request
                assert response is not None  # noqa: S101 - the driver answers Send with a response
                return self.read(operation, response, request.request_id, attempt)
            except FirmquoteError as error:
                pause = self._pause_before_repeat(operation, error, attempt)
                if pause is None:
                    raise
            yield Pause(pause)
            attempt += 1

    def quote_and_sign(self, request: QuoteRequest, terms: SwapTerms) -> Call[QuotedSwap]:
        """Quotes and signs: in one round trip in version 2, in two in version 1."""
        if self.operations.version == 2:
            return (yield from self.call(self.operations.quote_and_sign(request, terms)))
        quote = yield from self.call(self.operations.quote(request))
        try:
            swap = yield from self.call(self.operations.sign_quote(quote, terms, request))
        except FirmquoteError as error:
            raise QuoteNotSigned(quote, error) from error
        quoted = {member.name: getattr(quote, member.name) for member in fields(quote)}
        signed = {member.name: getattr(swap, member.name) for member in fields(swap)}
        del quoted["must_accept_by"]
        return QuotedSwap(**(quoted | signed))

    def check_compatibility(self) -> Call[Compatibility]:
        """Compares the version of the service with the one that this package follows."""
        document = yield from self.call(self.operations.document("openapi", "/openapi.json"))
        info = document.get("info")
        version = info.get("version") if isinstance(info, dict) else None
        return compare_versions(version if isinstance(version, str) else "")

    def request(self, operation: Operation[T]) -> Send:
        """Writes a request with its headers."""
        request_id = self._settings.request_id or str(uuid.UUID(int=self.randomness.getrandbits(128), version=4))
        headers = {
            "accept": "application/json, text/event-stream",
            "accept-encoding": "identity",
            "user-agent": f"firmquote-client-python/{__version__}",
            "x-request-id": request_id,
        }
        if (credential := self._settings.credential_header()) is not None:
            headers[credential[0]] = credential[1]
        content = None
        if operation.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(operation.body).encode()
        url = self._settings.base(operation.version) + operation.path
        return Send("GET" if content is None else "POST", url, headers, content, request_id)

    def read(self, operation: Operation[T], response: RawResponse, sent_id: str, attempt: int = 1) -> T:
        """Reads a response.

        Raises:
            Refused: the status is not 200.
            InvalidResponse: the body is not what the operation returns, or does not match the request.
        """
        request_id = request_id_of(response.headers, sent_id)
        text = response.body.decode("utf-8", "replace")
        self._observe(operation, response, request_id, attempt)
        if contains_secret(self._settings.secrets(), text, response.headers):
            raise InvalidResponse("it contains the credential", response.status, request_id)
        if response.status != 200:
            raise read_refusal(response.status, response.headers, text, request_id, operation.check_fresh_quote)
        try:
            return operation.read(parse_json(text))
        except DecodeError as error:
            raise InvalidResponse(str(error)[:300], response.status, request_id) from None

    def not_a_stream(self, operation: Operation[None], response: RawResponse, sent_id: str) -> FirmquoteError:
        """The error for a complete response where a stream was to begin."""
        try:
            self.read(operation, response, sent_id)
        except FirmquoteError as error:
            return error
        return InvalidResponse("it is not a stream", response.status, request_id_of(response.headers, sent_id))

    def _observe(self, operation: Operation[T], response: RawResponse, request_id: str, attempt: int) -> None:
        if self._settings.on_response is None:
            return
        headers = response.headers
        self._settings.on_response(
            ResponseMeta(
                operation=operation.id,
                status=response.status,
                request_id=request_id,
                attempt=attempt,
                rate_limit=rate_limit_of(headers),
                deprecation=headers.get("deprecation"),
                sunset=headers.get("sunset"),
            )
        )

    def _pause_before_repeat(self, operation: Operation[T], error: FirmquoteError, attempt: int) -> float | None:
        """The seconds to wait before the next attempt; `None` if there is to be none."""
        policy, reaction = self._settings.retries, error.reaction
        if not operation.is_repeatable or not isinstance(reaction, Retry) or attempt >= policy.attempts:
            return None
        after = reaction.after or 0.0
        pause = max(backoff(policy, attempt, self.randomness), after)
        is_late = operation.repeat_until is not None and self._clock.unix() + pause >= operation.repeat_until
        return None if is_late or after > policy.max_retry_after else pause


def backoff(policy: RetryPolicy, failures: int, randomness: random.Random) -> float:
    """The pause after so many failures in a row: it doubles, is bounded, and varies from half of it to all of it."""
    longest = min(policy.first_pause * 2.0 ** min(failures - 1, 30), policy.max_pause)
    return longest * randomness.uniform(0.5, 1.0)
