"""The formula: recorded vectors, exact solutions, bounds, and agreement with hundreds of digits."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from typing import Any

import pytest

from firmquote.verify import Curve, NoSolution, Side, formula, input_for, output_for
from firmquote.verify.exact import ExactTerm, is_balanced
from firmquote.verify.interval import Arithmetic, Interval
from support.samples import DATA

VECTORS: list[dict[str, Any]] = json.loads((DATA / "prices.json").read_text())


def curve_of(vector: dict[str, Any]) -> Curve:
    def side(name: str) -> Side:
        asset = vector[name]
        return Side(int(asset["reserve"]), asset["price_e8"], asset["weight"], asset["decimals"])

    return Curve(side("input"), side("output"), vector["k_e18"], vector["fee_hundredths_bp"])


def test_the_recorded_vectors_are_reproduced_to_the_unit() -> None:
    counts = {"input_amount": 0, "output_amount": 0}
    for vector in VECTORS:
        curve, fixed = curve_of(vector), vector["fixed"]
        given, due = int(vector["input_amount"]), int(vector["output_amount"])
        if fixed == "input_amount":
            assert output_for(curve, given) == due, vector
        else:
            assert input_for(curve, due) == given, vector
        counts[fixed] += 1
    assert min(counts.values()) > 50


def naive(curve: Curve, amount: int, is_input: bool) -> Decimal:
    """The solution with hundreds of digits, by the formula as it is written on the page."""
    k = Decimal(curve.k_e18).scaleb(-18)
    kept = Decimal(curve.kept).scaleb(-6)

    def worth(side: Side, reserve: Decimal) -> Decimal:
        value = reserve * Decimal(side.price_e8).scaleb(-8 - side.decimals)
        return (value ** (1 - k) if value else Decimal(0)) / side.weight**k

    def reserve_for(side: Side, total: Decimal) -> Decimal:
        value = (total * side.weight**k) ** (1 / (1 - k))
        return value / Decimal(side.price_e8).scaleb(-8 - side.decimals)

    x, y = Decimal(curve.input.reserve), Decimal(curve.output.reserve)
    total = worth(curve.input, x) + worth(curve.output, y)
    if is_input:
        return y - reserve_for(curve.output, total - worth(curve.input, x + kept * amount))
    return (reserve_for(curve.input, total - worth(curve.output, y - amount)) - x) / kept


def random_curve(chance: random.Random) -> Curve:
    def side() -> Side:
        decimals = chance.choice((0, 2, 6, 8, 18, 24))
        return Side(
            int(10 ** chance.uniform(4, 30)), int(10 ** chance.uniform(0, 14)), chance.randint(1, 65535), decimals
        )

    k = chance.choice((0, 1, 10**16, 6 * 10**16, 5 * 10**17, chance.randrange(10**18), 10**18 - 1 - 10**15))
    return Curve(side(), side(), k, chance.choice((0, 1, 863, 10_000, 500_000)))


def test_any_curve_agrees_with_hundreds_of_digits() -> None:
    chance, solved = random.Random(20), 0
    with localcontext(Context(prec=200, Emax=10**9, Emin=-(10**9))):
        for _ in range(150):
            curve = random_curve(chance)
            output = max(1, int(curve.output.reserve * 10 ** chance.uniform(-12, -0.001)))
            computed = input_for(curve, output)
            assert computed == int(naive(curve, output, False).to_integral_value(ROUND_CEILING))
            if computed > 1:
                # One unit less does not buy it.
                assert output > output_for(curve, computed - 1)
            if computed > naive(curve, curve.output.reserve, False):
                # Rounded up, it would buy more than there is.
                with pytest.raises(NoSolution):
                    output_for(curve, computed)
                continue
            assert output_for(curve, computed) == int(naive(curve, computed, True).to_integral_value(ROUND_FLOOR))
            solved += 1
    assert solved > 100


def note_digits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The precisions that are used from now on."""
    used: list[int] = []
    make = formula._arithmetic

    def noted(digits: int) -> Arithmetic:
        used.append(digits)
        return make(digits)

    monkeypatch.setattr(formula, "_arithmetic", noted)
    return used


SQUARES = Curve(Side(4, 10**8, 1, 0), Side(4, 10**8, 1, 0), 5 * 10**17, 0)
"""k = 1/2: u is the square root, and sqrt(4 + 5) + sqrt(1) = sqrt(4) + sqrt(4)."""


@pytest.mark.parametrize(
    ("solve", "amount", "expected"),
    [
        (output_for, 5, 3),
        (output_for, 4, 2),
        (input_for, 3, 5),
        (input_for, 4, 12),
        (output_for, 12, 4),
        (output_for, 11, 3),
    ],
)
def test_solutions_that_are_integers_are_found_exactly(
    solve: Callable[[Curve, int], int], amount: int, expected: int
) -> None:
    assert solve(SQUARES, amount) == expected


def test_an_exact_solution_is_decided_without_more_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    used = note_digits(monkeypatch)
    large = Curve(Side(4 * 10**40, 10**8, 1, 0), Side(4 * 10**40, 10**8, 1, 0), 5 * 10**17, 0)
    assert output_for(large, 5 * 10**40) == 3 * 10**40
    assert input_for(large, 3 * 10**40) == 5 * 10**40
    assert used == [51, 51]
    # Beside it the solution is within 1e-40 of another integer, and twice the digits decide.
    assert output_for(large, 5 * 10**40 - 1) == 3 * 10**40 - 1
    assert input_for(large, 3 * 10**40 + 1) == 5 * 10**40 + 4
    assert max(used) == 102


