"""The asynchronous client: the same methods as the blocking one, to be awaited."""

from __future__ import annotations

import asyncio
import random
from types import TracebackType
from typing import TypeVar

import httpx

from firmquote.client.clock import Clock
from firmquote.client.exchange import Call, Exchange, Pause, RawResponse, Send
from firmquote.client.settings import ClientSettings
from firmquote.client.transport import BodyReader, collect_async, failure, pool_options, prepare
from firmquote.errors import FirmquoteError
from firmquote.events.follower import AsyncQuoteEvents
from firmquote.events.session import EventsSession
from firmquote.levels.follower import AsyncLevels
from firmquote.levels.session import LevelsSession
from firmquote.types.requests import LevelsRequest, PoolRequest, QuoteGridRequest, QuoteRequest, SwapsRequest, SwapTerms
from firmquote.types.responses import (
    AllPools,
    Chains,
    LevelsSnapshot,
    OffchainPools,
    OnchainPools,
    Quote,
    QuotedSwap,
    QuoteGrid,
    QuoteStatus,
    SignedSwap,
    Swaps,
)
from firmquote.types.wire import JsonObject
from firmquote.version import Compatibility

T = TypeVar("T")


class AsyncClient:
    """A client of one service, for programs on asyncio. Tasks of one event loop may share it.

    Every method raises a FirmquoteError, whose `reaction` says what to do. Requests that are safe to repeat are
    repeated as `ClientSettings.retries` says. Cancelling a task ends its request. Close
    the client, or use it in an `async with` statement.
    """

    def __init__(
        self,
        settings: ClientSettings,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Makes a client; nothing is sent yet.

        Args:
            settings: the service, the credential and the limits.
            transport: how requests are sent, for proxies and tests, instead of over connections of its own.
            clock: the clocks, for tests.
        """
        self._settings = settings
        self._clock = clock or Clock()
        self._pool = httpx.AsyncClient(transport=transport, **pool_options(settings))
        self._exchange = Exchange(settings, self._clock, random.SystemRandom())

    def with_settings(self, settings: ClientSettings) -> AsyncClient:
        """Returns a client with other settings that shares the connections of this one.

        For a timeout, a request id or retries of its own:
        `client.with_settings(dataclasses.replace(client.settings, timeout=2.0))`. Trust in TLS stays the
        same, and closing one of them closes both.
        """
        other = object.__new__(AsyncClient)
        other._settings, other._clock, other._pool = settings, self._clock, self._pool
        other._exchange = Exchange(settings, self._clock, random.SystemRandom())
        return other

    @property
    def settings(self) -> ClientSettings:
        """The settings of this client."""
        return self._settings

    async def chains(self) -> Chains:
        """Lists every chain with its pools, their tokens, and the trade sizes for this client."""
        return await self._run(self._exchange.call(self._exchange.operations.chains()))

    async def onchain_pools(self, request: PoolRequest) -> OnchainPools:
        """Returns what the pools' contracts hold, at current prices."""
        return await self._run(self._exchange.call(self._exchange.operations.onchain_pools(request)))

    async def offchain_pools(self, request: PoolRequest) -> OffchainPools:
        """Returns what the pools compute quotes with, and the fee of each pair."""
        return await self._run(self._exchange.call(self._exchange.operations.offchain_pools(request)))

    async def pools(self, request: PoolRequest) -> AllPools:
        """Returns both sets of data from one instant, to recompute quotes with."""
        return await self._run(self._exchange.call(self._exchange.operations.pools(request)))

    async def quote(self, request: QuoteRequest) -> Quote:
        """Requests a quote. Every call makes another one.

        An unused quote costs nothing, except for a quote of firm levels: it reserves a part of their budget, so it is
        never repeated by itself.
        """
        return await self._run(self._exchange.call(self._exchange.operations.quote(request)))

    async def sign(self, quote_id: str, terms: SwapTerms) -> SignedSwap:
        """Has a quote signed of which only the id is known. The same terms get the same signature."""
        return await self._run(self._exchange.call(self._exchange.operations.sign(quote_id, terms)))

    async def sign_quote(self, quote: Quote, terms: SwapTerms) -> SignedSwap:
        """Has a quote signed, and checks chain, tokens, amounts and expiry of the swap against the quote.

        The same terms get the same signature, so this is repeated after a lost response, before the quote's
        `good_until`.
        """
        return await self._run(self._exchange.call(self._exchange.operations.sign_quote(quote, terms)))

    async def quote_and_sign(self, request: QuoteRequest, terms: SwapTerms) -> QuotedSwap:
        """Quotes and signs in one round trip, in version 1 in two.

        Every call makes another signed swap, which counts against limits, so it is never repeated by itself. Send only
        one of them.
        """
        return await self._run(self._exchange.quote_and_sign(request, terms))

    async def quote_status(self, quote_id: str) -> QuoteStatus:
        """Returns what became of a quote of this client; one that expired unsigned is NotFound."""
        return await self._run(self._exchange.call(self._exchange.operations.quote_status(quote_id)))

    async def swaps(self, request: SwapsRequest | None = None) -> Swaps:
        """Returns a page of the signed swaps of this client, in the order of their signatures.

        The next page starts at its `next_cursor`, until that is None.
        """
        return await self._run(self._exchange.call(self._exchange.operations.swaps(request or SwapsRequest())))

    async def curve(self, request: QuoteGridRequest) -> QuoteGrid:
        """Returns what quotes of many sizes would be now, all in one state of one pool."""
        return await self._run(self._exchange.call(self._exchange.operations.curve(request)))

    async def levels(self, request: LevelsRequest) -> LevelsSnapshot:
        """Returns the price levels of this moment.

        A book holds until its `valid_until_ms` by the clock of the service; `follow_levels` drops it in time by itself.
        """
        return await self._run(self._exchange.call(self._exchange.operations.levels(request)))

    def follow_levels(self, request: LevelsRequest) -> AsyncLevels:
        """Follows price levels over as many connections as it takes; nothing is sent yet."""
        session = LevelsSession(request, self._clock, self._exchange.randomness)
        return AsyncLevels(self._exchange, self._pool, self._settings, self._clock, session)

    def follow_events(self, chain_id: int, after: str | None = None) -> AsyncQuoteEvents:
        """Follows the events of this client's quotes on a chain over as many connections as it takes.

        They begin now, or after the event with the id `after`; nothing is sent yet.
        """
        session = EventsSession(chain_id, after, self._clock, self._exchange.randomness)
        return AsyncQuoteEvents(self._exchange, self._pool, self._settings, self._clock, session)

    async def openapi(self) -> JsonObject:
        """Returns the OpenAPI document of the service."""
        return await self._document("openapi", "/openapi.json")

    async def asyncapi(self) -> JsonObject:
        """Returns the AsyncAPI document of the stream of levels."""
        return await self._document("asyncapi", "/asyncapi.json")

    async def contract_abi(self) -> tuple[JsonObject, ...]:
        """Returns the ABI of the pool contract."""
        return await self._run(self._exchange.call(self._exchange.operations.contract_abi()))

    async def typed_data(self) -> JsonObject:
        """Returns the EIP-712 types of a signed swap."""
        return await self._document("typed_data", "/typed-data.json")

    async def check_compatibility(self) -> Compatibility:
        """Asks the service for its version, and compares it with the one that this package follows."""
        return await self._run(self._exchange.check_compatibility())

    async def close(self) -> None:
        """Closes the connections."""
        await self._pool.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._settings.base_url!r})"

    async def _document(self, operation_id: str, path: str) -> JsonObject:
        return await self._run(self._exchange.call(self._exchange.operations.document(operation_id, path)))

    async def _run(self, call: Call[T]) -> T:
        try:
            step = next(call)
            while True:
                if isinstance(step, Pause):
                    await self._clock.sleep_async(step.seconds)
                    step = call.send(None)
                    continue
                try:
                    response = await self._send(step)
                except FirmquoteError as error:
                    step = call.throw(error)
                else:
                    step = call.send(response)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _send(self, send: Send) -> RawResponse:
        try:
            return await asyncio.wait_for(self._receive(send), self._settings.timeout)
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise failure(error, send, self._settings) from error

    async def _receive(self, send: Send) -> RawResponse:
        body = BodyReader(send, self._settings, self._clock)
        response = await self._pool.send(prepare(send, self._settings), stream=True)
        return await collect_async(response, body)
