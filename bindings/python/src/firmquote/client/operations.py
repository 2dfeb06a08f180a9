"""The operations of the service: how each is written as a request, read, and checked against its request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

from firmquote.client import checks
from firmquote.client.settings import ClientSettings
from firmquote.errors import CredentialMismatch
from firmquote.types.decode import DecodeError, decode
from firmquote.types.levels import is_concave
from firmquote.types.requests import LevelsRequest, PoolRequest, QuoteGridRequest, QuoteRequest, SwapsRequest, SwapTerms
from firmquote.types.responses import (
    AllPools,
    Chains,
    LevelsSnapshot,
    OffchainData,
    OffchainPools,
    OnchainData,
    OnchainPools,
    PoolData,
    Quote,
    QuotedSwap,
    QuoteGrid,
    QuoteStatus,
    SignedSwap,
    Swaps,
)
from firmquote.types.wire import JsonObject

T = TypeVar("T")
PoolsT = TypeVar("PoolsT", OnchainPools, OffchainPools, AllPools)
Members = dict[str, object]


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """A request and what is made of its response."""

    id: str
    """The `operationId` in the OpenAPI document."""
    version: int
    """The version of the API, which decides the base URL."""
    path: str
    """Path and query."""
    read: Callable[[object], T]
    """Decodes the parsed body. Raises DecodeError."""
    body: Members | None = None
    """The body of a POST; a GET has none."""
    is_repeatable: bool = True
    """Whether the service may process it twice without harm: the same terms are signed once, and an unused quote
    costs nothing, except one of firm levels, which reserves a part of their budget."""
    repeat_until: float | None = None
    """The Unix second after which a repetition is of no use."""
    check_fresh_quote: Callable[[Quote], str | None] = lambda _: None
    """What is wrong with the fresh quote of a refusal; one with a problem is discarded."""


class Operations:
    """Makes the operations for the version of the API that the settings name."""

    def __init__(self, settings: ClientSettings) -> None:
        self._version = settings.version
        self._has_basic = settings.basic is not None

    @property
    def version(self) -> int:
        """The version of the API."""
        return self._version

    def chains(self) -> Operation[Chains]:
        """Every chain with its pools."""
        self._need_version_2("the list of chains")
        return self._get("chains_v2", "/rfq/v2/chains", {}, _reader(Chains))

    def onchain_pools(self, request: PoolRequest) -> Operation[OnchainPools]:
        """What the pools' contracts hold."""
        if self._version == 2:
            return self._pools(request, None, _reader(OnchainPools))
        return self._pools(
            request, None, lambda body: OnchainPools(pool_type=_pool_type(body), pools=(decode(OnchainData, body),))
        )

    def offchain_pools(self, request: PoolRequest) -> Operation[OffchainPools]:
        """What the formula of the pools uses."""
        if self._version == 2:
            return self._pools(request, "offchain-data", _reader(OffchainPools))
        return self._pools(
            request,
            "offchain-data",
            lambda body: OffchainPools(pool_type=_pool_type(body), pools=(decode(OffchainData, body),)),
        )

    def pools(self, request: PoolRequest) -> Operation[AllPools]:
        """Both sets of data from one instant."""
        if self._version == 2:
            return self._pools(request, "all", _reader(AllPools))
        return self._pools(
            request, "all", lambda body: AllPools(pool_type=_pool_type(body), pools=(decode(PoolData, body),))
        )

    def quote(self, request: QuoteRequest) -> Operation[Quote]:
        """A quote, for the chain and the amount of the request."""
        read = _reader(Quote, lambda quote: checks.quote_answers(request, quote))
        if self._version == 2:
            operation = self._get("quote_v2", f"/rfq/v2/quote/{request.chain_id}", _quote_members(request), read)
            return replace(operation, is_repeatable=request.levels_id is None)
        members = _quote_members(request)
        for name in ("pool_address", "levels_id"):
            if name in members:
                raise CredentialMismatch(f"{name} of a quote needs version 2 and an API key")
        return Operation("quote_v1", 1, "/rfq/quote", read, {"chain_id": request.chain_id, **members})

    def sign(self, quote_id: str, terms: SwapTerms) -> Operation[SignedSwap]:
        """A signature on these terms."""
        return self._sign(quote_id, terms, lambda swap: checks.swap_has_terms(terms, swap))

    def sign_quote(self, quote: Quote, terms: SwapTerms, request: QuoteRequest | None = None) -> Operation[SignedSwap]:
        """A signature on these terms of exactly the quote, repeated only before its `good_until`.

        A fresh quote has to replace the quote, and to match `request`.
        """

        def check_fresh_quote(fresh: Quote) -> str | None:
            problem = checks.fresh_quote_replaces(quote, fresh)
            return problem if problem or request is None else checks.quote_answers(request, fresh)

        operation = self._sign(
            quote.id, terms, lambda swap: checks.swap_has_terms(terms, swap) or checks.swap_is_quoted(quote, swap)
        )
        return replace(operation, repeat_until=quote.good_until, check_fresh_quote=check_fresh_quote)

    def quote_and_sign(self, request: QuoteRequest, terms: SwapTerms) -> Operation[QuotedSwap]:
        """A quote with its signature; never repeated, because each call makes another signature."""
        self._need_version_2("quote and sign in one step")
        members = {**_quote_members(request), **_term_members(terms)}
        read = _reader(
            QuotedSwap,
            lambda swap: checks.swap_has_terms(terms, swap) or checks.swap_answers(request, swap),
        )
        path = _with_query(f"/rfq/v2/quote-sign/{request.chain_id}", members)
        return Operation(
            "quote_sign_v2",
            2,
            path,
            read,
            is_repeatable=False,
            check_fresh_quote=lambda fresh: checks.quote_answers(request, fresh),
        )

    def quote_status(self, quote_id: str) -> Operation[QuoteStatus]:
        """What became of a quote."""
        self._need_version_2("the status of a quote")
        read = _reader(QuoteStatus, lambda status: checks.status_is_of(quote_id, status))
        return self._get("quote_status_v2", f"/rfq/v2/quote-status/{quote(quote_id, safe='')}", {}, read)

    def swaps(self, request: SwapsRequest) -> Operation[Swaps]:
        """A page of signed swaps of the client."""
        self._need_version_2("signed swaps")
        members = _without_none(since=request.since, until=request.until, cursor=request.cursor, limit=request.limit)
        return self._get("swaps_v2", "/rfq/v2/swaps", members, _reader(Swaps))

    def curve(self, request: QuoteGridRequest) -> Operation[QuoteGrid]:
        """What quotes of many sizes would be."""
        self._need_version_2("the curve")
        members = _without_none(
            input_asset_symbol=request.input_asset_symbol,
            output_asset_symbol=request.output_asset_symbol,
            amounts=_joined(request.amounts),
            times=_joined(request.times) or None,
            pool_address=request.pool_address,
        )
        read = _reader(QuoteGrid, lambda grid: checks.grid_answers(request, grid))
        return self._get("curve_v2", f"/rfq/v2/curve/{request.chain_id}", members, read)

    def levels(self, request: LevelsRequest) -> Operation[LevelsSnapshot]:
        """The price levels of this moment."""
        self._need_version_2("price levels")
        read = _reader(
            LevelsSnapshot,
            lambda levels: None if all(map(is_concave, levels.books)) else "prices within a book must not rise",
        )
        return self._get("levels_v2", f"/rfq/v2/levels/{request.chain_id}", _levels_members(request), read)

    def level_stream(self, request: LevelsRequest) -> Operation[None]:
        """The stream of price levels, whose body has no end and is not read as JSON."""
        self._need_version_2("price levels")
        path = f"/rfq/v2/levels/{request.chain_id}/stream"
        return self._get("level_stream_v2", path, _levels_members(request), lambda _: None)

    def events(self, chain_id: int, last_event_id: str | None) -> Operation[None]:
        """The stream of events of a chain, whose body has no end and is not read as JSON."""
        self._need_version_2("a stream of events")
        members: Members = {} if last_event_id is None else {"last_event_id": last_event_id}
        return self._get("events_v2", f"/rfq/v2/events/{chain_id}", members, lambda _: None)

    def document(self, operation_id: str, path: str) -> Operation[JsonObject]:
        """A JSON object that the service publishes about itself."""
        return Operation(operation_id, self._version, path, _read_object)

    def contract_abi(self) -> Operation[tuple[JsonObject, ...]]:
        """The ABI of the pool contract."""
        return Operation("contract_abi", self._version, "/abi.json", _read_objects)

    def _pools(
        self, request: PoolRequest, fieldset: str | None, decode_body: Callable[[object], PoolsT]
    ) -> Operation[PoolsT]:
        read = _checked(decode_body, lambda pools: checks.pools_answer(request, pools.pools))
        members = _without_none(fieldset=fieldset, time_in_seconds=request.time_in_seconds)
        members |= _without_none(pool_address=request.pool_address, state_id=request.state_id)
        if self._version == 2:
            return self._get("pools_v2", f"/rfq/v2/pool/{request.chain_id}", members, read)
        for name in ("pool_address", "state_id"):
            if name in members:
                raise CredentialMismatch(f"{name} of pool data needs version 2 and an API key")
        if not self._has_basic:
            raise CredentialMismatch("pool data of version 1 needs Basic credentials")
        return self._get("pool_v1", "/rfq/pool", {"chain_id": request.chain_id, **members}, read)

    def _sign(
        self, quote_id: str, terms: SwapTerms, check: Callable[[SignedSwap], str | None]
    ) -> Operation[SignedSwap]:
        name, path = ("sign_v2", "/rfq/v2/sign") if self._version == 2 else ("sign_v1", "/rfq/sign")
        body = {"quote_id": quote_id, **_term_members(terms)}
        return Operation(name, self._version, path, _reader(SignedSwap, check), body)

    def _get(self, name: str, path: str, members: Members, read: Callable[[object], T]) -> Operation[T]:
        return Operation(name, self._version, _with_query(path, members), read)

    def _need_version_2(self, what: str) -> None:
        if self._version != 2:
            raise CredentialMismatch(f"{what} needs version 2 and an API key")


