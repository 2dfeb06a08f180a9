"""Quotes of firm levels against the formula, and against the book that was published before."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from firmquote import LevelBook, PoolData, Quote, QuoteRequest, SignedSwap, SwapTerms, output_for
from firmquote.types.decode import decode, parse_json
from firmquote.types.levels import is_concave
from firmquote.verify import Outcome, VerificationFailed, check_quote, check_swap
from firmquote.verify.levels import least_output
from support.samples import BOOK, LEVELS_ID, QUOTE, RECORD, SIGNED, TAKER

OTHER = "0x0000000000000000000000000000000000000001"
REQUEST = QuoteRequest(1, "ETH", "USDC", input_amount=10**18, time_in_seconds=60, levels_id=LEVELS_ID)
FORMULA = 2_078_539_413
LEAST = 2_050_000_001
"""What the book gives for 1 ETH at its end."""


def read(kind: type, value: object) -> Any:
    return decode(kind, parse_json(json.dumps(value)))


RECORD_VALUE: PoolData = read(PoolData, RECORD)
QUOTE_VALUE: Quote = replace(read(Quote, QUOTE), levels_id=LEVELS_ID, levels_output=LEAST)
BOOK_VALUE: LevelBook = replace(
    read(LevelBook, BOOK),
    firm=True,
    fee_in_basis_points=Decimal("9.5"),
    firm_budget_input=3 * 10**18,
    knots=((10**18, 2_070_000_000), (2 * 10**18, 4_130_000_000), (3 * 10**18, 6_180_000_001)),
)
OF_BOOK: dict[str, Any] = {"fee_in_basis_points": Decimal("9.5"), "output_amount": LEAST}
NO_KNOTS = replace(BOOK_VALUE, knots=None)
RISING = replace(BOOK_VALUE, knots=((10**18, 1), (2 * 10**18, 3), (3 * 10**18, 6)))

CASES: list[tuple[dict[str, Any], LevelBook | None, Outcome]] = [
    # No worse than the formula, at the fee of the pair or of the book.
    ({}, None, Outcome.PASSED),
    ({"output_amount": FORMULA + 1}, None, Outcome.PASSED),
    ({"output_amount": FORMULA - 1}, None, Outcome.UNDECIDED),
    ({"fee_in_basis_points": Decimal("9.5")}, None, Outcome.UNDECIDED),
    ({"fee_in_basis_points": Decimal("9.5")}, NO_KNOTS, Outcome.PASSED),
    ({"fee_in_basis_points": Decimal(5000)}, None, Outcome.UNDECIDED),
    ({"fee_in_basis_points": Decimal(5000)}, BOOK_VALUE, Outcome.FAILED),
    ({"fee_in_basis_points": Decimal("9.1")}, BOOK_VALUE, Outcome.PASSED),
    # Worse: the book decides.
    (OF_BOOK, None, Outcome.UNDECIDED),
    (OF_BOOK, BOOK_VALUE, Outcome.PASSED),
    ({**OF_BOOK, "output_amount": LEAST - 1, "levels_output": 1}, BOOK_VALUE, Outcome.FAILED),
    ({**OF_BOOK, "fee_in_basis_points": Decimal("9.51")}, BOOK_VALUE, Outcome.FAILED),
    ({**OF_BOOK, "fee_in_basis_points": Decimal("9.1")}, BOOK_VALUE, Outcome.PASSED),
    (OF_BOOK, NO_KNOTS, Outcome.FAILED),
    ({**OF_BOOK, "levels_output": 1}, RISING, Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, levels_id="0" * 32), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, pool_address=OTHER), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, input_asset_address=OTHER), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, output_asset_address=OTHER), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, time_in_seconds=61), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, firm_budget_input=None), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, firm_budget_input=10**18 - 1), Outcome.FAILED),
    (OF_BOOK, replace(BOOK_VALUE, firm_budget_input=4 * 10**18), Outcome.FAILED),
    # Below what the quote itself says.
    ({"levels_output": FORMULA + 1}, None, Outcome.FAILED),
    ({"levels_output": FORMULA + 1}, BOOK_VALUE, Outcome.FAILED),
    ({"levels_output": None}, BOOK_VALUE, Outcome.FAILED),
]


@pytest.mark.parametrize(("change", "book", "outcome"), CASES)
def test_a_quote_of_levels_keeps_to_the_formula_or_to_the_book(
    change: dict[str, Any], book: LevelBook | None, outcome: Outcome
) -> None:
    report = check_quote(REQUEST, replace(QUOTE_VALUE, **change), RECORD_VALUE, book=book)
    assert report["levels"].outcome is outcome, report["levels"].detail
    assert [check.name for check in report.failures] == (["levels"] if outcome is Outcome.FAILED else [])


@pytest.mark.parametrize("levels_id", [None, "0" * 32])
def test_a_quote_of_other_levels_fails(levels_id: str | None) -> None:
    quote = replace(QUOTE_VALUE, levels_id=levels_id)
    assert check_quote(REQUEST, quote, RECORD_VALUE, book=BOOK_VALUE)["levels_id"].outcome is Outcome.FAILED


def test_undecided_amounts_are_refused_unless_they_are_accepted() -> None:
    report = check_quote(REQUEST, replace(QUOTE_VALUE, **OF_BOOK), RECORD_VALUE)
    with pytest.raises(VerificationFailed, match="levels: undecided"):
        report.require(accept_lower=True)
    assert report.require(accept_undecided=True) is report
    assert [check.name for check in report.undecided] == ["levels"]


def test_a_swap_is_checked_with_its_book() -> None:
    quote, swap = replace(QUOTE_VALUE, **OF_BOOK), read(SignedSwap, SIGNED)
    report = check_swap(REQUEST, quote, SwapTerms(TAKER), swap, RECORD_VALUE, signer=OTHER, book=BOOK_VALUE)
    assert report["levels"].outcome is Outcome.PASSED


def test_the_time_of_the_levels_is_that_of_a_quote_without_one() -> None:
    record = replace(RECORD_VALUE, pool=replace(RECORD_VALUE.pool, default_time_in_seconds=30))
    request, quote = replace(REQUEST, time_in_seconds=None), replace(QUOTE_VALUE, **OF_BOOK)
    assert check_quote(request, quote, record, book=BOOK_VALUE).failures == ()


def test_the_input_of_a_fixed_output_is_at_most_what_the_book_asks() -> None:
    request = replace(REQUEST, input_amount=None, output_amount=LEAST)
    # The last line rises by 2,050,000,001 over 10^18: at its end, this output takes all of that.
    for amount, outcome in ((10**18, Outcome.PASSED), (10**18 + 10**9, Outcome.FAILED)):
        quote = replace(QUOTE_VALUE, **OF_BOOK, input_amount=amount)
        assert check_quote(request, quote, RECORD_VALUE, book=BOOK_VALUE)["levels"].outcome is outcome


def test_no_use_of_the_budget_gives_less_than_the_least() -> None:
    for knots in (((10, 100), (20, 199), (30, 290)), ((7, 20), (19, 51), (30, 70)), ((3, 2), (13, 9), (30, 20))):
        book = replace(BOOK_VALUE, knots=knots)
        assert is_concave(book)
        outputs = [0 if used == 0 else _line(book, used) for used in range(31)]
        for budget in (12, 23, 30):
            for amount in range(1, budget + 1):
                slices = [outputs[used + amount] - outputs[used] for used in range(budget - amount + 1)]
                least = least_output(knots, budget, amount)
                assert min(slices) - 1 <= least <= min(slices)


def test_a_line_of_half_units_gives_one_unit_less_in_its_middle() -> None:
    knots, book = ((100, 1000), (200, 1999), (300, 2900)), read(LevelBook, BOOK)
    # F(300) - F(250) is 451, and F(250) - F(200) is 450.
    assert [_line(book, used) for used in (200, 250, 300)] == [1999, 2449, 2900]
    assert least_output(knots, 300, 50) == 450


def _line(book: LevelBook, amount: int) -> int:
    first_input, first_output = (book.knots or ())[0]
    return amount * first_output // first_input if amount < first_input else output_for(book, amount) or 0
