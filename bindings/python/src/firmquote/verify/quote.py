"""Checks a quote against the request and the pool data of its state: fee and amounts, to the base unit."""

from __future__ import annotations

from decimal import Decimal

from firmquote.types.priced import Priced
from firmquote.types.requests import QuoteRequest
from firmquote.types.responses import LevelBook, PoolAsset, PoolData, Quote
from firmquote.verify.checks import Check, Outcome, Report, compare, require
from firmquote.verify.fee import FeeTerms, hundredths_of
from firmquote.verify.formula import Side, Undecided
from firmquote.verify.levels import levels_problem
from firmquote.verify.offer import Offer, offered_input, offered_output


class MissingData(ValueError):
    """The pool data lack what the formula needs: an asset, a price or a balance."""


def check_quote(
    request: QuoteRequest,
    quote: Priced,
    record: PoolData,
    *,
    verified: bool | None = None,
    fee_terms: FeeTerms | None = None,
    book: LevelBook | None = None,
) -> Report:
    """Checks a quote, or a swap that was quoted and signed at once, against what everybody can compute.

    Args:
        request: what was requested; says which amount was fixed.
        quote: what was quoted.
        record: `pools` of the quote's `state_id` and `time_in_seconds`, both sets of data. Of another time, the fee is
            `FAILED` without `fee_terms`.
        verified: whether the contract checks the curve. If so, or if it is not known, amounts that are worse for the
            taker than the formula are `LOWER`; for a plain pool they are `FAILED`.
        fee_terms: what the fee of the pair is made of, if the operator publishes it.
        book: the book with the requested `levels_id`, kept from before the request.

    The checks are `chain`, `pool`, `state`, `input token`, `output token`, `fixed amount`, `levels_id`, `validity`,
    and then `fee` and `amounts` or, for a request that names levels, `levels`:

    - `FAILED` if the output is below `levels_output`;
    - `PASSED` if the fee is that of the pair or at most that of the book, and the amounts are no worse for the taker
      than the formula gives at that fee;
    - otherwise `PASSED` or `FAILED` by the book: at most its fee, and at least the least that it allows for the input;
    - otherwise `UNDECIDED`, without a book.

    Not checked: whether `created_at` is the time of the quote, how long after it a swap that was quoted and signed at
    once could have been signed unless `fee_terms` say, and how much of the budget of levels was used.
    """
    pool = record.pool
    checks = [
        compare("chain", (quote.chain_id, pool.chain_id), (request.chain_id, request.chain_id)),
        compare("pool", quote.pool_address, request.pool_address or pool.address),
        compare("state", quote.state_id, pool.state_id),
    ]
    for side, symbol, address in (
        ("input", request.input_asset_symbol, quote.input_asset_address),
        ("output", request.output_asset_symbol, quote.output_asset_address),
    ):
        try:
            checks.append(compare(f"{side} token", address, _asset(record, symbol).address))
        except MissingData as missing:
            checks.append(require(f"{side} token", False, str(missing)))
    fixed = "input_amount" if request.input_amount is not None else "output_amount"
    checks.append(compare("fixed amount", getattr(quote, fixed), getattr(request, fixed)))
    checks.append(compare("levels_id", quote.levels_id, request.levels_id))
    seconds = request.time_in_seconds or pool.default_time_in_seconds
    if request.levels_id is not None and request.time_in_seconds is None and book is not None:
        seconds = book.time_in_seconds
    checks.append(_validity(quote, seconds, fee_terms))
    fee = _fee(request, quote, record, seconds, fee_terms)
    if request.levels_id is not None:
        return Report((*checks, _levels(request, quote, record, fee, seconds, book)))
    return Report((*checks, fee, _amounts(request, quote, record, verified)))


def offer_of(record: PoolData, input_symbol: str, output_symbol: str, fee_in_basis_points: Decimal) -> Offer:
    """Returns what a pool quotes with: conservative reserves, which count outstanding swaps against the quote.

    Raises:
        MissingData: an asset is unknown, or its price or balance is not published.
        ValueError: a value is out of the range of the formula, or outstanding swaps take the whole reserve.
    """
    one, other = _asset(record, input_symbol), _asset(record, output_symbol)
    bound = record.pool.max_improvement_bps
    return Offer(
        input=_side(one, one.outstanding_inflow),
        output=_side(other, -other.outstanding_outflow),
        k_e18=_steps(record.pool.k, 18),
        fee_hundredths_bp=hundredths_of(fee_in_basis_points),
        max_improvement=None if bound is None else hundredths_of(bound),
    )


