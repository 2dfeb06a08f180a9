"""Responses that do not match their request are errors: nothing else may be signed or sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from firmquote import PoolRequest, Quote, QuoteGridRequest, QuoteRequest, SwapTerms
from firmquote.errors import FirmquoteError, GiveUp, InvalidResponse, Requote
from firmquote.types.decode import decode, parse_json
from support.samples import (
    GRID,
    LEVELS_ID,
    POOL,
    POOL_V1,
    POOLS,
    PRICED,
    QUOTE,
    QUOTE_ID,
    RECORD,
    SIGNED,
    STATE_ID,
    STATUS,
    TAKER,
)
from support.stub import KINDS, Stub, call, json_answer

REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
OTHER = "0x0000000000000000000000000000000000000001"
TERMS = SwapTerms(TAKER.lower())
OF_LEVELS = QuoteRequest(1, "ETH", "USDC", input_amount=10**18, levels_id=LEVELS_ID)
COMBINED = {**PRICED, **SIGNED}
ONCHAIN_RECORD = {
    "pool": {name: value for name, value in RECORD["pool"].items() if not name.endswith("in_seconds") and name != "k"},
    "assets": [
        {name: value for name, value in asset.items() if name != "listing_weight"} for asset in RECORD["assets"]
    ],
}
ONCHAIN = {"pool_type": "onchain", "pools": [ONCHAIN_RECORD]}


def quote_value() -> Quote:
    import json

    return decode(Quote, parse_json(json.dumps(QUOTE)))


def sign_quote(client: Any) -> Any:
    return client.sign_quote(quote_value(), TERMS)


CASES: list[tuple[dict[str, Any], Callable[[Any], Any], dict[str, Any], str]] = [
    (QUOTE, lambda c: c.quote(REQUEST), {"chain_id": 2}, "chain_id differs"),
    (QUOTE, lambda c: c.quote(REQUEST), {"input_amount": "1"}, "another amount"),
    (QUOTE, lambda c: c.quote(QuoteRequest(1, "A", "B", 10**18, pool_address=OTHER)), {}, "pool_address differs"),
    (QUOTE, lambda c: c.quote(REQUEST), {"levels_id": LEVELS_ID}, "levels_id differs"),
    (QUOTE, lambda c: c.quote(OF_LEVELS), {}, "levels_id differs"),
    (QUOTE, lambda c: c.quote(OF_LEVELS), {"levels_id": "0" * 32}, "levels_id differs"),
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"levels_id": LEVELS_ID}, "levels_id differs"),
    (COMBINED, lambda c: c.quote_and_sign(OF_LEVELS, TERMS), {}, "levels_id differs"),
    (POOLS, lambda c: c.pools(PoolRequest(2)), {}, "chain_id differs"),
    (POOLS, lambda c: c.pools(PoolRequest(1, pool_address=OTHER)), {}, "pool_address differs"),
    (POOLS, lambda c: c.pools(PoolRequest(1, state_id="0" * 32)), {}, "state_id differs"),
    (POOLS, lambda c: c.pools(PoolRequest(1, time_in_seconds=30)), {}, "time_in_seconds differs"),
    (POOLS, lambda c: c.pools(PoolRequest(1, pool_address=POOL)), {"pools": [RECORD, RECORD]}, "one pool"),
    (POOLS, lambda c: c.pools(PoolRequest(1, state_id=STATE_ID)), {"pools": []}, "one pool"),
    (POOLS, lambda c: c.pools(PoolRequest(1)), {"pools": []}, "it has no pool"),
    (ONCHAIN, lambda c: c.onchain_pools(PoolRequest(1)), {"pools": []}, "it has no pool"),
    (POOLS, lambda c: c.offchain_pools(PoolRequest(1, time_in_seconds=30)), {}, "time_in_seconds differs"),
    (ONCHAIN, lambda c: c.onchain_pools(PoolRequest(1, state_id="0" * 32)), {}, "state_id differs"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), {"destination_address": OTHER}, "another destination"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), {"calldata": "0x00"}, "calldata"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, SwapTerms(TAKER, calldata=True)), {}, "calldata"),
    *[
        (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), change, "not that of good_until")
        for change in (
            {"expires_at": 1},
            {"good_until": str(int(SIGNED["good_until"]) + 1)},
            {"good_until": str(SIGNED["expires_at"] + 1)},
            {"good_until": str(SIGNED["expires_at"] + 2**32)},
        )
    ],
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"expires_at": 1}, "not that of good_until"),
    *[
        (SIGNED, sign_quote, change, "differs from the quote")
        for change in (
            {"input_amount": "2"},
            {"output_amount": "2"},
            {"chain_id": 5},
            {"input_asset_address": OTHER},
            {"output_asset_address": OTHER},
            {"good_until": "1", "expires_at": 1},
            {"service_exchange_address": OTHER},
        )
    ],
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"input_amount": "5"}, "another amount"),
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"destination_address": OTHER}, "another destination"),
    (STATUS, lambda c: c.quote_status(QUOTE_ID), {"quote_id": QUOTE_ID.replace("b", "a")}, "a different quote"),
    (GRID, lambda c: c.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 2], [15])), {}, "does not match the request"),
    (GRID, lambda c: c.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 1], [60])), {}, "does not match the request"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("body", "use", "change", "reason"), CASES)
def test_a_response_to_another_request_is_an_error(
    kind: str, body: dict[str, Any], use: Callable[[Any], Any], change: dict[str, Any], reason: str
) -> None:
    with (
        Stub(json_answer({**body, **change}, x_request_id="theirs")) as stub,
        pytest.raises(InvalidResponse, match=re.escape(reason)) as error,
    ):
        call(kind, stub.settings(), use)
    assert (error.value.reaction, error.value.request_id, len(stub.received)) == (GiveUp(), "theirs", 1)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_requested_is_accepted(kind: str) -> None:
    wanted = PoolRequest(1, POOL.lower(), 60, STATE_ID)
    cases: list[tuple[dict[str, Any], Callable[[Any], Any]]] = [
        ({**QUOTE, "levels_id": LEVELS_ID}, lambda client: client.quote(OF_LEVELS)),
        (POOLS, lambda client: client.pools(wanted)),
        (POOLS, lambda client: client.offchain_pools(wanted)),
        (ONCHAIN, lambda client: client.onchain_pools(wanted)),
    ]
    for body, use in cases:
        with Stub(json_answer(body)) as stub:
            assert call(kind, stub.settings(), use)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pool_of_version_1_is_for_the_requested_time(kind: str) -> None:
    with Stub(json_answer(POOL_V1)) as stub:
        settings = stub.settings(api_key=None, basic=("demo", "pw"))
        with pytest.raises(InvalidResponse, match="time_in_seconds"):
            call(kind, settings, lambda client: client.pools(PoolRequest(1, time_in_seconds=30)))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_quoted_is_accepted_in_any_case_of_hex(kind: str) -> None:
    with Stub(json_answer({**SIGNED, "input_asset_address": SIGNED["input_asset_address"].lower()})) as stub:
        assert call(kind, stub.settings(), sign_quote).output_amount == 2_078_539_413
    with Stub(json_answer(COMBINED)) as stub:
        both = call(kind, stub.settings(), lambda client: client.quote_and_sign(REQUEST, TERMS))
        assert (both.id, both.swap.good_until, both.swap.destination_address) == (
            QUOTE_ID,
            int(SIGNED["good_until"]),
            TAKER,
        )


FRESH_QUOTES: list[tuple[dict[str, Any], bool, bool]] = [
    ({}, True, True),
    ({"pool_address": POOL.lower()}, True, True),
    ({"output_amount": "2"}, True, True),
    ({"input_amount": "1"}, True, False),
    ({"input_amount": "1", "output_amount": "2"}, False, False),
    ({"chain_id": 2}, False, False),
    ({"input_asset_address": OTHER}, False, True),
    ({"output_asset_address": OTHER}, False, True),
    ({"pool_address": OTHER}, False, True),
    ({"levels_id": LEVELS_ID}, True, False),
]
"""Members of a fresh quote, whether it may replace QUOTE, and whether it matches REQUEST."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("change", "is_swap", "is_requested"), FRESH_QUOTES)
def test_a_fresh_quote_is_for_the_quoted_swap(
    kind: str, change: dict[str, Any], is_swap: bool, is_requested: bool
) -> None:
    error = {"errorMessage": "request a new quote", "errorType": "QuoteProblem", "errorCode": 409, "reason": "price"}
    refusal = json_answer({**error, "fresh_quote": {**QUOTE, **change}}, 400)

    def both(client: Any) -> Any:
        return client.quote_and_sign(REQUEST, TERMS)

    for answers, api_key, use, is_offered in (
        ([refusal], "an-api-key-of-tests", sign_quote, is_swap),
        ([refusal], "an-api-key-of-tests", both, is_requested),
        ([json_answer(QUOTE), refusal], None, both, is_swap and is_requested),
    ):
        with Stub(*answers) as stub, pytest.raises(FirmquoteError) as raised:
            call(kind, stub.settings(api_key=api_key), use)
        assert raised.value.reaction == Requote()
        assert (raised.value.fresh_quote is not None) == is_offered
