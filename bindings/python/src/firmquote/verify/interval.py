"""Interval arithmetic on decimals: every result encloses the real value, with proven bounds.

Sums, products and quotients are rounded outwards by the rounding mode of their context. `exp` and `ln` of `decimal`
are correctly rounded to the nearest number of the precision, so the neighbours of a result enclose the real value.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)

ZERO = Decimal(0)
ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class Interval:
    """The real numbers from `lo` to `hi`, both included."""

    lo: Decimal
    hi: Decimal


class Arithmetic:
    """Interval arithmetic with so many significant digits."""

    def __init__(self, digits: int) -> None:
        self._down = _context(digits, ROUND_FLOOR)
        self._up = _context(digits, ROUND_CEILING)
        self._near = _context(digits, ROUND_HALF_EVEN)

    def ratio(self, numerator: int, denominator: int) -> Interval:
        """A fraction of integers, of which the denominator is above zero."""
        above, below = Decimal(numerator), Decimal(denominator)
        return Interval(self._down.divide(above, below), self._up.divide(above, below))

    def times(self, one: Interval, other: Interval) -> Interval:
        """The product of intervals without negative numbers."""
        return Interval(self._down.multiply(one.lo, other.lo), self._up.multiply(one.hi, other.hi))

    def over(self, one: Interval, other: Interval) -> Interval:
        """The quotient of intervals without negative numbers, of which the divisor is above zero."""
        return Interval(self._down.divide(one.lo, other.hi), self._up.divide(one.hi, other.lo))

    def scaled(self, interval: Interval, factor: Decimal) -> Interval:
        """An interval of any sign times a number above zero."""
        return Interval(self._down.multiply(interval.lo, factor), self._up.multiply(interval.hi, factor))

    def parted(self, interval: Interval, divisor: Decimal) -> Interval:
        """An interval of any sign divided by a number above zero."""
        return Interval(self._down.divide(interval.lo, divisor), self._up.divide(interval.hi, divisor))

    def one_minus(self, interval: Interval) -> Interval:
        """What is left of 1."""
        return Interval(self._down.subtract(ONE, interval.hi), self._up.subtract(ONE, interval.lo))

    def minus_one(self, interval: Interval) -> Interval:
        """What exceeds 1."""
        return Interval(self._down.subtract(interval.lo, ONE), self._up.subtract(interval.hi, ONE))

    def plus_one(self, interval: Interval) -> Interval:
        """1 and the interval."""
        return Interval(self._down.add(interval.lo, ONE), self._up.add(interval.hi, ONE))

    def ln(self, interval: Interval) -> Interval:
        """The natural logarithm of an interval above zero."""
        return Interval(self._ln(interval.lo).lo, self._ln(interval.hi).hi)

    def exp(self, interval: Interval) -> Interval:
        """E to the power of an interval."""
        return Interval(self._exp(interval.lo).lo, self._exp(interval.hi).hi)

    def _ln(self, number: Decimal) -> Interval:
        return Interval(ZERO, ZERO) if number == ONE else self._neighbours(self._near.ln(number))

    def _exp(self, number: Decimal) -> Interval:
        return Interval(ONE, ONE) if number == ZERO else self._neighbours(self._near.exp(number))

    def _neighbours(self, nearest: Decimal) -> Interval:
        return Interval(self._near.next_minus(nearest), self._near.next_plus(nearest))


def _context(digits: int, rounding: str) -> Context:
    traps = [InvalidOperation, DivisionByZero, Overflow]
    return Context(
        prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, capitals=1, clamp=0, flags=[], traps=traps
    )
