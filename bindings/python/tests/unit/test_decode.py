"""How JSON becomes values: no digit is lost, and nothing malformed passes."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from firmquote import AllPools, LevelBook, Quote, SignedSwap
from firmquote.types.decode import DecodeError, decode, parse_json
from support.samples import BOOK, POOLS, QUOTE, SIGNED


def read(kind: type, value: Any) -> Any:
    return decode(kind, parse_json(json.dumps(value)))


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        ("0.123456789012345678", Decimal("0.123456789012345678")),
        ("1", Decimal(1)),
        ("0", Decimal(0)),
        ("0.06", Decimal("0.06")),
        ("1.3792871898369242e+24", Decimal("1379287189836924200000000")),
        ("90071992547409930000.00000001", Decimal("90071992547409930000.00000001")),
    ],
)
def test_numbers_keep_every_digit(digits: str, value: Decimal) -> None:
    text = json.dumps(POOLS).replace('"k": 0.06', f'"k": {digits}')
    assert decode(AllPools, parse_json(text)).pools[0].pool.k == value


def test_amounts_and_words_are_integers_of_256_bits() -> None:
    largest = 2**256 - 1
    swap = read(SignedSwap, {**SIGNED, "good_until": str(largest), "output_amount": "9007199254740993"})
    assert (swap.good_until, swap.output_amount) == (largest, 9_007_199_254_740_993)


def test_members_of_later_releases_are_ignored() -> None:
    assert read(Quote, {**QUOTE, "added_later": {"a": 1}}).input_amount == 10**18


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("input_amount", 1),
        ("input_amount", "0"),
        ("input_amount", "-1"),
        ("input_amount", "+1"),
        ("input_amount", "1e3"),
        ("input_amount", "1_000"),
        ("input_amount", " 1"),
        ("input_amount", "٣"),
        ("input_amount", str(2**256)),
        ("input_amount", "9" * 5000),
        ("chain_id", "1"),
        ("chain_id", True),
        ("chain_id", 1.5),
        ("rate", "1"),
        ("rate", None),
        ("id", "no-uuid"),
        ("pool_address", "0x12"),
        ("state_id", "ABC"),
        ("must_accept_by", "2026-11-21T01:04:02Z"),
        ("must_accept_by", "2026-13-21 01:04:02.704406+00:00"),
        ("good_until", None),
    ],
)
def test_malformed_members_are_named(member: str, value: object) -> None:
    with pytest.raises(DecodeError, match=f"^{member}"):
        read(Quote, {**QUOTE, member: value})


@pytest.mark.parametrize("member", [name for name in QUOTE if name != "levels_id"])
def test_missing_members_are_named(member: str) -> None:
    with pytest.raises(DecodeError, match=f"^{member} is missing"):
        read(Quote, {name: value for name, value in QUOTE.items() if name != member})


@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "[" * 100_000, '{"a": Infinity}', "1" * 5000, '{"a": 1e99999999999999999999}', "\x00"],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(DecodeError):
        parse_json(text)


def test_numbers_beyond_all_bounds_are_refused_before_they_fill_the_memory() -> None:
    for digits in ("1e1000000", "1e-1000000"):
        text = json.dumps(QUOTE).replace('"rate": 2078.539413', f'"rate": {digits}')
        with pytest.raises(DecodeError, match="rate"):
            decode(Quote, parse_json(text))


def test_paths_lead_into_lists_and_objects() -> None:
    with pytest.raises(DecodeError, match=r"^knots\[1\]\[0\] "):
        read(LevelBook, {**BOOK, "knots": [["1", "1"], ["x", "2"]]})
    with pytest.raises(DecodeError, match=r"^knots\[0\] has 1 items"):
        read(LevelBook, {**BOOK, "knots": [["1"]]})
    with pytest.raises(DecodeError, match=r"^signature\.v is missing"):
        read(SignedSwap, {**SIGNED, "signature": {"r": "0x" + "00" * 32, "s": "0x" + "00" * 32}})
    with pytest.raises(DecodeError, match="the response is not an object"):
        read(Quote, [])


def test_bands_are_exact_decimals() -> None:
    book = read(LevelBook, {**BOOK, "knots": None, "bands": [["2078.53941300000000001", "0.5"]]})
    assert book.bands == ((Decimal("2078.53941300000000001"), Decimal("0.5")),)
    assert (book.knots, book.output_for(100)) == (None, None)
