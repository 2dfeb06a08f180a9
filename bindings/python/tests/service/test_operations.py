"""Every operation against a running service, with both clients and in both versions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from firmquote import (
    AsyncClient,
    BooksChanged,
    Client,
    ClientSettings,
    LevelsRequest,
    PoolData,
    PoolRequest,
    QuoteGridRequest,
    QuoteRequest,
    SwapTerms,
)
from firmquote.errors import BadData, Forbidden, InvalidInput, NotFound, QuoteProblem, QuoteUnknown, SignedForOtherTerms
from firmquote.levels.messages import MESSAGES
from firmquote.types.decode import wire_name
from firmquote.verify import FeeTerms, Outcome, check_quote, check_swap
from service.environment import basic_settings, key_settings
from support.stub import KINDS, call

TAKER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER = "0x1111111111111111111111111111111111111111"
VERSIONS: list[Callable[[], ClientSettings]] = [basic_settings, key_settings]


def trade(settings: ClientSettings, usd: int = 2) -> tuple[PoolData, QuoteRequest]:
    """A pool of the service, and a request for a small trade of its first pair."""
    with Client(settings) as client:
        chain = client.chains().chains[0] if settings.version == 2 else None
        record = client.pools(PoolRequest(chain.chain_id if chain else 1)).pools[0]
    names = record.pairs[0].assets
    asset = next(asset for asset in record.assets if asset.name == names[0])
    assert asset.price_in_usd is not None
    amount = int(usd * 10**asset.decimals / asset.price_in_usd)
    return record, QuoteRequest(record.pool.chain_id, *names, input_amount=amount)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", VERSIONS)
def test_a_swap_is_quoted_signed_and_signed_again(kind: str, settings: Callable[[], ClientSettings]) -> None:
    made = settings()
    _, request = trade(made)
    quote = call(kind, made, lambda client: client.quote(request))
    terms = SwapTerms(TAKER, transmit=True, calldata=True)
    swap = call(kind, made, lambda client: client.sign_quote(quote, terms))
    assert call(kind, made, lambda client: client.sign(quote.id, terms)) == swap
    assert swap.transaction().to == quote.pool_address
    with pytest.raises(SignedForOtherTerms):
        call(kind, made, lambda client: client.sign(quote.id, replace(terms, destination_address=OTHER)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", VERSIONS)
def test_a_swap_is_quoted_and_signed_at_once(kind: str, settings: Callable[[], ClientSettings]) -> None:
    made = settings()
    _, request = trade(made)
    both = call(kind, made, lambda client: client.quote_and_sign(request, SwapTerms(TAKER)))
    assert (both.input_amount, both.swap.destination_address) == (request.input_amount, TAKER)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", VERSIONS)
def test_pool_data_of_all_kinds_agree(kind: str, settings: Callable[[], ClientSettings]) -> None:
    made = settings()
    record, request = trade(made)
    chain = PoolRequest(request.chain_id)
    onchain = call(kind, made, lambda client: client.onchain_pools(chain)).pools[0]
    offchain = call(kind, made, lambda client: client.offchain_pools(replace(chain, time_in_seconds=30))).pools[0]
    assert (onchain.pool.address, offchain.pool.k) == (record.pool.address, record.pool.k)
    assert (offchain.pool.time_in_seconds, len(onchain.assets)) == (30, len(record.assets))


@pytest.mark.parametrize("kind", KINDS)
def test_a_curve_and_levels_say_what_quotes_give(kind: str) -> None:
    made = key_settings()
    _, request = trade(made)
    amount = request.input_amount or 0
    names = (request.input_asset_symbol, request.output_asset_symbol)
    grid_request = QuoteGridRequest(request.chain_id, *names, [amount, 2 * amount], [60])
    grid = call(kind, made, lambda client: client.curve(grid_request))
    levels_request = LevelsRequest(request.chain_id, [names], time_in_seconds=60)
    book = call(kind, made, lambda client: client.levels(levels_request)).books[0]
    quote = call(kind, made, lambda client: client.quote(replace(request, time_in_seconds=60)))
    if quote.state_id == grid.state_id == book.state_id:
        assert quote.output_amount == grid.rows[0].output_amounts[0]
        promised = book.output_for(amount)
        assert promised is not None
        assert promised <= quote.output_amount


@pytest.mark.parametrize("kind", KINDS)
def test_a_quote_has_a_status(kind: str) -> None:
    made = key_settings()
    _, request = trade(made)
    quote = call(kind, made, lambda client: client.quote(request))
    status = call(kind, made, lambda client: client.quote_status(quote.id))
    assert (status.state, status.must_accept_by, status.settled) == ("created", quote.must_accept_by, None)
    with pytest.raises(NotFound):
        call(kind, made, lambda client: client.quote_status("00000000-0000-4000-8000-000000000000"))


@pytest.mark.parametrize("kind", KINDS)
def test_refusals_have_their_class(kind: str) -> None:
    made = key_settings()
    _, request = trade(made)
    terms, unknown = SwapTerms(TAKER), "00000000-0000-4000-8000-000000000000"
    cases: list[tuple[ClientSettings, Callable[[Any], Any], type[Exception]]] = [
        (made, lambda client: client.quote(replace(request, input_asset_symbol="NONE")), BadData),
        (made, lambda client: client.quote(replace(request, time_in_seconds=10**6)), InvalidInput),
        (made, lambda client: client.quote(replace(request, input_amount=2**256 - 1)), QuoteProblem),
        (made, lambda client: client.quote(replace(request, input_amount=1)), QuoteProblem),
        (made, lambda client: client.sign(unknown, terms), QuoteUnknown),
        (made, lambda client: client.sign("nonsense", SwapTerms("0x12")), InvalidInput),
        (replace(made, api_key="0" * 64), lambda client: client.quote(request), Forbidden),
    ]
    for settings, use, kind_of_error in cases:
        with pytest.raises(kind_of_error) as raised:
            call(kind, settings, use)
        assert raised.type is kind_of_error


@pytest.mark.parametrize("kind", KINDS)
def test_levels_are_followed(kind: str) -> None:
    made = key_settings()
    _, request = trade(made)

    def block() -> tuple[bool, int]:
        with Client(made) as client, client.follow_levels(LevelsRequest(request.chain_id)) as levels:
            for change in levels:
                assert isinstance(change, BooksChanged)
                if levels.is_complete:
                    break
            return levels.is_complete, len(levels.books())

    async def run() -> tuple[bool, int]:
        async with AsyncClient(made) as client, client.follow_levels(LevelsRequest(request.chain_id)) as levels:
            while not levels.is_complete:
                assert isinstance(await levels.changed(), BooksChanged)
            return levels.is_complete, len(levels.books())

    is_complete, books = block() if kind == "blocking" else asyncio.run(run())
    assert is_complete
    assert books >= 1


def test_all_of_a_signed_swap_is_verified() -> None:
    made = key_settings()
    _, request = trade(made)
    with Client(made) as client:
        quote, terms = client.quote(request), SwapTerms(TAKER, aux_data="0x" + "ab" * 32, transmit=True, calldata=True)
        record = client.pools(PoolRequest(request.chain_id, quote.pool_address, state_id=quote.state_id)).pools[0]
        swap = client.sign_quote(quote, terms)
        report = check_swap(request, quote, terms, swap, record, signer=record.pool.signer_address)
        assert (report.failures, report.lower) == ((), ())
        assert report["amounts"].outcome is Outcome.PASSED
        other = check_swap(request, quote, terms, swap, record, signer=OTHER)
        assert [check.name for check in other.failures] == ["signer"]


def test_the_native_sides_of_a_swap_are_verified() -> None:
    made = key_settings()
    with Client(made) as client:
        chain = client.chains().chains[0]
        if chain.wrapped_native_symbol is None:
            pytest.skip("no pool of the service lists the wrapped native coin")
        pair = next(pair for pair in chain.pools[0].pairs if chain.wrapped_native_symbol in pair)
        other = next(name for name in pair if name != chain.wrapped_native_symbol)
        record = client.pools(PoolRequest(chain.chain_id)).pools[0]
        asset = next(asset for asset in record.assets if asset.name == other)
        usd = int(2 * 10**asset.decimals / (asset.price_in_usd or 1))
        for request, terms in (
            (
                QuoteRequest(chain.chain_id, chain.wrapped_native_symbol, other, output_amount=usd),
                SwapTerms(TAKER, native_input=True, calldata=True),
            ),
            (
                QuoteRequest(chain.chain_id, other, chain.wrapped_native_symbol, input_amount=usd),
                SwapTerms(TAKER, native_output=True, transmit=True, calldata=True),
            ),
        ):
            both = client.quote_and_sign(request, terms)
            state = client.pools(PoolRequest(chain.chain_id, both.pool_address, state_id=both.state_id)).pools[0]
            check_swap(
                request,
                both,
                terms,
                both.swap,
                state,
                signer=state.pool.signer_address,
                wrapped_native_address=chain.wrapped_native_address,
            ).require()


def test_the_documents_are_those_that_the_package_follows() -> None:
    with Client(key_settings()) as client:
        assert client.check_compatibility().is_compatible
        committed = json.loads((Path(__file__).parents[3] / "openapi.json").read_text())
        assert json.loads(json.dumps(client.openapi(), default=float)) == committed
        assert {entry["name"] for entry in client.contract_abi()} >= {"swap", "transmitAndSwap", "sellEthForToken"}
        assert client.typed_data()["primaryType"] == "OfferStruct"
        asyncapi: Any = client.asyncapi()
    messages = asyncapi["components"]["messages"]
    assert messages.keys() == MESSAGES.keys()
    for name, kind in MESSAGES.items():
        documented = messages[name]["payload"]["properties"].keys() - {"type", "n"}
        assert documented == {wire_name(each) for each in fields(kind)}, name


def test_the_fee_of_the_demo_follows_from_its_parameters() -> None:
    """Only for the built-in demo, whose parameters everybody knows."""
    made = key_settings()
    record, request = trade(made)
    if (request.input_asset_symbol, request.output_asset_symbol) != ("ETH", "USDC"):
        pytest.skip("not the demo")
    with Client(made) as client:
        for seconds in (1, 15, 60, 120):
            timed = replace(request, time_in_seconds=seconds)
            report = check_quote(timed, client.quote(timed), record, fee_terms=FeeTerms(Decimal(5), Decimal("0.60")))
            assert report["fee"].outcome is Outcome.PASSED
