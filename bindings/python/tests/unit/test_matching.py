"""Responses that do not match their request are errors: nothing else may be signed or sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from firmquote import Quote, QuoteGridRequest, QuoteRequest, SwapTerms
from firmquote.errors import GiveUp, InvalidResponse
from firmquote.types.decode import decode, parse_json
from support.samples import GRID, PRICED, QUOTE, QUOTE_ID, SIGNED, STATUS, TAKER
from support.stub import KINDS, Stub, call, json_answer

REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
OTHER = "0x0000000000000000000000000000000000000001"
TERMS = SwapTerms(TAKER.lower())
COMBINED = {**PRICED, **SIGNED}


def quote_value() -> Quote:
    import json

    return decode(Quote, parse_json(json.dumps(QUOTE)))


def sign_quote(client: Any) -> Any:
    return client.sign_quote(quote_value(), TERMS)


CASES: list[tuple[dict[str, Any], Callable[[Any], Any], dict[str, Any], str]] = [
    (QUOTE, lambda c: c.quote(REQUEST), {"chain_id": 2}, "another chain"),
    (QUOTE, lambda c: c.quote(REQUEST), {"input_amount": "1"}, "another amount"),
    (QUOTE, lambda c: c.quote(QuoteRequest(1, "A", "B", 10**18, pool_address=OTHER)), {}, "another pool"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), {"destination_address": OTHER}, "another destination"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, TERMS), {"calldata": "0x00"}, "calldata"),
    (SIGNED, lambda c: c.sign(QUOTE_ID, SwapTerms(TAKER, calldata=True)), {}, "calldata"),
    *[
        (SIGNED, sign_quote, change, "not what was quoted")
        for change in (
            {"input_amount": "2"},
            {"output_amount": "2"},
            {"chain_id": 5},
            {"input_asset_address": OTHER},
            {"output_asset_address": OTHER},
            {"expires_at": 1},
            {"service_exchange_address": OTHER},
        )
    ],
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"input_amount": "5"}, "another amount"),
    (COMBINED, lambda c: c.quote_and_sign(REQUEST, TERMS), {"destination_address": OTHER}, "another destination"),
    (STATUS, lambda c: c.quote_status(QUOTE_ID), {"quote_id": QUOTE_ID.replace("b", "a")}, "another quote"),
    (GRID, lambda c: c.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 2], [15])), {}, "something else"),
    (GRID, lambda c: c.curve(QuoteGridRequest(1, "ETH", "USDC", [10**18, 1], [60])), {}, "something else"),
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
