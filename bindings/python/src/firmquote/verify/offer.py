"""What a pool offers: the formula, as far as it is not better than the prices by more than the pool's bound."""

from __future__ import annotations

from dataclasses import dataclass

from firmquote.verify.formula import FEE_UNIT, Curve, input_for, output_for


@dataclass(frozen=True, slots=True)
class Offer(Curve):
    """A curve and the bound on what it gives."""

    max_improvement: int | None = None
    """How much better than the two prices the rate may be, in hundredths of a basis point; none without a bound."""

    @property
    def bounded_rate(self) -> tuple[int, int] | None:
        """Base units of the output for one of the input at the prices and the bound: numerator and denominator."""
        if self.max_improvement is None:
            return None
        return self.input_scale * (FEE_UNIT + self.max_improvement), self.output_scale * FEE_UNIT


def offered_output(offer: Offer, input_amount: int) -> int:
    """Returns the lesser of the formula's output and the bounded one, in base units, rounded down.

    Raises:
        NoSolution: as `output_for`.
        Undecided: as `output_for`.
    """
    output = output_for(offer, input_amount)
    if (rate := offer.bounded_rate) is None:
        return output
    numerator, denominator = rate
    return min(output, input_amount * numerator // denominator)


def offered_input(offer: Offer, output_amount: int) -> int:
    """Returns the greater of the formula's input and the bounded one, in base units, rounded up.

    Raises:
        NoSolution: as `input_for`.
        Undecided: as `input_for`.
    """
    amount = input_for(offer, output_amount)
    if (rate := offer.bounded_rate) is None:
        return amount
    numerator, denominator = rate
    return max(amount, -(-output_amount * denominator // numerator))
