"""Price levels: points of a pool's curve in one direction, and the straight lines between them.

Between the first knot and the last, a quote in the state of the book gives at least the line, rounded down. Outside
the knots nothing is promised. Each direction has a book of its own: invert none.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Protocol


class Knots(Protocol):
    """A book of levels, as far as its knots."""

    @property
    def knots(self) -> tuple[tuple[int, int], ...] | None:
        """Cumulative input and output in base units, from small to large."""


def output_for(book: Knots, input_amount: int) -> int | None:
    """Returns what a quote for `input_amount` gives at least, in base units of the output.

    The line between the two knots around the input, in integers, rounded down. `None` for an input below the first
    knot or above the last, and for a book of bands, which have no exact integers.
    """
    knots = book.knots or ()
    at = bisect_left(knots, (input_amount, 0))
    if at == len(knots):
        return None
    end_input, end_output = knots[at]
    if end_input == input_amount:
        return end_output
    if at == 0:
        return None
    start_input, start_output = knots[at - 1]
    rise = (input_amount - start_input) * (end_output - start_output)
    return start_output + rise // (end_input - start_input)


def is_concave(book: Knots) -> bool:
    """Whether the knots rise in both members, and the price from knot to knot never does."""
    knots = book.knots
    if knots is None:
        return True
    steps = [(end[0] - start[0], end[1] - start[1]) for start, end in pairwise(knots)]
    rises = all(width > 0 and rise > 0 for width, rise in steps)
    falls = all(later[1] * width <= rise * later[0] for (width, rise), later in pairwise(steps))
    return bool(knots) and rises and falls
