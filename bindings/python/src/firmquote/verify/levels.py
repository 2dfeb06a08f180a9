"""Checks a quote of firm levels against the book that the client had before it asked.

A quote of levels gives at least F(used + x) - F(used), with F the line through the knots from (0, 0), rounded down, and
`used` the input of the client's earlier quotes. Only the service knows `used`, so a quote is held to the least that any
`used` within the budget allows.
"""

from __future__ import annotations

import math
from fractions import Fraction

from firmquote.types.levels import is_concave
from firmquote.types.priced import Priced
from firmquote.types.requests import QuoteRequest
from firmquote.types.responses import LevelBook


def levels_problem(request: QuoteRequest, quote: Priced, book: LevelBook, seconds: int) -> str | None:
    """Returns why a quote does not follow from the book, or `None`.

    Args:
        request: what was requested; names the levels.
        quote: what was quoted.
        book: the firm book with these levels.
        seconds: the `time_in_seconds` of the quote.
    """
    found = (quote.pool_address.lower(), quote.input_asset_address.lower(), quote.output_asset_address.lower(), seconds)
    own = (
        book.pool_address.lower(),
        book.input_asset_address.lower(),
        book.output_asset_address.lower(),
        book.time_in_seconds,
    )
    if book.levels_id.lower() != (request.levels_id or "").lower() or found != own:
        return "the book is of other levels, or of another pool, pair or time"
    # The fee of the book includes a margin for the promise, which a quote at a price that became better lacks.
    if quote.fee_in_basis_points > book.fee_in_basis_points:
        return f"a fee of {quote.fee_in_basis_points} basis points, of at most {book.fee_in_basis_points}"
    if not book.knots or not book.firm_budget_input or not is_concave(book):
        return "the book has no concave knots (format `cumulative`) or no firm budget"
    budget = book.firm_budget_input
    if quote.input_amount > budget or budget > book.knots[-1][0]:
        return f"input of {quote.input_amount}, with a budget of {budget} up to {book.knots[-1][0]}"
    if request.input_amount is not None:
        least = least_output(book.knots, budget, quote.input_amount)
        return None if quote.output_amount >= least else f"output of {quote.output_amount}, of at least {least}"
    # The smallest input that is enough: with one base unit less, the book need not give the output.
    is_smallest = least_output(book.knots, budget, quote.input_amount - 1) < quote.output_amount
    return None if is_smallest else f"input of {quote.input_amount}, more than the book asks at most"


def least_output(knots: tuple[tuple[int, int], ...], budget: int, input_amount: int) -> int:
    """The least output for an input of at most `budget`, no matter which part of the budget was used before.

    A concave line rises least at its end, so this is the line's rise over the last `input_amount` of the budget. The
    difference is exact and only then rounded down, in the pool's favour: each F is rounded by itself, and elsewhere
    in the book the difference may be one base unit below F(budget) - F(budget - input_amount). The rise from nothing
    counts too: the first knot is rounded down, which may leave the first line below the second.
    """
    at_end = _line(knots, budget) - _line(knots, budget - input_amount)
    return math.floor(min(at_end, _line(knots, input_amount)))


def _line(knots: tuple[tuple[int, int], ...], input_amount: int) -> Fraction:
    start_input = start_output = 0
    for end_input, end_output in knots:
        if input_amount <= end_input:
            rise = (input_amount - start_input) * (end_output - start_output)
            return start_output + Fraction(rise, end_input - start_input)
        start_input, start_output = end_input, end_output
    raise ValueError(f"{input_amount} is beyond the last knot")
