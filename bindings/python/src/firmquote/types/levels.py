"""Price levels: points of a pool's curve in one direction, and the straight lines between them.

Between the first knot and the last, a quote in the state of the book gives at least the line, rounded down. Outside
the knots nothing is promised. Each direction has a book of its own: invert none.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

from .wire import Address, Amount, DecimalString, LevelsId, Number, StateId


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelBook:
    """Levels of one pair in one direction of one pool."""

    seq: int
    """Grows from book to book of the same pool, input and output, and may skip numbers."""
    levels_id: LevelsId
    state_id: StateId
    pool_address: Address
    input_asset_symbol: str
    input_asset_address: Address
    input_asset_decimals: int
    output_asset_symbol: str
    output_asset_address: Address
    output_asset_decimals: int
    as_of_ms: int
    """Unix milliseconds of the oldest price or reserve in the book."""
    published_ms: int
    """Unix milliseconds of the publication, by the clock of the service."""
    valid_until_ms: int
    """Unix milliseconds from which on the book does not hold, by the clock of the service."""
    time_in_seconds: int
    """The validity that the fee in the levels is for."""
    fee_in_basis_points: Number
    firm: bool
    """Whether the levels are a promise to quotes that name their `levels_id`."""
    certain: bool
    """Whether quotes give what the levels say at every size; otherwise a verified pool may give less or refuse."""
    firm_budget_input: Amount | None
    """The input that is promised, in base units; `None` if none is."""
    minimum_input: Amount | None
    """The input of the first knot."""
    maximum_input: Amount | None
    """The input of the last knot."""
    max_shortfall_bps: Number
    """How much less than a quote the line gives at most, besides less than two base units of rounding."""
    semantics: str
    """`cumulative_input_output_floor`: `knots`. `incremental_price_size`: `bands`."""
    knots: tuple[tuple[Amount, Amount], ...] | None = None
    """Cumulative input and output in base units, from small to large."""
    bands: tuple[tuple[DecimalString, DecimalString], ...] | None = None
    """Price and size in whole tokens, best first; the first band reaches from nothing to `minimum_input`."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Pool, input and output: a later book with the same key replaces this one."""
        return (self.pool_address, self.input_asset_symbol, self.output_asset_symbol)

    def output_for(self, input_amount: int) -> int | None:
        """Returns what a quote for `input_amount` base units gives at least; see `output_for`."""
        return output_for(self, input_amount)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnLevels:
    """A pair in one direction for which nothing is quoted at present."""

    pool_address: Address
    input_asset_symbol: str
    output_asset_symbol: str
    reason: str
    """`stale_prices`, `stale_reserves`, `paused`, `swaps_disabled`, `store_unreachable` or `outstanding_limit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelsSnapshot:
    """The current levels of a chain's pools."""

    chain_id: int
    books: tuple[LevelBook, ...]
    withdrawn: tuple[WithdrawnLevels, ...]


def output_for(book: LevelBook, input_amount: int) -> int | None:
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


def is_concave(book: LevelBook) -> bool:
    """Whether the knots rise in both members, and the price from knot to knot never does."""
    knots = book.knots
    if knots is None:
        return True
    steps = [(end[0] - start[0], end[1] - start[1]) for start, end in pairwise(knots)]
    rises = all(width > 0 and rise > 0 for width, rise in steps)
    falls = all(later[1] * width <= rise * later[0] for (width, rise), later in pairwise(steps))
    return bool(knots) and rises and falls
