"""The formula of a pool, correctly rounded: the one integer that anybody with enough digits computes.

For an asset with price p, reserve q in whole tokens and listing weight w, and the pool's constant k,

    u(q) = (p*q)^(1-k) / w^k = (p*q*w)^(1-k) / w        uX(qX + M*in) + uY(qY - out) = uX(qX) + uY(qY)

with M = 1 - fee/10000. With the ratio R = uX(qX)/uY(qY) and a = 1 - k this is, without subtracting values that are
nearly equal more often than once,

    out = qY * (1 - (1 - R*((1 + M*in/qX)^a - 1))^(1/a))        exact input, rounded down
    in  = qX/M * ((1 + (1 - (1 - out/qY)^a)/R)^(1/a) - 1)       exact output, rounded up

Both are evaluated in intervals. Where an interval contains an integer, the integer is tested exactly (`exact.py`), and
if it is not the solution the precision is doubled: then the solution is no integer, and some precision separates them.
With k = 0 everything is rational, and integers suffice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from firmquote.verify.exact import ExactTerm, is_balanced
from firmquote.verify.interval import ZERO, Arithmetic, Interval

FEE_UNIT = 1_000_000
"""Hundredths of a basis point in the whole."""

K_UNIT = 10**18
"""Steps of k in the whole."""

GUARD_DIGITS = 10
"""Digits beyond those of the reserve in the first attempt: one of 10^8 quotes or so needs a second."""

MAX_DIGITS = 40_000
"""The precision at which the search ends."""


class NoSolution(ValueError):
    """More than all of the output would pay for, or more than the pool has: such requests are refused."""


class Undecided(ArithmeticError):
    """No precision up to `MAX_DIGITS` separates the solution from an integer that it is not."""


@dataclass(frozen=True, slots=True)
class Side:
    """An asset of the curve."""

    reserve: int
    """Base units, with what is outstanding counted against the quote."""
    price_e8: int
    """US dollars in steps of 1e-8."""
    weight: int
    decimals: int

    def __post_init__(self) -> None:
        if min(self.reserve, self.price_e8, self.weight) < 1 or self.decimals < 0:
            raise ValueError("reserve, price and weight are above zero, decimals not below it")


@dataclass(frozen=True, slots=True)
class Curve:
    """One direction of a pair in one state of a pool."""

    input: Side
    output: Side
    k_e18: int
    """The constant, in steps of 1e-18, from 0 to below 1."""
    fee_hundredths_bp: int
    """The fee, in hundredths of a basis point, from 0 to 1,000,000."""

    def __post_init__(self) -> None:
        if not 0 <= self.k_e18 < K_UNIT or not 0 <= self.fee_hundredths_bp <= FEE_UNIT:
            raise ValueError("k is from 0 to below 1, and the fee from 0 to the whole")

    @property
    def kept(self) -> int:
        """M, in millionths."""
        return FEE_UNIT - self.fee_hundredths_bp

    @property
    def exponent(self) -> Decimal:
        """A = 1 - k, exactly."""
        return Decimal(K_UNIT - self.k_e18).scaleb(-18)

    @property
    def input_scale(self) -> int:
        """The price of a base unit of the input, in a unit that `output_scale` shares."""
        scale: int = self.input.price_e8 * 10**self.output.decimals
        return scale

    @property
    def output_scale(self) -> int:
        """The price of a base unit of the output, in the same unit."""
        scale: int = self.output.price_e8 * 10**self.input.decimals
        return scale


def output_for(curve: Curve, input_amount: int) -> int:
    """Returns the output of an exact input, in base units, rounded down.

    Raises:
        NoSolution: the input would buy more than the whole reserve.
        Undecided: no precision decides the last digit.
    """
    if curve.k_e18 == 0:
        paid, unit_price = input_amount * curve.kept * curve.input_scale, FEE_UNIT * curve.output_scale
        if paid > curve.output.reserve * unit_price:
            raise NoSolution("more than all of the output would pay for")
        return paid // unit_price
    digits = len(str(curve.output.reserve)) + max(0, _log10_ratio(curve)) + GUARD_DIGITS
    enclose = lambda arithmetic: _enclose_output(curve, input_amount, arithmetic)  # noqa: E731
    return _settle(enclose, lambda amount: _is_exact(curve, input_amount, amount), ROUND_FLOOR, digits)


def input_for(curve: Curve, output_amount: int) -> int:
    """Returns the input for an exact output, in base units, rounded up.

    Raises:
        NoSolution: the output is more than the reserve, or the fee takes everything.
        Undecided: no precision decides the last digit.
    """
    if output_amount > curve.output.reserve or curve.kept == 0:
        raise NoSolution("more than the pool has")
    if curve.k_e18 == 0:
        due, unit_price = output_amount * FEE_UNIT * curve.output_scale, curve.kept * curve.input_scale
        return -(-due // unit_price)
    digits = len(str(curve.input.reserve)) + max(0, -_log10_ratio(curve)) + GUARD_DIGITS
    enclose = lambda arithmetic: _enclose_input(curve, output_amount, arithmetic)  # noqa: E731
    return _settle(enclose, lambda amount: _is_exact(curve, amount, output_amount), ROUND_CEILING, digits)


def _settle(
    enclose: Callable[[Arithmetic], Interval], is_exact: Callable[[int], bool], rounding: str, digits: int
) -> int:
    """Rounds what `enclose` encloses, with as many digits as it takes."""
    while digits <= MAX_DIGITS:
        interval = enclose(_arithmetic(digits))
        low, high = (int(bound.to_integral_value(rounding)) for bound in (interval.lo, interval.hi))
        if low == high:
            return low
        if high - low == 1 and is_exact(integer := low if rounding == ROUND_CEILING else high):
            return integer
        digits *= 2
    raise Undecided(f"{MAX_DIGITS} digits do not decide the last one")


def _enclose_output(curve: Curve, input_amount: int, arithmetic: Arithmetic) -> Interval:
    reserve = curve.input.reserve * FEE_UNIT
    grown = arithmetic.ratio(reserve + curve.kept * input_amount, reserve)
    gained = arithmetic.minus_one(_power(grown, curve.exponent, arithmetic))
    left = arithmetic.one_minus(arithmetic.times(_ratio(curve, arithmetic), gained))
    if left.hi < 0:
        raise NoSolution("more than all of the output would pay for")
    share = arithmetic.one_minus(_root(left, curve.exponent, arithmetic))
    return arithmetic.scaled(share, Decimal(curve.output.reserve))


def _enclose_input(curve: Curve, output_amount: int, arithmetic: Arithmetic) -> Interval:
    reserve = curve.output.reserve
    left = arithmetic.ratio(reserve - output_amount, reserve)
    lost = arithmetic.one_minus(_power(left, curve.exponent, arithmetic) if left.lo > 0 else Interval(ZERO, ZERO))
    grown = arithmetic.plus_one(arithmetic.over(lost, _ratio(curve, arithmetic)))
    share = arithmetic.minus_one(_root(grown, curve.exponent, arithmetic))
    scale = arithmetic.ratio(curve.input.reserve * FEE_UNIT, curve.kept)
    return arithmetic.times(share, scale)


def _ratio(curve: Curve, arithmetic: Arithmetic) -> Interval:
    """R = uX(qX)/uY(qY) = (yX/yY)^a * wY/wX with y = p*q*w, of whole tokens."""
    numerator = curve.input.reserve * curve.input_scale * curve.input.weight
    denominator = curve.output.reserve * curve.output_scale * curve.output.weight
    values = _power(arithmetic.ratio(numerator, denominator), curve.exponent, arithmetic)
    return arithmetic.times(values, arithmetic.ratio(curve.output.weight, curve.input.weight))


def _power(base: Interval, exponent: Decimal, arithmetic: Arithmetic) -> Interval:
    return arithmetic.exp(arithmetic.scaled(arithmetic.ln(base), exponent))


def _root(base: Interval, exponent: Decimal, arithmetic: Arithmetic) -> Interval:
    """`base` to the power of 1/`exponent`; a bound that is not above zero has the root zero."""
    if base.hi <= 0:
        return Interval(ZERO, ZERO)
    lowest = base.lo if base.lo > 0 else base.hi
    root = arithmetic.exp(arithmetic.parted(arithmetic.ln(Interval(lowest, base.hi)), exponent))
    return Interval(root.lo if base.lo > 0 else ZERO, root.hi)


def _is_exact(curve: Curve, input_amount: int, output_amount: int) -> bool:
    """Whether the amounts solve the equation, with nothing rounded."""
    one, other = curve.input, curve.output
    if output_amount > other.reserve:
        return False
    # Every p*q*w in the same unit, a millionth of that of the scales.
    input_scale = curve.input_scale * one.weight
    output_scale = curve.output_scale * other.weight * FEE_UNIT
    terms = (
        ExactTerm((one.reserve * FEE_UNIT + curve.kept * input_amount) * input_scale, 1, one.weight),
        ExactTerm((other.reserve - output_amount) * output_scale, 1, other.weight),
        ExactTerm(one.reserve * FEE_UNIT * input_scale, -1, one.weight),
        ExactTerm(other.reserve * output_scale, -1, other.weight),
    )
    return is_balanced(terms, K_UNIT - curve.k_e18, K_UNIT)


def _log10_ratio(curve: Curve) -> int:
    """About the decimal logarithm of R, which decides the first precision and nothing else."""
    value = math.log10(curve.input.reserve * curve.input_scale) - math.log10(curve.output.reserve * curve.output_scale)
    return math.ceil(abs(value)) if value > 0 else -math.ceil(-value)


@lru_cache(maxsize=64)
def _arithmetic(digits: int) -> Arithmetic:
    return Arithmetic(digits)
