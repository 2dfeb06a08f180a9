"""How each operation is written, in both versions of the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from firmquote import (
    ClientSettings,
    LevelsRequest,
    PoolRequest,
    QuoteGridRequest,
    QuoteRequest,
    SwapTerms,
)
from firmquote.client.operations import Operations
from firmquote.errors import CredentialMismatch
from support.samples import ETH, GRID, POOL, POOL_V1, POOLS, QUOTE, QUOTE_ID, SIGNED, STATE_ID, STATUS, TAKER
from support.stub import KINDS, Stub, call, json_answer

REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
TERMS = SwapTerms(TAKER)
ALL_TERMS = SwapTerms(TAKER, POOL, "0x" + "ab" * 32, True, False, True, True, True)
KEY = ClientSettings("http://host:1/base/", api_key="an-api-key")
BASIC = ClientSettings("http://host:1", basic=("demo", "password"))
ANONYMOUS = ClientSettings("http://host:1")

Case = tuple[ClientSettings, Callable[[Operations], Any], str, str, dict[str, str], dict[str, object] | None]

CASES: list[Case] = [
    (KEY, lambda o: o.chains(), "chains_v2", "/rfq/v2/chains", {}, None),
    (KEY, lambda o: o.onchain_pools(PoolRequest(1)), "pools_v2", "/rfq/v2/pool/1", {}, None),
    (KEY, lambda o: o.offchain_pools(PoolRequest(1, time_in_seconds=5)), "pools_v2", "/rfq/v2/pool/1",
     {"fieldset": "offchain-data", "time_in_seconds": "5"}, None),
    (KEY, lambda o: o.pools(PoolRequest(1, POOL, 60, STATE_ID)), "pools_v2", "/rfq/v2/pool/1",
     {"fieldset": "all", "time_in_seconds": "60", "pool_address": POOL, "state_id": STATE_ID}, None),
    (BASIC, lambda o: o.pools(PoolRequest(10)), "pool_v1", "/rfq/pool", {"chain_id": "10", "fieldset": "all"}, None),
    (BASIC, lambda o: o.onchain_pools(PoolRequest(1)), "pool_v1", "/rfq/pool", {"chain_id": "1"}, None),
    (KEY, lambda o: o.quote(REQUEST), "quote_v2", "/rfq/v2/quote/1",
     {"input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "input_amount": "1000000000000000000"}, None),
    (KEY, lambda o: o.quote(QuoteRequest(1, "A", "B", None, 2**256 - 1, 30, POOL, STATE_ID)), "quote_v2",
     "/rfq/v2/quote/1",
     {"input_asset_symbol": "A", "output_asset_symbol": "B", "output_amount": str(2**256 - 1),
      "time_in_seconds": "30", "pool_address": POOL, "levels_id": STATE_ID}, None),
    (ANONYMOUS, lambda o: o.quote(REQUEST), "quote_v1", "/rfq/quote", {},
     {"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
      "input_amount": "1000000000000000000"}),
    (KEY, lambda o: o.sign(QUOTE_ID, TERMS), "sign_v2", "/rfq/v2/sign", {},
     {"quote_id": QUOTE_ID, "destination_address": TAKER}),
    (BASIC, lambda o: o.sign(QUOTE_ID, ALL_TERMS), "sign_v1", "/rfq/sign", {},
     {"quote_id": QUOTE_ID, "destination_address": TAKER, "sender_address": POOL, "aux_data": "0x" + "ab" * 32,
      "native_input": True, "transmit": True, "guarantee": True, "calldata": True}),
    (KEY, lambda o: o.quote_and_sign(REQUEST, SwapTerms(TAKER, native_output=True)), "quote_sign_v2",
     "/rfq/v2/quote-sign/1",
     {"input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "input_amount": "1000000000000000000",
      "destination_address": TAKER, "native_output": "true"}, None),
    (KEY, lambda o: o.quote_status(QUOTE_ID), "quote_status_v2", f"/rfq/v2/quote-status/{QUOTE_ID}", {}, None),
    (KEY, lambda o: o.quote_status("../a b"), "quote_status_v2", "/rfq/v2/quote-status/..%2Fa%20b", {}, None),
    (KEY, lambda o: o.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 1], (15, 60), POOL)), "curve_v2",
     "/rfq/v2/curve/1",
     {"input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "amounts": "1000000000000000000,1",
      "times": "15,60", "pool_address": POOL}, None),
    (KEY, lambda o: o.events(1, None), "events_v2", "/rfq/v2/events/1", {}, None),
    (KEY, lambda o: o.events(1, "an-id"), "events_v2", "/rfq/v2/events/1", {"last_event_id": "an-id"}, None),
    (KEY, lambda o: o.levels(LevelsRequest(1)), "levels_v2", "/rfq/v2/levels/1", {}, None),
    (KEY, lambda o: o.level_stream(LevelsRequest(1, [("A", "B"), ("B", "A")], POOL, 60, 4, "incremental")),
     "level_stream_v2", "/rfq/v2/levels/1/stream",
     {"pairs": "A-B,B-A", "pool_address": POOL, "time_in_seconds": "60", "knots": "4", "format": "incremental"}, None),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[2])
def test_an_operation_is_written_as_the_service_reads_it(case: Case) -> None:
    settings, make, name, path, query, body = case
    operation = make(Operations(settings))
    url = urlsplit(operation.path)
    assert (operation.id, url.path, dict(parse_qsl(url.query)), operation.body) == (name, path, query, body)


NEEDS_VERSION_2: list[Callable[[Operations], object]] = [
    lambda o: o.chains(),
    lambda o: o.curve(QuoteGridRequest(1, "ETH", "USDC", [1])),
    lambda o: o.levels(LevelsRequest(1)),
    lambda o: o.level_stream(LevelsRequest(1)),
    lambda o: o.quote_status(QUOTE_ID),
    lambda o: o.quote_and_sign(REQUEST, TERMS),
    lambda o: o.pools(PoolRequest(1, POOL)),
    lambda o: o.pools(PoolRequest(1, state_id=STATE_ID)),
    lambda o: o.quote(QuoteRequest(1, "A", "B", 1, pool_address=POOL)),
    lambda o: o.quote(QuoteRequest(1, "A", "B", 1, levels_id=STATE_ID)),
]


@pytest.mark.parametrize("make", NEEDS_VERSION_2)
def test_what_version_1_lacks_is_refused_before_anything_is_sent(make: Callable[[Operations], object]) -> None:
    with pytest.raises(CredentialMismatch):
        make(Operations(BASIC))


def test_pool_data_of_version_1_need_basic() -> None:
    with pytest.raises(CredentialMismatch):
        Operations(ANONYMOUS).pools(PoolRequest(1))


def test_only_quote_and_sign_and_quotes_of_levels_are_never_repeated() -> None:
    for settings, make, name, _, query, _ in CASES:
        is_repeatable = name != "quote_sign_v2" and "levels_id" not in query
        assert make(Operations(settings)).is_repeatable == is_repeatable, name


def test_amounts_and_sides_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        QuoteRequest(1, "ETH", "USDC")
    with pytest.raises(ValueError, match="exactly one"):
        QuoteRequest(1, "ETH", "USDC", 1, 1)
    with pytest.raises(ValueError, match="exclude"):
        SwapTerms(TAKER, native_input=True, native_output=True)


@pytest.mark.parametrize("kind", KINDS)
def test_credentials_and_ids_are_in_the_headers(kind: str) -> None:
    with Stub(json_answer(QUOTE, x_request_id="theirs")) as stub:
        metas: list[Any] = []
        settings = stub.settings(on_response=metas.append, request_id="mine")
        call(kind, settings, lambda client: client.quote(REQUEST))
        call(kind, stub.settings(api_key=None, basic=("demo", "pw")), lambda client: client.quote(REQUEST))
    first, second = stub.received
    assert (first.method, first.headers["x-api-key"], first.headers["x-request-id"]) == (
        "GET",
        "an-api-key-of-tests",
        "mine",
    )
    assert second.method == "POST"
    assert second.headers["authorization"] == "Basic ZGVtbzpwdw=="
    assert json.loads(second.body)["chain_id"] == 1
    assert [(meta.operation, meta.request_id, meta.status, meta.attempt) for meta in metas] == [
        ("quote_v2", "theirs", 200, 1)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_responses_become_values(kind: str) -> None:
    cases: list[tuple[object, Callable[[Any], Any], Callable[[Any], Any], object]] = [
        (QUOTE, lambda c: c.quote(REQUEST), lambda v: (v.input_amount, v.time_in_seconds), (10**18, 60)),
        (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), lambda v: v.expires_at, 1_795_223_102),
        (STATUS, lambda c: c.quote_status(QUOTE_ID), lambda v: v.settled.output_amount, 2_078_539_413),
        (POOLS, lambda c: c.pools(PoolRequest(1)), lambda v: v.pools[0].assets[0].address, ETH),
        (GRID, lambda c: c.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 1], [15])),
         lambda v: v.rows[0].output_amounts, (2_078_830_598, None)),
        ({"info": {"version": "0.2.7"}}, lambda c: c.check_compatibility(), lambda v: v.is_compatible, True),
        ([{"type": "function"}], lambda c: c.contract_abi(), lambda v: v[0]["type"], "function"),
    ]  # fmt: skip
    for body, use, look, expected in cases:
        with Stub(json_answer(body)) as stub:
            assert look(call(kind, stub.settings(), use)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_single_pool_of_version_1_is_a_list_of_one(kind: str) -> None:
    with Stub(json_answer(POOL_V1)) as stub:
        settings = stub.settings(api_key=None, basic=("demo", "pw"))
        pools = call(kind, settings, lambda client: client.pools(PoolRequest(1)))
    assert (pools.pool_type, len(pools.pools), pools.pools[0].pool.address) == ("all", 1, POOL)
