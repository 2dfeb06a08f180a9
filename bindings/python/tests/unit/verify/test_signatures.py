"""Recorded signatures and calldata of a deployed pool, and what happens when any part of them is another."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from eth_abi.abi import encode

from firmquote import SignedSwap, SigningDomain, SwapTerms
from firmquote.types.decode import decode, parse_json
from firmquote.verify import (
    Outcome,
    Packed,
    SwapCall,
    check_calldata,
    check_signature,
    decode_calldata,
    function_for,
    recover_signer,
    unpack,
)
from firmquote.verify.calldata import FUNCTIONS, _selector, _types
from support.samples import DATA

RECORDED: dict[str, Any] = json.loads((DATA / "signatures.json").read_text())
CASES: list[dict[str, Any]] = RECORDED["cases"]
SIGNER: str = RECORDED["signer"]
OTHER = "0x0000000000000000000000000000000000000001"


def swap_of(case: dict[str, Any]) -> SignedSwap:
    members = {**case, "expires_at": case["good_until_unpacked"]["unix_time"], "execution": "best_effort"}
    return decode(SignedSwap, parse_json(json.dumps(members)))


def domain_of(swap: SignedSwap) -> SigningDomain:
    return SigningDomain(**RECORDED["domain"], chain_id=swap.chain_id, verifying_contract=swap.service_exchange_address)


def terms_of(case: dict[str, Any]) -> SwapTerms:
    native = case["function"] == "sellEthForToken"
    return SwapTerms(case["destination_address"], aux_data=case["aux_data"], native_input=native, calldata=True)


WITH_CALLDATA = [case for case in CASES if "calldata" in case]


@pytest.mark.parametrize("case", CASES)
def test_the_recorded_signer_is_recovered(case: dict[str, Any]) -> None:
    swap = swap_of(case)
    assert recover_signer(swap, domain_of(swap)) == SIGNER
    report = check_signature(swap, signer=SIGNER.lower(), domain=domain_of(swap), verified=True)
    assert report.failures == ()
    assert [check.name for check in report.skipped] == ["packed values"]


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"input_amount": 1}, "signer"),
    ({"output_amount": 1}, "signer"),
    ({"input_asset_address": OTHER}, "signer"),
    ({"output_asset_address": OTHER}, "signer"),
    ({"destination_address": OTHER}, "signer"),
    ({"chain_id": 5}, "domain"),
    ({"service_exchange_address": OTHER}, "domain"),
    ({"expires_at": 5}, "expiry"),
]


@pytest.mark.parametrize(("change", "failed"), CHANGES)
def test_any_other_offer_has_another_signer(change: dict[str, Any], failed: str) -> None:
    swap = swap_of(CASES[0])
    report = check_signature(replace(swap, **change), signer=SIGNER, domain=domain_of(swap), verified=True)
    assert [check.name for check in report.failures] == [failed]


def test_another_signer_and_another_domain_are_seen() -> None:
    swap = swap_of(CASES[0])
    assert check_signature(swap, signer=OTHER, domain=domain_of(swap))["signer"].outcome is Outcome.FAILED
    other = replace(domain_of(swap), version="2")
    assert check_signature(swap, signer=SIGNER, domain=other)["signer"].outcome is Outcome.FAILED


def test_a_high_s_and_a_v_of_0_are_refused() -> None:
    swap, order = swap_of(CASES[0]), 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    high = f"0x{order - int(swap.signature.s, 16):064x}"
    # The same account, but not the one signature that the service gives.
    twin = replace(swap, signature=replace(swap.signature, s=high, v=55 - swap.signature.v))
    report = check_signature(twin, signer=SIGNER, domain=domain_of(swap))
    assert [check.name for check in report.failures] == ["signature form"]
    odd = replace(swap, signature=replace(swap.signature, v=0))
    assert "signature form" in [
        check.name for check in check_signature(odd, signer=SIGNER, domain=domain_of(odd)).failures
    ]


def test_numbers_that_are_no_signature_have_no_signer() -> None:
    swap = swap_of(CASES[0])
    broken = replace(swap, signature=replace(swap.signature, r="0x" + "ff" * 32))
    with pytest.raises(ValueError, match="no account"):
        recover_signer(broken, domain_of(swap))
    assert check_signature(broken, signer=SIGNER, domain=domain_of(swap))["signer"].outcome is Outcome.FAILED


def test_the_kind_of_good_until_has_to_fit_the_pool() -> None:
    swap = swap_of(CASES[0])
    kind = "kind of good_until"
    assert check_signature(swap, signer=SIGNER, domain=domain_of(swap), verified=False)[kind].outcome is Outcome.FAILED
    plain = replace(swap, good_until=swap.expires_at)
    assert check_signature(plain, signer=SIGNER, domain=domain_of(swap), verified=True)[kind].outcome is Outcome.FAILED
    assert check_signature(plain, signer=SIGNER, domain=domain_of(swap), verified=False)[kind].outcome is Outcome.PASSED
    assert check_signature(plain, signer=SIGNER, domain=domain_of(swap))[kind].outcome is Outcome.SKIPPED


@pytest.mark.parametrize("field", ["input_price_e8", "output_price_e8", "input_weight", "output_weight"])
def test_a_zero_that_voids_the_check_of_the_contract_is_refused(field: str) -> None:
    swap = swap_of(CASES[0])
    good_until = unpack(swap.good_until)
    assert good_until.packed is not None
    word = replace(good_until, packed=replace(good_until.packed, **{field: 0})).to_word()
    report = check_signature(replace(swap, good_until=word), signer=SIGNER, domain=domain_of(swap))
    assert report["packed values"].outcome is Outcome.FAILED


@pytest.mark.parametrize("case", CASES)
def test_good_until_is_taken_apart_and_put_together(case: dict[str, Any]) -> None:
    parts = dict(case["good_until_unpacked"])
    word, expires_at = int(case["good_until"]), parts.pop("unix_time")
    good_until = unpack(word)
    assert (good_until.expires_at, good_until.packed) == (expires_at, Packed(**parts))
    assert good_until.to_word() == word


@pytest.mark.parametrize(
    ("word", "is_packed"), [(1_697_236_000, False), (32_503_708_800, False), (32_503_708_801, True)]
)
def test_a_number_is_packed_above_the_bound_of_the_contract(word: int, is_packed: bool) -> None:
    assert (unpack(word).packed is not None) == is_packed


@pytest.mark.parametrize("case", WITH_CALLDATA, ids=lambda case: case["function"])
def test_recorded_calldata_says_what_was_signed(case: dict[str, Any]) -> None:
    swap, terms = swap_of(case), terms_of(case)
    assert decode_calldata(swap.calldata or "").function == case["function"]
    report = check_calldata(swap, terms, wrapped_native_address=swap.input_asset_address)
    assert (report.failures, report.skipped) == ((), ())
    assert len(report.checks) >= 10


CALL_CHANGES: list[tuple[Callable[[list[Any]], list[Any]], str]] = [
    (lambda a: [OTHER, *a[1:]], "calldata input_token"),
    (lambda a: [a[0], OTHER, *a[2:]], "calldata output_token"),
    (lambda a: [*a[:2], a[2] + 1, *a[3:]], "calldata input_amount"),
    (lambda a: [*a[:3], a[3] - 1, *a[4:]], "calldata output_amount"),
    (lambda a: [*a[:4], a[4] + 1, *a[5:]], "calldata good_until"),
    (lambda a: [*a[:5], OTHER, *a[6:]], "calldata destination"),
    (lambda a: [*a[:6], (27, *a[6][1:]), a[7]], "calldata v"),
    (lambda a: [*a[:6], (a[6][0], bytes(32), a[6][2]), a[7]], "calldata r"),
    (lambda a: [*a[:6], (*a[6][:2], bytes(32)), a[7]], "calldata s"),
    (lambda a: [*a[:7], bytes(32)], "calldata aux_data"),
]


def arguments_of(call: SwapCall) -> list[Any]:
    hex_bytes = [bytes.fromhex(text[2:]) for text in (call.r, call.s, call.aux_data)]
    return [
        *call.tokens.values(),
        call.input_amount,
        call.output_amount,
        call.good_until,
        call.destination_address,
        (call.v, *hex_bytes[:2]),
        hex_bytes[2],
    ]


def encoded(name: str, arguments: list[Any]) -> str:
    return "0x" + (_selector(name) + encode(_types(name), arguments)).hex()


@pytest.mark.parametrize(("change", "failed"), CALL_CHANGES, ids=[name for _, name in CALL_CHANGES])
def test_every_argument_is_compared(change: Callable[[list[Any]], list[Any]], failed: str) -> None:
    case = WITH_CALLDATA[0]
    swap = swap_of(case)
    arguments = change(arguments_of(decode_calldata(swap.calldata or "")))
    report = check_calldata(replace(swap, calldata=encoded("swap", arguments)), terms_of(case))
    assert [check.name for check in report.failures] == [failed]


@pytest.mark.parametrize(
    ("length", "outcome"),
    [(0, Outcome.FAILED), (31, Outcome.FAILED), (32, Outcome.SKIPPED), (33, Outcome.FAILED), (64, Outcome.FAILED)],
)
def test_auxiliary_data_of_the_service_are_32_bytes(length: int, outcome: Outcome) -> None:
    case = WITH_CALLDATA[0]
    swap, terms = swap_of(case), replace(terms_of(case), aux_data=None)
    arguments = [*arguments_of(decode_calldata(swap.calldata or ""))[:7], bytes(length)]
    report = check_calldata(replace(swap, calldata=encoded("swap", arguments)), terms)
    assert report["calldata aux_data"].outcome is outcome


def test_another_function_is_seen() -> None:
    case = WITH_CALLDATA[0]
    swap, terms = swap_of(case), terms_of(case)
    arguments = arguments_of(decode_calldata(swap.calldata or ""))
    for name in FUNCTIONS:
        if name != "swap":
            given = arguments if len(FUNCTIONS[name]) == 2 else arguments[1:]
            report = check_calldata(replace(swap, calldata=encoded(name, given)), terms)
            assert report["function"].outcome is Outcome.FAILED, name


@pytest.mark.parametrize(
    "calldata",
    ["0x", "0x2b651a6c", "0xdeadbeef" + "00" * 500, "0x2b651a6c" + "ff" * 500],
)
def test_what_is_no_call_of_a_swap_is_refused(calldata: str) -> None:
    with pytest.raises(ValueError, match=r"selector|ABI"):
        decode_calldata(calldata)


def test_bytes_beyond_the_arguments_are_refused() -> None:
    calldata = WITH_CALLDATA[0]["calldata"]
    for longer in (calldata + "00", calldata + "00" * 32):
        with pytest.raises(ValueError, match="ABI"):
            decode_calldata(longer)
    # A word of padding that is not zero.
    with pytest.raises(ValueError, match="ABI"):
        decode_calldata(calldata.replace("0x2b651a6c00", "0x2b651a6c01"))


def test_requested_calldata_that_is_missing_fails() -> None:
    swap = replace(swap_of(CASES[1]), calldata=None)
    terms = SwapTerms(swap.destination_address, calldata=True)
    assert check_calldata(swap, terms)["function"].outcome is Outcome.FAILED
    terms = SwapTerms(swap.destination_address)
    assert check_calldata(swap, terms)["function"].outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    ("terms", "name"),
    [
        (SwapTerms(OTHER), "swap"),
        (SwapTerms(OTHER, transmit=True), "transmitAndSwap"),
        (SwapTerms(OTHER, native_input=True), "sellEthForToken"),
        (SwapTerms(OTHER, native_input=True, transmit=True), "sellEthForToken"),
        (SwapTerms(OTHER, native_output=True), "sellTokenForEth"),
        (SwapTerms(OTHER, native_output=True, transmit=True), "transmitAndSellTokenForEth"),
    ],
)
def test_flags_and_transmit_name_the_function(terms: SwapTerms, name: str) -> None:
    assert function_for(terms) == name


def test_a_native_side_uses_the_wrapped_token() -> None:
    case = next(case for case in WITH_CALLDATA if case["function"] == "sellEthForToken")
    swap, terms = swap_of(case), terms_of(case)
    assert check_calldata(swap, terms)["wrapped token"].outcome is Outcome.SKIPPED
    assert check_calldata(swap, terms, wrapped_native_address=OTHER)["wrapped token"].outcome is Outcome.FAILED
