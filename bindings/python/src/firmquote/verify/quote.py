"""Checks a quote against the request and the pool data of its state: fee and amounts, to the base unit."""

from __future__ import annotations

from decimal import Decimal

from firmquote.types.pools import AllAsset, AllRecord
from firmquote.types.quotes import Priced, Quote
from firmquote.types.requests import QuoteRequest
from firmquote.verify.checks import Check, Outcome, Report, compare, require, skipped
from firmquote.verify.fee import FeeTerms, hundredths_of
from firmquote.verify.formula import Curve, Side, Undecided, input_for, output_for


class MissingData(ValueError):
    """The pool data lack what the formula needs: an asset, a price or a balance."""


def check_quote(
    request: QuoteRequest,
    quote: Priced,
    record: AllRecord,
    *,
    verified: bool | None = None,
    fee_terms: FeeTerms | None = None,
) -> Report:
    """Checks a quote, or a swap that was quoted and signed at once, against what everybody can compute.

    Args:
        request: what was requested; says which amount was fixed.
        quote: what was quoted.
        record: `pools` of the quote's `state_id` and `time_in_seconds`, both sets of data.
        verified: whether the contract checks the curve. If so, or if it is not known, amounts that are worse for the
            taker than the formula are `LOWER`; for a plain pool they are `FAILED`.
        fee_terms: what the fee of the pair is made of, if the operator publishes it.

    The checks are `chain`, `pool`, `state`, `input token`, `output token`, `fixed amount`, `validity`, `fee`, and
    `amounts` or, for a quote of firm levels, `levels`.
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
    checks.append(_validity(request, quote, record))
    if quote.levels_id is not None:
        return Report((*checks, skipped("fee", "that of the levels"), _levels(quote)))
    fee = _fee(request, quote, record, fee_terms)
    return Report((*checks, fee, _amounts(request, quote, record, verified)))


def curve_of(record: AllRecord, input_symbol: str, output_symbol: str, fee_in_basis_points: Decimal) -> Curve:
    """Returns the curve that a pool quotes on: conservative reserves, which count outstanding swaps against the quote.

    Raises:
        MissingData: an asset is unknown, or its price or balance is not published.
        ValueError: a value is out of the range of the formula, or outstanding swaps take the whole reserve.
    """
    one, other = _asset(record, input_symbol), _asset(record, output_symbol)
    return Curve(
        input=_side(one, one.outstanding_inflow),
        output=_side(other, -other.outstanding_outflow),
        k_e18=_steps(record.pool.k, 18),
        fee_hundredths_bp=hundredths_of(fee_in_basis_points),
    )


def price_e8_of(asset: AllAsset) -> int:
    """The price of an asset in steps of 1e-8 US dollars.

    Raises:
        MissingData: the asset has no price.
        ValueError: the price has more than 8 decimals.
    """
    if asset.price_in_usd is None:
        raise MissingData(f"{asset.name} has no price")
    return _steps(asset.price_in_usd, 8)


def _asset(record: AllRecord, symbol: str) -> AllAsset:
    for asset in record.assets:
        if asset.name == symbol:
            return asset
    raise MissingData(f"the pool data have no asset {symbol}")


def _side(asset: AllAsset, outstanding: int) -> Side:
    if asset.balance is None:
        raise MissingData(f"{asset.name} has no balance")
    return Side(asset.balance + outstanding, price_e8_of(asset), asset.listing_weight, asset.decimals)


def _steps(number: Decimal, decimals: int) -> int:
    steps = number.scaleb(decimals)
    if steps != steps.to_integral_value():
        raise ValueError(f"{number} has more than {decimals} decimals")
    return int(steps)


def _validity(request: QuoteRequest, quote: Priced, record: AllRecord) -> Check:
    expected = request.time_in_seconds or record.pool.default_time_in_seconds
    if not isinstance(quote, Quote):
        return skipped("validity", "a swap that was quoted and signed at once has no must_accept_by")
    return compare("validity", quote.time_in_seconds, expected)


def _fee(request: QuoteRequest, quote: Priced, record: AllRecord, terms: FeeTerms | None) -> Check:
    fee, seconds = quote.fee_in_basis_points, request.time_in_seconds or record.pool.default_time_in_seconds
    if terms is not None:
        return compare("fee", fee, Decimal(terms.hundredths(seconds)).scaleb(-2))
    if record.pool.time_in_seconds != seconds:
        return skipped("fee", f"the pool data are for {record.pool.time_in_seconds} s, the quote for {seconds} s")
    symbols = {request.input_asset_symbol, request.output_asset_symbol}
    for pair in record.pairs:
        if set(pair.assets) == symbols:
            return compare("fee", fee, pair.fee_in_basis_points)
    return require("fee", False, "the pool data do not have the pair")


def _levels(quote: Priced) -> Check:
    """Amounts of levels follow from earlier quotes too; what is promised is at least `levels_output`."""
    if quote.levels_output is None:
        return require("levels", False, "levels_output is missing")
    holds = quote.output_amount >= quote.levels_output
    return require("levels", holds, f"output of {quote.output_amount}, of at least {quote.levels_output}")


def _amounts(request: QuoteRequest, quote: Priced, record: AllRecord, verified: bool | None) -> Check:
    try:
        curve = curve_of(record, request.input_asset_symbol, request.output_asset_symbol, quote.fee_in_basis_points)
        if request.input_amount is not None:
            computed = output_for(curve, request.input_amount)
            found, is_lower, what = quote.output_amount, quote.output_amount < computed, "output"
        else:
            computed = input_for(curve, quote.output_amount)
            found, is_lower, what = quote.input_amount, quote.input_amount > computed, "input"
    except (Undecided, ValueError) as problem:
        return require("amounts", False, str(problem))
    if found == computed:
        return require("amounts", True, f"{what} of {found}")
    if is_lower and verified is not False:
        detail = f"{what} of {found}, {computed} by the formula: as where a verified pool's contract would refuse that"
        return Check("amounts", Outcome.LOWER, detail)
    return require("amounts", False, f"{what} of {found}, {computed} by the formula")