def price_e8_of(asset: PoolAsset) -> int:
    """The price of an asset in steps of 1e-8 US dollars.

    Raises:
        MissingData: the asset has no price.
        ValueError: the price has more than 8 decimals.
    """
    if asset.price_in_usd is None:
        raise MissingData(f"{asset.name} has no price")
    return _steps(asset.price_in_usd, 8)


def _asset(record: PoolData, symbol: str) -> PoolAsset:
    for asset in record.assets:
        if asset.name == symbol:
            return asset
    raise MissingData(f"the pool data have no asset {symbol}")


def _side(asset: PoolAsset, outstanding: int) -> Side:
    if asset.balance is None:
        raise MissingData(f"{asset.name} has no balance")
    return Side(asset.balance + outstanding, price_e8_of(asset), asset.listing_weight, asset.decimals)


def _steps(number: Decimal, decimals: int) -> int:
    steps = number.scaleb(decimals)
    if steps != steps.to_integral_value():
        raise ValueError(f"{number} has more than {decimals} decimals")
    return int(steps)


def _validity(quote: Priced, seconds: int, terms: FeeTerms | None) -> Check:
    if isinstance(quote, Quote):
        return compare("validity", quote.time_in_seconds, seconds)
    # Without must_accept_by: the time that was paid for begins at the quote or later, at most a window later.
    window = getattr(quote, "expires_at", 0) - seconds - quote.created_at
    is_valid = window >= 0 and (terms is None or window <= terms.acceptance_window_seconds)
    return require("validity", is_valid, f"expiry {window} s after created_at and {seconds} s")


def _fee(request: QuoteRequest, quote: Priced, record: PoolData, seconds: int, terms: FeeTerms | None) -> Check:
    fee = quote.fee_in_basis_points
    if terms is not None:
        return compare("fee", fee, Decimal(terms.hundredths(seconds)).scaleb(-2))
    if record.pool.time_in_seconds != seconds:
        detail = f"the pool data are for {record.pool.time_in_seconds} s, the quote for {seconds} s"
        return require("fee", False, detail)
    symbols = {request.input_asset_symbol, request.output_asset_symbol}
    for pair in record.pairs:
        if set(pair.assets) == symbols:
            return compare("fee", fee, pair.fee_in_basis_points)
    return require("fee", False, "the pool data do not have the pair")


def _levels(
    request: QuoteRequest, quote: Priced, record: PoolData, fee: Check, seconds: int, book: LevelBook | None
) -> Check:
    least, output = quote.levels_output, quote.output_amount
    if least is None or output < least:
        return require("levels", False, f"output of {output}, with a levels_output of {least}")
    has_known_fee = fee.outcome is Outcome.PASSED or (
        book is not None
        and book.levels_id == request.levels_id
        and book.fee_in_basis_points >= quote.fee_in_basis_points
    )
    try:
        what, found, computed = _recompute(request, quote, record)
        is_no_worse = found >= computed if what == "output" else found <= computed
        formula = f"{what} of {found}, {computed} by the formula at {quote.fee_in_basis_points} basis points"
    except (Undecided, ValueError) as problem:
        is_no_worse, formula = False, str(problem)
    if has_known_fee and is_no_worse:
        return require("levels", True, formula)
    if book is None:
        detail = f"only the book decides: {formula}; fee {fee.outcome.value}: {fee.detail}"
        return Check("levels", Outcome.UNDECIDED, detail)
    contradiction = levels_problem(request, quote, book, seconds)
    return require("levels", contradiction is None, contradiction or f"output of {output}, which the book allows")


def _amounts(request: QuoteRequest, quote: Priced, record: PoolData, verified: bool | None) -> Check:
    try:
        what, found, computed = _recompute(request, quote, record)
    except (Undecided, ValueError) as problem:
        return require("amounts", False, str(problem))
    if found == computed:
        return require("amounts", True, f"{what} of {found}")
    is_lower = found < computed if what == "output" else found > computed
    if is_lower and verified is not False:
        detail = f"{what} of {found}, {computed} by the formula: as where a verified pool's contract would refuse that"
        return Check("amounts", Outcome.LOWER, detail)
    return require("amounts", False, f"{what} of {found}, {computed} by the formula")


def _recompute(request: QuoteRequest, quote: Priced, record: PoolData) -> tuple[str, int, int]:
    """Which amount the formula gives, as it was quoted, and as it follows from the other at the quote's own fee."""
    offer = offer_of(record, request.input_asset_symbol, request.output_asset_symbol, quote.fee_in_basis_points)
    if request.input_amount is not None:
        return "output", quote.output_amount, offered_output(offer, request.input_amount)
    return "input", quote.input_amount, offered_input(offer, quote.output_amount)
