"""The fee of a pair, rounded up to 0.01 basis points.

The holder of a quote has a free option until the swap lands. An at-the-money option on volatility s over a time T is
worth about 0.4*s*sqrt(T) (Brenner and Subrahmanyam, 1988), so the fee in basis points is

    base + 10000 * 0.4 * s * sqrt((acceptance window + time_in_seconds) / year)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

YEAR_SECONDS = 365 * 24 * 60 * 60
"""A year of 365 days."""


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """What the fee of a pair is made of. Pool data do not have it: it is the operator's to publish."""

    base_bps: Decimal
    """Basis points."""
    annual_volatility: Decimal
    """The standard deviation of a year's logarithmic return, 0.6 for 60 %."""
    acceptance_window_seconds: int = 12
    """Seconds from the quote to `must_accept_by`."""

    def hundredths(self, time_in_seconds: int) -> int:
        """Returns the fee in hundredths of a basis point, rounded up, in the pool's favour. Exact: no float is used."""
        base = Fraction(self.base_bps) * 100
        square = (Fraction(self.annual_volatility) * 400_000) ** 2
        square *= Fraction(self.acceptance_window_seconds + time_in_seconds, YEAR_SECONDS)
        # The least integer f with f - base >= sqrt(square): near the root of the truncated square, then exactly.
        fee = math.floor(base) + math.isqrt(math.floor(square))
        while fee < base or (fee - base) ** 2 < square:
            fee += 1
        return fee


def hundredths_of(fee_in_basis_points: Decimal) -> int:
    """A published fee in hundredths of a basis point.

    Raises:
        ValueError: it has more than 2 decimals.
    """
    hundredths = fee_in_basis_points.scaleb(2)
    if hundredths != hundredths.to_integral_value():
        raise ValueError(f"a fee of {fee_in_basis_points} basis points has more than 2 decimals")
    return int(hundredths)