def _reader(kind: type[T], check: Callable[[T], str | None] = lambda _: None) -> Callable[[object], T]:
    """Decodes a body, and checks it: what `check` returns says what is wrong."""
    return _checked(lambda body: decode(kind, body), check)


def _checked(decode_body: Callable[[object], T], check: Callable[[T], str | None]) -> Callable[[object], T]:
    def read(body: object) -> T:
        value = decode_body(body)
        if (problem := check(value)) is not None:
            raise DecodeError(problem)
        return value

    return read


def _pool_type(body: object) -> str:
    """`pool_type` of version 1, which stands beside the members of the single pool."""
    pool_type = body.get("pool_type") if isinstance(body, dict) else None
    if not isinstance(pool_type, str):
        raise DecodeError("pool_type is not a string")
    return pool_type


def _read_object(body: object) -> JsonObject:
    if not isinstance(body, dict):
        raise DecodeError("the response is not an object")
    return body


def _read_objects(body: object) -> tuple[JsonObject, ...]:
    if not isinstance(body, list):
        raise DecodeError("the response is not a list")
    return tuple(map(_read_object, body))


def _quote_members(request: QuoteRequest) -> Members:
    return _without_none(
        input_asset_symbol=request.input_asset_symbol,
        output_asset_symbol=request.output_asset_symbol,
        input_amount=None if request.input_amount is None else str(request.input_amount),
        output_amount=None if request.output_amount is None else str(request.output_amount),
        time_in_seconds=request.time_in_seconds,
        pool_address=request.pool_address,
        levels_id=request.levels_id,
    )


def _term_members(terms: SwapTerms) -> Members:
    """The members for `terms`; flags that are not set are the service's default and are not sent."""
    return _without_none(
        destination_address=terms.destination_address,
        sender_address=terms.sender_address,
        aux_data=terms.aux_data,
        calldata=terms.calldata or None,
        native_input=terms.native_input or None,
        native_output=terms.native_output or None,
        transmit=terms.transmit or None,
        guarantee=terms.guarantee or None,
    )


def _levels_members(request: LevelsRequest) -> Members:
    return _without_none(
        pairs=_joined("-".join(pair) for pair in request.pairs) or None,
        pool_address=request.pool_address,
        time_in_seconds=request.time_in_seconds,
        knots=request.knots,
        format=request.format,
    )


def _without_none(**members: object) -> Members:
    return {name: value for name, value in members.items() if value is not None}


def _joined(items: Iterable[object]) -> str:
    return ",".join(map(str, items))


def _with_query(path: str, members: Members) -> str:
    if not members:
        return path
    return f"{path}?{urlencode({name: 'true' if value is True else value for name, value in members.items()})}"