def test_a_solution_beside_an_integer_takes_more_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base unit of input moves the output by about 1e-60, so only some 60 digits tell 3 from a little less."""
    used = note_digits(monkeypatch)
    fine = Curve(Side(4 * 10**60, 1, 1, 0), Side(4, 10**60, 1, 0), 5 * 10**17, 0)
    assert [output_for(fine, 5 * 10**60 + step) for step in (-1, 0, 1)] == [2, 3, 3]
    assert min(used) < 20
    assert max(used) > 60


@pytest.mark.parametrize(
    ("solve", "amount"),
    [(output_for, 13), (output_for, 10**30), (input_for, 5)],
)
def test_more_than_the_pool_has_has_no_solution(solve: Callable[[Curve, int], int], amount: int) -> None:
    with pytest.raises(NoSolution):
        solve(SQUARES, amount)


def test_without_k_the_price_alone_decides() -> None:
    curve = Curve(Side(10**18, 3 * 10**8, 1, 0), Side(100, 7 * 10**8, 9, 0), 0, 0)
    assert [output_for(curve, amount) for amount in (1, 2, 3, 7, 8)] == [0, 0, 1, 3, 3]
    assert [input_for(curve, amount) for amount in (1, 2, 3, 100)] == [3, 5, 7, 234]
    assert output_for(curve, 233) == 99
    with pytest.raises(NoSolution):
        output_for(curve, 234)
    with pytest.raises(NoSolution):
        input_for(curve, 101)


def test_a_fee_of_everything_buys_nothing() -> None:
    curve = Curve(SQUARES.input, SQUARES.output, SQUARES.k_e18, 1_000_000)
    assert output_for(curve, 10**30) == 0
    with pytest.raises(NoSolution):
        input_for(curve, 1)


def test_a_larger_fee_never_pays_more() -> None:
    chance = random.Random(3)
    for _ in range(50):
        curve = random_curve(chance)
        amount = max(1, curve.output.reserve // chance.randint(10, 10**6))
        inputs = [input_for(Curve(curve.input, curve.output, curve.k_e18, fee), amount) for fee in (0, 863, 50_000)]
        assert inputs == sorted(inputs)


@pytest.mark.parametrize("values", [(0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 0, 0), (1, 1, 1, -1)])
def test_a_side_without_meaning_is_refused(values: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Side(*values)


@pytest.mark.parametrize(("k", "fee"), [(-1, 0), (10**18, 0), (0, -1), (0, 1_000_001)])
def test_a_curve_without_meaning_is_refused(k: int, fee: int) -> None:
    with pytest.raises(ValueError, match="k is from 0"):
        Curve(SQUARES.input, SQUARES.output, k, fee)


def test_intervals_enclose_the_real_value() -> None:
    """Each result with few digits contains that with many."""

    def results(digits: int, number: Decimal, factor: Decimal) -> list[Interval]:
        arithmetic, point = Arithmetic(digits), Interval(number, number)
        logarithm = arithmetic.ln(point)
        return [
            logarithm,
            arithmetic.exp(logarithm),
            arithmetic.scaled(logarithm, factor),
            arithmetic.parted(logarithm, factor),
            arithmetic.one_minus(point),
            arithmetic.minus_one(arithmetic.plus_one(point)),
            arithmetic.over(point, arithmetic.ratio(7, 3)),
            arithmetic.times(point, arithmetic.ratio(7, 3)),
        ]

    chance = random.Random(8)
    for _ in range(500):
        number = Decimal(chance.randrange(1, 10**12)).scaleb(-chance.randrange(0, 12))
        factor = Decimal(chance.randrange(1, 10**18)).scaleb(-18)
        for coarse, fine in zip(results(8, number, factor), results(60, number, factor), strict=True):
            assert coarse.lo <= fine.lo <= fine.hi <= coarse.hi


@pytest.mark.parametrize(
    ("terms", "numerator", "denominator", "expected"),
    [
        ([(9, 1, 1), (1, 1, 1), (4, -1, 1), (4, -1, 1)], 1, 2, True),
        ([(9, 1, 1), (1, 1, 1), (4, -1, 1), (5, -1, 1)], 1, 2, False),
        ([(2, 1, 1), (8, 1, 2), (2, -1, 1), (2, -1, 1)], 1, 2, True),
        ([(2, 1, 1), (3, 1, 1), (5, -1, 1), (1, -1, 1)], 1, 2, False),
        ([(7, 1, 3), (11, 1, 5), (7, -1, 3), (11, -1, 5)], 999_999_999_999_999_999, 10**18, True),
        ([(7, 1, 3), (11, 1, 5), (11, -1, 3), (7, -1, 5)], 999_999_999_999_999_999, 10**18, False),
        ([(0, 1, 1), (4, 1, 1), (1, -1, 1), (1, -1, 1)], 1, 2, True),
        ([(8, 1, 1), (8, 1, 1), (64, -1, 1), (64, -1, 1)], 2, 3, False),
        ([(8, 1, 1), (8, 1, 1), (8, 1, 1), (27, -1, 1), (1, -1, 1), (1, -1, 1), (1, -1, 1)], 2, 3, True),
    ],
)
def test_sums_of_roots_are_decided_exactly(
    terms: list[tuple[int, int, int]], numerator: int, denominator: int, expected: bool
) -> None:
    assert is_balanced([ExactTerm(*term) for term in terms], numerator, denominator) == expected
