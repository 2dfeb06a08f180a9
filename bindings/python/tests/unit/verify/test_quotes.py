"""Quotes against pool data: the fee, the amounts, and every other part of a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from firmquote import PoolData, Quote, QuotedSwap, QuoteRequest, SignedSwap, SwapTerms
from firmquote.types.decode import decode, parse_json
from firmquote.types.good_until import GoodUntil
from firmquote.verify import (
    Check,
    FeeTerms,
    Outcome,
    Packed,
    Report,
    VerificationFailed,
    check_quote,
    check_signature,
    check_swap,
    settlement_price_e8,
    unpack,
)
from support.samples import ETH, LEVELS_ID, POOL, PRICED, QUOTE, RECORD, SIGNED, TAKER, USDC

REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18)
OTHER = "0x0000000000000000000000000000000000000001"
TERMS_OF_FEE = FeeTerms(Decimal(5), Decimal("0.6"))


def read(kind: type, value: object) -> Any:
    return decode(kind, parse_json(json.dumps(value)))


QUOTE_VALUE: Quote = read(Quote, QUOTE)
RECORD_VALUE: PoolData = read(PoolData, RECORD)


def names(checks: tuple[Check, ...]) -> list[str]:
    return [check.name for check in checks]


def with_asset(name: str, **changes: Any) -> PoolData:
    assets = tuple(replace(asset, **changes) if asset.name == name else asset for asset in RECORD_VALUE.assets)
    return replace(RECORD_VALUE, assets=assets)


def test_a_quote_of_the_documentation_is_recomputed() -> None:
    report = check_quote(REQUEST, QUOTE_VALUE, RECORD_VALUE, fee_terms=TERMS_OF_FEE)
    assert (report.failures, report.lower, report.skipped) == ((), (), ())
    assert names(report.checks) == [
        "chain",
        "pool",
        "state",
        "input token",
        "output token",
        "fixed amount",
        "levels_id",
        "validity",
        "fee",
        "amounts",
    ]
    assert report.require() is report


def test_levels_that_were_not_requested_relax_nothing() -> None:
    quote = replace(QUOTE_VALUE, output_amount=1, levels_id=LEVELS_ID, levels_output=1)
    report = check_quote(REQUEST, quote, RECORD_VALUE, verified=False)
    assert names(report.failures) == ["levels_id", "amounts"]


def test_the_fee_is_not_the_word_of_the_quote_where_the_pool_data_are_for_another_time() -> None:
    record = replace(RECORD_VALUE, pool=replace(RECORD_VALUE.pool, time_in_seconds=30))
    # What the formula gives at 5000 basis points: the amounts alone are sound.
    quote = replace(QUOTE_VALUE, fee_in_basis_points=Decimal(5000), output_amount=1_040_277_756)
    report = check_quote(REQUEST, quote, record)
    assert (names(report.failures), report.lower) == (["fee"], ())


CHANGES: list[tuple[dict[str, Any], list[str]]] = [
    ({"levels_id": LEVELS_ID}, ["levels_id"]),
    ({"chain_id": 2}, ["chain"]),
    ({"pool_address": OTHER}, ["pool"]),
    ({"state_id": "0" * 32}, ["state"]),
    ({"input_asset_address": OTHER}, ["input token"]),
    ({"output_asset_address": OTHER}, ["output token"]),
    ({"input_amount": 5}, ["fixed amount"]),
    ({"good_until": 1_795_223_103}, ["validity"]),
    ({"fee_in_basis_points": Decimal("8.64")}, ["fee", "amounts"]),
    ({"fee_in_basis_points": Decimal("8.635")}, ["fee", "amounts"]),
    ({"output_amount": 2_078_539_414}, ["amounts"]),
]


@pytest.mark.parametrize(("change", "failed"), CHANGES)
def test_every_part_of_a_quote_is_compared(change: dict[str, Any], failed: list[str]) -> None:
    report = check_quote(REQUEST, replace(QUOTE_VALUE, **change), RECORD_VALUE)
    assert names(report.failures) == failed
    with pytest.raises(VerificationFailed, match=failed[0]):
        report.require()


@pytest.mark.parametrize(
    ("verified", "outcome"), [(True, Outcome.LOWER), (None, Outcome.LOWER), (False, Outcome.FAILED)]
)
def test_a_lower_output_is_an_outcome_of_its_own_on_verified_pools(verified: bool | None, outcome: Outcome) -> None:
    report = check_quote(REQUEST, replace(QUOTE_VALUE, output_amount=2_078_539_412), RECORD_VALUE, verified=verified)
    assert report["amounts"].outcome is outcome
    with pytest.raises(VerificationFailed):
        report.require()
    if outcome is Outcome.LOWER:
        report.require(accept_lower=True)


def test_the_input_of_a_fixed_output_is_rounded_up() -> None:
    request = QuoteRequest(1, "ETH", "USDC", output_amount=2_078_539_413)
    due = 999_999_999_599_752_070
    for amount, outcome in ((due, Outcome.PASSED), (due + 1, Outcome.LOWER), (due - 1, Outcome.FAILED)):
        report = check_quote(request, replace(QUOTE_VALUE, input_amount=amount), RECORD_VALUE)
        assert report["amounts"].outcome is outcome, report["amounts"].detail


def test_outstanding_swaps_count_against_the_quote() -> None:
    for record, is_same in (
        (with_asset("ETH", outstanding_outflow=10**20), True),
        (with_asset("USDC", outstanding_inflow=10**11), True),
        (with_asset("ETH", outstanding_inflow=10**18), False),
        (with_asset("USDC", outstanding_outflow=10**10), False),
    ):
        assert (check_quote(REQUEST, QUOTE_VALUE, record)["amounts"].outcome is Outcome.PASSED) == is_same


@pytest.mark.parametrize(
    "record",
    [
        with_asset("ETH", price_in_usd=None),
        with_asset("ETH", price_in_usd=Decimal("0.123456789")),
        with_asset("ETH", balance=None),
        with_asset("USDC", outstanding_outflow=10**30),
        replace(RECORD_VALUE, assets=RECORD_VALUE.assets[:1]),
        replace(RECORD_VALUE, pool=replace(RECORD_VALUE.pool, k=Decimal("1"))),
        replace(RECORD_VALUE, pool=replace(RECORD_VALUE.pool, k=Decimal("0.0000000000000000001"))),
    ],
)
def test_what_the_service_withholds_fails(record: PoolData) -> None:
    assert check_quote(REQUEST, QUOTE_VALUE, record)["amounts"].outcome is Outcome.FAILED


def test_the_fee_is_that_of_the_pair_for_the_time_of_the_quote() -> None:
    other_time = replace(RECORD_VALUE, pool=replace(RECORD_VALUE.pool, time_in_seconds=30))
    assert check_quote(REQUEST, QUOTE_VALUE, other_time)["fee"].outcome is Outcome.FAILED
    assert check_quote(REQUEST, QUOTE_VALUE, other_time, fee_terms=TERMS_OF_FEE)["fee"].outcome is Outcome.PASSED
    no_pair = replace(RECORD_VALUE, pairs=())
    assert check_quote(REQUEST, QUOTE_VALUE, no_pair)["fee"].outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("base", "volatility", "seconds", "hundredths"),
    [
        ("5", "0.6", 60, 863),
        ("5", "0.6", 15, 723),
        ("4", "0.6", 60, 763),
        ("4", "0.02", 60, 413),
        ("4", "0", 60, 400),
        ("4.001", "0", 60, 401),
        ("0", "0", 60, 0),
        # 400000 * s * sqrt(31536000 / 31536000) is an integer: nothing to round.
        ("0", "0.5", 31_535_988, 200_000),
        ("0", "0.5", 31_535_989, 200_001),
    ],
)
def test_the_fee_is_rounded_up_to_hundredths(base: str, volatility: str, seconds: int, hundredths: int) -> None:
    assert FeeTerms(Decimal(base), Decimal(volatility)).hundredths(seconds) == hundredths


def test_the_fee_never_falls_with_time() -> None:
    fees = [FeeTerms(Decimal("4.37"), Decimal("0.733")).hundredths(seconds) for seconds in range(1, 601)]
    assert fees == sorted(fees)


SWAP: SignedSwap = read(SignedSwap, {**SIGNED, "calldata": "0x00"})


def good_until(**changes: int) -> int:
    packed = Packed(208_052_700_000, 10**8, 6 * 10**16, 79, 188)
    return GoodUntil(SIGNED["expires_at"], replace(packed, **changes)).to_word()


def test_the_recorded_word_is_that_of_the_pool_data() -> None:
    assert good_until() == int(SIGNED["good_until"])


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        (good_until(), Outcome.PASSED),
        (good_until(input_price_e8=1), Outcome.FAILED),
        (good_until(output_price_e8=10**8 + 1), Outcome.FAILED),
        (good_until(k_e18=5), Outcome.FAILED),
        (good_until(input_weight=1), Outcome.FAILED),
        (good_until(output_weight=1), Outcome.FAILED),
        (SIGNED["expires_at"], Outcome.SKIPPED),
    ],
)
def test_packed_values_are_those_of_the_pool_data(word: int, outcome: Outcome) -> None:
    swap = replace(SWAP, good_until=word)
    report = check_signature(swap, signer=OTHER, domain=RECORD_VALUE.pool.eip712_domain, record=RECORD_VALUE)
    assert report["packed values"].outcome is outcome, report["packed values"].detail


def test_settlement_by_price_packs_no_k_and_a_price_that_bounds_the_rate() -> None:
    # 2080.527 USD for 2078.539413 USDC: at 1.00095616 USD the output would be worth no less, so 1 USD stands.
    assert settlement_price_e8(10**8, 208_052_700_000, (10**18, 2_078_539_413), (18, 6)) == 10**8
    # For more output than the price allows, the price is lowered until the output is worth less than the input.
    amounts = (10**18, 2_090_000_000)
    lowered = settlement_price_e8(10**8, 208_052_700_000, amounts, (18, 6))
    value = 208_052_700_000 * 10**18 // 10**8
    assert lowered * amounts[1] * 10**12 // 10**8 < value <= (lowered + 1) * amounts[1] * 10**12 // 10**8
    for price, outcome in ((10**8, Outcome.PASSED), (10**8 - 1, Outcome.FAILED)):
        swap = replace(SWAP, good_until=good_until(k_e18=0, output_price_e8=price))
        report = check_signature(swap, signer=OTHER, domain=RECORD_VALUE.pool.eip712_domain, record=RECORD_VALUE)
        assert report["packed values"].outcome is outcome


def test_amounts_are_scaled_to_18_decimals_truncated() -> None:
    assert settlement_price_e8(10**8, 10**8, (10**24, 10**6), (24, 6)) == (10**18 - 1) * 10**8 // 10**18
    assert settlement_price_e8(5, 10**8, (1, 0), (0, 18)) == 5


SWAP_CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"chain_id": 9}, "signed chain"),
    ({"input_asset_address": OTHER}, "signed input token"),
    ({"output_asset_address": OTHER}, "signed output token"),
    ({"input_amount": 9}, "signed input_amount"),
    ({"output_amount": 9}, "signed output_amount"),
    ({"destination_address": OTHER}, "signed destination"),
    ({"service_exchange_address": OTHER}, "signed pool"),
    ({"expires_at": 9}, "signed expiry"),
]


@pytest.mark.parametrize(("change", "failed"), SWAP_CHANGES)
def test_a_swap_is_compared_with_its_quote_and_its_terms(change: dict[str, Any], failed: str) -> None:
    terms = SwapTerms(TAKER, calldata=True)
    honest = check_swap(REQUEST, QUOTE_VALUE, terms, SWAP, RECORD_VALUE, signer=OTHER)
    report = check_swap(REQUEST, QUOTE_VALUE, terms, replace(SWAP, **change), RECORD_VALUE, signer=OTHER)
    assert failed in names(report.failures)
    assert failed not in names(honest.failures)


def test_a_swap_that_was_quoted_and_signed_at_once_is_its_own_quote() -> None:
    both: QuotedSwap = read(QuotedSwap, {**PRICED, **SIGNED})
    report = check_swap(REQUEST, both, SwapTerms(TAKER), both.swap, RECORD_VALUE, signer=OTHER)
    assert names(report.failures) == ["signer"]


@pytest.mark.parametrize(
    ("created_at", "terms", "outcome"),
    [
        (1_795_223_042, None, Outcome.PASSED),
        (1_795_223_043, None, Outcome.FAILED),
        (1_795_223_029, None, Outcome.PASSED),
        (1_795_223_030, TERMS_OF_FEE, Outcome.PASSED),
        (1_795_223_029, TERMS_OF_FEE, Outcome.FAILED),
    ],
)
def test_a_swap_that_was_signed_at_once_is_valid_for_the_whole_time(
    created_at: int, terms: FeeTerms | None, outcome: Outcome
) -> None:
    both: QuotedSwap = read(QuotedSwap, {**PRICED, **SIGNED, "created_at": created_at})
    assert check_quote(REQUEST, both, RECORD_VALUE, fee_terms=terms)["validity"].outcome is outcome


def test_a_swap_that_was_signed_at_once_has_one_expiry() -> None:
    both: QuotedSwap = read(QuotedSwap, {**PRICED, **SIGNED})
    swap = replace(both.swap, expires_at=both.expires_at + 1)
    report = check_swap(REQUEST, both, SwapTerms(TAKER), swap, RECORD_VALUE, signer=OTHER)
    assert report["signed expiry"].outcome is Outcome.FAILED


def test_reports_add_up() -> None:
    one, other = (Report((Check(name, Outcome.PASSED, "d"),)) for name in "ab")
    assert names((one + other).checks) == ["a", "b"]
    assert [str(check) for check in one] == ["a: passed: d"]
    good: Callable[[], Report] = (one + other).require
    assert names(good().checks) == ["a", "b"]


def test_the_samples_are_of_one_pool() -> None:
    assert (RECORD_VALUE.pool.address, RECORD_VALUE.assets[0].address, RECORD_VALUE.assets[1].address) == (
        POOL,
        ETH,
        USDC,
    )
    assert unpack(int(SIGNED["good_until"])).expires_at == SIGNED["expires_at"]
