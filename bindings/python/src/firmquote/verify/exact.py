"""Decides whether a sum of powers with a rational exponent is exactly zero.

The terms are +-y^(s/t)/w with integers y and w and the exponent s/t in lowest terms, below 1. Positive real t-th
roots of rationals, of which no two have a rational quotient, are linearly independent over the rationals (Besicovitch,
1940). So the terms fall into classes within which the y have quotients that are t-th powers of rationals, and the sum
is zero exactly if the rational coefficients of each class add up to zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class ExactTerm:
    """`sign` * `base`^exponent / `divisor`."""

    base: int
    sign: int
    divisor: int


def is_balanced(terms: Sequence[ExactTerm], numerator: int, denominator: int) -> bool:
    """Whether the terms add up to zero, each to the power `numerator`/`denominator`, from above 0 to below 1."""
    common = math.gcd(numerator, denominator)
    power, root = numerator // common, denominator // common
    classes: list[tuple[int, Fraction]] = []
    for term in terms:
        if term.base == 0:
            continue
        for at, (representative, total) in enumerate(classes):
            quotient = _rational_root(Fraction(term.base, representative), root)
            if quotient is not None:
                # A root that is not 1 exists for small exponents only, so this stays small.
                classes[at] = (representative, total + quotient**power * Fraction(term.sign, term.divisor))
                break
        else:
            classes.append((term.base, Fraction(term.sign, term.divisor)))
    return all(total == 0 for _, total in classes)


def _rational_root(number: Fraction, root: int) -> Fraction | None:
    """The rational whose `root`-th power is a positive `number`; `None` if there is none."""
    above, below = _integer_root(number.numerator, root), _integer_root(number.denominator, root)
    return None if above is None or below is None else Fraction(above, below)


def _integer_root(number: int, root: int) -> int | None:
    """The positive integer whose `root`-th power is `number`; `None` if there is none."""
    if number == 1:
        return 1
    if root >= number.bit_length():
        return None
    low, high = 1, 1 << (number.bit_length() // root + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**root < number:
            low = middle + 1
        else:
            high = middle
    return low if low**root == number else None
